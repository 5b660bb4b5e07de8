"""IVC: iterative voting consensus."""

from collections.abc import Mapping
from typing import ClassVar

from consilience._utils._declare import Declaration
from consilience._utils._types import Array
from consilience.consensus._criteria import CriterionFunction
from consilience.consensus.voting._compact_voting import CompactVoting
from consilience.ensemble import Ensemble, centre_table
from consilience.incidence import Assigned


class IVC(CompactVoting):
    """Iterative voting consensus: k-modes on the label matrix.

    Every consensus cluster is represented by the label that each member gives most often to its
    objects; every object joins the representative that it disagrees with in the fewest members. Both
    steps are repeated until nothing changes.

    Minimises the total Hamming distance sum_i sum_j w_j [L_ij != y_k(i),j], where y_kj is the most
    frequent label of member j in the cluster k and w_j the weight of member j. It never increases.

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
    features : array (n, d) or None, default None
        The data, if clusters are to be compact in the space of the features as well.

    Attributes
    ----------
    objective_, history_ : float, list of float
        Total Hamming distance, at the end and after every round of the start that was kept (before
        `refine`).
    solutions_
    uses_classes_

    See Also
    --------
    IPC : Compares objects with all objects of a cluster instead of one representative.
    KMCF : k-means instead of k-modes.

    Notes
    -----
    O(n r K) a round. A missing label counts neither as agreement nor as disagreement. A cluster that
    loses its last object disappears, so K is the largest number of clusters. Members with other than K
    clusters are merged or split first.

    With `features`, the objective has another term, compactness * r * sum_i |x_i - m_k(i)|^2 / v, with
    m_k the mean of cluster k, v the mean squared distance of all objects to the mean of all, and r the
    summed member weights; it never increases either. Use ``criterion="objective"`` to choose among
    starts by the same objective. `refine` sees labels alone. The features are kept in memory.

    References
    ----------
    [nguyen2007]_, algorithm 1

    Examples
    --------
    >>> from consilience.consensus import IVC
    >>> IVC(n_clusters=2).fit_predict([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **CompactVoting.parameters,
        **CompactVoting.compact_parameters,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | Array = "members",
        n_init: int = 10,
        max_iter: int = 100,
        criterion: str | CriterionFunction = "rand",
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
        self.refine = refine
        self.features = features
        self.compactness = compactness
        self.random_state = random_state

    def _choose(self, ensemble: Ensemble, state: Assigned) -> Assigned:
        # An object's matches with centre k are one gather; fewest mismatches = most matches.
        weights = ensemble.column_weights[:, None]
        matches = centre_table(state.counts, ensemble.layout) * weights
        if self.features is None:
            return ensemble.incidence.argmax(matches, state)
        factor = self.compactness * float(ensemble.weights.sum())
        return self._compact_choice(ensemble, state, matches, factor, is_ratio=False)

    def _objective(self, ensemble: Ensemble, state: Assigned) -> float:
        layout = ensemble.layout
        mismatches = layout.sum_by_member(state.counts) - layout.max_by_member(state.counts)
        distance = float(ensemble.weights @ mismatches.sum(axis=1))
        if self.features is None:
            return distance
        weight = self.compactness * float(ensemble.weights.sum())
        return distance + weight * self._spread(ensemble, state)
