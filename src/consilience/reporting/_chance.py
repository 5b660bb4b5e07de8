"""The mean confidence compared with that of members without clusters."""

from consilience.metrics import evidence
from consilience.reporting._result import Result
from consilience.reporting._words import percent

WITHOUT_CLUSTERS = "members whose labels are in a random order"
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
    return f"With {WITHOUT_CLUSTERS} it would be up to {level}{_WORDS[found]}."
