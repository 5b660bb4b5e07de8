"""IPVC: iterative probabilistic voting consensus."""

from consilience._utils._types import Array
from consilience.consensus._criteria import CriterionFunction
from consilience.consensus.voting._pairwise_choice import PairwiseChoice
from consilience.ensemble import Ensemble
from consilience.incidence import Assigned


class IPVC(PairwiseChoice):
    """Iterative probabilistic voting consensus.

    An object is compared with all objects of a cluster instead of one representative as in IVC: its
    distance is the number of members in which it disagrees with an average object of the cluster.
    In every iteration all objects join the nearest cluster, until nothing changes.

    dist(x, P_k) = sum_j (1/n_k) #{y in P_k : L_yj != L_xj} = r - (1/n_k) sum_j T[k, c_j(x)], where T
    is the table of counts of base clusters in consensus clusters.

    Parameters
    ----------
    init : {"members", "random_partition", "random_rows"} or array (n,) of int, default "members"
        What to start from: members, as the paper recommends; random partitions, every object in a
        random cluster; or K random distinct rows of labels, every object with the row that shares
        most labels with it. Labels from 0 to K - 1, -1 = unknown, are the only start: after members or
        objects were appended, those of the earlier fit save most of the rounds.
    n_init : int, default 10
        Number of starts; identical ones are run once. Members are drawn without repetition, every one
        if there are no more.
    max_iter : int, default 100
        Maximum number of iterations of one start.
    criterion : name or callable, default "rand"
        Which start is kept: "rand", smallest consensus Rand distance; "anmi", largest average NMI;
        "objective", smallest objective; "confidence", "information" or "combined", as in `Supra`; or
        the one of largest ``criterion(labels, ensemble)``, such as `consilience.metrics.KnownClasses`.
    exclude_self : bool, default False
        Leave the object itself out of its own cluster; see IPC.

    Attributes
    ----------
    objective_, history_ : float, list of float
        Mean distance of the objects to their own cluster, at the end and after every round of the
        start that was kept (before `refine`): the summed member weights times one minus the objective
        of IPC. It usually decreases, but this is not proved.
    solutions_
    uses_classes_

    See Also
    --------
    IPC : The same choices, stated as a similarity.
    IVC : Compares with one representative per cluster.

    Notes
    -----
    The distance is the summed member weights times one minus IPC's similarity, so both functions give
    the same result; the paper lists them separately. O(n r K) per iteration.

    References
    ----------
    [nguyen2007]_, section 5.2

    Examples
    --------
    >>> from consilience.consensus import IPVC
    >>> IPVC(n_clusters=2).fit_predict([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).tolist()
    [0, 0, 0, 1, 1]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | Array = "members",
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
        return float(ensemble.weights.sum()) * (1 - self._mean_similarity(ensemble, state))
