"""A sample of the rows of an ensemble in which small base clusters are represented."""

from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.metrics.internals import vote_table

# Maximum rounds of votes; the first labels all rows unless base clusters are very small.
_ROUNDS = 4


class SampledRows(NamedTuple):
    """Some rows of an ensemble, in memory.

    places    (m,) their positions, ascending
    ensemble  the rows, with the same base clusters; the weight of a row is the number of rows it
              represents
    """

    places: Array
    ensemble: Ensemble


def sample_rows(ensemble: Ensemble, n_rows: int, rng: np.random.Generator) -> SampledRows:
    """Draw rows with probabilities that represent objects and base clusters.

    Half of the probability is equal for all objects, and half is equal for all base clusters of a
    member. With equal probabilities for all objects, small clusters would be missed. Sampled rows have
    weights 1 / probability, so that sums over the sample estimate sums over all rows. The draw is
    systematic: n_rows equidistant points on the cumulated probabilities. A row whose probability is
    above 1 / n_rows may be drawn twice; it is then taken once with double weight.
    """
    H = ensemble.incidence
    weight = H.row_weight
    # One vector with an entry per object, changed in place: there may be very many objects.
    edges = H @ (1 / np.where(H.sizes > 0, H.sizes, 1.0))
    if weight is not None:
        edges *= weight > 0
    edges *= 0.5 / edges.sum()
    edges += 0.5 / H.n_rows if weight is None else weight * (0.5 / weight.sum())
    np.cumsum(edges, out=edges)
    points = (rng.random() + np.arange(n_rows)) / n_rows * edges[-1]
    places, hits = np.unique(np.searchsorted(edges, points, side="right"), return_counts=True)
    before = np.where(places > 0, edges[np.maximum(places - 1, 0)], 0.0)
    counts = hits / (n_rows * (edges[places] - before) / edges[-1])
    if weight is not None:
        counts = counts * weight[places]
    chosen = np.zeros(H.n_rows, dtype=bool)
    chosen[places] = True
    return SampledRows(places, ensemble.with_rows(H.stored_rows(chosen), counts))


def label_by_votes(
    ensemble: Ensemble, vote_weight: Array, sample: SampledRows, labels: Array
) -> Array:
    """Label all rows by the votes of their base clusters for the labels of a sample.

    Rows whose base clusters all lie outside the sample are labelled by rows that were labelled before;
    rows that remain unlabelled join the largest cluster. Rows of the sample keep their label, so that
    no cluster is lost.
    """
    H = ensemble.incidence
    n_labels = int(labels.max()) + 1
    counts = sample.ensemble.incidence.count(labels, n_labels)
    found = np.full(ensemble.n_samples, n_labels, dtype=np.int32)
    for _ in range(_ROUNDS):
        voted = H.argmax(vote_table(counts, vote_weight)).labels
        reached = H @ (counts.sum(axis=1) > 0).astype(np.float64) > 0
        found = np.where((found == n_labels) & reached, voted, found)
        found[sample.places] = labels
        if (found < n_labels).all():
            return found
        counts = H.count(found, n_labels + 1)[:, :n_labels]
    found[found == n_labels] = np.bincount(found, minlength=n_labels)[:n_labels].argmax()
    return found
