"""Starts of iterative methods: a member with K clusters, obtained by merging or splitting."""

from typing import TYPE_CHECKING

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import as_narrow_as, label_sizes, relabelled
from consilience.incidence.internals import TIE_TOLERANCE

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble
    from consilience.incidence import Incidence, Layout


def start_from_member(ensemble: "Ensemble", member: int, n_clusters: int) -> Array:
    """Return a member's clustering with K clusters, for every object [nguyen2007]_.

    Too many clusters: the smallest is merged into the one whose centre (most frequent label of every
    member) is nearest (ties: the first), until K are left. Too few: the objects of the profile
    furthest from its centre split off, until there are K clusters or no profiles differ. Objects that
    the member does not label join the nearest centre first. The result is constant on profiles.
    """
    H = ensemble.incidence
    labels = H.member_labels(member)
    n_present = int(ensemble.n_clusters[member])
    if n_present == 0:  # a member without labels is treated as a single cluster
        labels, n_present = np.zeros(len(labels), dtype=np.int32), 1
    elif ensemble.n_observed[member] < ensemble.n_samples:
        labels = _complete(ensemble, labels, labels < 0, n_present)
    counts = H.count(labels, n_present)
    if n_present > n_clusters:
        sizes = label_sizes(labels, n_present, H.row_weight).astype(np.float64)
        new = _merge(counts, sizes, ensemble.layout, ensemble.weights, n_clusters)
        start: Array = relabelled(labels, new)
        return start
    while n_present < n_clusters:
        split = _split_furthest(H, ensemble.weights, labels, counts)
        if split is None:
            break
        labels = as_narrow_as(np.where(split, np.int32(n_present), labels), labels)
        n_present += 1
        counts = H.count(labels, n_present)
    return labels


def centre_table(counts: Array, layout: "Layout") -> Array:
    """Mark the most frequent label of every member in every cluster: (t, K) of 0 and 1.

    Ties go to the first label; a member without labels in a cluster has no mark there.
    """
    table = np.zeros(counts.shape)
    centres = _centres(counts.T, layout).T
    members, clusters = np.nonzero(centres >= 0)
    table[centres[members, clusters], clusters] = 1.0
    return table


def _centres(counts: Array, layout: "Layout") -> Array:
    """Return the base cluster that most objects of every cluster have in every member, (K, r).

    `counts` is (K, t). Ties go to the first; -1 where the member has no labels in the cluster.
    """
    centres = np.full((len(counts), layout.n_members), -1)
    for j in np.flatnonzero(layout.n_clusters).tolist():
        own = counts[:, layout.columns(j)]
        first = own.argmax(axis=1)
        labelled = own[np.arange(len(own)), first] > 0
        centres[labelled, j] = layout.starts[j] + first[labelled]
    return centres


def _complete(ensemble: "Ensemble", labels: Array, unknown: Array, n_present: int) -> Array:
    """Assign objects that the member does not label to the nearest centre of its clusters."""
    H = ensemble.incidence
    # An additional column holds the objects without a label; it is never a candidate.
    outside = as_narrow_as(np.where(unknown, np.int32(n_present), labels), labels)
    counts = H.count(outside, n_present + 1)[:, :n_present]
    table = centre_table(counts, ensemble.layout) * ensemble.column_weights[:, None]
    nearest = H.argmax(table).labels
    return as_narrow_as(np.where(unknown, nearest, labels), labels)


def _merge(counts: Array, sizes: Array, layout: "Layout", weights: Array, n_clusters: int) -> Array:
    """Return the new label of every cluster after merging the smallest into their nearest."""
    # Clusters are rows here, so that a merge changes one row and one centre in O(t) time.
    counts = np.array(counts.T, order="C")
    centres = _centres(counts, layout)
    target = np.arange(len(counts))
    alive = np.ones(len(counts), dtype=bool)
    for _ in range(len(counts) - n_clusters):
        smallest = int(np.flatnonzero(alive)[np.argmin(sizes[alive])])
        alive[smallest] = False
        candidates = np.flatnonzero(alive)
        nearest = int(candidates[_nearest_centre(centres[candidates], centres[smallest], weights)])
        target[target == smallest] = nearest
        counts[nearest] += counts[smallest]
        sizes[nearest] += sizes[smallest]
        centres[nearest] = _centres(counts[[nearest]], layout)[0]
    rank = np.cumsum(alive) - 1
    new: Array = rank[target].astype(np.int32)
    return new


def _nearest_centre(centres: Array, centre: Array, weights: Array) -> int:
    """Return which of some centres, (m, r), shares most labels with another; ties: the first."""
    same = (centres == centre) & (centre >= 0)
    matches = same @ weights
    return int(np.argmax(matches >= matches.max() - TIE_TOLERANCE))


def _split_furthest(H: "Incidence", weights: Array, labels: Array, counts: Array) -> Array | None:
    """Mark all rows of the profile with the largest share of mismatches to its centre."""
    layout = H.layout
    centres = centre_table(counts, layout) * weights[layout.member_of, None]
    matches = np.take_along_axis(H @ centres, labels[:, None].astype(np.int64), axis=1)[:, 0]
    observed = H.observed(weights)
    distance = 1 - matches / observed
    furthest = int(np.argmax(distance))
    if distance[furthest] <= 1e-12:
        return None
    split: Array = same_profile(H, furthest) & (labels == labels[furthest])
    return split


def same_profile(H: "Incidence", row: int) -> Array:
    """Mark the rows of H that are identical to one row."""
    profile = H.dense_rows([row])[0]
    distance = H.row_squares(np.ones(len(profile))) - 2 * (H @ profile) + profile @ profile
    copies: Array = distance <= 1e-9
    return copies
