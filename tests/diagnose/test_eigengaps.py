"""Gaps between eigenvalues of the graph of neighbours, against a dense matrix."""

import numpy as np

from consilience.diagnose import _k_table
from consilience.diagnose._neighbour_graph import NeighbourGraph


def _graph():
    """Three groups of objects that touch."""
    rng = np.random.default_rng(0)
    return NeighbourGraph.of(
        np.repeat([[0, 0], [1.1, 0], [2.2, 0]], 12, axis=0) + rng.random((36, 2))
    )


def test_gaps_are_those_of_the_normalised_links():
    graph = _graph()
    links = np.zeros((36, 36))
    for i in range(36):
        links[i, graph.others[graph.starts[i] : graph.starts[i + 1]]] = 1
    degree = links.sum(axis=1)
    values = np.linalg.eigvalsh(links / np.sqrt(np.outer(degree, degree)))[::-1]
    gaps = _k_table._eigengaps(graph, 5)
    assert np.isnan(gaps[0])
    np.testing.assert_allclose(gaps[1:], -np.diff(values[:6]), atol=2e-3)


def test_no_gaps_if_the_eigenvalues_are_not_found(monkeypatch):
    def fails(*given, **named):
        raise _k_table.ArpackNoConvergence("no", np.empty(0), np.empty((0, 0)))

    monkeypatch.setattr(_k_table, "leading_eigenvectors", fails)
    gaps = _k_table._eigengaps(_graph(), 5)
    assert len(gaps) == 6
    assert np.isnan(gaps).all()


def test_every_separate_group_has_an_eigenvalue_of_one():
    rows = np.repeat(50 * np.eye(3), 60, axis=0)
    rows += np.random.default_rng(0).standard_normal(rows.shape)
    gaps = _k_table._eigengaps(NeighbourGraph.of(rows), 6)
    np.testing.assert_allclose(gaps[1:3], 0, atol=1e-8)
    assert np.nanargmax(gaps) == 3
