"""One BLAS thread inside, as many as before outside."""

import subprocess
import sys

# In a process of its own: threads of other tests may hold limits, which threadpoolctl respects.
_SCRIPT = """
import numpy
from threadpoolctl import ThreadpoolController

from consilience._utils._blas import one_blas_thread

blas = ThreadpoolController().select(user_api="blas")
assert blas.lib_controllers


def threads():
    return {library.num_threads for library in blas.lib_controllers}


# Two before, however many cores there are.
with blas.limit(limits=2):
    assert threads() == {2}
    with one_blas_thread():
        with one_blas_thread():
            assert threads() == {1}
        assert threads() == {1}
    assert threads() == {2}
    try:
        with one_blas_thread():
            assert threads() == {1}
            raise KeyError
    except KeyError:
        assert threads() == {2}
with blas.limit(limits=1):
    with one_blas_thread():
        with blas.limit(limits=2), one_blas_thread():
            assert threads() == {2}, "inside, nothing is limited again"
        assert threads() == {1}
    with blas.limit(limits=2), one_blas_thread():
        assert threads() == {1}
print("done")
"""


def test_inside_and_after():
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.stdout.strip(), done.stderr) == ("done", "")
