"""One member that may call rows noise: a reduction, HDBSCAN or k-means, and labels of new rows."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.neighbors import NearestNeighbors

from consilience._utils._blas import one_blas_thread
from consilience._utils._types import Array


class Plan(NamedTuple):
    """How all members are made; every member draws its own rows and seeds."""

    kind: str
    min_cluster_size: int
    n_clusters: tuple[int, int]
    subsample: float
    reducer: Any


@dataclass(frozen=True)
class NoisyMember:
    """A fitted member: it labels a row as the nearest row that it was made of.

    reducer  what brought the rows into the space of the neighbours, or None
    near     finds the nearest of the rows that the member saw
    labels   of these rows, -1 = noise
    """

    reducer: Any
    near: NearestNeighbors
    labels: Array

    def predict(self, X: Any) -> Array:
        """Return the labels of rows, -1 = noise."""
        rows = X if self.reducer is None else self.reducer.transform(X)
        with one_blas_thread():
            nearest = self.near.kneighbors(rows, return_distance=False)[:, 0]
        labels: Array = self.labels[nearest]
        return labels


def make_member(plan: Plan, X: Any, rng: np.random.Generator) -> tuple[NoisyMember, Array]:
    """Make a member; return it and the labels of all rows."""
    n_rows = X.shape[0]
    n_seen = max(min(2, n_rows), round(plan.subsample * n_rows))
    seen = np.sort(rng.choice(n_rows, n_seen, replace=False))
    reducer = None
    rows = X[seen]
    if plan.reducer is not None:
        reducer = clone(plan.reducer)
        if "random_state" in reducer.get_params():
            reducer.set_params(random_state=int(rng.integers(2**31 - 1)))
        rows = reducer.fit_transform(rows)
    with one_blas_thread():
        found = _clusters(plan, rows, rng)
        near = NearestNeighbors(n_neighbors=1).fit(rows)
    member = NoisyMember(reducer, near, found)
    labels = np.empty(n_rows, dtype=np.int32)
    labels[seen] = found
    left_out = np.setdiff1d(np.arange(n_rows), seen)
    if len(left_out):
        labels[left_out] = member.predict(X[left_out])
    return member, labels


def _clusters(plan: Plan, rows: Any, rng: np.random.Generator) -> Array:
    n_rows = rows.shape[0]
    if plan.kind == "kmeans":
        low, high = plan.n_clusters
        n_clusters = min(int(rng.integers(low, high + 1)), n_rows)
        model = KMeans(n_clusters, n_init=1, random_state=int(rng.integers(2**31 - 1)))
    else:
        # The same settings for all: members with other settings have other numbers of clusters, and
        # then the answer changes from seed to seed.
        model = HDBSCAN(min_cluster_size=min(plan.min_cluster_size, max(2, n_rows)), copy=True)
    labels: Array = model.fit(rows).labels_.astype(np.int32)
    # HDBSCAN has -2 and -3 for rows with missing or infinite values, which are refused before.
    return labels
