"""KMCF: k-means consensus function."""

from collections.abc import Mapping
from typing import Any, ClassVar

from consilience._utils._declare import Declaration, Flag, Integer, Seed
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities
from consilience.consensus._start_labels import SweptKMeans
from consilience.ensemble import Ensemble
from consilience.partition import PLUS_PLUS, CentredColumns, SweptFeatures


class KMCF(SweptKMeans):
    """K-means consensus function, also known as QMI (quadratic mutual information).

    Every base cluster becomes a feature: 1 for its objects, 0 for the others, minus the mean. k-means
    on these features finds the consensus.

    Minimises the sum of squares sum_i |f_i - m_k(i)|^2. The part it explains equals n times the summed
    category utility, half the quadratic mutual information, of the consensus and each member.

    Parameters
    ----------
    init : {"k-means++", "random_rows"} or array (n,) of int, default "k-means++"
        Starting centres: far from each other, or K distinct rows drawn at random. Random rows with
        ``n_init=1`` are the single run of plain k-means of the paper. Labels from 0 to K - 1, -1 =
        unknown, are the only start; their means are the centres. After members or objects were
        appended, the labels of the earlier fit save most of the rounds.
    n_init : int, default 10
        Starts of k-means; the best result is kept.
    max_iter : int, default 300
        Maximum number of iterations of one start.
    unit_variance : bool, default False
        Divide every feature by its standard deviation, so that small base clusters count more.

    Attributes
    ----------
    objective_, history_ : float, list of float
        Sum of squares, at the end and after every round of the start that was kept. Never increases.
    solutions_

    See Also
    --------
    IPC : The same distance without one of its terms.
    MultinomialMixture : Uses a likelihood instead of squared distances.

    Notes
    -----
    O(n r K) per iteration by count tables, for any number of base clusters. A missing label is
    replaced by the mean of its member. An empty cluster is restarted at the object furthest from its
    centre.

    References
    ----------
    [fern2004]_, section 4.2; [topchy2003]_

    Examples
    --------
    >>> from consilience.consensus import KMCF
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> KMCF(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        **SweptKMeans.kmeans_parameters,
        "unit_variance": Flag(),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | Array = PLUS_PLUS,
        n_init: int = 10,
        max_iter: int = 300,
        unit_variance: bool = False,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.unit_variance = unit_variance
        self.random_state = random_state

    def _features(self, ensemble: Ensemble) -> tuple[SweptFeatures, dict[str, Any]]:
        H, weights = ensemble.incidence, ensemble.weights
        return CentredColumns(H, weights, unit_variance=self.unit_variance), {}
