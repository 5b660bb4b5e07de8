"""Starting rows: drawn by weight times squared distance, from few rows where there are many."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from consilience import Ensemble
from consilience.consensus import HBGF, KMCF
from consilience.datasets import make_planted_ensemble
from consilience.metrics import ari
from consilience.partition import _plus_plus
from consilience.partition._plus_plus import few_rows, plus_plus

POINTS = np.array([0.0, 1.0, 3.0, 7.0])
WEIGHT = np.array([4.0, 1.0, 2.0, 1.0])


def _distances(rows):
    return (POINTS[:, None] - POINTS[rows]) ** 2


@pytest.mark.parametrize("greedy", [True, False])
def test_rows_are_drawn_by_weight_and_squared_distance(greedy):
    """Restarts 0, 2, ... keep the better of two second rows, the others the first of them."""
    n_draws = 4_000
    chosen = plus_plus(WEIGHT, 2, np.random.default_rng(0).spawn(2 * n_draws), _distances)
    chosen = chosen[0 if greedy else 1 :: 2]
    distance = _distances(np.arange(4))
    joint = np.zeros((4, 4))
    for first in range(4):
        chance = WEIGHT * distance[first] / (WEIGHT @ distance[first])
        left = WEIGHT @ np.minimum(distance, distance[first][:, None])
        for one, other in product(range(4), repeat=2):
            kept = other if greedy and left[other] < left[one] else one
            joint[first, kept] += WEIGHT[first] / WEIGHT.sum() * chance[one] * chance[other]
    joint = joint.ravel()
    seen = np.bincount(chosen[:, 0] * 4 + chosen[:, 1], minlength=16)
    assert not seen[joint == 0].any()
    assert chisquare(seen[joint > 0], n_draws * joint[joint > 0]).pvalue > 0.001


def test_the_first_draw_may_have_chances_of_its_own():
    first = np.array([0.0, 0.0, 0.0, 1.0])
    chosen = plus_plus(WEIGHT, 2, np.random.default_rng(0).spawn(50), _distances, first)
    assert set(chosen[:, 0]) == {3}
    assert 3 not in chosen[:, 1]


@pytest.fixture
def many_rows(monkeypatch):
    monkeypatch.setattr(_plus_plus, "MOST_ROWS", 500)
    return make_planted_ensemble(20_000, 8, 4, noise=0.2, random_state=0)


def test_few_rows_stand_for_all(many_rows):
    ensemble, _ = many_rows
    H = ensemble.incidence
    drawn = few_rows(H, 4, np.random.default_rng(0))
    assert drawn.H.shape == (500, H.shape[1])
    assert np.all(np.diff(drawn.rows) > 0)
    assert np.array_equal(drawn.H.dense_rows([0, 499]), H.dense_rows(drawn.rows[[0, 499]]))
    assert drawn.weight.sum() == pytest.approx(20_000)
    assert np.array_equal(drawn.H.sizes, drawn.weight @ H.dense_rows(drawn.rows))


def test_heavy_rows_are_among_the_few(many_rows):
    ensemble, _ = many_rows
    weight = np.ones(20_000)
    weight[[17, 4_711]] = 1e5
    H = ensemble.with_sample_weight(weight).incidence
    samples = [few_rows(H, 4, np.random.default_rng(seed)) for seed in range(200)]
    light = []
    for drawn in samples:
        heavy = np.isin(drawn.rows, [17, 4_711])
        assert np.count_nonzero(heavy) == 2
        assert np.count_nonzero(~heavy) > 150
        assert drawn.weight[heavy].sum() == pytest.approx(2e5, rel=0.3)
        light.append(drawn.weight[~heavy].sum())
    assert np.mean(light) == pytest.approx(19_998, rel=0.01)


@pytest.mark.parametrize("function", [KMCF, HBGF])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_starts_from_few_rows_find_the_clusters(function, missing, many_rows):
    ensemble, planted = many_rows
    labels = ensemble.labels.copy()
    labels[np.random.default_rng(1).random(labels.shape) < missing] = -1
    found = function(n_clusters=4, random_state=0).fit(Ensemble(labels)).labels_
    assert ari(found, planted) > 0.95


def test_one_heavy_object_does_not_take_all_starts(many_rows):
    ensemble, planted = many_rows
    weight = np.ones(20_000)
    weight[0] = 1e9
    found = KMCF(n_clusters=4, random_state=0).fit(ensemble, sample_weight=weight).labels_
    assert ari(found, planted) > 0.95
