"""scikit-learn's own estimator checks.

Three of them feed features, which are not labels, and no tag can switch them off; checks of our own
suite with the same intent stand in for them. Functions that refuse object weights are excused from one
more. No other check may be excused.
"""

import pytest

from consilience.consensus import BaggedClustering, Labelling
from consilience.exceptions import ConsilienceWarning
from consilience.testing._checks import with_needs
from instances import CONSENSUS, FAMILIES
from sklearn_suite import run_checks

EXCUSED = {
    "check_clustering": "feeds features; check_planted_partition_is_found stands in",
    "check_sample_weight_equivalence_on_dense_data": (
        "feeds features; check_sample_weight_is_repetition stands in"
    ),
    "check_positive_only_tag_during_fit": (
        "feeds features; the gate's own test of labels below -1 stands in"
    ),
}
WITHOUT_WEIGHTS = {
    "check_sample_weights_not_overwritten": "refuses sample_weight; test_base.py has the sentence",
}
# BEST asks for no number: the checks use data with any number of labels.
INSTANCES = [
    type(functions[0])() if name == "BEST" else functions[0]
    for name, functions in CONSENSUS.items()
    if not functions[0].capabilities.needs
]


class FedLabelling(Labelling):
    """The checks know only label matrices; centres are made of the labels."""

    def _consensus(self, ensemble, n_clusters, rng):
        return super()._consensus(with_needs(self, ensemble), n_clusters, rng)


class FedBaggedClustering(BaggedClustering):
    """The same."""

    def _consensus(self, ensemble, n_clusters, rng):
        return super()._consensus(with_needs(self, ensemble), n_clusters, rng)


INSTANCES += [FedLabelling(3, random_state=0), FedBaggedClustering(3)]


@pytest.mark.filterwarnings(f"ignore::{ConsilienceWarning.__module__}.ConsilienceWarning")
@pytest.mark.parametrize("estimator", INSTANCES, ids=lambda estimator: type(estimator).__name__)
def test_sklearn_checks(estimator):
    weights = estimator.capabilities.sample_weight
    excused = EXCUSED if weights else {**EXCUSED, **WITHOUT_WEIGHTS}
    one_of_a_family = type(estimator).__name__ in {*FAMILIES, "FedLabelling"}
    run_checks(estimator, all_of_them=one_of_a_family, excused=excused)
