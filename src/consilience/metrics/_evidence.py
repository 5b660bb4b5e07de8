"""Comparison of a mean confidence with the chance level."""

# Minimum shares of the distance from the chance level to 1 for little and for some evidence.
_NO_EVIDENCE, _LITTLE_EVIDENCE = 1 / 3, 1 / 2


def evidence(confidence: float, chance: float) -> str:
    """Return "none", "little" or "some": the evidence of clusters in a mean confidence.

    "none" up to a third of the way from the chance level to 1, "little" up to a half.

    Parameters
    ----------
    confidence : float
        The mean share of votes for an object's own cluster.
    chance : float
        The same if there are no clusters, or members agree by chance; NaN if unknown.

    Examples
    --------
    >>> from consilience.metrics import evidence
    >>> evidence(0.94, 0.93), evidence(0.94, 0.9), evidence(0.94, 0.8)
    ('none', 'little', 'some')
    """
    beyond, most = confidence - chance, 1 - chance
    if beyond <= _NO_EVIDENCE * most:
        return "none"
    return "little" if beyond <= _LITTLE_EVIDENCE * most else "some"
