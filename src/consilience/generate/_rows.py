"""The data that members are made from: scaled columns, or weighted counts."""

from typing import Any

import numpy as np
from scipy import sparse

from consilience.generate._count_rows import CountRows, looks_like_counts
from consilience.generate._scaling import Scaling, column_variances
from consilience.incidence import is_chunked, map_rows

# Allowed values; "auto" tries several of them.
SCALINGS = ("auto", "standard", "max", "common", "counts", "log-counts")
# As many columns of equal variance would have the same sum of squared variances; at least this share of
# all columns is enough for one common scale.
_PARTICIPATION = 0.2
# Variances that differ by less than this factor are one common scale already.
_SAME = 1.02


def scalings_to_try(X: Any, given: str | None) -> list[str | None]:
    """Return the scalings to look at; what a user names is the only one.

    "auto" is "counts" and "log-counts" for data that look like counts. For others it is "standard", and
    "common" unless all columns have nearly the same variance, or few of many hold nearly all of it:
    there the common scale would hide the other columns.
    """
    if given != "auto":
        return [given]
    if looks_like_counts(X):
        return ["counts", "log-counts"]
    variances = column_variances(X)
    varying = variances[variances > 0]
    if sparse.issparse(X) or len(varying) < 2 or varying.max() < _SAME * varying.min():
        return ["standard"]
    # Squares of variances may leave the range of floating point.
    shares = variances / variances.max()
    n_equal = shares.sum() ** 2 / np.square(shares).sum()
    return ["standard", "common"] if n_equal >= _PARTICIPATION * len(variances) else ["standard"]


class Rows:
    """A fitted scaling: from rows of the data to rows that members see."""

    def __init__(self, kind: str | None, X: Any) -> None:
        self.name = "none" if kind is None else kind
        self._fitted: Scaling | CountRows | None = None
        if kind in ("counts", "log-counts"):
            self._fitted = CountRows.fit(X, rare_counts_more=kind == "counts")
        elif self.name != "none":
            self._fitted = Scaling.fit(X, self.name)

    def __call__(self, X: Any) -> Any:
        """Return rows as members see them; of data in chunks, in chunks."""
        if self._fitted is None:
            return X
        if not is_chunked(X):
            return self._fitted.apply(X)
        fitted = self._fitted
        return map_rows(fitted.apply, X, width=fitted.n_columns, dtype=fitted.dtype)
