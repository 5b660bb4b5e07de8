"""Copies of estimators for repeated runs: their seeds, checkpoints and bars."""

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from consilience.consensus import IPC
from consilience.diagnose._reruns import agreement, seeded
from consilience.generate import KMeansRestarts


def test_copies_have_seeds_of_their_own_and_no_checkpoints(tmp_path):
    first, second = np.random.default_rng(0).integers(2**31 - 1, size=2).tolist()
    stream = np.random.default_rng(0)
    generator = KMeansRestarts(checkpoint=tmp_path, verbose=None)
    copy = seeded(generator, stream)
    assert (copy.random_state, copy.checkpoint, copy.verbose) == (first, None, 0)
    assert (generator.random_state, generator.checkpoint) == (None, tmp_path)
    assert seeded(IPC(3), stream).random_state == second
    assert seeded(IPC(3, random_state=7), stream).random_state == 7
    assert seeded(KMeansRestarts(verbose=1), stream).verbose == 1


def test_steps_of_pipelines_get_seeds():
    copy = seeded(make_pipeline(StandardScaler(), KMeansRestarts()), np.random.default_rng(0))
    assert copy[-1].random_state == np.random.default_rng(0).integers(2**31 - 1)


def test_agreement_on_the_objects_that_both_label():
    first = np.array([0, 0, 1, 1, -1])
    assert agreement(first, np.array([1, 1, 0, 0, 0])) == 1.0
    assert agreement(first, np.array([1, 1, 0, -1, 0])) == 1.0
    assert np.isnan(agreement(first, np.array([-1, -1, -1, -1, 0])))
