"""Agreement of members beyond chance, against all permutations of one of two members."""

from itertools import combinations, permutations

import numpy as np
import pytest

from consilience import Ensemble
from consilience.incidence import pair_sums
from consilience.metrics.internals import pair_signal


def signal(*members):
    ensemble = Ensemble(list(members))
    overlaps = ensemble.incidence.gram()
    return pair_signal(overlaps, ensemble.layout, pair_sums(overlaps, ensemble.layout, np.square))


def together(first, second):
    pairs = combinations(range(len(first)), 2)
    return sum(first[i] == first[j] and second[i] == second[j] for i, j in pairs)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 0]),
        ([0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]),
        ([0, 0, 1, 1, 2, 3], [0, 0, 0, 1, 1, 1]),
    ],
)
def test_mean_and_variance_are_those_of_all_permutations(first, second):
    chances = [together(first, [second[i] for i in order]) for order in permutations(range(6))]
    found = signal(first, second)
    above = together(first, second) - np.mean(chances)
    assert found.sigmas == pytest.approx(above / np.std(chances))
    most = min(together(first, first), together(second, second)) - np.mean(chances)
    assert found.shared == pytest.approx(above / most)


def test_members_with_few_common_objects_do_not_decide_alone():
    """The example of Strehl and Ghosh: the last member labels four of seven objects."""
    members = [
        [0, 0, 0, 1, 1, 2, 2],
        [1, 1, 1, 2, 2, 0, 0],
        [0, 0, 1, 1, 2, 2, 2],
        [0, 1, -1, 0, 1, -1, -1],
    ]
    assert signal(*members).shared > 0.1


def test_pairs_of_members_are_added_up():
    members = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 0], [0, 1, 0, 1, 0, 1]
    single = [signal(*pair) for pair in combinations(members, 2)]
    whole = signal(*members)
    # The third member has fewer pairs of objects in clusters, and so counts less.
    sizes = [sum(together(one, one) for one in pair) for pair in combinations(members, 2)]
    assert len(set(sizes)) > 1
    assert min(one.shared for one in single) <= whole.shared <= max(one.shared for one in single)
    assert whole.sigmas == pytest.approx(sum(one.sigmas for one in single) / np.sqrt(3))


def test_a_refinement_shares_all_it_can_and_constants_say_nothing():
    assert signal([0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]).shared == pytest.approx(1)
    assert signal([0, 0, 0, 0], [0, 1, 1, 2]) == (1.0, np.inf)


def test_two_common_objects_are_one_pair():
    # Of one pair nothing can differ, so that only the first two members are compared.
    members = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 0], [0, 0, -1, -1, -1, -1]
    assert signal(*members) == pytest.approx(signal(*members[:2]))
