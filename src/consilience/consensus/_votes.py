"""Votes for new rows: the shares of the consensus clusters in the base clusters of the row."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import UnseenLabelsWarning, warn
from consilience.incidence import own_score_step


@dataclass(frozen=True)
class Votes:
    """The fitted data that are needed to label new rows; small enough to be sent to workers.

    members  the ensemble without its objects
    table    (t, K) share of every consensus cluster in every base cluster
    shares   (K,) share of every cluster among all objects, for rows without a label
    """

    members: Ensemble
    table: Array
    shares: Array

    def __call__(self, X: Any) -> Array:
        """Return the vote shares of some rows, (n_new, K)."""
        rows, n_unseen = self.members.encode(X)
        n_unseen = np.where(self.members.weights > 0, n_unseen, 0)
        if n_unseen.any():
            member = int(np.argmax(n_unseen))
            warn(
                f"{int(n_unseen.sum())} labels did not occur in fit (member "
                f"{self.members.names[member]!r}: {int(n_unseen[member])}); they count as missing.",
                UnseenLabelsWarning,
            )
        weights = self.members.weights
        votes = rows.incidence @ (self.table * weights[rows.layout.member_of, None])
        known = rows.incidence.observed(weights)
        shares = np.where(known[:, None] > 0, votes, self.shares)
        return np.asarray(shares / np.where(known > 0, known, 1.0)[:, None])


def vote_shares(counts: Array) -> Array:
    """Return the share of every consensus cluster in every base cluster, (t, K), from counts."""
    sizes = counts.sum(axis=1, keepdims=True)
    shares: Array = counts / np.where(sizes > 0, sizes, 1)
    return shares


def own_shares_of(labels: Array, ensemble: Ensemble, table: Array) -> Array:
    """Return the share of votes for every object's own label; NaN if no member labels it."""
    weights = ensemble.weights
    known = ensemble.incidence.observed(weights)
    weighted = table * ensemble.column_weights[:, None]
    own = ensemble.incidence.sweep(weighted, own_score_step, (labels,)).per_row()
    return np.where(known > 0, own / np.where(known > 0, known, 1.0), np.nan)
