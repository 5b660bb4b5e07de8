"""The information shared by chance, as scikit-learn computes it."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.special import gammaln
from sklearn.metrics.cluster import expected_mutual_information

from consilience._kernels._chance import information_by_chance


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([10, 10], [10, 10]),
        ([19, 1], [1, 19]),
        ([20], [7, 13]),
        ([0, 5, 15], [8, 0, 12]),
        ([1] * 20, [1] * 20),
        ([3, 4, 6, 7], [2, 2, 16]),
    ],
)
def test_information_by_chance(first, second):
    numbers = np.arange(21)
    ours = information_by_chance(
        np.array(first), np.array(second), np.log(np.maximum(numbers, 1)), gammaln(numbers + 1.0)
    )
    rows, columns = (
        np.unique(np.repeat(np.arange(len(sizes)), sizes), return_inverse=True)[1]
        for sizes in (first, second)
    )
    table = csr_matrix((np.ones(20, dtype=np.int64), (rows, columns)))
    assert ours == pytest.approx(expected_mutual_information(table, 20), abs=1e-12)
