"""The R package: its files are complete without R, and its own tests pass where R is installed.

`make r` installs R and what the tests need; elsewhere these tests are skipped, and say so.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "r" / "consilience"
RSCRIPT = shutil.which("Rscript")
NEEDED = ("reticulate", "testthat", "ConsensusClusterPlus")


def _r(code, *arguments, **environment):
    return subprocess.run(  # noqa: S603 - our own code
        [str(RSCRIPT), "--vanilla", "-e", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def _lacking():
    """Return what is not installed, or an empty text."""
    if RSCRIPT is None:
        return "R"
    code = "cat(Filter(function(p) !requireNamespace(p, quietly = TRUE), commandArgs(TRUE)))"
    found = _r(code, *NEEDED)
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """Install the package into a folder of its own."""
    lacking = _lacking()
    if lacking:
        reason = f"{lacking} is not installed; `make r` installs it and runs these tests"
        assert "CI" not in os.environ, reason
        pytest.skip(reason)
    library = tmp_path_factory.mktemp("library")
    installer = [Path(str(RSCRIPT)).with_name("R"), "CMD", "INSTALL", "-l", library, PACKAGE]
    done = subprocess.run(  # noqa: S603 - R's own installer on our package
        installer, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr, done.stderr
    return {
        "R_LIBS": str(library),
        "RETICULATE_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT / "src"),
    }


def test_every_export_is_defined_and_documented():
    exports = re.findall(r"^export\((\w+)\)$", (PACKAGE / "NAMESPACE").read_text(), re.MULTILINE)
    code = "\n".join(file.read_text(encoding="utf-8") for file in (PACKAGE / "R").glob("*.R"))
    manual = "\n".join(file.read_text(encoding="utf-8") for file in (PACKAGE / "man").glob("*.Rd"))
    assert {"combine_labels", "consensus_cluster", "consensus_matrix"} == set(exports)
    for name in exports:
        assert re.search(rf"^{name} <- function\(", code, re.MULTILINE)
        assert f"\\alias{{{name}}}" in manual


def test_python_part_without_r(tmp_path, monkeypatch):
    """Bytes in, bytes out: the same as the library says."""
    import numpy as np

    from consilience import Ensemble
    from consilience.diagnose import ConsensusMatrix

    monkeypatch.syspath_prepend(str(PACKAGE / "inst" / "python"))
    import consilience_for_r as part

    rng = np.random.default_rng(0)
    X = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])[np.repeat([0, 1, 2], 10)]
    X += rng.normal(size=X.shape)
    buffer = bytearray(X.tobytes())
    for members in (
        part.tree_members(buffer, 30, 3, 20, 0.8, 1, "average", "euclidean", 0),
        part.tree_members(buffer, 30, 3, 20, 0.8, 1, "average", "manhattan", 0),
        part.kmeans_members(buffer, 30, 3, 20, 0.8, 1, 0),
    ):
        assert sorted(members.labels) == [2, 3]
        assert members.labels[3].shape == (20, 30)
        assert ((members.labels[3] >= 0).sum(axis=1) == 24).all()
        pairs = np.frombuffer(part.pair_consensus(members, 3))
        expected = ConsensusMatrix(Ensemble(members.labels[3].T)).pairs
        np.testing.assert_array_equal(pairs, expected)
    votes = np.array([[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, -1, 1]], dtype=float)
    given = part.given_members(bytearray(votes.tobytes()), 4)
    found = np.frombuffer(part.combine(given, 2, "concord", 0)).reshape(2, 4)
    assert found[0].tolist() == [0, 0, 1, 1]
    assert (found[1] > 0.5).all()
    with pytest.raises(ValueError, match="no method 'none'"):
        part.combine(given, 2, "none", 0)


def test_tests_of_the_package(installed):
    folder = (PACKAGE / "tests" / "testthat").as_posix()
    code = (
        "library(testthat); library(consilience); "
        f"done <- as.data.frame(test_dir('{folder}', reporter = 'summary', package = 'consilience', "
        "load_package = 'installed')); "
        "stopifnot(nrow(done) == 8, !any(done$skipped), !any(done$error), all(done$failed == 0))"
    )
    done = _r(code, **installed)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_blocks_of_the_vignette_and_the_guide_run(installed, tmp_path):
    for page, fence in (
        (PACKAGE / "vignettes" / "consilience.Rmd", r"```\{r, eval = FALSE\}\n(.*?)```"),
        (ROOT / "docs" / "guide" / "r.md", r"```r\n(.*?)```"),
    ):
        blocks = re.findall(fence, page.read_text(encoding="utf-8"), re.DOTALL)
        run = [b for b in blocks if "use_python" not in b and "install.packages" not in b]
        assert len(run) >= 3
        file = tmp_path / "blocks.R"
        plots = (tmp_path / "plots.pdf").as_posix()
        file.write_text(f"pdf('{plots}')\n" + "\n".join(run), encoding="utf-8")
        done = _r(f"source('{file.as_posix()}', echo = TRUE)", **installed)
        assert done.returncode == 0, (page.name, done.stdout[-2000:] + done.stderr[-2000:])
