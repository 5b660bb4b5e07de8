"""Random numbers that belong to rows."""

import numpy as np

from consilience._utils._random import pick_one, row_draws
from oracles.draws import row_draw


def test_draws_are_splitmix64_and_do_not_depend_on_blocks():
    for seed in (0, 7, 2**63 - 1):
        expected = [row_draw(seed, row) for row in range(100)]
        assert row_draws(seed, 0, 100).tolist() == expected
        parts = [row_draws(seed, start, start + 25) for start in range(0, 100, 25)]
        assert np.concatenate(parts).tolist() == expected
    # the generator as its authors print it, from seed 1234567
    assert row_draws(1234567, 0, 2).tolist() == [
        6457827717110365317 >> 32,
        3203168211198807973 >> 32,
    ]


def test_one_candidate_is_picked_evenly():
    candidates = np.array([[True, False, True, True], [False, True, False, False]])
    third = 2**32 // 3
    for draw, place in ((0, 0), (third, 0), (third + 1, 2), (2 * third + 2, 3), (2**32 - 1, 3)):
        draws = np.array([draw, draw], dtype=np.uint32)
        assert pick_one(candidates, draws).tolist() == [place, 1]
