"""The votes of the members: labels and confidence of all rows, and of new ones.

A member votes for a cluster of the answer by the share that this cluster has in the member's own
cluster, and the vote counts the more the closer the member is to the answer: it is divided by the
distance 1 - I / max(H, H'), where I is the information that both share and H, H' their entropies.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.neighbors import NearestNeighbors

from consilience._utils._types import Array
from consilience.answer._members import KIND_NAMES, Member, Scale
from consilience.generate import EnsembleGenerator
from consilience.generate.internals import one_thread

# Members that are closer to the answer than this do not count more.
_LEAST_DISTANCE = 0.01
# Rows whose votes are counted together.
_BLOCK = 16_384


class Voters(NamedTuple):
    """Members that label rows; small enough to be sent to workers.

    scales     all scalings
    judged     for every scaling the judged rows, to find the nearest; None where no member needs it
    members    the members that vote; none if a named generator labels
    generator  a named generator
    place      place of its scaling
    """

    scales: Sequence[Scale]
    judged: Sequence[NearestNeighbors | None]
    members: Sequence[Member]
    generator: EnsembleGenerator | None = None
    place: int = 0

    @classmethod
    def of(cls, members: Sequence[Member], scales: Sequence[Scale], rows: Sequence[Array]) -> Self:
        """Let members label rows as they labelled the judged `rows`, given in every scaling."""
        needed = {member.scale for member in members if member.rule is None}
        judged = [
            NearestNeighbors(n_neighbors=1).fit(one) if place in needed else None
            for place, one in enumerate(rows)
        ]
        return cls(scales, judged, members)

    @property
    def names(self) -> list[str]:
        """Return the names of the members."""
        if self.generator is not None:
            return list(self.generator.get_feature_names_out())
        kinds = [KIND_NAMES[member.kind].replace(" ", "-") for member in self.members]
        return [f"{kind}-{place}" for place, kind in enumerate(kinds)]

    def labels_of(self, X: Any) -> Array:
        """Return the labels that the members give some rows, (n, r) int32; -1 = none."""
        if self.generator is not None:
            given: Array = self.generator.transform(self.scales[self.place].columns(X))
            return given
        found = np.empty((X.shape[0], len(self.members)), dtype=np.int32)
        with one_thread():
            for place, scale in enumerate(self.scales):
                mine = [j for j, member in enumerate(self.members) if member.scale == place]
                if not mine:
                    continue
                rows = scale(X)
                search = self.judged[place]
                near = None if search is None else search.kneighbors(rows, return_distance=False)
                for j in mine:
                    member = self.members[j]
                    if member.rule is not None:
                        found[:, j] = member.rule(rows)
                    elif near is not None:
                        found[:, j] = member.labels[near[:, 0]]
        return found


class Votes(NamedTuple):
    """The votes of members for the clusters of an answer.

    voters  label rows
    tables  for every member the votes of its clusters, (clusters + 1, k); the last are those of a row
            that the member does not label
    """

    voters: Voters
    tables: Sequence[Array]

    @classmethod
    def of(cls, answer: Array, labels: Array, voters: Voters, weight: Array | None = None) -> Self:
        """Let members vote for the clusters `answer` of the judged rows; `labels` are theirs, (n, r)."""
        counted = [shared_with(answer, column, weight) for column in labels.T]
        strength = np.array([1 / max(1 - alike, _LEAST_DISTANCE) for _, alike in counted])
        strength /= strength.sum()
        return cls(
            voters, [table * share for (table, _), share in zip(counted, strength, strict=True)]
        )

    def ordered(self, order: Array) -> Self:
        """Return the votes for clusters that are numbered anew: `order` lists their old numbers."""
        return self._replace(tables=[table[:, order] for table in self.tables])

    def shares(self, labels: Array) -> Array:
        """Return the shares of the votes for every cluster, (n, k), from the labels of the members."""
        shares = np.zeros((len(labels), self.tables[0].shape[1]))
        for table, column in zip(self.tables, labels.T, strict=True):
            shares += table[column]
        return shares

    def predict_proba(self, X: Any) -> Array:
        """Return the shares of the votes of some rows, (n, k)."""
        return self.shares(self.voters.labels_of(X))

    def decide_rows(self, X: Any) -> Array:
        """Return the winner of the votes of some rows, and its share, (n, 2)."""
        return self.decide(self.voters.labels_of(X))

    def decide(self, labels: Array) -> Array:
        """Return the winner of the votes and its share for every row, (n, 2)."""
        decided = np.empty((len(labels), 2))
        for start in range(0, len(labels), _BLOCK):
            shares = self.shares(labels[start : start + _BLOCK])
            decided[start : start + _BLOCK, 0] = shares.argmax(axis=1)
            decided[start : start + _BLOCK, 1] = shares.max(axis=1)
        return decided


def shared_with(answer: Array, labels: Array, weight: Array | None = None) -> tuple[Array, float]:
    """Return the shares of the answer in every cluster of a member, and how alike both are, 0 to 1.

    The last shares, those of the answer itself, are for rows without a label, -1.
    """
    k, n_clusters = int(answer.max()) + 1, int(labels.max()) + 1
    known = labels >= 0
    cells = labels[known].astype(np.int64) * k + answer[known]
    joint = np.bincount(cells, None if weight is None else weight[known], n_clusters * k)
    joint = joint.reshape(n_clusters, k) / max(joint.sum(), 1e-300)
    own, theirs = entropy(joint.sum(axis=0)), entropy(joint.sum(axis=1))
    mutual = own + theirs - entropy(joint.ravel())
    joint = np.vstack([joint, np.bincount(answer, weight, k)])
    sizes = joint.sum(axis=1, keepdims=True)
    # A cluster whose rows have no weight votes as the answer is distributed.
    table = np.where(sizes > 0, joint / np.where(sizes > 0, sizes, 1.0), joint[-1] / sizes[-1])
    return table, mutual / max(own, theirs, 1e-12)


def entropy(shares: Array) -> float:
    """Return the entropy of some shares, in nats."""
    some = shares[shares > 0]
    return float(-(some * np.log(some)).sum())


def fill_empty(labels: Array, confidence: Array, n_clusters: int) -> None:
    """Give every empty cluster the least confident row of the largest one, in place.

    Only rows that no member tells apart leave a cluster empty.
    """
    sizes = np.bincount(labels, minlength=n_clusters)
    for empty in np.flatnonzero(sizes == 0):
        mine = np.flatnonzero(labels == sizes.argmax())
        row = mine[confidence[mine].argmin()]
        sizes[labels[row]] -= 1
        labels[row], confidence[row] = empty, 0.0
        sizes[empty] = 1
