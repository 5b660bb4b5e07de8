"""Data that the tests of generators share."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs


@pytest.fixture(scope="session")
def blobs():
    X, _ = make_blobs(200, 5, centers=4, random_state=3)
    X.setflags(write=False)
    return X


@pytest.fixture
def rng():
    return np.random.default_rng(0)
