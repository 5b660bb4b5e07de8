"""Members by any clusterers of scikit-learn: fitted, stored as bytes, used to label new rows."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

import joblib
import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import pairwise_distances_argmin
from sklearn.model_selection import ParameterGrid
from sklearn.utils import get_tags

from consilience._utils._declare import Declaration, Integer, Optional, Seed
from consilience._utils._random import RandomState
from consilience._utils._types import Array
from consilience.generate._base import EnsembleGenerator, parameters_from_fields
from consilience.generate._member import Member
from consilience.generate._scaling import SCALING


class AnyClusterer:
    """An object with scikit-learn's interface of clusterers."""

    def accepts(self, value: object) -> bool:
        """Classes are not clusterers; their instances are."""
        needed = ("fit_predict", "get_params", "set_params")
        return not isinstance(value, type) and all(hasattr(value, name) for name in needed)

    def __str__(self) -> str:
        return "a clusterer with fit_predict, such as those of scikit-learn"


class _Pool:
    def accepts(self, value: object) -> bool:
        if not isinstance(value, list | tuple) or not value:
            return False
        return all(_is_entry(entry) for entry in value)

    def __str__(self) -> str:
        return "a list of clusterers with fit_predict, or of pairs (clusterer, {parameter: values})"


def _is_entry(entry: object) -> bool:
    if isinstance(entry, tuple):
        return (
            len(entry) == 2 and AnyClusterer().accepts(entry[0]) and isinstance(entry[1], Mapping)
        )
    return AnyClusterer().accepts(entry)


@parameters_from_fields
class ClustererPool(EnsembleGenerator):
    """Any clusterers, each with lists of parameters, one member for every combination.

    Different methods make different errors. The pool is given like a parameter grid: a clusterer
    stands for itself, a pair (clusterer, {parameter: values}) for all combinations of the values.

    Parameters
    ----------
    clusterers : list
        Clusterers with `fit_predict`, or pairs of one and a dictionary of parameter lists.
    n_members : int or None, default None
        Members of the ensemble, r; None: as many as combinations; more: the list is repeated, with new
        seeds; fewer: its beginning.
    random_state : int, generator or None, default None
        Seeds every `random_state` inside the clusterers, whatever they were given.
    n_jobs : int or None, default None
        Members made in parallel, in processes that share the memory of the data; see joblib. Results
        do not depend on it.

    Attributes
    ----------
    members_ : list of Member
        Labels of every member, and its fitted clusterer, pickled, if that can predict.
    clusterers_ : list
        The unfitted clusterer behind every member.

    See Also
    --------
    KMeansRestarts : Many runs of one method, faster.
    Subsample : One clusterer on parts of the data.

    Notes
    -----
    Costs what the clusterers cost. The label -1 (noise of DBSCAN and others) is a missing label. New
    rows are labelled by the clusterer's own `predict`, or, where it has none, like the nearest training
    row; for that the data are kept. Every clusterer runs on one thread.

    Checkpoints of this generator hold pickled clusterers; read only those that you trust.

    References
    ----------
    [strehl2002]_

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN, AgglomerativeClustering
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.mixture import GaussianMixture
    >>> from consilience.generate import ClustererPool
    >>> pool = ClustererPool(
    ...     [
    ...         DBSCAN(eps=0.8),
    ...         (AgglomerativeClustering(3), {"linkage": ["ward", "average"]}),
    ...         (GaussianMixture(), {"n_components": [2, 3, 4]}),
    ...     ],
    ...     random_state=0,
    ... )
    >>> pool.fit_transform(load_iris().data).shape
    (150, 6)
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "clusterers": _Pool(),
        "n_members": Optional(Integer(1)),
        "scaling": SCALING,
        "random_state": Seed(),
    }

    clusterers: Sequence[Any] = field(kw_only=False)
    n_members: int | None = None  # type: ignore[assignment]
    scaling: str | None = None
    random_state: RandomState = None
    n_jobs: int | None = None
    checkpoint: Any = None
    verbose: int | None = None

    def _prefers(self) -> str:
        return "processes"

    def _count_members(self, X: Any) -> int:  # noqa: ARG002
        combinations = list(self._combinations())
        count = len(combinations) if self.n_members is None else int(self.n_members)
        self.clusterers_ = [combinations[j % len(combinations)] for j in range(count)]
        return count

    def _combinations(self) -> Iterator[Any]:
        for entry in self.clusterers:
            clusterer, lists = entry if isinstance(entry, tuple) else (entry, {})
            for values in ParameterGrid(lists):
                yield clone(clusterer).set_params(**values)

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:  # noqa: ARG002
        needed = any(not hasattr(clusterer, "predict") for clusterer in self.clusterers_)
        self._seen = X if needed else None
        return X

    def _member(
        self,
        shared: Any,
        j: int,
        rng: np.random.Generator,
        previous: Member | None,  # noqa: ARG002
    ) -> Member:
        arrays, labels = fit_clusterer(self.clusterers_[j], shared, rng)
        return Member(labels, arrays)

    def _predict(self, member: Member, rows: Any) -> Array:
        return label_rows(member.arrays, rows, self._seen, member.labels)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if _Pool().accepts(self.clusterers):
            entries = (entry[0] if isinstance(entry, tuple) else entry for entry in self.clusterers)
            tags.input_tags.sparse = all(get_tags(entry).input_tags.sparse for entry in entries)
        return tags


def fit_clusterer(
    clusterer: Any, X: Any, rng: np.random.Generator
) -> tuple[dict[str, Array], Array]:
    """Fit a copy of a clusterer under a seed of its own.

    Return it as an array, pickled, if it can predict, and the labels of X.
    """
    model = clone(clusterer)
    seeds = {
        name: int(rng.integers(2**31 - 1))
        for name in sorted(model.get_params(deep=True))
        if name == "random_state" or name.endswith("__random_state")
    }
    model.set_params(**seeds)
    labels = np.maximum(np.asarray(model.fit_predict(X)).astype(np.int32), -1)
    if not hasattr(model, "predict"):
        return {}, labels
    buffer = io.BytesIO()
    joblib.dump(model, buffer)
    return {"model": np.frombuffer(buffer.getvalue(), dtype=np.uint8)}, labels


def label_rows(arrays: Mapping[str, Array], rows: Any, seen: Any, labels: Array) -> Array:
    """Label rows by a fitted clusterer, or as the nearest row it has seen if it cannot predict."""
    if "model" in arrays:
        model = joblib.load(io.BytesIO(arrays["model"].tobytes()))
        return np.maximum(np.asarray(model.predict(rows)).astype(np.int32), -1)
    if sparse.issparse(rows) != sparse.issparse(seen):
        rows, seen = sparse.csr_matrix(rows), sparse.csr_matrix(seen)
    places = pairwise_distances_argmin(rows, seen.astype(rows.dtype, copy=False))
    found: Array = labels[places]
    return found
