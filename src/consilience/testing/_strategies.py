"""Hypothesis strategies."""

from typing import Any

import numpy as np


def label_matrices(
    *,
    n_samples: tuple[int, int] = (1, 12),
    n_members: tuple[int, int] = (1, 5),
    n_labels: int = 4,
    missing: bool = True,
) -> Any:
    """Draw (n, r) label matrices; every row and every member knows something.

    Parameters
    ----------
    n_samples, n_members : (int, int)
        Smallest and largest n and r.
    n_labels : int
        Labels are drawn from 0 .. n_labels - 1.
    missing : bool
        Whether -1 may occur.
    """
    from hypothesis import strategies as st
    from hypothesis.extra.numpy import arrays

    shapes = st.tuples(st.integers(*n_samples), st.integers(*n_members))
    cells = st.integers(-1 if missing else 0, n_labels - 1)

    def known_everywhere(labels: np.ndarray[Any, Any]) -> bool:
        known = labels >= 0
        return bool(known.any(axis=0).all() and known.any(axis=1).all())

    return shapes.flatmap(lambda shape: arrays(np.int64, shape, elements=cells)).filter(
        known_everywhere
    )
