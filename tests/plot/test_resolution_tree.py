"""The tree of resolutions: flows, stability, order of nodes, and what it says."""

from itertools import permutations

import numpy as np
import pytest

from consilience import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.plot import ResolutionTreeDisplay
from consilience.plot._resolution_tree_display import crossings, ordered_nodes


def _nested():
    fine = np.repeat(np.arange(6), 10)
    return {"two": fine // 3, "three": fine // 2, "six": fine}


def test_levels_are_sorted_and_flows_counted():
    given = _nested()
    tree = ResolutionTreeDisplay({name: given[name] for name in ("six", "two", "three")})
    assert [level.title for level in tree.levels] == ["two", "three", "six"]
    assert [len(level.names) for level in tree.levels] == [2, 3, 6]
    assert all(flow.sum() == 60 for flow in tree.flows)
    assert np.array_equal(tree.flows[1].sum(axis=0), tree.levels[2].sizes)
    kept = ResolutionTreeDisplay(given, sort=False)
    assert [level.title for level in kept.levels] == list(given)
    assert tree.crossing == 0.0


def test_order_has_no_more_crossings_than_any_order():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, (200, 2))
    flow = np.zeros((4, 4), dtype=int)
    np.add.at(flow, (labels[:, 0], (labels[:, 0] * 3 + (labels[:, 1] == 0)) % 4), 1)
    best = min(
        crossings([flow], [np.array(one), np.array(other)])
        for one in permutations(range(4))
        for other in permutations(range(4))
    )
    found = crossings([flow], ordered_nodes([flow]))
    assert found <= best + 0.02
    assert found < crossings([flow], [np.arange(4), np.arange(4)])


def test_crossings_by_hand():
    straight, crossed = np.diag([2, 3]), np.diag([2, 3])[:, ::-1]
    plain = [np.arange(2), np.arange(2)]
    assert crossings([straight], plain) == 0.0
    assert crossings([crossed], plain) == pytest.approx(6 / 10)


def test_repeated_runs_decide_where_there_are_some():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 25)

    def noisy(labels, share, n_labels):
        moved = rng.random(100) < share
        return np.where(moved, rng.integers(0, n_labels, 100), labels)

    members = [noisy(truth // 2, 0.3, 2) for _ in range(4)]
    members += [noisy(truth, 0.02, 4) for _ in range(4)]
    members += [rng.integers(0, 9, 100) for _ in range(4)]
    levels = np.repeat([0.5, 1.0, 3.0], 4)
    tree = ResolutionTreeDisplay.from_ensemble(members, levels=levels)
    assert tree.kind == "runs"
    assert tree.stable_level == "1"
    assert "level 1 with 4 clusters is the most stable: repeated runs agree" in tree.sentence
    assert tree.levels[1].stability.min() > tree.levels[2].stability.max()
    by_number = ResolutionTreeDisplay.from_ensemble(members)
    assert by_number.stable_level == "k = 4"
    # Numbers ascend, whatever the order of the members.
    turned = ResolutionTreeDisplay.from_ensemble(members[::-1], levels=levels[::-1])
    assert [level.title for level in turned.levels] == ["0.5", "1", "3"]


def test_neighbours_decide_without_repeats_and_ends_are_left_out():
    given = _nested()
    tree = ResolutionTreeDisplay(given)
    assert tree.kind == "neighbours"
    assert tree.stable_level == "three"
    assert tree.sentence.endswith(".")
    with_top = ResolutionTreeDisplay({"one": np.zeros(60, int), **given})
    assert with_top.stable_level in {"two", "three"}


def test_missing_labels_do_not_flow_and_one_cluster_is_no_choice():
    tree = ResolutionTreeDisplay({"a": [0, 0, 1, -1], "b": [0, 1, 2, 2]})
    assert tree.flows[0].sum() == 3
    tree = ResolutionTreeDisplay({"a": [0, 0, 0], "b": [1, 1, 1]})
    assert tree.sentence.startswith("No level")


def test_wrong_input():
    with pytest.raises(InvalidInputError, match="at least two levels; got 1"):
        ResolutionTreeDisplay({"a": [0, 1]})
    with pytest.raises(InvalidInputError, match="each of the 2 members; got 3"):
        ResolutionTreeDisplay.from_ensemble(Ensemble([[0, 1], [0, 0]]), levels=[1, 2, 3])
    with pytest.raises(InvalidInputError, match="n_samples = 2; got 3"):
        ResolutionTreeDisplay({"a": [0, 1], "b": [0, 1, 1]})
