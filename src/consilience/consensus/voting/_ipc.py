"""IPC: iterative pairwise consensus."""

from typing import ClassVar

from consilience.consensus._criteria import CriterionFunction
from consilience.consensus.voting._pairwise_choice import PairwiseChoice
from consilience.ensemble import Ensemble
from consilience.incidence import Assigned


class IPC(PairwiseChoice):
    """Iterative pairwise consensus.

    The similarity of two objects is the share of members that put them together (co-association S).
    In every iteration all objects join the cluster to whose objects they are most similar on average,
    until nothing changes.

    sim(x, P_k) = (1/n_k) sum over y in P_k of S(x, y) = (1 / (r n_k)) sum_j T[k, c_j(x)], where T is
    the table of counts of base clusters in consensus clusters: S itself is never formed.

    Parameters
    ----------
    init : {"members", "random_partition", "random_rows"}, default "members"
        What to start from: members, as the paper recommends; random partitions, every object in a
        random cluster; or K random distinct rows of labels, every object with the row that shares
        most labels with it.
    n_init : int, default 10
        Number of starts; identical ones are run once. Members are drawn without repetition, every one
        if there are no more.
    max_iter : int, default 100
        Maximum number of iterations of one start.
    criterion : name or callable, default "rand"
        Which start is kept: "rand", smallest consensus Rand distance; "anmi", largest average NMI;
        "objective", largest objective; "confidence", "information" or "combined", as in `Supra`; or
        the one of largest ``criterion(labels, ensemble)``, such as `consilience.metrics.KnownClasses`.
    exclude_self : bool, default False
        Leave the object itself out of its own cluster. The paper's example holds only with the object
        included; without it, the iteration often cycles.

    Attributes
    ----------
    objective_, history_ : float, list of float
        Mean similarity of the objects to their own cluster, at the end and after every round of the
        start that was kept (before `refine`). It usually increases, but this is not proved.
    solutions_
    uses_classes_

    See Also
    --------
    IPVC : The same choices, stated as a distance.
    IVC : Compares with one representative per cluster.
    KMCF : The same plus the term that makes it k-means.

    Notes
    -----
    O(n r K) a round and O(n r) memory, whereas the paper states O(n^2). With missing labels, sums are
    divided by the number of comparable labels. If the iteration cycles, the visited state with the
    smallest consensus Rand distance is kept. A cluster that loses its last object disappears.

    References
    ----------
    [nguyen2007]_, section 5.2

    Examples
    --------
    >>> from consilience.consensus import IPC
    >>> IPC(n_clusters=2).fit_predict([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).tolist()
    [0, 0, 0, 1, 1]
    """

    _maximises: ClassVar[bool] = True

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str = "members",
        n_init: int = 10,
        max_iter: int = 100,
        criterion: str | CriterionFunction = "rand",
        exclude_self: bool = False,
        refine: bool = False,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.criterion = criterion
        self.exclude_self = exclude_self
        self.refine = refine
        self.random_state = random_state

    def _objective(self, ensemble: Ensemble, state: Assigned) -> float:
        return self._mean_similarity(ensemble, state)
