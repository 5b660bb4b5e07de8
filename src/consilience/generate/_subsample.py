"""Clusterings of parts of the rows: subsamples and bootstrap samples."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from consilience._utils._declare import Choice, Declaration, Flag, Integer, Optional, Share
from consilience._utils._types import Array
from consilience.exceptions import InvalidParameterError
from consilience.generate._base import parameters_from_fields
from consilience.generate._clusterer_pool import AnyClusterer, fit_clusterer, label_rows
from consilience.generate._kmeans import KMeansGenerator
from consilience.generate._member import Member
from consilience.generate._ranges import draw


@parameters_from_fields
class Subsample(KMeansGenerator):
    """A clustering of some of the rows for every member: a subsample, or a bootstrap sample.

    Clusters that are found in every part of the data do not depend on a few rows. Rows outside the
    sample of a member are either assigned to its clusters afterwards or are missing in this member: some
    consensus functions need complete labels, others are better with missing labels.

    Parameters
    ----------
    n_clusters : int, pair (low, high) or None, default None
        Clusters of a member, K; a pair: drawn for every member, both ends included; None: drawn from
        2 .. min(50, ceil(sqrt(m))), m the rows of a sample. With a `clusterer` it is set on it, and None
        leaves the clusterer as it is.
    fraction : float, default 0.8
        Rows of a sample, as a share of all, rounded down.
    replace : bool, default False
        Draw with replacement; with `fraction=1.0` this is the bootstrap.
    left_out : {"predict", "missing"}, default "predict"
        What rows outside the sample get: the nearest cluster, or -1.
    clusterer : clusterer or None, default None
        Any clusterer of scikit-learn; None: k-means from random rows.
    random_state : int, generator or None, default None
        Decides samples, starts and numbers drawn; seeds the clusterer.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members; with k-means, their centres as cluster table.
    members_ : list of Member
        Labels of every member, with its centres, or with its clusterer, pickled.
    n_iter_ : int
        Most rounds of k-means that a member took; not with a `clusterer`.

    See Also
    --------
    PCASubsample : Subsamples in the space of principal axes.
    consilience.consensus.PluralityVoting : With bootstrap members, this is BagClust1.
    consilience.consensus.HAC : With ``missing="ignored"`` and bootstrap members whose other rows are
        missing, it clusters the dissimilarity of BagClust2.

    Notes
    -----
    Costs what the clusterer costs on the sample, and one pass over all rows. `transform` labels every
    row it is given, also those of the data: with ``left_out="missing"`` it fills the gaps that
    `fit_transform` leaves. A clusterer labels rows it has not seen by its own `predict`, or, where it
    has none, like the nearest row of the sample; for that the data are kept. Checkpoints with a
    `clusterer` hold it pickled; read only those that you trust.

    In a bootstrap sample rows repeat, and k-means counts them as often.

    References
    ----------
    [dudoit2003]_, [fern2004]_

    Examples
    --------
    BagClust1 clusters bootstrap samples, matches them to a clustering of all data, and lets them vote:

    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from consilience.consensus import PluralityVoting
    >>> from consilience.generate import Subsample
    >>> X = load_iris().data
    >>> bootstrap = Subsample(
    ...     n_members=20, n_clusters=3, fraction=1.0, replace=True, random_state=0
    ... )
    >>> everything = KMeans(3, n_init=10, random_state=0).fit_predict(X)
    >>> ensemble = bootstrap.fit(X).ensemble_.append([everything], names=["everything"])
    >>> PluralityVoting(n_clusters=3, reference="everything").fit(ensemble).n_clusters_
    3
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **KMeansGenerator.parameters,
        "n_init": Integer(1),
        "fraction": Share(),
        "replace": Flag(),
        "left_out": Choice("predict", "missing"),
        "clusterer": Optional(AnyClusterer()),
    }

    fraction: float = 0.8
    replace: bool = False
    left_out: str = "predict"
    clusterer: Any = None
    n_init: int = 1

    def _prefers(self) -> str:
        return "threads" if self.clusterer is None else "processes"

    def _sample_size(self, n_samples: int) -> int:
        return max(1, int(self.fraction * n_samples))

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Array:
        size = self._sample_size(n_samples)
        return np.sort(rng.choice(n_samples, size, replace=bool(self.replace)))

    def _visible(self, labels: Array, sample: Array | None) -> Array:
        if self.left_out == "predict" or sample is None:
            return labels
        hidden = np.full_like(labels, -1)
        hidden[sample] = labels[sample]
        return hidden

    def _check_data(self, X: Any) -> None:
        super()._check_data(X)
        if self.clusterer is None or self.n_clusters is None:
            return
        if "n_clusters" not in self.clusterer.get_params():
            raise InvalidParameterError(
                f"Subsample: n_clusters={self.n_clusters!r} cannot be set on "
                f"{type(self.clusterer).__name__}, which has no such parameter; leave it None and give "
                "the clusterer its own parameters.",
                parameter="n_clusters",
            )

    # --- with a clusterer ------------------------------------------------------------------------

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:
        if self.clusterer is None:
            return super()._prepare(X, rng)
        self._seen = None if hasattr(self.clusterer, "predict") else X
        return X

    def _rows(self, X: Any) -> Any:
        return super()._rows(X) if self.clusterer is None else X

    def _member(
        self, shared: Any, j: int, rng: np.random.Generator, previous: Member | None
    ) -> Member:
        if self.clusterer is None:
            return super()._member(shared, j, rng, previous)
        clusterer, wanted = self.clusterer, None
        if self.n_clusters is not None:
            wanted = draw(self._bounds(shared.shape[0]), rng, j)
            clusterer = clone(clusterer).set_params(n_clusters=wanted)
        sample = self._sample(shared.shape[0], rng)
        arrays, seen = fit_clusterer(clusterer, shared[sample], rng)
        arrays |= {"sample": sample, "seen": seen}
        labels = self._predict(Member(seen, arrays), shared)
        return Member(self._visible(labels, sample), arrays, n_clusters=wanted)

    def _predict(self, member: Member, rows: Any) -> Array:
        if self.clusterer is None:
            return super()._predict(member, rows)
        arrays = member.arrays
        seen = None if self._seen is None else self._seen[arrays["sample"]]
        return label_rows(arrays, rows, seen, arrays["seen"])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if AnyClusterer().accepts(self.clusterer):
            tags.input_tags.sparse = get_tags(self.clusterer).input_tags.sparse
        return tags
