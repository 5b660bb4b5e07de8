"""Concord: run several consensus functions and keep the result that the members support most."""

from collections.abc import Sequence

from consilience.consensus._base import ConsensusFunction
from consilience.consensus._panel import Panel, without_eigenvectors

# All are linear in the number of objects and need no optional package; they make different errors.
PANEL = ("LWCL", "LWGP", "MCLA", "CBGF")


class Concord(Panel):
    """Run several consensus functions and keep the result that the members support most.

    No consensus function is best everywhere. Concord runs four functions that make different errors:
    linkage and spectral clustering of objects, and two functions that group base clusters. It keeps
    the result for which the votes of the base clusters have a high confidence and contain much
    information about the clusters of the objects. It is the default of ConsensusClustering, because it
    is at least as good as every single function in the benchmarks of this library.

    Maximises the criterion among the results with the largest number of clusters.

    Parameters
    ----------
    n_clusters : int, default 8
        Number of clusters, K; passed to every function.
    functions : list of names or estimators, optional
        Consensus functions to run; default LWCL, LWGP, MCLA and CBGF for any number of objects. For
        more than 200 clusters the default is LWCL and KMCF, since the others need as many eigenvectors
        as clusters.
    criterion : {"combined", "confidence", "information", "anmi"}, default "combined"
        How results are compared: `consilience.metrics.confidence`,
        `consilience.metrics.vote_information`, or both, confidence^4 times information; or
        `consilience.metrics.anmi`, the criterion of the literature, which prefers clusters of equal
        size.
    random_state : int, generator or None
        Seed; every function that uses random numbers gets a seed derived from it.

    Attributes
    ----------
    function_
    table_ : list of (function, score, n_clusters, labels)
        All results, best first; the labels are those of the distinct rows of the ensemble.
    objective_ : float
        The criterion of the consensus.

    See Also
    --------
    Supra : The same with other functions.
    consilience.metrics.confidence : The criterion.

    Notes
    -----
    The running time is the sum of those of the functions and linear in n. The overlaps of base
    clusters and their certainties are computed once for all functions. Ties: the function named first.
    Warnings of the single functions are suppressed; warnings about the final result are given.

    References
    ----------
    [strehl2002]_; [fern2004]_, section 6.2; [huang2018]_

    Examples
    --------
    >>> from consilience.consensus import Concord
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> Concord(n_clusters=2, random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        functions: Sequence[str | ConsensusFunction] | None = None,
        criterion: str = "combined",
        random_state: object = None,
        verbose: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.functions = functions
        self.criterion = criterion
        self.random_state = random_state
        self.verbose = verbose

    def panel(self, n_clusters: int) -> tuple[str, ...]:
        """Return the names of the default functions."""
        return without_eigenvectors(PANEL, n_clusters)
