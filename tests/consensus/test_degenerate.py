"""What every class does at the edges."""

import numpy as np
import pytest

from consilience.consensus import BEST, IPC, IPVC, IVC, KMCF, MultinomialMixture, PluralityVoting
from consilience.exceptions import FewerClustersWarning
from oracles.strategies import fit

METHODS = [IVC, IPVC, IPC, PluralityVoting, KMCF, MultinomialMixture]
FEW_ROWS = np.array([[0, 0], [0, 1], [1, 1], [1, 1], [1, 1]])


@pytest.mark.parametrize("method", METHODS)
def test_one_cluster(method):
    assert fit(method(1), FEW_ROWS).labels_.tolist() == [0] * 5


@pytest.mark.parametrize("method", METHODS)
def test_fewer_rows_than_clusters(method):
    with pytest.warns(FewerClustersWarning):
        model = method(4).fit(FEW_ROWS)
    assert model.labels_.tolist() == [0, 1, 2, 2, 2]


@pytest.mark.parametrize("K", [1, 4])
@pytest.mark.parametrize("method", METHODS)
def test_documented_attributes_are_there(method, K):
    model = fit(method(K), FEW_ROWS)
    assert model.history_[-1] == pytest.approx(model.objective_)


def test_best_with_one_cluster_is_a_member_with_one_cluster():
    model = fit(BEST(1), np.array([[0, 0], [0, 0], [1, 0]]))
    assert model.member_ == "member_1"
    assert model.objective_ == pytest.approx(1 / 3)


@pytest.mark.parametrize("method", [*METHODS, BEST])
def test_identical_members_come_back(method):
    member = np.array([0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2])
    model = method(3)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    assert fit(model, member[:, None].repeat(4, axis=1)).labels_.tolist() == member.tolist()
