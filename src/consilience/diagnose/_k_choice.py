"""What speaks for every number of clusters, and which one was chosen."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class KRow(NamedTuple):
    """One candidate.

    n_clusters          k
    separation          largest p-value of a valley between two clusters; small: all are separated
    pac, pac_error      share of ambiguous pairs, and its standard error if the objects are a sample
    null_pac            its mean over data without clusters
    corrected           log10(null_pac / pac): how much less ambiguous than chance, free of PAC's bias
                        to large k
    p_value             chance of so little ambiguity in data without clusters
    area, delta         area under the distribution of the consensus, and its relative gain over k - 1
    cophenetic          correlation of the consensus with its tree
    lifetime            span of heights at which the tree of all members has k branches
    cluster_consensus   mean consensus inside the least consistent cluster
    smallest            objects in the smallest cluster, as a share
    """

    n_clusters: int
    separation: float
    pac: float
    pac_error: float
    null_pac: float
    corrected: float
    p_value: float
    area: float
    delta: float
    cophenetic: float
    lifetime: float
    cluster_consensus: float
    smallest: float


@dataclass(frozen=True)
class KChoice:
    """The number of clusters, and why.

    Attributes
    ----------
    n_clusters : int
        The choice; 1 if no partition has a valley between all its clusters.
    table : tuple of KRow
        Every candidate.
    alpha : float
        Largest p-value of a valley that counts as one.
    rows : array (m,)
        Positions of the objects on which all this was computed.
    labels : dict of int -> array (m,)
        Their consensus for every candidate.
    cdf : dict of int -> array (100,)
        Distribution of the consensus of pairs for every candidate.
    n_null : int
        Data sets without clusters that were compared.
    """

    n_clusters: int
    table: tuple[KRow, ...]
    alpha: float
    rows: Array
    labels: dict[int, Array]
    cdf: dict[int, Array]
    n_null: int

    @property
    def chosen(self) -> KRow | None:
        """Return the row of the choice; None for one cluster."""
        return next((row for row in self.table if row.n_clusters == self.n_clusters), None)

    @property
    def at_the_edge(self) -> bool:
        """Say whether the choice is the largest candidate, so that there may be more clusters."""
        return self.n_clusters == self.table[-1].n_clusters

    @property
    def null_does_as_well(self) -> bool:
        """Say whether data without clusters are as unambiguous at the chosen k."""
        return self.chosen is not None and self.n_null > 0 and self.chosen.p_value > 0.05

    @property
    def sentence(self) -> str:
        """Explain the choice."""
        low, high = self.table[0].n_clusters, self.table[-1].n_clusters
        row = self.chosen
        if row is None:
            best = min(self.table, key=lambda candidate: candidate.separation)
            return (
                f"One cluster: for no k from {low} to {high} are the data thinner between all clusters "
                f"than inside them (best at k = {best.n_clusters}, p = {best.separation:.2g}; "
                f"needed {self.alpha:g})."
            )
        text = (
            f"{row.n_clusters} clusters: the largest k from {low} to {high} at which a valley separates "
            f"every two clusters (weakest p = {row.separation:.2g}); {row.pac:.1%} of the pairs are "
            "ambiguous"
        )
        if self.n_null:
            text += f", against {row.null_pac:.1%} in data without clusters (p = {row.p_value:.2g})"
        return text + "."

    def __str__(self) -> str:
        columns = ("n_clusters", "separation", "pac", "null_pac", "corrected", "p_value", "delta")
        lines = ["  ".join(f"{name:>10}" for name in columns)]
        for row in self.table:
            mark = " <" if row.n_clusters == self.n_clusters else ""
            lines.append("  ".join(f"{getattr(row, name):>10.3g}" for name in columns) + mark)
        return "\n".join([*lines, self.sentence])
