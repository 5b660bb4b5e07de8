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
FACTS = ROOT / ".ci/release_facts.py"


def test_there_is_one_version():
    facts = runpy.run_path(str(FACTS))
    assert facts["version"]() == consilience.__version__
    assert facts["cited_version"]() == consilience.__version__
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == consilience.__version__


def test_documents_take_the_version_from_the_package():
    assert "release = consilience.__version__" in (ROOT / "docs/conf.py").read_text()
    assert 'dynamic = ["version"]' in (ROOT / "pyproject.toml").read_text()


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
    return subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, folder / ".ci/release_facts.py", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_tag_must_agree_with_all_files(checkout):
    assert _facts(checkout, "--tag", "v1.2.3").returncode == 0
    wrong = _facts(checkout, "--tag", "v1.2.4")
    assert (wrong.returncode, "The tag is v1.2.4" in wrong.stderr) == (1, True)
    (checkout / "CITATION.cff").write_text("version: 1.0.0\n")
    (checkout / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n")
    wrong = _facts(checkout, "--tag", "v1.2.3")
    assert (
        wrong.stderr
        == "CITATION.cff says 1.0.0, not 1.2.3.\nCHANGELOG.md has no part '## 1.2.3'.\n"
    )


def test_notes_are_the_part_of_the_changelog(checkout):
    assert _facts(checkout, "--notes").stdout == "- New.\n"


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
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    recipe = yaml.safe_load((ROOT / "recipe/recipe.yaml").read_text(encoding="utf-8"))
    asked = {line.replace(" ", "") for line in recipe["requirements"]["run"]}
    assert asked - {"python>=${{python_min}}"} == set(project["dependencies"])
    assert project["requires-python"] == f">={recipe['context']['python_min']}"
    assert project["scripts"]["consilience"] == "consilience.cli:main"


def test_the_r_package_names_the_same_authors():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())["authors"]
    assert [author["name"] for author in project["authors"]] == [one["name"] for one in cited]
    described = (ROOT / "r/consilience/DESCRIPTION").read_text()
    for author in cited:
        assert f'person("{author["name"]}"' in described


def test_the_sdist_has_what_its_tests_read():
    sdist = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"][
        "targets"
    ]["sdist"]
    shipped = {name.strip("/") for name in sdist["include"]}
    excluded = [ROOT / name.strip("/") for name in sdist["exclude"]]
    for file in (ROOT / "tests").rglob("test_*.py"):
        if any(file.is_relative_to(one) for one in excluded):
            continue
        for name in re.findall(r'ROOT / "([\w.]+)', file.read_text(encoding="utf-8")):
            assert name in shipped or name.endswith((".md", ".toml")), f"{file.name} reads {name}"
