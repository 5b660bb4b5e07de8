"""The information that two labellings share by chance."""

import numpy as np

from consilience._kernels._jit import jit


@jit
def information_by_chance(first, second, logs, log_factorials):  # type: ignore[no-untyped-def]
    """Return the mean mutual information, in nats, of labellings with given sizes of clusters.

    The number of objects that two clusters share has a hypergeometric distribution if labels are in
    random order. Its probabilities follow each other by a ratio, so that one exponential per pair of
    clusters is enough.

    first, second    sizes of clusters
    logs             (n + 1,) logarithms of 0 .. n; the first is not used
    log_factorials   (n + 1,) logarithms of the factorials of 0 .. n
    """
    n = len(logs) - 1
    total = 0.0
    for a in first:
        for b in second:
            low, high = max(1, a + b - n), min(a, b)
            if low > high:
                continue
            log_chance = (
                log_factorials[a]
                + log_factorials[b]
                + log_factorials[n - a]
                + log_factorials[n - b]
                - log_factorials[n]
                - log_factorials[low]
                - log_factorials[a - low]
                - log_factorials[b - low]
                - log_factorials[n - a - b + low]
            )
            chance = np.exp(log_chance)
            expected = logs[n] - logs[a] - logs[b]
            for shared in range(low, high + 1):
                total += chance * shared * (expected + logs[shared])
                chance *= (a - shared) * (b - shared) / ((shared + 1) * (n - a - b + shared + 1))
    return total / n
