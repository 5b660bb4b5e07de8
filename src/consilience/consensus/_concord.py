"""Concord: functions that err in different ways, and the answer that speaks for the members."""

from collections.abc import Sequence

from consilience.consensus._base import ConsensusFunction
from consilience.consensus._panel import Panel, without_eigenvectors

# Each is linear in the number of objects and in every install; each is right where others are not.
PANEL = ("LWCL", "LWGP", "MCLA", "CBGF")


class Concord(Panel):
    """Ask a panel of consensus functions and keep the answer that the members support most.

    No consensus function is best everywhere. Concord runs four that err in different ways: linkage and
    spectral cuts of objects, and groups of base clusters. It keeps the answer for which the votes of the
    objects' base clusters are sure and tell most about the objects' clusters. It is the default of
    ConsensusClustering, because it is at least as good as every single function in the benchmarks of
    this library.

    Maximises the criterion among the answers of the functions that have most clusters.

    Parameters
    ----------
    n_clusters : int, default 8
        Clusters wanted, K; given to every function.
    functions : list of names or estimators, optional
        Whom to ask; default LWCL, LWGP, MCLA and CBGF, whatever the number of objects. With more than
        200 clusters LWCL and KMCF, since the others need as many eigenvectors as clusters.
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
        Every answer, best first; labels of distinct rows of the ensemble.
    objective_ : float
        The criterion for the consensus.

    See Also
    --------
    Supra : The same with another panel.
    consilience.metrics.confidence : The criterion.

    Notes
    -----
    Costs the sum of its parts; linear in n. The parts share the overlaps of base clusters and their
    certainties. Ties go to what comes first. Warnings of single functions are silenced; those about the
    final answer are not.

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
        """Return whom to ask by default."""
        return without_eigenvectors(PANEL, n_clusters)
