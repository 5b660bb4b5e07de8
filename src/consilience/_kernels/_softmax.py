"""Convert rows of log weights to responsibilities."""

import numpy as np

from consilience._kernels._jit import jit


@jit
def softmax_rows(scores, weight, totals):  # type: ignore[no-untyped-def]
    """Replace every row by its softmax and return the weighted sum of the log normalisers.

    `totals` receives the weighted column sums. `weight` None means one.
    """
    n_columns = scores.shape[1]
    log_likelihood = 0.0
    for i in range(scores.shape[0]):
        largest = scores[i, 0]
        for k in range(1, n_columns):
            largest = max(largest, scores[i, k])
        total = 0.0
        for k in range(n_columns):
            scores[i, k] = np.exp(scores[i, k] - largest)
            total += scores[i, k]
        factor = 1.0
        if weight is not None:
            factor = float(weight[i])
        log_likelihood += factor * (largest + np.log(total))
        for k in range(n_columns):
            scores[i, k] /= total
            totals[k] += factor * scores[i, k]
    return log_likelihood
