"""k-means on weighted points: every result is a fixed point with its sum of squares."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.partition import row_kmeans, written_rows
from oracles.correspondence import weighted_sse
from oracles.strategies import examples


@given(st.integers(1, 12), st.integers(1, 4), st.integers(0, 2**32))
@examples(200)
def test_fixed_points(n_points, n_clusters, seed):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 4, (n_points, 2)).astype(float)
    weight = rng.integers(1, 5, n_points).astype(float)
    n_clusters = min(n_clusters, n_points)
    n_distinct = len(np.unique(points, axis=0))
    rows = written_rows(points, weight)._replace(unit=False)
    run = row_kmeans(rows, n_clusters, n_init=1, max_iter=300, rng=rng)
    labels = run.labels.tolist()
    assert len(set(labels)) == min(n_clusters, n_distinct)
    assert run.objective == pytest.approx(weighted_sse(points, weight, labels), abs=1e-9)
    centres = {
        k: np.average(points[run.labels == k], axis=0, weights=weight[run.labels == k])
        for k in set(labels)
    }
    for point, label in zip(points, labels, strict=True):
        distance = {k: ((point - centre) ** 2).sum() for k, centre in centres.items()}
        assert distance[label] <= min(distance.values()) + 1e-9


def test_points_without_weight_still_get_a_label():
    points = np.array([[0.0], [1.0], [10.0], [11.0]])
    weight = np.array([1.0, 0.0, 1.0, 0.0])
    rows = written_rows(points, weight)._replace(unit=False)
    run = row_kmeans(rows, 2, n_init=1, max_iter=9, rng=np.random.default_rng(0))
    assert run.labels[0] == run.labels[1] != run.labels[2] == run.labels[3]
    assert run.objective == pytest.approx(0)


@pytest.mark.parametrize("seed", [1, 4, 5, 6])
def test_a_slow_restart_takes_no_rounds_from_the_best(seed):
    """Some of these restarts race for all twenty rounds; the best has come to rest before."""
    points = np.random.default_rng(seed).normal(size=(400, 4))
    rows = written_rows(points)._replace(unit=False)
    run = row_kmeans(rows, 8, n_init=10, max_iter=20, rng=np.random.default_rng(0))
    assert run.converged
    assert run.n_iter < 20
