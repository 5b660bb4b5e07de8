"""GCA: generalized cluster aggregation."""

from collections.abc import Mapping
from typing import Any, ClassVar

from consilience._utils._declare import Declaration
from consilience._utils._types import Array
from consilience.consensus.bregman._aggregate import Aggregate
from consilience.consensus.bregman._aggregation import BregmanAggregation, Weighing
from consilience.consensus.bregman._divergence import Divergence


class GCA(BregmanAggregation):
    """Generalized cluster aggregation: the connectivity nearest to all members, and its clusters.

    Every member defines a connectivity matrix: 1 for pairs of objects in the same cluster, 0
    otherwise. The aggregate M is the matrix nearest to all of them, in a divergence chosen by the
    user; constraints on pairs fix its entries. The clusters of M are the consensus.

    M minimises sum_j w_j D(M, M_j), where M_j is 1 for the pairs that member j puts together and 0 for
    the others, and w_j are the weights as given, as shares. M is an increasing function g of the
    weighted share A of the members that join a pair: M = A for the Euclidean divergence.

    Parameters
    ----------
    divergence : {"euclidean", "exponential", "kl", "itakura-saito", "logistic"} or Divergence
        Distance of the entries of connectivity matrices; default "euclidean". A name selects the class
        of `consilience.consensus.bregman` with its default smoothing; an instance of a subclass of
        `Divergence` is accepted too.
    final : {"spectral", "kmeans", "linkage"}, default "spectral"
        How M is clustered: by Yu and Shi's spectral rotation, by k-means on its rows, or by average
        linkage.
    degree : {None, 1, 2}
        None: exact. Otherwise a polynomial of this degree approximates the mean g, which makes the
        time linear in n; `approximation_error_` is the largest error of an entry of M: for the
        exponential divergence 0.084 (degree 1) and 0.0143 (degree 2).
    connectivities : list or None, default None
        Further matrices of similarity that are aggregated with those of the members, each with weight 1
        before weights become shares: an array A, (n, q), stands for A A'; a pair (A, B) for A B', which
        must be symmetric; a function f for the matrix M with f(V) = M V. No (n, n) matrix is formed.
        Entries should be from 0 to 1. Functions need the Euclidean divergence.
    n_init : int, default 10
        Starts of k-means, if that is the final step.
    random_state : int, generator or None
        Draws the k-means++ starts.

    Attributes
    ----------
    weights_ : array (r,)
        The share of every member: its weight by the sum of all weights.
    objective_ : float
        sum_j w_j D(M, M_j) over all pairs.
    connectivity_weights_ : array
        The shares of the given matrices, if there are any; together with `weights_` they sum to one.
    approximation_error_

    See Also
    --------
    GWCA : Learns the weights of the members as well.
    IBGF : Spectral clustering of the plain co-association.

    Notes
    -----
    Euclidean: O(n r^2) once for the overlaps, pairs of objects are never formed. Other divergences:
    exact in tiles over the q distinct rows, O(q^2 r) a round; for the final step M is stored if 8 q^2
    bytes are within the memory limit, and recomputed for every product otherwise. With degree 2: O(n
    r^2) a product of the final step.

    A member that does not label one of two objects does not put them together. Soft members contribute
    the products of their memberships. Objects that occur in a constraint are never merged with
    identical objects; an object that no member labels is assigned by its constraints.

    The constraints fix the entries of M for the constrained pairs. The final step may violate some of
    them; `constraints_` counts how many hold, and `enforce=True` repairs the labels.

    References
    ----------
    [wang2009]_, sections 2.1 and 3; [yu2003]_

    Examples
    --------
    >>> from consilience.consensus import GCA
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> GCA(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    >>> expert = GCA(n_clusters=2, enforce=True).fit(votes, must_link=[(2, 3)])
    >>> expert.labels_.tolist(), str(expert.constraints_)
    ([0, 0, 1, 1, 1], '1 of 1 must-links and 0 of 0 cannot-links hold')
    """

    parameters: ClassVar[Mapping[str, Declaration]] = BregmanAggregation.shared_parameters

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        divergence: str | Divergence = "euclidean",
        final: str = "spectral",
        degree: int | None = None,
        connectivities: list[Any] | None = None,
        conflicts: str = "raise",
        enforce: bool = False,
        n_init: int = 10,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.divergence = divergence
        self.final = final
        self.degree = degree
        self.connectivities = connectivities
        self.conflicts = conflicts
        self.enforce = enforce
        self.n_init = n_init
        self.random_state = random_state

    def _weigh(self, aggregate: Aggregate, masses: Array) -> Weighing:
        shares = masses / masses.sum()
        return Weighing(shares, aggregate.evaluate(shares).objective)
