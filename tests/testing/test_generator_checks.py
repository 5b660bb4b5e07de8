"""The data on which generators are checked."""

import numpy as np

from consilience.testing._generator_checks import _blobs


def test_data_have_three_groups_that_are_equally_far_from_each_other():
    X = _blobs()
    assert X.shape == (90, 4)
    groups, sizes = np.unique(np.round(X / 9), axis=0, return_counts=True)
    assert groups.tolist() == [[0, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 0]]
    assert sizes.tolist() == [30, 30, 30]
    assert not X.flags.writeable
