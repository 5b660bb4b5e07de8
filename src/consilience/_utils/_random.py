"""Random streams, spawned from one seed before any loop, and random numbers that belong to rows."""

import numpy as np

from consilience._utils._types import Array

RandomState = int | np.random.Generator | np.random.RandomState | None


def seed_sequence(random_state: RandomState) -> np.random.SeedSequence:
    """Convert a `random_state` as in scikit-learn to the root of a tree of seeds.

    A generator object is advanced by one draw, so that two fits with the same object differ, as in
    scikit-learn.
    """
    if random_state is None or isinstance(random_state, int | np.integer):
        return np.random.SeedSequence(None if random_state is None else int(random_state))
    if isinstance(random_state, np.random.Generator):
        return np.random.SeedSequence(int(random_state.integers(2**63)))
    return np.random.SeedSequence(int(random_state.randint(2**31 - 1)))


def spawn(random_state: RandomState, n_streams: int) -> list[np.random.Generator]:
    """Return independent generators; stream j does not depend on the use of the others."""
    children = seed_sequence(random_state).spawn(n_streams)
    return [np.random.default_rng(child) for child in children]


def row_draws(entropy: int, start: int, stop: int) -> Array:
    """Return a random whole number below 2^32 for every row from `start` to `stop`.

    It depends on the entropy, a number below 2^64, and the number of the row alone, so not on
    blocks or threads. Row i has the upper half of number i of the generator SplitMix64.
    """
    with np.errstate(over="ignore"):  # all arithmetic is modulo 2^64
        state = np.arange(start + 1, stop + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        state += np.uint64(entropy)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    draws: Array = ((state ^ (state >> np.uint64(31))) >> np.uint64(32)).astype(np.uint32)
    return draws


def pick_one(candidates: Array, draws: Array) -> Array:
    """Return one of the marked columns of every row, (n,) int32, by the draws of the rows.

    With c candidates, a draw d takes number floor(c d / 2^32) of them.
    """
    places = np.cumsum(candidates, axis=1, dtype=np.uint64)
    wanted = (places[:, -1] * draws.astype(np.uint64)) >> np.uint64(32)
    return np.asarray((places > wanted[:, None]).argmax(axis=1).astype(np.int32))
