"""The mean confidence compared with that of data without clusters."""

from consilience.compose import ConsensusClustering
from consilience.compose.internals import WITHOUT_CLUSTERS
from consilience.metrics import evidence
from consilience.reporting._result import Result
from consilience.reporting._words import percent

# The evidence of clusters from the agreement of members, in words.
_WORDS = {
    "none": ": less than a third of the way from there to 100 % is no evidence of clusters",
    "little": ": less than half of the way from there to 100 % is little evidence of clusters",
    "some": "",
}


def about_chance(result: Result) -> str:
    """Compare the mean confidence with the one that chance gives."""
    found = evidence(result.mean_confidence, result.chance_confidence)
    level = percent(result.chance_confidence)
    return f"With {without_clusters(result)} it would be up to {level}{_WORDS[found]}."


def without_clusters(result: Result) -> str:
    """Name the data from which the chance level was computed."""
    if isinstance(result.estimator, ConsensusClustering):
        return WITHOUT_CLUSTERS
    return "members whose labels are in a random order"
