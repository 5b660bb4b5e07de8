"""Labelling against paths by hand and k-means on the written matrix of numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris

from consilience import Ensemble
from consilience.consensus.features import Labelling
from consilience.consensus.features._labelling import MemberNumbers, _random_objects
from consilience.exceptions import (
    InvalidInputError,
    UnsupportedInputError,
)
from consilience.metrics import accuracy
from consilience.partition._lloyd import _assign
from oracles import labelling as oracle
from oracles.labels import canonical, cluster_counts
from oracles.strategies import (
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    multiplicities,
    partitions,
)

LINE = [0.0, 2.77, 5.89, 8.27]
PRINTED = [1, 3.77, 6.89, 9.27]


def on_a_line(*centres, labels=None):
    """One member whose clusters have these centres, an object in each unless labels are given."""
    labels = list(range(len(centres))) if labels is None else labels
    points = np.array(centres, dtype=float).reshape(len(centres), -1)
    return Ensemble([labels]).with_cluster_tables(centres=[points])


def numbers(ensemble, **parameters):
    model = fit(Labelling(1, random_state=0, **parameters), ensemble)
    return [of_member.tolist() for of_member in model.numeric_labels_]


@st.composite
def with_centres(draw, **limits):
    """(L, K, centres): incomplete labels and centres on a small grid, so that some coincide."""
    L, K = draw(incomplete_ensembles(**limits))
    centres = []
    for n_clusters in cluster_counts(L):
        point = st.tuples(st.integers(0, 4), st.integers(0, 2))
        centres.append(draw(st.lists(point, min_size=n_clusters, max_size=n_clusters)))
    return L, K, centres


def ensemble_of(L, centres, weights=None):
    tables = [np.array(points, dtype=float) for points in centres]
    return Ensemble(L, weights=weights).with_cluster_tables(centres=tables)


functions = st.sampled_from(["inverse", "distance", "relative"])


def test_worked_numbers():
    [ours] = numbers(on_a_line(*LINE), labelling_function="distance")
    assert ours == pytest.approx(PRINTED)
    [ours] = numbers(on_a_line(0, 0.361011, 0.681524, 1.101692), labelling_function="inverse")
    assert ours == pytest.approx(PRINTED, abs=1e-4)
    [ours] = numbers(on_a_line(*LINE), labelling_function="relative")
    assert ours == pytest.approx(1 + np.array(LINE) / 2.38)


@pytest.mark.parametrize("gap", [1e-6, 0.3, 1e6])
def test_two_clusters_are_one_and_two(gap):
    assert numbers(on_a_line(5, 5 + gap)) == [[1.0, pytest.approx(2.0)]]


def test_one_cluster_is_constant():
    assert numbers(on_a_line(7, labels=[0, 0, 0])) == [[1.0]]


def test_the_path_starts_at_the_first_object_and_goes_to_the_nearest():
    # from 4 to 5, from there to 7, and back over everything to 0
    assert numbers(on_a_line(4, 0, 7, 5), labelling_function="distance") == [[1.0, 11.0, 4.0, 2.0]]
    # equally near: the cluster that appears first
    assert numbers(on_a_line(4, 6, 2), labelling_function="distance") == [[1.0, 3.0, 7.0]]


def test_the_path_starts_at_the_smallest_label_of_the_member():
    # the labels of the member: 3 at 4, 2 at 0, 0 at 7, 1 at 5; from 7 to 5, 4 and 0
    ensemble = Ensemble([[3, 2, 0, 1]]).with_cluster_tables(centres=[[[4.0], [0.0], [7.0], [5.0]]])
    given = {"labelling_function": "distance", "path_start": "first_cluster"}
    assert numbers(ensemble, **given) == [[4.0, 8.0, 1.0, 3.0]]
    # a member without labels has no path
    silent = Ensemble([[0, 1], [-1, -1]]).with_cluster_tables(centres=[[[0.0], [2.0]], None])
    assert numbers(silent, **given) == [[1.0, 3.0], []]


def test_random_objects_are_drawn_without_replacement():
    weight = np.array([2.0, 0.0, 1.0])
    for seed in range(20):
        assert sorted(_random_objects(weight, 3, np.random.default_rng(seed))) == [0, 0, 2]
    shares = np.array([0.25, 0.0])
    assert _random_objects(shares, 2, np.random.default_rng(0)).tolist() == [0, 0]


@pytest.mark.parametrize("function", ["inverse", "distance", "relative"])
def test_coincident_centres_are_merged(function):
    [ours] = numbers(on_a_line(0, 3, 0, 1, 3), labelling_function=function)
    assert ours[0] == ours[2]
    assert ours[1] == ours[4]
    [merged] = numbers(on_a_line(0, 3, 1), labelling_function=function)
    assert [ours[0], ours[1], ours[3]] == merged
    assert numbers(on_a_line(2, 2), labelling_function=function) == [[1.0, 1.0]]


@given(with_centres(), functions, st.sampled_from([0.0, 1.0, 2.5]))
@examples(100)
def test_numbers_are_those_of_the_path(given_, function, alpha):
    L, _, centres = given_
    ours = numbers(ensemble_of(L, centres), labelling_function=function, alpha=alpha)
    for of_member, points in zip(ours, centres, strict=True):
        assert of_member == pytest.approx(oracle.path(points, function, alpha))


@given(with_centres(), functions, st.data())
@examples(150)
def test_every_solution_is_a_fixed_point_with_its_sse(given_, function, data):
    L, K, centres = given_
    r = L.shape[1]
    weights = data.draw(member_weights(r))
    m = data.draw(multiplicities(len(L)))
    Y = oracle.features(L, centres, function)
    w = weights or [1.0] * r
    init = data.draw(st.sampled_from(["k-means++", "random_rows", "random_objects"]))
    method = Labelling(K, labelling_function=function, init=init, random_state=0)
    model = fit(method, ensemble_of(L, centres, weights), sample_weight=np.array(m, dtype=float))
    found = partitions(model)
    assert len(found) == len(set(found))
    n_distinct = len(np.unique(Y.round(9), axis=0))
    for labels, solution in zip(found, model.solutions_, strict=True):
        assert np.isnan(Y).any() or len(set(labels)) == min(K, n_distinct)
        assert oracle.is_fixed_point(Y, labels, w, m)
        assert solution.objective == pytest.approx(oracle.sse(Y, labels, w, m), abs=1e-9)
    assert model.labels_.tolist() == list(found[0])
    assert model.objective_ == min(s.objective for s in model.solutions_)


@given(with_centres(max_n=6, max_r=3), functions)
@examples(40)
def test_many_restarts_come_near_the_optimum(given_, function):
    L, K, centres = given_
    Y = oracle.features(L, centres, function)
    ones = np.ones(len(L))
    best = oracle.optimum(Y, K, [1.0] * L.shape[1], ones)
    nothing = oracle.optimum(Y, 1, [1.0] * L.shape[1], ones)
    method = Labelling(K, labelling_function=function, n_init=50, random_state=0)
    found = fit(method, ensemble_of(L, centres)).objective_
    # k-means cannot reach every optimum
    assert best - 1e-9 <= found <= best + 0.25 * nothing + 1e-9


@given(with_centres(), st.data())
@examples(60)
def test_weights_repeat_members(given_, data):
    L, K, centres = given_
    times = data.draw(st.lists(st.integers(1, 3), min_size=L.shape[1], max_size=L.shape[1]))
    weighted = fit(Labelling(K, n_init=30, random_state=0), ensemble_of(L, centres, times))
    copies = [points for points, t in zip(centres, times, strict=True) for _ in range(t)]
    written = ensemble_of(np.repeat(L, times, axis=1), copies)
    repeated = fit(Labelling(K, n_init=30, random_state=0), written)
    Y = oracle.features(L, centres)
    ours = oracle.sse(Y, canonical(weighted.labels_.tolist()), times, np.ones(len(L)))
    theirs = oracle.sse(Y, canonical(repeated.labels_.tolist()), times, np.ones(len(L)))
    # Weights are scaled to mean one.
    assert weighted.objective_ * np.mean(times) == pytest.approx(ours, abs=1e-9)
    assert repeated.objective_ == pytest.approx(theirs, abs=1e-9)


def test_empty_clusters_start_again_at_the_furthest_object():
    ensemble = on_a_line(0, 1, 3, 9)
    features = MemberNumbers(ensemble.incidence, np.array([0.0, 1.0, 3.0, 9.0]), np.ones(1))
    far_away = np.array([[features.numbers[0], 50.0, 60.0]])
    assigned = _assign(features, far_away, np.full(4, -1, dtype=np.int32))
    # one restarts at 9, the other then at 3, the furthest from 0 and 9
    assert canonical(assigned.labels.tolist()) == (0, 0, 1, 2)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_units_and_the_first_number_do_not_matter(scale):
    rng = np.random.default_rng(0)
    L = np.column_stack([rng.integers(0, k, 60) for k in (3, 4, 5, 6)])
    centres = [rng.normal(size=(len(np.unique(column)), 2)) for column in L.T]
    plain = ensemble_of(L, centres)
    L, centres = plain.labels, plain.cluster_tables["centres"]
    for function in ("inverse", "distance", "relative"):
        method = Labelling(4, labelling_function=function, random_state=0)
        expected = fit(method, plain).labels_.tolist()
        scaled = ensemble_of(L, [scale * points for points in centres])
        assert fit(method, scaled).labels_.tolist() == expected
        shifted = Labelling(4, labelling_function=function, alpha=100, random_state=0)
        assert fit(shifted, plain).labels_.tolist() == expected


def test_soft_members_have_expected_numbers():
    # with two clusters under f3 the expected number is 1 + the second membership
    rng = np.random.default_rng(1)
    group = np.repeat([0, 1], 30)
    second = np.clip(0.15 + 0.6 * group[:, None] + 0.05 * rng.normal(size=(60, 4)), 0, 1)
    memberships = [np.column_stack([1 - p, p]) for p in second.T]
    soft = Ensemble.from_memberships(memberships)
    soft = soft.with_cluster_tables(centres=[[[0.0], [1.0]]] * 4)
    model = fit(Labelling(2, random_state=0), soft)
    assert accuracy(group, model.labels_) == 1
    kmeans = KMeans(2, n_init=10, random_state=0).fit(second)
    own_spread = float((second * (1 - second)).sum())
    assert model.objective_ == pytest.approx(kmeans.inertia_ + own_spread)


def kmeans_chain(X, n_clusters, n_members, rng):
    """Every run starts from an object of each cluster of the run before it."""
    start = X[rng.choice(len(X), n_clusters, replace=False)]
    runs = []
    for _ in range(n_members):
        runs.append(KMeans(n_clusters, init=start, n_init=1).fit(X))
        groups = [np.flatnonzero(runs[-1].labels_ == k) for k in range(n_clusters)]
        start = np.array([X[rng.choice(group)] for group in groups])
    ensemble = Ensemble([run.labels_ for run in runs])
    return ensemble.with_cluster_tables(
        centres=[
            run.cluster_centers_[values.astype(int)]
            for run, values in zip(runs, ensemble.values, strict=True)
        ]
    )


def test_iris_as_in_the_paper():
    X, y = load_iris(return_X_y=True)
    ensemble = kmeans_chain(X / X.max(axis=0), 3, 10, np.random.default_rng(0))
    labels = fit(Labelling(3, random_state=0), ensemble).labels_
    assert 1 - accuracy(y, labels) == pytest.approx(0.04, abs=0.014)


def test_silent_and_weightless_members_need_no_centres():
    labels = [[0, 0, 1, 1], [0, 1, 1, 1], [-1] * 4, [0, 1, 0, 1]]
    ensemble = Ensemble(labels, weights=[1, 1, 1, 0])
    ensemble = ensemble.with_cluster_tables(centres=[[[0.0], [1.0]], [[0.0], [1.0]], None, None])
    model = fit(Labelling(2, random_state=0), ensemble)
    assert [len(of_member) for of_member in model.numeric_labels_] == [2, 2, 0]
    assert model.labels_.tolist() in ([0, 0, 1, 1], [0, 1, 1, 1])


def test_ensembles_without_centres():
    with pytest.raises(UnsupportedInputError, match=r"with_cluster_tables\(centres=\[...\]\)"):
        Labelling(2).fit([[0, 0, 1], [0, 1, 1]])
    ensemble = Ensemble([[0, 0, 1], [0, 1, 1]], names=["a", "b"])
    half = ensemble.with_cluster_tables(centres=[[[0.0], [1.0]], None])
    with pytest.raises(UnsupportedInputError, match="every member, and 'b' has none; give it"):
        Labelling(2).fit(half)


@pytest.mark.parametrize(
    ("centres", "given"), [([0.0, 1.0], r"shape \(2,\)"), ([[0.0], [np.nan]], "NaN or infinity")]
)
def test_centres_that_are_none(centres, given):
    ensemble = Ensemble([[0, 0, 1]]).with_cluster_tables(centres=[centres])
    with pytest.raises(InvalidInputError, match=f"each of its 2 clusters; got {given}"):
        Labelling(2).fit(ensemble)
