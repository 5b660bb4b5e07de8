"""What is released: one version, files that belong into it, settings of services that can be read."""

import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import consilience

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
RECIPE = yaml.safe_load((ROOT / "recipe/recipe.yaml").read_text(encoding="utf-8"))


def test_there_is_one_version():
    facts = runpy.run_path(str(ROOT / ".ci/release_facts.py"))
    written = {facts["version"](), facts["cited_version"](), CITED["version"]}
    assert written | {RECIPE["context"]["version"]} == {consilience.__version__}


def test_no_file_names_a_package_index_before_a_release():
    """Nothing is released: whatever stands at such an address would not be ours."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "pyproject.toml"]
    address = re.compile(r"pypi\.org|anaconda\.org")
    for page in [*pages, ROOT / "CITATION.cff", ROOT / "recipe/recipe.yaml"]:
        assert not address.search(page.read_text(encoding="utf-8")), page


@pytest.fixture
def checkout(tmp_path):
    """Return a copy of the files that say a version, set to 1.2.3."""
    for name in (".ci/release_facts.py", "src/consilience/_utils/_version.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    written = tmp_path / "src/consilience/_utils/_version.py"
    written.write_text(written.read_text().replace(f'"{consilience.__version__}"', '"1.2.3"'))
    (tmp_path / "CITATION.cff").write_text("title: Consilience\nversion: 1.2.3\n")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 1.2.3 (a day)\n\n- New.\n\n## 1.2.2\n- Old.\n"
    )
    return tmp_path


def _facts(folder, *arguments):
    script = [sys.executable, folder / ".ci/release_facts.py", *arguments]
    return subprocess.run(script, capture_output=True, text=True, check=False)  # noqa: S603


def test_a_tag_must_agree_with_all_files(checkout):
    assert _facts(checkout, "--tag", "v1.2.3").returncode == 0
    assert _facts(checkout, "--notes").stdout == "- New.\n"  # the part of the changelog
    wrong = _facts(checkout, "--tag", "v1.2.4")
    assert (wrong.returncode, "The tag is v1.2.4" in wrong.stderr) == (1, True)
    (checkout / "CITATION.cff").write_text("version: 1.0.0\n")
    (checkout / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n")
    wrong = _facts(checkout, "--tag", "v1.2.3")
    named = [line.split()[0] for line in wrong.stderr.splitlines()]
    assert named == ["CITATION.cff", "CHANGELOG.md"]


@pytest.mark.parametrize(
    "file",
    sorted([*(ROOT / ".github").rglob("*.yml"), ROOT / ".readthedocs.yaml", ROOT / "CITATION.cff"]),
    ids=lambda file: file.name,
)
def test_settings_of_services_can_be_read(file):
    assert isinstance(yaml.safe_load(file.read_text(encoding="utf-8")), dict)


def test_workflows_call_targets_that_exist():
    makefile = (ROOT / "Makefile").read_text()
    for file in (ROOT / ".github/workflows").glob("*.yml"):
        for job in yaml.safe_load(file.read_text())["jobs"].values():
            for step in job.get("steps", []):
                words = step.get("run", "").split()
                if words[:1] == ["make"]:
                    assert f"\n{words[1]}: " in makefile, (file.name, words[1])


def test_the_recipe_asks_for_what_the_package_asks_for():
    project = PROJECT["project"]
    asked = {line.replace(" ", "") for line in RECIPE["requirements"]["run"]}
    assert asked - {"python>=${{python_min}}"} == set(project["dependencies"])
    assert project["requires-python"] == f">={RECIPE['context']['python_min']}"
    assert project["scripts"]["consilience"] == "consilience.cli:main"


def test_the_r_package_names_the_same_authors():
    names = [author["name"] for author in PROJECT["project"]["authors"]]
    assert names == [author["name"] for author in CITED["authors"]]
    described = (ROOT / "r/consilience/DESCRIPTION").read_text()
    assert all(f'person("{name}"' in described for name in names)


def test_the_sdist_has_what_its_tests_read():
    sdist = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]
    shipped = {name.strip("/") for name in sdist["include"]}
    excluded = [ROOT / name.strip("/") for name in sdist["exclude"]]
    for file in (ROOT / "tests").rglob("test_*.py"):
        if any(file.is_relative_to(one) for one in excluded):
            continue
        for name in re.findall(r'ROOT / "([\w.]+)', file.read_text(encoding="utf-8")):
            assert name in shipped or name.endswith((".md", ".toml")), f"{file.name} reads {name}"
