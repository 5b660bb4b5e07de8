"""The progress bar: on a terminal only, unless asked for."""

import subprocess
import sys

import numpy as np

from consilience.generate import KMeansRestarts

X = np.random.default_rng(0).normal(size=(30, 2))


def _stderr_of(verbose, capfd):
    KMeansRestarts(n_members=3, n_clusters=2, verbose=verbose, random_state=0).fit(X)
    out, err = capfd.readouterr()
    assert out == ""
    return err


def test_silent_in_a_pipe(capfd):
    assert _stderr_of(None, capfd) == ""
    assert _stderr_of(0, capfd) == ""


def test_drawn_when_asked_for(capfd):
    err = _stderr_of(1, capfd)
    assert "KMeansRestarts" in err
    assert "3/3" in err


def test_rich_is_not_imported_for_nothing():
    code = (
        "import sys\n"
        "from consilience._utils._progress import progress\n"
        "with progress('Members', 1, None) as advance:\n"
        "    advance(1)\n"
        "sys.exit('rich' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    subprocess.run(command, check=True, stderr=subprocess.PIPE)  # noqa: S603 - our own interpreter
