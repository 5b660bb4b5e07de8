"""How often two objects go together, over the members that know both [monti2003]_."""

import numpy as np
from scipy.spatial.distance import squareform

from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.partition import PairSimilarity

_BINS = 100


class ConsensusMatrix:
    """Consensus of all pairs of some objects: C_ij = members that join i and j / members that know both.

    Parameters
    ----------
    ensemble : Ensemble
        Hard labels, usually clusterings of subsamples in which the rows left out are missing. All
        pairs are written down: take a sample of the objects first if there are many.

    Attributes
    ----------
    pairs : array (n (n - 1) / 2,)
        C for all i < j, condensed as SciPy does; 0 where no member labels both.

    References
    ----------
    [monti2003]_; [senbabaoglu2014]_

    Examples
    --------
    >>> from consilience import Ensemble
    >>> from consilience.diagnose import ConsensusMatrix
    >>> matrix = ConsensusMatrix(Ensemble([[0, 0, 1, 1], [0, 0, 0, 1], [0, -1, 1, 1]]))
    >>> matrix.pairs.round(2).tolist()
    [1.0, 0.33, 0.0, 0.5, 0.0, 0.67]
    >>> round(matrix.pac(), 3)
    0.5
    """

    def __init__(self, ensemble: Ensemble) -> None:
        if ensemble.is_soft:
            raise InvalidInputError(
                "The consensus matrix counts labels; this ensemble is soft. Pass "
                "Ensemble(ensemble.labels)."
            )
        n_rows = ensemble.n_samples
        require_memory(
            24 * n_rows**2,
            f"The consensus matrix of n = {n_rows} objects",
            "Take a sample of the objects: ensemble.take(...).",
        )
        weights = ensemble.column_weights
        pairs = PairSimilarity(ensemble, weights)
        together = pairs.triangle(np.ones(n_rows))
        seen = (ensemble.labels >= 0) * np.sqrt(ensemble.weights)
        both = squareform(seen @ seen.T, checks=False)
        self.n_samples = n_rows
        self.pairs: Array = np.divide(together, both, out=np.zeros_like(together), where=both > 0)

    @property
    def cdf(self) -> Array:
        """Return the share of pairs with C at most 0.01, 0.02, ..., 1."""
        counts = np.histogram(self.pairs, bins=_BINS, range=(0.0, 1.0))[0]
        return np.cumsum(counts / max(1, len(self.pairs)))

    def pac(self, low: float = 0.1, high: float = 0.9) -> float:
        """Return the proportion of ambiguous clustering: pairs with low < C < high."""
        return float(np.mean(self._ambiguous(low, high)))

    def pac_error(self, low: float = 0.1, high: float = 0.9) -> float:
        """Return the standard error of `pac` if the objects are a sample of many more.

        Pairs share objects, so it follows from the shares of single objects: 2 sd / sqrt(n), the
        leading term for a mean over pairs.
        """
        shares = squareform(self._ambiguous(low, high).astype(np.float64)).sum(axis=1)
        shares /= max(1, self.n_samples - 1)
        return float(2 * np.std(shares) / np.sqrt(self.n_samples))

    def _ambiguous(self, low: float, high: float) -> Array:
        return np.asarray((self.pairs > low) & (self.pairs < high))
