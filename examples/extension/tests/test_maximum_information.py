import math

import numpy as np
import pytest
from consilience_information import MaximumInformation

from consilience.datasets import make_planted_ensemble
from consilience.exceptions import NoSignalWarning
from consilience.extend import Ensemble, check_consensus_function
from consilience.metrics import ari


def test_it_keeps_what_every_consensus_function_promises():
    check_consensus_function(MaximumInformation(n_clusters=3, random_state=0))


def test_information_of_a_small_ensemble_by_hand():
    # Four objects; the first member shares log 2 nats with the consensus, the second nothing.
    members = Ensemble([[0, 0, 1, 1], [0, 1, 0, 1]]).with_weights([3, 1])
    with pytest.warns(NoSignalWarning):  # the members do contradict each other
        fitted = MaximumInformation(n_clusters=2, random_state=0).fit(members)
    assert fitted.labels_.tolist() == [0, 0, 1, 1]
    assert fitted.objective_ == pytest.approx(4 * members.weights[0] * math.log(2))


def test_no_other_label_of_an_object_shares_more():
    ensemble, truth = make_planted_ensemble(3000, 12, 4, noise=0.4, random_state=0)
    fitted = MaximumInformation(4, random_state=0).fit(ensemble)
    assert ari(fitted.labels_, truth) > 0.9
    best = fitted.objective_
    for i in np.random.default_rng(0).choice(3000, 20, replace=False):
        for k in range(4):
            labels = fitted.labels_.copy()
            labels[i] = k
            assert information(labels, ensemble) <= best + 1e-6 * best


def information(labels, ensemble):
    """The mutual information with every member, straight from its definition."""
    total = 0.0
    for member in ensemble.labels.T:
        joint = np.zeros((labels.max() + 1, member.max() + 1))
        np.add.at(joint, (labels, member), 1 / len(labels))
        product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        seen = joint > 0
        total += len(labels) * float((joint[seen] * np.log(joint[seen] / product[seen])).sum())
    return total
