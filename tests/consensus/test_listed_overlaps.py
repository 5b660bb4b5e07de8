"""Members of many clusters: overlaps are listed, and functions find what they find from a matrix."""

import numpy as np
import pytest

from consilience import set_config
from consilience.consensus import (
    CBGF,
    CCC,
    CCSVD,
    CCU,
    GCA,
    HBGF,
    IBGF,
    LWGP,
    MCLA,
    PluralityVoting,
)
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import MemoryLimitError
from consilience.incidence import _overlaps

FUNCTIONS = [
    CBGF(4, random_state=0),
    CCC(4),
    CCSVD(4, random_state=0),
    CCU(4),
    GCA(4, random_state=0),
    HBGF(4, random_state=0),
    IBGF(4, random_state=0),
    LWGP(4, random_state=0),
    MCLA(4, random_state=0),
    MCLA(4, partitioner="balanced", random_state=0),
    PluralityVoting(4),
]


@pytest.fixture
def listed(monkeypatch):
    """Let overlaps be listed however few base clusters there are."""
    monkeypatch.setattr(_overlaps, "_SMALL", 0)
    monkeypatch.setattr(_overlaps, "_CELL", np.inf)


@pytest.mark.parametrize("n_base_clusters", [4, 12])
@pytest.mark.parametrize("function", FUNCTIONS, ids=repr)
def test_functions_find_the_same_either_way(function, n_base_clusters, request):
    ensemble, _ = make_planted_ensemble(
        200, 8, 4, n_base_clusters=n_base_clusters, noise=0.2, random_state=0
    )
    by_matrix = function.fit(ensemble).labels_
    request.getfixturevalue("listed")
    np.testing.assert_array_equal(function.fit(ensemble).labels_, by_matrix)


@pytest.mark.usefixtures("listed")
def test_balanced_groups_need_the_graph_written_down():
    ensemble, _ = make_planted_ensemble(200, 8, 4, n_base_clusters=40, random_state=0)
    previous = set_config(memory_limit=2 * 10**6)
    try:
        with pytest.raises(
            MemoryLimitError, match=r"graph of \d+ base clusters.*'spectral' does not"
        ):
            MCLA(4, partitioner="balanced").fit(ensemble)
    finally:
        set_config(memory_limit=previous.memory_limit)
