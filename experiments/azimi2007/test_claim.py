"""Iris near 4 %."""

import numpy as np

from experiments.azimi2007.measure import labelling_error
from experiments.harness import load


def test_labelling_errs_on_about_four_per_cent_of_iris() -> None:
    X, y = load("iris")
    errors = [
        labelling_error(X, y, n_members=n_members, seed=seed)
        for n_members in (10, 30, 50)
        for seed in range(5)
    ]
    assert abs(np.median(errors) - 4.0) <= 0.5
