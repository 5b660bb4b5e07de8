"""Labels of a sample are given to all rows by the votes of their base clusters."""

import numpy as np

from consilience import Ensemble
from consilience.consensus.pairwise._sampled_rows import SampledRows, label_by_votes


def _labelled(labels, places, of_sample):
    ensemble = Ensemble(np.array(labels))
    places = np.array(places)
    chosen = np.zeros(ensemble.n_samples, dtype=bool)
    chosen[places] = True
    rows = ensemble.with_rows(ensemble.incidence.stored_rows(chosen), np.ones(len(places)))
    sample = SampledRows(places, rows)
    weights = np.ones(ensemble.n_base_clusters)
    return label_by_votes(ensemble, weights, sample, np.array(of_sample, np.int32)).tolist()


def test_rows_follow_the_sample():
    assert _labelled([[0], [0], [1], [1], [1]], [0, 2], [1, 0]) == [1, 1, 0, 0, 0]


def test_rows_outside_the_sample_follow_rows_that_were_labelled_before():
    # The base cluster 2 of the second member is reached by its third row, in the second round.
    labels = [[0, 0], [1, 1], [1, 2], [-1, 2]]
    assert _labelled(labels, [0, 1], [0, 1]) == [0, 1, 1, 1]


def test_rows_that_nothing_reaches_join_the_largest_cluster():
    labels = [[0], [1], [1], [2], [3]]
    assert _labelled(labels, [0, 1], [0, 1]) == [0, 1, 1, 1, 1]
    assert _labelled(labels, [0, 1], [1, 0]) == [1, 0, 0, 0, 0]


def test_only_so_many_rounds_are_made():
    """A chain of rows, each of which shares a base cluster with the one before."""
    labels = [[(k + 1) // 2, 100 + k // 2] for k in range(9)]
    labels.append([50, 150])
    assert _labelled([[90, 190], *labels], [0, 1], [0, 1]) == [0, *[1] * 10]
    alone = [[90, 190], [90, 191], [90, 192], [90, 193], [90, 194], [90, 195], *labels[:9]]
    # Four rounds reach four rows of the chain; the others join the larger cluster.
    assert _labelled(alone, [0, 6], [0, 1]) == [0] * 6 + [1] * 5 + [0] * 4
