"""Candidates: the clusterings among which the answer is chosen, in one table."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.answer._members import Member


class Candidates(NamedTuple):
    """Clusterings of the judged rows, a row for each.

    labels      (C, n) int32
    kind        (C,) place of the kind in KIND_NAMES
    n_clusters  (C,)
    members     C members
    """

    labels: Array
    kind: Array
    n_clusters: Array
    members: Sequence[Member]

    @classmethod
    def of(cls, members: Sequence[Member], n_rows: int) -> Self:
        """Collect members with two clusters or more; of equal ones of a kind, the first."""
        seen, kept = set(), []
        for member in members:
            key = (member.kind, first_come(member.labels).tobytes())
            if member.labels.max(initial=0) > 0 and key not in seen:
                seen.add(key)
                kept.append(member)
        labels = np.array([one.labels for one in kept], dtype=np.int32).reshape(-1, n_rows)
        return cls(
            labels,
            np.array([one.kind for one in kept], dtype=np.int64),
            labels.max(axis=1, initial=0).astype(np.int64) + 1,
            kept,
        )

    def joined(self, other: Self) -> Self:
        """Return these candidates and others."""
        return type(self)(
            np.concatenate([self.labels, other.labels]),
            np.concatenate([self.kind, other.kind]),
            np.concatenate([self.n_clusters, other.n_clusters]),
            [*self.members, *other.members],
        )

    def with_number(self, n_clusters: int) -> Self:
        """Keep the candidates with so many clusters."""
        places = np.flatnonzero(self.n_clusters == n_clusters)
        members = [self.members[place] for place in places.tolist()]
        return type(self)(self.labels[places], self.kind[places], self.n_clusters[places], members)

    def smallest(self) -> Array:
        """Return the size of the smallest cluster of every candidate."""
        return np.array([np.bincount(labels).min() for labels in self.labels], dtype=np.int64)


def first_come(labels: Array) -> Array:
    """Number clusters in the order in which they first occur; int32."""
    _, first, numbered = np.unique(labels, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int32)
    place[np.argsort(first)] = np.arange(len(first))
    return place[numbered]
