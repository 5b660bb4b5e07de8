"""How the documentation is built: `make docs`."""

import sys
from pathlib import Path

import matplotlib as mpl

import consilience

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
mpl.use("agg")

from versions import theme_options  # noqa: E402 - one of ours, in _ext

project = "Consilience"
author = "The Consilience developers"
copyright = author  # noqa: A001 - Sphinx reads this name
version = release = consilience.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    # ours, in _ext
    "api_pages",
    "catalogue",
    "command_reference",
    "copied_pages",
    "mathml",
    "papers",
    "sample_report",
    "software_citation",
    "tidy_blocks",
    "versions",
]

root_doc = "index"
templates_path = ["_templates"]
exclude_patterns = ["_*", "**/backreferences/*", "gallery/**/*.ipynb", "gallery/**/*.json"]
default_role = "py:obj"
# A paper may stand in references.bib for the experiments alone.
suppress_warnings = ["ref.citation"]
# Links that a page writes must lead somewhere; words in docstrings are linked where they can be.
nitpicky = True
nitpick_ignore_regex = [("py:obj", ".*")]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
# Two names that a file system without capital letters would take for one.
autosummary_filename_map = {
    "consilience.diagnose.stability": "consilience.diagnose.stability_function"
}

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "doc_module": ("consilience",),
    "backreferences_dir": "api/backreferences",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 10_000,
    "remove_config_comments": True,
    "write_computation_times": False,
    "copyfile_regex": r".*\.rst",
}

html_theme = "pydata_sphinx_theme"
html_title = "Consilience"
html_static_path = ["_static"]
html_extra_path = ["_extra"]
html_css_files = ["consilience.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "Consilience"},
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    # The last pattern that fits wins; families have wide tables and few headings.
    "secondary_sidebar_items": {
        "**": ["page-toc"],
        **{f"families/{page.stem}": [] for page in (HERE / "families").glob("*.md")},
    },
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    **theme_options(),
}
# Pages without neighbours need no column for them.
html_sidebars = {
    page: []
    for page in ("install", "command", "coming_from", "faq", "references", "support", "cite")
}

# The five papers whose experiments are run again; see _ext/copied_pages.py.
experiment_papers = ["fern2004", "alrazgan2006", "nguyen2007", "azimi2007", "wang2009"]
experiments_required = True

linkcheck_anchors = False
linkcheck_timeout = 20
