"""One BLAS thread where more would harm.

Row blocks are the parallelism of this library, and small eigenproblems become a hundred times slower
when the threads of BLAS compete with other work for the same cores.
"""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def one_blas_thread() -> AbstractContextManager[Any]:
    """Limit BLAS to one thread inside a `with` block."""
    limit: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limit


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
