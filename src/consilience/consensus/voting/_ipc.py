"""IPC: iterative pairwise consensus."""

from collections.abc import Mapping
from typing import ClassVar

from consilience._utils._declare import Declaration
from consilience._utils._types import Array
from consilience.consensus._criteria import CriterionFunction
from consilience.consensus.voting._compact_voting import CompactVoting
from consilience.consensus.voting._pairwise_choice import PairwiseChoice
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.incidence import Assigned


class IPC(CompactVoting, PairwiseChoice):
    """Iterative pairwise consensus.

    The similarity of two objects is the share of members that put them together (co-association S).
    In every iteration all objects join the cluster to whose objects they are most similar on average,
    until nothing changes.

    sim(x, P_k) = (1/n_k) sum over y in P_k of S(x, y) = (1 / (r n_k)) sum_j T[k, c_j(x)], where T is
    the table of counts of base clusters in consensus clusters: S itself is never formed.

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
        "objective", largest objective; "confidence", "information" or "combined", as in `Supra`; or
        the one of largest ``criterion(labels, ensemble)``, such as `consilience.metrics.KnownClasses`.
    exclude_self : bool, default False
        Leave the object itself out of its own cluster. The paper's example holds only with the object
        included; without it, the iteration often cycles.
    features : array (n, d) or None, default None
        The data, if clusters are to be compact in the space of the features as well.

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
    smallest consensus Rand distance is kept. A cluster that loses its last object disappears, so K is
    the largest number of clusters.

    With `features`, objects join the cluster of largest sim(x, P_k) - compactness |x - m_k|^2 / v, with
    m_k the mean of cluster k and v the mean squared distance of all objects to the mean of all; the
    objective is the mean of the same. `refine` sees labels alone. The features are kept in memory.

    References
    ----------
    [nguyen2007]_, section 5.2

    Examples
    --------
    >>> from consilience.consensus import IPC
    >>> IPC(n_clusters=2).fit_predict([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **PairwiseChoice.parameters,
        **CompactVoting.compact_parameters,
    }
    _maximises: ClassVar[bool] = True

    def __init__(  # noqa: PLR0913 - every parameter has a name and a default
        self,
        n_clusters: int = 8,
        *,
        init: str | Array = "members",
        n_init: int = 10,
        max_iter: int = 100,
        criterion: str | CriterionFunction = "rand",
        exclude_self: bool = False,
        refine: bool = False,
        features: Array | None = None,
        compactness: float = 1.0,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.criterion = criterion
        self.exclude_self = exclude_self
        self.refine = refine
        self.features = features
        self.compactness = compactness
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.exclude_self and self.features is not None:
            raise InvalidParameterError(
                "IPC: exclude_self=True and features exclude each other; set exclude_self=False."
            )

    def _choose(self, ensemble: Ensemble, state: Assigned) -> Assigned:
        if self.features is None:
            return super()._choose(ensemble, state)
        table = self._ratio_table(ensemble, state)
        return self._compact_choice(ensemble, state, table, self.compactness, is_ratio=True)

    def _objective(self, ensemble: Ensemble, state: Assigned) -> float:
        similarity = self._mean_similarity(ensemble, state)
        if self.features is None:
            return similarity
        mean_spread = self._spread(ensemble, state) / float(state.sizes.sum())
        return similarity - self.compactness * mean_spread
