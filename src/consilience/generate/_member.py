"""One clustering of the data, with what is needed to label new rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from consilience._utils._types import Array


@dataclass(frozen=True)
class Member:
    """One member of an ensemble, as a generator makes it and a checkpoint keeps it.

    A member is arrays and nothing else, so that its file needs no pickle. Clusters are numbered
    0 .. K - 1 by the member itself; columns of `memberships` and rows of `centres` and
    `feature_weights` follow these numbers.

    Attributes
    ----------
    labels : array (n,) of int32
        Cluster of every training row; -1 = left out.
    arrays : mapping of str to array
        Whatever else the generator needs to label new rows.
    memberships : array (n, K), optional
        Soft clusters; rows sum to one.
    centres : array (K, d), optional
        Centres of the clusters, in the space in which the member was made.
    feature_weights : array (K, D), optional
        Weights of the features in every cluster.
    n_clusters : int, optional
        Clusters that were requested; the generator warns if a member has fewer.
    """

    labels: Array
    arrays: Mapping[str, Array] = field(default_factory=dict)
    memberships: Array | None = None
    centres: Array | None = None
    feature_weights: Array | None = None
    n_clusters: int | None = None

    def to_arrays(self) -> dict[str, Array]:
        """Return the member as named arrays; the inverse of `from_arrays`."""
        named = {f"array:{name}": np.asarray(value) for name, value in self.arrays.items()}
        named["labels"] = self.labels
        for name in ("memberships", "centres", "feature_weights"):
            if getattr(self, name) is not None:
                named[name] = getattr(self, name)
        if self.n_clusters is not None:
            named["n_clusters"] = np.array(self.n_clusters)
        return named

    @classmethod
    def from_arrays(cls, named: Mapping[str, Array]) -> "Member":
        """Rebuild a member from named arrays."""
        asked = named.get("n_clusters")
        return cls(
            labels=named["labels"],
            arrays={
                name.removeprefix("array:"): value
                for name, value in named.items()
                if name.startswith("array:")
            },
            memberships=named.get("memberships"),
            centres=named.get("centres"),
            feature_weights=named.get("feature_weights"),
            n_clusters=None if asked is None else int(asked),
        )


def without_empty(labels: Array, n_clusters: int) -> tuple[Array, Array]:
    """Return the labels numbered without the clusters that have no row, and which clusters have one."""
    used = np.bincount(labels, minlength=n_clusters) > 0
    if not used.all():
        labels = (np.cumsum(used) - 1)[labels].astype(np.int32)
    return labels, used
