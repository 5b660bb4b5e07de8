"""Pages of the API: a page per package from its ``__all__``, and docstrings as reStructuredText.

A public name that is not on these pages cannot exist: the lists are those that Python reads.
"""

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from written import write_if_changed

PACKAGES = [
    "consilience",
    "consilience.answer",
    "consilience.generate",
    "consilience.clusterers",
    "consilience.consensus",
    "consilience.consensus.bregman",
    "consilience.metrics",
    "consilience.diagnose",
    "consilience.plot",
    "consilience.graphs",
    "consilience.scanpy",
    "consilience.topics",
    "consilience.platforms",
    "consilience.datasets",
    "consilience.tables",
    "consilience.reporting",
    "consilience.extend",
    "consilience.testing",
    "consilience.exceptions",
]
# Shown in the package in which users look for them.
ELSEWHERE = {
    "consilience": {"__version__"},
    "consilience.consensus.bregman": {"GCA", "GWCA"},
    "consilience.answer": {"ConsensusClustering"},
    "consilience.reporting": {"report"},
    "consilience.extend": {
        "Capabilities",
        "ConsensusFunction",
        "ConstraintReport",
        "Ensemble",
        "EnsembleGenerator",
        "Member",
        "Outcome",
        "Solution",
        "check_consensus_function",
        "check_generator",
    },
}

INDEX = """
API reference
=============

Every public name. Estimators also have what they inherit from scikit-learn: ``get_params``,
``set_params`` and, for clusterers, ``fit_predict``; for generators, ``fit_transform``. Whatever is
not listed here is private and may change.

.. toctree::
   :maxdepth: 1

"""


def write_pages(app: Any, config: Any) -> None:
    """Write the page of every package and their index, and remove those of names that have gone."""
    folder = Path(app.srcdir) / "api"
    renamed = config.autosummary_filename_map
    names = {f"{package}.{name}" for package in PACKAGES for name in public_names(package)}
    files = {renamed.get(name, name) for name in names}
    for page in (folder / "names").glob("*.rst"):
        if page.stem not in files:
            page.unlink()
    for package in PACKAGES:
        write_if_changed(folder / f"{package}.rst", package_page(package))
    packages = "\n".join(f"   {package}" for package in PACKAGES)
    write_if_changed(folder / "index.rst", INDEX.lstrip() + packages + "\n")


def public_names(package: str) -> list[str]:
    """Return what a package offers; errors have no list, because all of them are public."""
    module = import_module(package)
    offered = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == package
    ]
    return [name for name in offered if name not in ELSEWHERE.get(package, ())]


def package_page(package: str) -> str:
    """Return a page with tables of names, by family where there are families."""
    module = import_module(package)
    words = (module.__doc__ or "").strip().split("\n>>>")[0].strip()
    lines = [package, "=" * len(package), "", words, "", f".. module:: {package}", ""]
    for title, names in grouped(package).items():
        if title:
            lines += [title, "-" * len(title), ""]
        lines += [".. autosummary::", "   :toctree: names", ""]
        lines += [f"   {name}" for name in names] + [""]
    return "\n".join(lines)


def grouped(package: str) -> dict[str, list[str]]:
    """Return names by heading: consensus functions by family, all else together."""
    names = sorted(public_names(package), key=str.lower)
    if package != "consilience.consensus":
        return {"": names}
    from consilience.consensus import catalogue

    functions = catalogue(extensions=False)
    groups: dict[str, list[str]] = {}
    for name in names:
        if name not in functions:
            continue
        place = functions[name].__module__.removeprefix(f"{package}.").split(".")
        groups.setdefault(place[0].capitalize() if len(place) > 1 else "Above all", []).append(name)
    rest = [name for name in names if name not in functions]
    return {**dict(sorted(groups.items())), "For people who add a function": rest}


# --- docstrings --------------------------------------------------------------------------------------

NAMED = re.compile(r"^(\w+(?:, \w+)*)  +(\S.*)$")


def tables_of_names(lines: list[str]) -> list[str]:
    """Turn aligned lines, `name   what it is`, into numpydoc's section of attributes."""
    starts = [
        place
        for place, line in enumerate(lines)
        if NAMED.match(line) and (place == 0 or not lines[place - 1].strip())
    ]
    if not starts:
        return lines
    first = starts[0]
    last = first
    section = ["Attributes", "----------"]
    for line in lines[first:]:
        named = NAMED.match(line)
        if not line.strip() or not (named or line.startswith("  ")):
            break
        section += [named[1], f"    {named[2]}"] if named else [f"    {line.strip()}"]
        last += 1
    return [*lines[:first], *section, *lines[last:]]


def without_bars(line: str) -> str:
    """Escape bars outside of backticks: a norm, |x|, is no substitution."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(part if part.startswith("`") else part.replace("|", r"\|") for part in parts)


def before_numpydoc(_: Any, what: str, _name: str, _thing: Any, _o: Any, lines: list[str]) -> None:
    """Read docstrings as people do."""
    if what in ("class", "exception"):
        lines[:] = tables_of_names(lines)


def after_numpydoc(_: Any, _what: str, _name: str, _thing: Any, _o: Any, lines: list[str]) -> None:
    """Leave nothing that reStructuredText would take for markup of its own."""
    lines[:] = [
        line if line.lstrip().startswith((">>>", "...")) else without_bars(line) for line in lines
    ]


def skip_foreign(_: Any, _what: str, name: str, thing: Any, skip: bool, _o: Any) -> bool | None:  # noqa: FBT001
    """Leave out what scikit-learn, Python and named tuples bring along."""
    function = inspect.unwrap(thing) if callable(thing) else getattr(thing, "fget", thing)
    module = getattr(function, "__module__", None) or ""
    foreign = not module.startswith("consilience") and not isinstance(thing, str)
    request = name.startswith("set_") and name.endswith("_request")
    return True if foreign or request else skip or None


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("config-inited", write_pages)
    app.connect("autodoc-process-docstring", before_numpydoc, priority=100)
    app.connect("autodoc-process-docstring", after_numpydoc, priority=900)
    app.connect("autodoc-skip-member", skip_foreign)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
