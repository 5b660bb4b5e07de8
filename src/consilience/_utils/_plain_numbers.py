"""Reject arrays that NumPy would convert to numbers with another meaning."""

from typing import Any

import numpy as np

from consilience.exceptions import InvalidInputError


def require_plain_numbers(given: Any, what: str) -> None:
    """Reject masked cells, whose hidden numbers NumPy would use, and dates and durations."""
    kind = getattr(getattr(given, "dtype", None), "kind", "")
    if kind == "c":
        raise InvalidInputError(
            f"Complex data not supported: {what} holds {given.dtype}; give real and imaginary parts as "
            "columns of their own."
        )
    if isinstance(given, np.ndarray) and kind in "mM":
        raise InvalidInputError(
            f"{what} holds {given.dtype}, not numbers; turn dates into numbers of your choice first, "
            "such as days since the first one."
        )
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        place = np.argwhere(np.ma.getmaskarray(given))[0].tolist()
        where = ", ".join(
            f"{axis} {index}" for axis, index in zip(("row", "column"), place, strict=False)
        )
        raise InvalidInputError(
            f"{what} is masked in {where}, so a value is missing there; fill masked cells, or leave "
            "such rows out."
        )
