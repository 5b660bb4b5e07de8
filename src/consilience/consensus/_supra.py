"""The supra-consensus: several consensus functions, the best of their answers."""

from collections.abc import Sequence

from consilience.consensus._base import ConsensusFunction
from consilience.consensus._panel import Panel

# Linear in the number of objects, and in every install.
DEFAULT_FUNCTIONS = ("IPC", "KMCF", "HBGF", "LWGP", "MCLA")


class Supra(Panel):
    """Run several consensus functions and keep the answer that speaks best for the members.

    No consensus function is best everywhere, but how well an answer speaks for the ensemble can be
    measured without knowing the truth: by the share of the votes that the objects' base clusters give
    to the objects' own clusters, or by the mean normalised mutual information with the members.

    Maximises the criterion among the answers of the functions that have most clusters.

    Parameters
    ----------
    n_clusters : int, default 8
        Clusters wanted, K; given to every function.
    functions : list of names or estimators, optional
        What to run; default IPC, KMCF, HBGF, LWGP and MCLA, which are linear in the number of objects.
    criterion : {"combined", "confidence", "information", "anmi"}, default "combined"
        How answers are judged: `consilience.metrics.confidence`, `consilience.metrics.vote_information`,
        or both, confidence^4 times information; or `consilience.metrics.anmi`, the criterion of the
        literature, which prefers clusters of equal size.
    random_state : int, generator or None
        Gives every function that draws random numbers its own seed.

    Attributes
    ----------
    function_
    table_ : list of (function, score, n_clusters, labels)
        What every function found, best first; labels of distinct rows of the ensemble.
    objective_ : float
        The criterion for the consensus.

    See Also
    --------
    Concord : The same with the panel that did best on real data.
    consilience.metrics.confidence, consilience.metrics.anmi : The criteria.

    Notes
    -----
    Costs the sum of its parts and O(n r K) for each answer. Takes what all of its functions take.
    Warnings of single functions are silenced; those about the final answer are not. Ties go to the
    function named first.

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
        """Return whom to ask by default."""
        return DEFAULT_FUNCTIONS
