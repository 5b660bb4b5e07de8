"""Whether several normal components describe data better than one, beyond the shape of single columns.

Clusters of different density may have no valley between them: a dense one and a sparse one around its
side. A mixture sees them. It also sees heavy tails and skewness, so every column is first replaced by
its normal scores, and the gain is compared with that of data that have the same columns and the same
rank correlations, but no clusters.
"""

from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.diagnose._null_data import data_of_same_columns, normal_scores
from consilience.generate.internals import fit_mixture, one_thread

# Rows and principal axes that are used: at most so many, and so many rows for every axis.
_ROWS, _AXES, _ROWS_OF_AN_AXIS = 500, 8, 25
# Largest number of components; starts for every number; data without clusters to compare with.
_MOST, _STARTS, _NULLS = 5, 3, 3
_MAX_ITER, _TOL = 50, 1e-3
# The gain must be larger than that of data without clusters by this, in nats per object, and by this
# share of the penalty: the more parameters for every object, the more the gain varies by chance.
_MARGIN, _SHARE_OF_PENALTY = 0.1, 0.3
# BIC has too few components rather than too many, so of gains that differ by no more than this, that of
# the largest number is taken.
_NEARLY = 0.03


class MixtureEvidence(NamedTuple):
    """The gain of the best number of components over one, and that of data without clusters.

    n_components  the largest number whose gain is nearly the best
    gain          of the mean log likelihood of an object, less the penalty of BIC
    null          the largest gain of data without clusters, or less if the gain is below it anyway
    margin        by how much the gain must be larger
    """

    n_components: int
    gain: float
    null: float
    margin: float

    @property
    def clear(self) -> bool:
        """Say whether the gain is clearly larger than that of data without clusters."""
        return self.gain > self.null + self.margin


def mixture_evidence(X: Array, rng: np.random.Generator) -> MixtureEvidence | None:
    """Compare mixtures of two to five normal components with one; None for too few rows."""
    if len(X) > _ROWS:
        X = X[rng.choice(len(X), _ROWS, replace=False)]
    X = X[:, X.max(axis=0) > X.min(axis=0)]
    n_axes = min(_AXES, X.shape[1], len(X) // _ROWS_OF_AN_AXIS)
    if n_axes < 2:
        return None
    # A component has a mean, a covariance matrix and a share.
    n_parameters = 1 + n_axes + n_axes * (n_axes + 1) // 2
    penalty = n_parameters * np.log(len(X)) / (2 * len(X))
    margin = max(_MARGIN, _SHARE_OF_PENALTY * penalty)
    with one_thread():
        gains = _gains(X, n_axes, penalty, rng)
        # Two components are never worse than one but for the penalty, also without clusters.
        null = -penalty
        if gains.max() > null + margin:
            nulls = (data_of_same_columns(X, rng) for _ in range(_NULLS))
            null = max(float(_gains(rows, n_axes, penalty, rng).max()) for rows in nulls)
    number = 2 + int(np.flatnonzero(gains >= gains.max() - _NEARLY)[-1])
    return MixtureEvidence(number, float(gains.max()), null, margin)


def _gains(X: Array, n_axes: int, penalty: float, rng: np.random.Generator) -> Array:
    """Return the gains of two, three, ... components over one."""
    # Equal values in random order: otherwise components of no width would describe them.
    scores = normal_scores(X, rng)
    scores = scores - scores.mean(axis=0)
    axes = np.linalg.svd(scores, full_matrices=False)[2][:n_axes]
    rows = scores @ axes.T
    likelihood = [_likelihood(rows, number, rng) for number in range(1, _MOST + 1)]
    gains: Array = np.diff(likelihood).cumsum() - penalty * np.arange(1, _MOST)
    return gains


def _likelihood(rows: Array, n_components: int, rng: np.random.Generator) -> float:
    starts = _STARTS if n_components > 1 else 1
    return max(
        fit_mixture(
            rows, n_components, rng, diagonal=False, max_iter=_MAX_ITER, tol=_TOL
        ).likelihood
        for _ in range(starts)
    )
