"""ConsensusClustering: data to clusters and their confidence, in one estimator."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from consilience._utils._config import thread_count
from consilience._utils._declare import (
    Choice,
    Declaration,
    Integer,
    Optional,
    Seed,
    check_parameters,
)
from consilience._utils._documents import CLUSTERER, documented
from consilience._utils._estimators import forget_fit
from consilience._utils._progress import progress
from consilience._utils._provenance import provenance
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.compose._combining import Combined, combine, read_knowledge
from consilience.compose._judgement import Clusters, judge
from consilience.compose._kept_answer import KeptAnswer
from consilience.compose._notebook import model_html
from consilience.compose._number_of_clusters import NumberOfClusters, candidates_of
from consilience.compose._parts import (
    ConsensusChoice,
    GeneratorChoice,
    make_generator,
)
from consilience.compose._views import PANEL, Looking, Tried, View, ViewChoice, look
from consilience.consensus import ConsensusFunction
from consilience.consensus.internals import warn_of, without_eigenvectors
from consilience.diagnose import KChoice, choose_k
from consilience.diagnose.internals import scaled_rows
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.generate import EnsembleGenerator
from consilience.generate.internals import (
    COMMON,
    SCALINGS,
    Rows,
    features_checked,
    generator_named,
    kinds_to_try,
    read_features,
    sample,
    scalings_to_try,
)
from consilience.incidence import as_array, is_chunked, map_rows

# The kind of members for clusters that were found in a tree of the data.
_SEES_ANY_SHAPE = "local landmarks"


@documented(CLUSTERER)
class ConsensusClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Cluster data many times, combine the clusterings, and estimate a confidence per object.

    Clusters the data many times in different ways, combines the clusterings into one, and says for every
    object how far the clusterings support its cluster. With ``n_clusters="auto"`` the number of
    clusters is chosen too, and the answer may be one.

    Parameters
    ----------
    n_clusters : int, pair, list, range or "auto", default "auto"
        Clusters wanted; or candidates to choose from, a pair meaning its ends and all between; "auto" =
        up to 30 or more that are separated, or one. See `consilience.diagnose.choose_k`.
    generator : str, generator or None, default None
        How the data are clustered many times: a name such as "random-projection" or a generator
        object, which keeps its parameters. None: several kinds are tried, and the one whose clusters
        have the best support and agreement is kept: k-means, spectral clustering by landmarks with a
        local and a global kernel, and Gaussian mixtures with full and diagonal covariances.
    consensus : str, consensus function or None, default None
        How the clusterings are combined: a name such as "HBGF", or an object. None: LWCL, LWGP or MCLA,
        whichever gave the best answer when views were tried; Concord if there was one view; GWCA if
        `fit` gets constraints.
    n_members : int, default 30
        Clusterings to make, unless the generator is an object.
    scaling : {"auto", "standard", "max", "common", "counts", "log-counts"} or None, default "auto"
        Divide columns by their standard deviation, by their largest absolute value, or all by one
        number; take logarithms of counts (words of texts, genes of cells), rows scaled to length one, on
        50 axes, with or without a weight for rare columns; or leave the columns. "auto": both forms of
        counts are tried where the data look like counts; else "standard" and, unless a few columns hold
        nearly all variance, "common".

    Attributes
    ----------
    n_clusters_
    confidence_ : array (n,)
        Share of the clusterings' votes for the object's own cluster, from 0 to 1; NaN for objects that
        no clustering labels. It is not a probability; compare it with `chance_confidence_`.
    chance_confidence_ : float
        Largest mean confidence of three data sets without clusters: normal data of the same mean and
        covariance, a few hundred rows, clustered and combined in the same way. At least the confidence
        of votes that depend only on the sizes of the clusters; 1 for one cluster.
    cluster_stability_ : array (K,)
        Mean confidence of the objects of every cluster.
    ensemble_ : Ensemble
        The clusterings.
    views_ : tuple of View
        Every view of the data that was compared: scaling, kind of members, confidence, information,
        agreement with the others, seconds, whether it was chosen, and a note if it was left out.
    view_choice_ : ViewChoice
        The same with `sentence`, which says which view was chosen and why.
    separation_ : float
        The p-value of the least separated of the clusters that are returned, on at most 2,000 objects.
        Small: the border of every cluster is thinner than a cut through a cluster, whatever the shapes.
        NaN for one cluster or more than 40, and if objects or clusters are too few or too small to test.
    doubts_ : list of Doubt
        What should be known before the result is used, each with a code, figures and a sentence: about
        the number of clusters, separation, other views, members, constraints, agreement by chance, and
        single clusters. `fit` warns of some of them; a report lists the same ones.
    k_choice_ : KChoice
        How the number of clusters was chosen, if it was: `k_choice_.answer` is "clusters", "one" or
        "unsure", `k_choice_.sentence` explains, and `k_choice_.tree.labels_at(5)` has five clusters of
        the same tree.
    k_table_ : tuple of KRow
        The evidence for every candidate, if there were any.
    generator_, consensus_ : generator, consensus function
        The fitted parts; no consensus function if there is one cluster.
    verdict_ : str
        The result in words.
    provenance_

    See Also
    --------
    consilience.diagnose.choose_k : The choice of the number of clusters.
    consilience.diagnose.stability : Stability of the clusters under resampling of rows.

    Notes
    -----
    Linear in the number of objects for the default parts. Views are tried on at most 1,000 rows with ten
    members each, and the winner is then made in full. `predict` lets the members label new rows and
    counts their votes; on the training rows this may differ from `labels_` for objects whose votes are
    divided, since the consensus weighs all objects together and `predict` one by one. Choosing k works
    on at most 2,000 objects; if there are more, it is repeated on a second sample. If k was chosen by
    clusters that are separated, those clusters are returned.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from consilience import ConsensusClustering
    >>> X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> model = ConsensusClustering(n_members=10, random_state=0).fit(X)
    >>> model.n_clusters_, len(set(model.predict([[0, 0], [9, 0], [8, 1]]).tolist()))
    (3, 2)
    >>> model.verdict_
    '3 clusters of 50, 50, 50 objects; mean confidence 1.00 (data without clusters: up to 0...'
    >>> model.k_choice_.answer
    'clusters'
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": NumberOfClusters(),
        "generator": GeneratorChoice(),
        "consensus": ConsensusChoice(),
        "n_members": Integer(1),
        "scaling": Optional(Choice(*SCALINGS)),
        "random_state": Seed(),
        "n_jobs": COMMON["n_jobs"],
        "verbose": COMMON["verbose"],
    }

    labels_: Any
    confidence_: Any
    n_clusters_: int

    def __init__(
        self,
        n_clusters: Any = "auto",
        *,
        generator: str | EnsembleGenerator | None = None,
        consensus: str | ConsensusFunction | None = None,
        n_members: int = 30,
        scaling: str | None = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.generator = generator
        self.consensus = consensus
        self.n_members = n_members
        self.scaling = scaling
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any = None,  # noqa: ARG002
        *,
        sample_weight: Any = None,
        must_link: Any = None,
        cannot_link: Any = None,
        partial_labels: Any = None,
    ) -> Self:
        """Cluster, combine, and judge.

        Parameters
        ----------
        X : array (n, d), sparse matrix, data frame, dask array or frame
            The data, finite numbers. Of data in chunks, k, scales and members are found on a sample;
            `labels_` and `confidence_` come back in chunks.
        y : ignored
            For scikit-learn's interface.
        sample_weight : array (n,), optional
            How much every object counts when the members are combined; only ratios matter. The choice of
            k and of the view, the scales of the columns, the members themselves and the mean
            confidence count every object once.
        must_link, cannot_link : array (m, 2), optional
            Pairs of rows that belong together, and that do not. They pull and push, and need not all
            hold; `verdict_` and `doubts_` say if they do not. ``consensus=GWCA(enforce=True)`` makes
            them hold.
        partial_labels : array (n,), optional
            Known classes, -1 = unknown.
        """
        forget_fit(self)
        check_parameters(type(self).__name__, self.parameters, self.get_params(deep=False))
        # Of data in chunks, decisions are made on a sample of the rows.
        chunks, rows, places = (
            sample(X, self.random_state) if is_chunked(X) else (None, X, slice(None))
        )
        rows = read_features(self, rows, reset=True)
        knowledge = read_knowledge(must_link, cannot_link, partial_labels)
        choosing, making, combining, judging = seed_sequence(self.random_state).spawn(4)
        with features_checked():
            scalings = scalings_to_try(rows, self.scaling)
            n_clusters = self._number_of_clusters(rows, choosing)
            kept = None if knowledge or self.consensus is not None else self._kept_answer(places)
            tried = None
            if kept is None:
                tried = self._look(rows, scalings, n_clusters, _seed(making))
            view = self.view_choice_.chosen
            self._rows = Rows(None if view.scaling == "none" else view.scaling, rows)
            data = self._rows(rows if chunks is None else chunks)
            self._make_members(data, view, n_clusters, _seed(making))
            function: str | ConsensusFunction | None = self.consensus if kept is None else kept
            with progress("Combining the clusterings", None, self.verbose):
                if function is None and tried is not None and not knowledge:
                    function = tried.at(places).best_function(
                        self._panel(n_clusters),
                        self.ensemble_.with_array_labels(),
                        n_clusters,
                        _seed(combining),
                    )
                found = combine(
                    self.ensemble_,
                    n_clusters,
                    function,
                    _seed(combining),
                    sample_weight=sample_weight,
                    knowledge=knowledge,
                    verbose=self.verbose,
                    asked=Integer(1).accepts(self.n_clusters),
                )
                self._judge(rows, places, found, _seed(judging))
        self.consensus_ = found.function
        self.n_clusters_ = int(found.labels.max()) + 1
        self.labels_ = self.ensemble_.labels_as_given(found.labels)
        self.confidence_ = self.ensemble_.labels_as_given(found.confidence)
        self.provenance_ = provenance(
            estimator=type(self).__name__,
            parameters={name: repr(value) for name, value in self.get_params().items()},
            ensemble=self.ensemble_.fingerprint,
            n_samples=data.shape[0],
            n_members=self.ensemble_.n_members,
        )
        warn_of(self.doubts_)
        return self

    def predict(self, X: Any) -> Array:
        """Label new rows by the largest share of votes; see `predict_proba`."""
        labels: Array = self.predict_proba(X).argmax(axis=1).astype(np.int32)
        return labels

    def predict_proba(self, X: Any) -> Array:
        """Let the members label new rows, and return their shares of votes, (n_new, K)."""
        check_is_fitted(self, "labels_")
        if is_chunked(X):
            X = as_array(X)
            if self.consensus_ is None:
                ones: Array = map_rows(_one_cluster, X, width=1, dtype=np.float64)
                return ones
        else:
            X = read_features(self, X, reset=False)
            if self.consensus_ is None:
                return _one_cluster(X)
        X = self._rows(X)
        if self.ensemble_.is_soft:
            return self.consensus_.predict_proba(
                Ensemble.from_memberships(self.generator_.memberships(X))
            )
        return self.consensus_.predict_proba(self.generator_.transform(X))

    # --- the steps -------------------------------------------------------------------------------

    @property
    def _jobs(self) -> int:
        """Return the number of workers; all cores by default, since results do not depend on it."""
        return thread_count() if self.n_jobs is None else self.n_jobs

    def _look(
        self, rows: Any, scalings: Sequence[str | None], n_clusters: int, random_state: int
    ) -> Tried | None:
        """Try the views, if there are several, and choose one; None if there was nothing to compare."""
        kinds = kinds_to_try(self.generator, first=True)
        tried = None
        if n_clusters == 1 or len(scalings) * len(kinds) == 1:
            only = View(scalings[0] or "none", kinds[0].name, self.n_members, chosen=True)
            self.view_choice_ = ViewChoice((only,), rows.shape[0])
        else:
            looking = Looking(
                rows,
                n_clusters,
                self._panel(n_clusters),
                self.generator,
                self.n_members,
                {"n_jobs": self._jobs},
            )
            tried = look(looking, scalings, random_state, self.verbose)
            self.view_choice_ = tried.choice
        self.views_ = self.view_choice_.table
        return tried if self.view_choice_.n_compared > 1 else None

    def _panel(self, n_clusters: int) -> Sequence[str | ConsensusFunction]:
        """Return the consensus functions to try."""
        if isinstance(self.consensus, ConsensusFunction):
            # Views are compared on a sample of the rows.
            return [self.consensus.for_other_objects()]
        if self.consensus is not None:
            return [self.consensus]
        return without_eigenvectors(PANEL, n_clusters)

    def _make_members(self, data: Any, view: View, n_clusters: int, random_state: int) -> None:
        kinds = kinds_to_try(self.generator, first=True)
        self.generator_ = make_generator(
            next(kind for kind in kinds if kind.name == view.kind),
            n_members=self.n_members,
            n_clusters=n_clusters,
            shape=data.shape,
            common={"random_state": random_state, "n_jobs": self._jobs, "verbose": self.verbose},
        )
        self.ensemble_ = self.generator_.fit(data).ensemble_

    def _judge(self, rows: Any, places: Any, found: Combined, random_state: int) -> None:
        """Set the attributes that describe the clusters and their reliability."""
        clusters = Clusters(
            self._rows(rows),
            places,
            found.labels,
            found.confidence,
            self.generator_,
            self.ensemble_,
            found.function,
            self.view_choice_,
            getattr(self, "k_choice_", None),
            self._seen_at_the_choice(rows),
        )
        judged = judge(clusters, random_state)
        self.cluster_stability_ = judged.stability
        self.chance_confidence_ = judged.chance
        self.separation_ = float("nan") if judged.separation is None else judged.separation.p_value
        self.doubts_ = judged.doubts
        self.verdict_ = judged.verdict

    def _seen_at_the_choice(self, rows: Any) -> Any:
        """Return the objects by which k was chosen, scaled as there, if the clusters were kept."""
        choice = getattr(self, "k_choice_", None)
        if choice is None or not self.view_choice_.by_k:
            return None
        scaled = scaled_rows(rows[choice.rows], self.scaling)
        return next(one.even for one in scaled if one.name == choice.view[0])

    def _number_of_clusters(self, X: Any, sequence: np.random.SeedSequence) -> int:
        if Integer(1).accepts(self.n_clusters):
            if self.n_clusters > X.shape[0]:
                raise InvalidParameterError(
                    f"ConsensusClustering: n_clusters={self.n_clusters} is more than the number of "
                    f"objects; got n_samples = {X.shape[0]}."
                )
            return int(self.n_clusters)
        self.k_choice_: KChoice = choose_k(
            X,
            candidates=candidates_of(self.n_clusters),
            scaling=self.scaling,
            generator=generator_named(self.generator)()
            if isinstance(self.generator, str)
            else self.generator,
            # With the same seed `choose_k` makes the same choice.
            random_state=self.random_state
            if isinstance(self.random_state, int | np.integer)
            else _seed(sequence),
            n_jobs=self._jobs,
            verbose=self.verbose,
        )
        self.k_table_ = self.k_choice_.table
        return self.k_choice_.n_clusters

    def _kept_answer(self, places: Any) -> KeptAnswer | None:
        """Return the clusters by which k was chosen, if they are separated; say how they were seen."""
        choice = getattr(self, "k_choice_", None)
        if choice is None or not choice.separated:
            return None
        scaling, kind = choice.view
        kinds = {kind.name for kind in kinds_to_try(self.generator, first=True)}
        if kind not in kinds:
            # A tree of the data has no members, and a generator by name has no view of that name.
            kind = _SEES_ANY_SHAPE if _SEES_ANY_SHAPE in kinds else min(kinds)
        view = View(scaling, kind, self.n_members, chosen=True)
        self.view_choice_ = ViewChoice((view,), len(choice.rows), by_k=True)
        self.views_ = self.view_choice_.table
        rows = choice.rows if isinstance(places, slice) else places[choice.rows]
        return KeptAnswer(choice.n_clusters, places=rows, labels=choice.labels[choice.n_clusters])

    def _html_repr(self) -> str:
        """Show the answer in a notebook, above the diagram of parameters that scikit-learn draws."""
        diagram: str = super()._html_repr()
        return model_html(self) + diagram if hasattr(self, "verdict_") else diagram

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _one_cluster(rows: Array) -> Array:
    return np.ones((rows.shape[0], 1))


def _seed(sequence: np.random.SeedSequence) -> int:
    return int(sequence.generate_state(1)[0])
