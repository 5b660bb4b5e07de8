"""Labels as the start of IVC, IPVC, IPC, KMCF and Labelling: fits that continue earlier ones."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from consilience.consensus import GCA, IPC, IPVC, IVC, KMCF, Labelling, Supra, VotingMerging
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.generate import KMeansRestarts
from consilience.metrics import KnownClasses, ari
from oracles.kmeans import centres, features
from oracles.labels import canonical
from oracles.strategies import examples, fit, member_weights, partitions, uniform_ensembles
from oracles.voting import ipc_round, ivc_round, members_of, problem, results, similarity

VOTING = [pytest.param(f, id=f.__name__) for f in (IVC, IPVC, IPC)]
ROUNDS = {IVC: ivc_round, IPVC: ipc_round, IPC: ipc_round}
STARTED = [pytest.param(f, id=f.__name__) for f in (IVC, IPVC, IPC, KMCF)]


@pytest.mark.parametrize("function", VOTING)
@given(ensemble=uniform_ensembles(max_n=8, max_r=4), data=st.data())
@examples(60)
def test_voting_leads_where_the_oracle_says(function, ensemble, data):
    L, _ = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    start = data.draw(st.lists(st.integers(0, 1), min_size=len(L), max_size=len(L)))
    model = fit(function(2, init=np.array(start)), L, weights)
    assert len(model.solutions_) == 1
    if len({tuple(row) for row in L.tolist()}) > 1:  # else every distinct row is a cluster
        assert partitions(model)[0] in results(ROUNDS[function], p, start)


@given(ensemble=uniform_ensembles(max_n=8, max_r=4), data=st.data())
@examples(60)
def test_unknown_objects_join_the_most_similar_cluster(ensemble, data):
    L, _ = ensemble
    p = problem(L)
    start = data.draw(st.lists(st.integers(-1, 1), min_size=len(L), max_size=len(L)))
    start[:2] = [0, 1]
    known = [i for i in range(len(L)) if start[i] >= 0]
    clusters = members_of([start[i] for i in known])
    groups = [clusters[0], clusters[1]]
    for i in range(len(L)):
        scores = [similarity(p, i, [known[j] for j in group]) for group in groups]
        if start[i] < 0:
            if abs(scores[0] - scores[1]) < 1e-9:
                return  # a tie may be broken either way
            start[i] = scores.index(max(scores))
    given_start = np.array([start[i] if i in known else -1 for i in range(len(L))])
    ends = results(ipc_round, p, start)
    if len({tuple(row) for row in L.tolist()}) > 1:
        assert partitions(fit(IPC(2, init=given_start), L))[0] in ends


@given(ensemble=uniform_ensembles(max_n=8, max_r=4), data=st.data())
@examples(60)
def test_kmcf_is_lloyd_from_the_means_of_the_start(ensemble, data):
    L, _ = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    start = np.array(data.draw(st.lists(st.integers(-1, 1), min_size=len(L), max_size=len(L))))
    start[:2] = [0, 1]
    F = features(L, weights)
    where = centres(F[start >= 0], start[start >= 0])
    labels = None
    while True:
        distances = ((F[:, None] - where) ** 2).sum(axis=2)
        if np.any(np.abs(distances[:, 0] - distances[:, 1]) < 1e-9):
            return  # a tie may be broken either way
        following = distances.argmin(axis=1)
        if len(set(following.tolist())) < 2:
            return  # an empty cluster is restarted, see the tests of KMCF
        if labels is not None and np.array_equal(labels, following):
            break
        labels, where = following, centres(F, following)
    model = fit(KMCF(2, init=start), L, weights)
    assert canonical(model.labels_.tolist()) == canonical(labels.tolist())


@pytest.mark.parametrize("function", STARTED)
def test_appended_members_and_objects(function):
    """From the labels of an earlier fit, few rounds lead to the result of many starts."""
    ensemble, _ = make_planted_ensemble(400, 20, 3, noise=0.3, missing=0.1, random_state=0)
    L = ensemble.labels
    earlier = fit(function(3, random_state=0), L[:300, :15])
    afresh = fit(function(3, random_state=0), L)
    for new in (earlier.predict(L[300:, :15]), [-1] * 100):
        grown = fit(function(3, init=np.append(earlier.labels_, new)), L)
        assert ari(grown.labels_, afresh.labels_) == 1
        assert grown.objective_ == pytest.approx(afresh.objective_)
        assert grown.n_iter_ <= afresh.n_iter_
    # A fit from its own result changes nothing.
    again = fit(function(3, init=afresh.labels_), L)
    np.testing.assert_array_equal(again.labels_, afresh.labels_)


def test_labelling_starts_from_labels_too():
    X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, 0)
    ensemble = KMeansRestarts(n_members=8, n_clusters=5, random_state=0).fit(X).ensemble_
    truth = np.repeat([0, 1, 2], 20)
    model = Labelling(3, init=truth).fit(ensemble)
    assert ari(model.labels_, truth) == 1
    assert len(model.numeric_labels_) == 8
    assert len(model.solutions_) == 1


@pytest.mark.parametrize("function", STARTED)
def test_a_start_must_fit_the_objects(function):
    L = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    for start in (np.array([0, 1]), np.array([0, 1, 2, 0]), np.full(4, -1)):
        with pytest.raises(InvalidInputError, match="init must have a label from 0 to 1, or -1"):
            function(2, init=start).fit(L)
    with pytest.raises(InvalidParameterError, match=r"init must be .* or an array"):
        function(2, init=[0.5, 1, 1, 0]).fit(L)
    with pytest.raises(InvalidParameterError, match=r"init must be .* or an array"):
        function(2, init=[[0], [1, 1], 0]).fit(L)


@pytest.mark.parametrize("function", STARTED)
def test_any_kind_of_labels_is_a_start(function):
    ensemble, truth = make_planted_ensemble(60, 6, 3, noise=0.2, random_state=0)
    expected = function(3, init=truth).fit(ensemble).labels_
    for start in (truth.astype(np.uint8), truth.tolist(), pd.Series(truth), da.from_array(truth)):
        np.testing.assert_array_equal(function(3, init=start).fit(ensemble).labels_, expected)


def test_a_wrong_start_is_not_printed_whole():
    with pytest.raises(InvalidParameterError) as raised:
        IVC(3, init=np.zeros((5000, 1), dtype=int)).fit(np.zeros((5000, 2), dtype=int))
    assert len(str(raised.value)) < 400
    assert "\n" not in str(raised.value)


OF_OBJECTS = [
    IVC(3, init=np.arange(60) % 3),
    KMCF(3, init=np.arange(60) % 3),
    IPC(3, features=np.eye(60)),
    IPC(3, criterion=KnownClasses(np.arange(60) % 3)),
    GCA(3, connectivities=[np.eye(3)[np.arange(60) % 3]]),
]


@pytest.mark.parametrize("function", OF_OBJECTS, ids=[type(f).__name__ for f in OF_OBJECTS])
def test_parameters_of_objects_are_left_out_for_other_objects(function):
    ensemble, _ = make_planted_ensemble(60, 6, 3, noise=0.2, random_state=0)
    (name,) = function.parameters_of_objects()
    plain = function.for_other_objects()
    assert plain.parameters_of_objects() == []
    assert type(plain)().get_params()[name] == plain.get_params()[name]
    fitted = clone(function).fit(ensemble)
    assert 0 < fitted.chance_confidence(ensemble) < 1
    with pytest.raises(
        InvalidParameterError, match=f"{name} cannot be used inside Supra or Concord"
    ):
        Supra(3, functions=[function, "KMCF"]).fit(ensemble)


def test_chance_of_functions_that_merge_everything():
    """Permuted members give one cluster, whose confidence is 1: another function tells the level."""
    ensemble, _ = make_planted_ensemble(150, 12, 3, n_base_clusters=5, noise=0.1, random_state=0)
    model = VotingMerging(3).fit(ensemble)
    assert model.chance_confidence(ensemble) < 0.8
