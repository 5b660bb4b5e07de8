"""The supra-consensus: several consensus functions, the best of their results."""

from collections.abc import Sequence

from consilience.consensus._base import ConsensusFunction
from consilience.consensus._panel import Panel

# Linear in the number of objects, and without optional packages.
DEFAULT_FUNCTIONS = ("IPC", "KMCF", "HBGF", "LWGP", "MCLA")


class Supra(Panel):
    """Run several consensus functions and keep the result that fits the members best.

    No consensus function is best for all data, but how well a result fits the ensemble can be measured
    without known classes: by the share of the votes that the objects' base clusters give to the
    objects' own clusters, or by the mean normalised mutual information with the members.

    Maximises the criterion among the results with the largest number of clusters.

    Parameters
    ----------
    n_clusters : int, default 8
        Number of clusters, K; passed to every function.
    functions : list of names or estimators, optional
        Consensus functions to run; default IPC, KMCF, HBGF, LWGP and MCLA, which are linear in the
        number of objects.
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
    Concord : The same with the functions that did best on real data.
    consilience.metrics.confidence, consilience.metrics.anmi : The criteria.

    Notes
    -----
    The running time is the sum of those of the functions, plus O(n r K) per result. Accepts the input
    that all of its functions accept. Warnings of the single functions are suppressed; warnings about
    the final result are given. Ties: the function named first.

    References
    ----------
    [strehl2002]_; [fern2004]_, section 6.2

    Examples
    --------
    >>> from consilience.consensus import Supra
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> fitted = Supra(n_clusters=2, functions=["IPC", "KMCF"], random_state=0).fit(members)
    >>> fitted.function_, fitted.labels_.tolist()
    ('IPC', [0, 0, 0, 1, 1])
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

    def panel(self, n_clusters: int) -> tuple[str, ...]:  # noqa: ARG002
        """Return the names of the default functions."""
        return DEFAULT_FUNCTIONS
