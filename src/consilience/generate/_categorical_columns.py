"""Categorical columns as members."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data

from consilience._utils._declare import Declaration
from consilience._utils._estimators import remember_columns
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.generate._base import EnsembleGenerator, parameters_from_fields
from consilience.generate._member import Member


@parameters_from_fields
class CategoricalColumns(EnsembleGenerator):
    """Every column is a clustering: its categories are the clusters, empty cells are missing labels.

    Clustering categorical data is combining clusterings: two objects are alike if many columns say so.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members; their names are the columns, their values the categories.
    members_ : list of Member
        Labels of every member.
    provenance_ : mapping
        Versions and hash of the data.
    n_features_in_, feature_names_in_ : int, array
        Columns of the data.

    See Also
    --------
    consilience.Ensemble.from_categorical : The same without the interface of scikit-learn.

    Notes
    -----
    O(n d). Any value is a category, numbers too; null, None and NaN are missing. A category that did not
    occur in `fit` is missing in `transform`.

    References
    ----------
    [gionis2007]_, section 2

    Examples
    --------
    >>> import pyarrow as pa
    >>> from consilience.generate import CategoricalColumns
    >>> zoo = pa.table({"legs": [4, 4, 2, 0], "skin": ["fur", "fur", "feathers", None]})
    >>> CategoricalColumns().fit_transform(zoo).tolist()
    [[0, 0], [0, 0], [1, 1], [2, -1]]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {}

    def _read(self, X: Any, *, reset: bool) -> Any:
        """Return the labels of the categories known since `fit`."""
        read = _as_ensemble(self, X, reset=reset)
        if reset:
            self._categories = read
            return read.labels
        return _relabel(read, self._categories)

    def _count_members(self, X: Any) -> int:
        return int(X.shape[1])

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:  # noqa: ARG002
        return X

    def _member(
        self,
        shared: Any,
        j: int,
        rng: np.random.Generator,  # noqa: ARG002
        previous: Member | None,  # noqa: ARG002
    ) -> Member:
        return Member(np.ascontiguousarray(shared[:, j]), {"column": np.array(j)})

    def _predict(self, member: Member, rows: Any) -> Array:
        labels: Array = rows[:, int(member.arrays["column"])]
        return labels

    def _member_names(self) -> list[str]:
        return list(self._categories.names)

    def _assemble(self, labels: Array) -> Ensemble:  # noqa: ARG002
        return self._categories

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags


def _as_ensemble(owner: Any, X: Any, *, reset: bool) -> Ensemble:
    import narwhals.stable.v2 as nw
    import pyarrow as pa

    if sparse.issparse(X):
        raise InvalidInputError(
            "CategoricalColumns cannot use sparse data, since 0 would be a category; pass X.toarray()."
        )
    frame: Any = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.DataFrame | nw.LazyFrame):
        remember_columns(owner, X, reset=reset)
        return Ensemble.from_categorical(X)
    if isinstance(X, np.ma.MaskedArray):
        is_missing = np.ma.getmaskarray(X)
        X = np.ma.getdata(X).astype(object)
        X[is_missing] = None
    table = validate_data(owner, X, reset=reset, dtype=None, ensure_all_finite=False)
    columns = {f"x{j}": _as_arrow(column, j) for j, column in enumerate(table.T)}
    return Ensemble.from_categorical(pa.table(columns))


def _as_arrow(column: Array, j: int) -> Any:
    import pyarrow as pa

    try:
        return pa.array(_plain(column), from_pandas=True)
    except pa.ArrowException as error:
        words = str(error).splitlines()[0]
        raise InvalidInputError(
            f"CategoricalColumns: column {j} holds categories of several kinds ({words}); turn all of "
            "them into text, or all into numbers."
        ) from None


def _plain(column: Array) -> Array:
    """Let numbers inside an array of objects be numbers."""
    if column.dtype != object:
        return column
    known = [value for value in column if value is not None and value == value]  # noqa: PLR0124
    if all(isinstance(value, int | float | np.number) for value in known):
        return column.astype(np.float64)
    return column


def _relabel(read: Ensemble, known: Ensemble) -> Array:
    """Return labels under the numbers of the known categories; others are missing."""
    labels = np.full(read.labels.shape, -1, dtype=np.int32)
    for j, (mine, theirs) in enumerate(zip(read.values, known.values, strict=True)):
        numbers = {value: number for number, value in enumerate(theirs.tolist())}
        lookup = np.array(
            [*(numbers.get(value, -1) for value in mine.tolist()), -1], dtype=np.int32
        )
        labels[:, j] = lookup[read.labels[:, j]]
    return labels
