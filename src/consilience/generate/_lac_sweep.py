"""LAC for several strengths of its feature weights."""

from collections.abc import Mapping, Sequence
from numbers import Real as AnyReal
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from consilience._utils._declare import Choice, Declaration, Integer, Seed
from consilience._utils._random import RandomState
from consilience._utils._types import Array
from consilience.clusterers.internals import adapt, nearest_centre, posteriors, well_scattered
from consilience.ensemble import Ensemble
from consilience.exceptions import NotConvergedWarning, warn
from consilience.generate._base import EnsembleGenerator, parameters_from_fields
from consilience.generate._member import Member
from consilience.generate._ranges import Range, WholeOrRange, check_at_most, cluster_range, draw
from consilience.generate._scaling import SCALING


class _Grid:
    def accepts(self, value: object) -> bool:
        if not isinstance(value, Sequence | np.ndarray) or isinstance(value, str) or not len(value):
            return False
        return all(isinstance(entry, AnyReal) and float(entry) >= 0 for entry in value)

    def __str__(self) -> str:
        return "a list of at least one number, each at least 0 or infinity"


@parameters_from_fields
class LACSweep(EnsembleGenerator):
    """Locally adaptive clustering, once for every 1/h in a grid, always from the same centres.

    LAC gives every cluster its own weights of the features, and h says how uneven they are; the
    best h is unknown. So several are used, and WSPA or WBPA combine them. Members are soft:
    `ensemble_` has their posteriors, and the centres and feature weights of all base clusters.

    Parameters
    ----------
    inverse_h : sequence of float, default (1, 2, ..., 12)
        1/h of every member, so that there are as many members as entries; 0 gives all features equal
        weight, infinity all weight to one feature.
    ties : {"first", "random"}, default "first"
        What an object does that is as near to several clusters, see `LAC`. New rows join the first.
    max_iter : int, default 100
        Most rounds of every run.
    scaling : {"standard", "max", "common"} or None, default "standard"
        Bring features to mean 0 and variance 1; divide them by their largest absolute value; divide
        all by one number, the root of their mean variance, which leaves the shapes of clusters as they
        are; or take them as they are. h and the posteriors depend on it.
    random_state : int, generator or None, default None
        Decides the starting centres, every K and random ties.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members, soft, with the cluster tables "centres" (in scaled units) and "feature_weights".
    members_ : list of Member
        Labels, posteriors, centres and feature weights of every member.
    n_iter_ : int
        Most rounds that a member took.

    See Also
    --------
    consilience.clusterers.LAC : One run.
    consilience.consensus.WSPA, consilience.consensus.WBPA : Made for these members.

    Notes
    -----
    O(n K D) a round of every member; the posteriors take n numbers for every base cluster.
    `fit_transform` returns labels, as every generator does, and labels have lost the posteriors: pass
    `ensemble_` to WSPA and WBPA, and for new rows what `memberships` returns.

    The starting centres are rows far from each other; members with fewer clusters use the first of
    them. The paper fixes neither the grid nor the units; both defaults are ours.

    References
    ----------
    [alrazgan2006]_, sections 3 and 5

    Examples
    --------
    >>> from consilience.consensus import WBPA
    >>> from consilience.datasets import make_three_gaussians
    >>> from consilience.generate import LACSweep
    >>> from consilience.metrics import error_rate
    >>> X, y = make_three_gaussians(random_state=0)
    >>> ensemble = LACSweep(n_clusters=3, random_state=0).fit(X).ensemble_
    >>> ensemble
    Ensemble(900 objects, 12 soft members, 36 base clusters)
    >>> consensus = WBPA(n_clusters=3, random_state=0).fit(ensemble)
    >>> round(error_rate(consensus.labels_, y), 2)
    0.0
    >>> consensus.feature_weights_.argmax(axis=1).tolist()
    [0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": WholeOrRange(1),
        "inverse_h": _Grid(),
        "ties": Choice("first", "random"),
        "max_iter": Integer(1),
        "scaling": SCALING,
        "random_state": Seed(),
    }

    n_clusters: Range = None
    inverse_h: Sequence[float] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    ties: str = "first"
    max_iter: int = 100
    scaling: str | None = "standard"
    random_state: RandomState = None
    n_jobs: int | None = None
    checkpoint: Any = None
    verbose: int | None = None

    def memberships(self, X: Any) -> list[Array]:
        """Return the posteriors of rows in the clusters of every member, (n_new, K_j) each.

        ``consensus.predict(Ensemble.from_memberships(sweep.memberships(X)))`` labels new rows.

        Parameters
        ----------
        X : array (n_new, d) or data frame
            Rows with the columns of `fit`.
        """
        check_is_fitted(self, "members_")
        X = self._read(X, reset=False)
        rows = X if self._scaling is None else self._scaling.apply(X)
        return [posteriors(rows, *_metric(member)) for member in self.members_]

    def _count_members(self, X: Any) -> int:  # noqa: ARG002
        return len(self.inverse_h)

    def _check_data(self, X: Any) -> None:
        check_at_most("LACSweep", "n_clusters", self.n_clusters, len(X), f"n_samples = {len(X)}")

    def _prepare(self, X: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        most = cluster_range(self.n_clusters, len(X))[1]
        return X, well_scattered(X, most, rng)

    def _member(
        self,
        shared: tuple[Array, Array],
        j: int,
        rng: np.random.Generator,
        previous: Member | None,  # noqa: ARG002
    ) -> Member:
        X, start = shared
        inverse = float(self.inverse_h[j])
        wanted = draw(cluster_range(self.n_clusters, len(X)), rng, j)
        found = adapt(
            X,
            start[:wanted],
            np.inf if inverse == 0 else 1 / inverse,
            max_iter=int(self.max_iter),
            entropy=int(rng.integers(2**63)) if self.ties == "random" else None,
        )
        return Member(
            labels=found.labels,
            arrays={"n_iter": np.array(found.n_iter), "converged": np.array(found.converged)},
            memberships=posteriors(X, found.centres, found.weights),
            centres=found.centres,
            feature_weights=found.weights,
            n_clusters=wanted,
        )

    def _predict(self, member: Member, rows: Any) -> Array:
        return nearest_centre(rows, *_metric(member))

    def _assemble(self, labels: Array) -> Ensemble:
        not_converged = [j for j, m in enumerate(self.members_) if not m.arrays["converged"]]
        if not_converged:
            warn(
                f"LACSweep: {len(not_converged)} of {len(self.members_)} members stopped after "
                f"max_iter={self.max_iter} rounds before they converged (1/h = "
                f"{float(self.inverse_h[not_converged[0]]):g}); raise max_iter.",
                NotConvergedWarning,
            )
        return super()._assemble(labels)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


def _metric(member: Member) -> tuple[Array, Array]:
    """Return what measures distances to the clusters of a member."""
    assert member.centres is not None  # noqa: S101 - `_member` gives both
    assert member.feature_weights is not None  # noqa: S101
    return member.centres, member.feature_weights
