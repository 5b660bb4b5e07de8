"""The confidence that chance gives, beside the one that was found."""

from consilience.compose import ConsensusClustering
from consilience.consensus import Concord, ConsensusFunction
from consilience.consensus._chance import chance_level
from consilience.metrics import evidence
from consilience.reporting._result import Result
from consilience.reporting._words import percent


def chance_of(result: Result) -> float:
    """Return the mean confidence without clusters, or of members that agree by accident."""
    if isinstance(result.estimator, ConsensusClustering):
        return float(result.estimator.chance_confidence_)
    if isinstance(result.estimator, ConsensusFunction):
        return result.estimator.chance_confidence(result.ensemble)
    return chance_level(Concord(), result.ensemble, result.labels, 0)


def about_chance(result: Result, mean: float, chance: float) -> str:
    """Compare both levels in words."""
    of_data = isinstance(result.estimator, ConsensusClustering)
    what = "data without clusters" if of_data else "members whose labels are in a random order"
    words = {
        "none": ": the agreement of the members is no evidence of clusters",
        "little": ": the agreement of the members is little evidence of clusters",
        "some": "",
    }
    return f"With {what} it would be up to {percent(chance)}{words[evidence(mean, chance)]}."
