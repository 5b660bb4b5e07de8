"""One BLAS thread inside, as many as before outside."""

import pytest
from threadpoolctl import ThreadpoolController

from consilience._utils._blas import one_blas_thread


@pytest.fixture
def blas_threads():
    """Say how many threads BLAS uses; two before the test, however many cores there are."""
    blas = ThreadpoolController().select(user_api="blas")
    assert blas.lib_controllers
    with blas.limit(limits=2):
        yield lambda: {library.num_threads for library in blas.lib_controllers}


def test_inside_and_after(blas_threads):
    with one_blas_thread():
        with one_blas_thread():
            assert blas_threads() == {1}
        assert blas_threads() == {1}
    assert blas_threads() == {2}


def test_an_error_takes_it_away(blas_threads):
    with pytest.raises(KeyError), one_blas_thread():
        raise KeyError
    assert blas_threads() == {2}
