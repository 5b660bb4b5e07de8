"""Random streams: all are spawned from one seed before any loop."""

import numpy as np

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
