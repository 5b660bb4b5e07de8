"""The ensembles on which consensus functions are checked."""

import numpy as np

from consilience.testing._checks import _planted


def test_ensembles_have_three_clusters_of_different_sizes():
    ensemble, truth = _planted()
    assert (ensemble.n_samples, ensemble.n_members) == (240, 9)
    # Drawn with the proportions 5 : 4 : 3, so about 100, 80 and 60.
    sizes = np.bincount(truth)
    assert len(sizes) == 3
    assert np.all(np.abs(sizes - [100, 80, 60]) < 20)
    assert ensemble.labels.min() == 0
    part = np.mean(_planted(missing=0.1)[0].labels < 0)
    assert 0.05 < part < 0.15
