"""Error rate by optimal matching."""

from typing import Any

from consilience.metrics._accuracy import accuracy


def error_rate(labels: Any, truth: Any) -> float:
    """Share of objects that are wrong under the best one-to-one matching of clusters and classes.

    Examples
    --------
    >>> error_rate([0, 0, 1, 2], ["x", "x", "y", "y"])
    0.25
    """
    return 1.0 - accuracy(labels, truth)
