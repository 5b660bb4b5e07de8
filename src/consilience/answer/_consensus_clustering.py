"""ConsensusClustering: data to clusters and their confidence, in one estimator."""

from collections.abc import Mapping
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
from consilience._utils._notebook import Table, notebook_summary
from consilience._utils._provenance import provenance
from consilience._utils._random import RandomState
from consilience._utils._types import Array
from consilience.answer import _settings as settings
from consilience.answer._answers import Answer, Road, answer_at
from consilience.answer._choose import Asked
from consilience.answer._choose_k import ClusterSize, choose_on, judged_places, least_rows, seed_of
from consilience.answer._k_choice import KChoice
from consilience.answer._named_parts import (
    ConsensusChoice,
    GeneratorChoice,
    NumberOfClusters,
    numbers_of,
    read_knowledge,
)
from consilience.answer._words import (
    GIVEN,
    doubts_about_answer,
    doubts_about_members,
    doubts_about_votes,
    headline,
    verdict,
)
from consilience.consensus import ConsensusFunction, Doubt
from consilience.consensus.internals import warn_of
from consilience.exceptions import InvalidParameterError
from consilience.generate import EnsembleGenerator
from consilience.generate.internals import (
    COMMON,
    SCALINGS,
    features_checked,
    read_features,
)
from consilience.incidence import as_array, is_chunked, map_rows, rows_at

# Clusters that a notebook lists.
_SHOWN = 10


@documented(CLUSTERER)
class ConsensusClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Cluster data in many ways, choose the answer, and say for every object how sure it is.

    Clusters the data in several ways and with many numbers of clusters, and scores every clustering by
    what the other ways also find, less what its borders cost. The number of clusters whose best
    clustering scores best is chosen, unless it is given; the answer may be one. The clusterings that are
    most like the answer then vote for its clusters, also for new rows.

    Parameters
    ----------
    n_clusters : int, pair, list, range or "auto", default "auto"
        Clusters wanted; or candidates to choose from, a pair meaning its ends and all between; "auto" =
        up to 45. See `consilience.answer.choose_k`.
    generator : str, generator or None, default None
        Makes the candidates: a name such as "random-projection", or a generator object, which keeps its
        parameters. Other ways of clustering still decide among them. None: all ways.
    consensus : str, consensus function or None, default None
        Combines the members, and its labels are returned: a name such as "HBGF", or an object. None: the
        members vote for the best clustering; GWCA if `fit` gets constraints.
    n_members : int, default 30
        Members that vote or are combined, unless the generator is an object.
    scaling : {"auto", "standard", "max", "common", "counts", "log-counts"} or None, default "auto"
        Divide columns by their standard deviation, by their largest absolute value, or all by one
        number; take logarithms of counts (words of texts, genes of cells), rows scaled to length one, on
        50 axes, with or without a weight for rare columns; or leave the columns. "auto": both forms of
        counts are tried where the data look like counts; else "standard" and "common".
    min_cluster_size : int or float, optional
        Rows, or the share of the rows, that the smallest cluster has at least, where there is such a
        clustering; default 1 %, at least 2.

    Attributes
    ----------
    n_clusters_
    confidence_ : array (n,)
        Share of the members' votes for the object's own cluster, from 0 to 1; NaN for objects that
        no member labels.
    answer_ : {"clusters", "one", "unsure", "given"}
        "one": there is no evidence of clusters; "unsure": the labels are the best guess; "given": the
        number of clusters was given.
    probability_ : float
        That there are clusters at all: below 0.5 the answer is "one", from 0.8 on "clusters". If the
        number is given, only clusterings with this number are looked at.
    cluster_stability_ : array (K,)
        Mean confidence of the objects of every cluster.
    ensemble_ : Ensemble
        The labels that the members give all rows.
    k_table_ : tuple of KRow
        For every number of clusters that was tried: score, gain, border cost, smallest cluster, share of
        ambiguous pairs, and why it lost.
    k_choice_ : KChoice
        How the number was chosen, if it was, with a labelling of the judged rows for every number.
    generator_, consensus_ : generator, consensus function
        The fitted parts, if they were named; None otherwise.
    doubts_ : list of Doubt
        What should be known before the result is used, each with a code, figures and a sentence. `fit`
        warns of some of them; a report lists the same ones.
    verdict_ : str
        The result in words.
    provenance_

    See Also
    --------
    consilience.answer.choose_k : The choice of the number of clusters alone.
    consilience.diagnose.stability : Stability of the clusters under resampling of rows.

    Notes
    -----
    Everything is decided on at most 2,000 rows; members label all others, and the cost for these is
    linear. `predict` of the rows of `fit` returns `labels_`, unless there are constraints, or a
    consensus function was named: it weighs all objects together, and `predict` one by one. The data are
    kept, so that `at` can label them.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from consilience import ConsensusClustering
    >>> X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> model = ConsensusClustering(random_state=0).fit(X)
    >>> model.n_clusters_, model.answer_
    (3, 'clusters')
    >>> len(set(model.predict([[0, 0], [9, 0], [8, 1]]).tolist()))
    2
    >>> len(set(model.at(2).labels.tolist()))
    2
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": NumberOfClusters(),
        "generator": GeneratorChoice(),
        "consensus": ConsensusChoice(),
        "n_members": Integer(1),
        "scaling": Optional(Choice(*SCALINGS)),
        "min_cluster_size": Optional(ClusterSize()),
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
        min_cluster_size: float | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.generator = generator
        self.consensus = consensus
        self.n_members = n_members
        self.scaling = scaling
        self.min_cluster_size = min_cluster_size
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
        """Cluster, choose, and vote.

        Parameters
        ----------
        X : array (n, d), sparse matrix, data frame, dask array or frame
            The data, finite numbers. Of data in chunks, everything is decided on a sample; `labels_` and
            `confidence_` come back in chunks.
        y : ignored
            For scikit-learn's interface.
        sample_weight : array (n,), optional
            How much every object counts when members vote or are combined; only ratios matter. The
            choice of the number and of the answer counts every object once.
        must_link, cannot_link : array (m, 2), optional
            Pairs of rows that belong together, and that do not. They pull and push, and need not all
            hold; `verdict_` and `doubts_` say if they do not. ``consensus=GWCA(enforce=True)`` makes
            them hold.
        partial_labels : array (n,), optional
            Known classes, -1 = unknown.
        """
        forget_fit(self)
        check_parameters(type(self).__name__, self.parameters, self.get_params(deep=False))
        seed = seed_of(self.random_state)
        data, judged, places = self._judged_rows(X, seed)
        asked = self._asked(data.shape[0], len(places), seed)
        with features_checked():
            evidence, choice = choose_on(judged, places, asked, self.verbose)
            road = Road(
                data,
                places,
                evidence,
                asked,
                sample_weight,
                read_knowledge(must_link, cannot_link, partial_labels),
                self.verbose,
            )
            is_given = asked.numbers is not None and len(asked.numbers) == 1
            n_clusters = asked.numbers[0] if is_given else choice.n_clusters  # type: ignore[index]
            answer = answer_at(road, n_clusters, asked=is_given)
        self._road, self._answer = road, answer
        self._set_answer(answer)
        self.answer_ = GIVEN if is_given else choice.answer
        self.probability_ = choice.probability
        self.k_table_ = choice.table
        if not is_given:
            self.k_choice_ = choice
        self.doubts_ = self._doubts(choice, n_clusters, is_given=is_given)
        self.verdict_ = verdict(
            self.answer_,
            answer.sizes,
            self.probability_,
            np.asarray(answer.confidence),
            answer.weakest_border,
            self.doubts_,
        )
        self.provenance_ = provenance(
            estimator=type(self).__name__,
            parameters={name: repr(value) for name, value in self.get_params().items()},
            ensemble=self.ensemble_.fingerprint,
            n_samples=data.shape[0],
            n_members=self.ensemble_.n_members,
        )
        warn_of(self.doubts_)
        return self

    def at(self, n_clusters: int) -> Answer:
        """Return the best answer with a number of clusters, from the same clusterings.

        It is the answer that a fit with this number and the same seed gives. Answers are not kept.

        Parameters
        ----------
        n_clusters : int
            The number; 1 is one cluster of all objects.

        Returns
        -------
        Answer
            Labels, confidence, score, and what the borders of the clusters cost.
        """
        check_is_fitted(self, "labels_")
        if not Integer(1).accepts(n_clusters):
            raise InvalidParameterError(
                "ConsensusClustering.at: n_clusters must be an integer of at least 1; got "
                f"{n_clusters!r}."
            )
        numbers_of(n_clusters, self._road.data.shape[0], "ConsensusClustering.at")
        if n_clusters == self._answer.n_clusters:
            return self._answer
        with features_checked():
            return answer_at(self._road, int(n_clusters), asked=True)

    def predict(self, X: Any) -> Array:
        """Label new rows by the largest share of votes; see `predict_proba`."""
        labels: Array = self.predict_proba(X).argmax(axis=1).astype(np.int32)
        return labels

    def predict_proba(self, X: Any) -> Array:
        """Let the members label new rows, and return their shares of votes, (n_new, K)."""
        check_is_fitted(self, "labels_")
        if is_chunked(X):
            lazily: Array = map_rows(
                self._answer.shares, as_array(X), width=self.n_clusters_, dtype=np.float64
            )
            return lazily
        X = read_features(self, X, reset=False)
        with features_checked():
            return self._answer.shares(X)

    def votes_at(self, places: Array) -> Array:
        """Return the shares of votes of some rows of the fit, given by their positions, (m, K)."""
        check_is_fitted(self, "labels_")
        if self.consensus_ is not None:
            return self.consensus_.predict_proba(self.ensemble_.take(places))
        data = self._road.data
        rows = rows_at(data, places) if is_chunked(data) else data[places]
        with features_checked():
            return self._answer.shares(rows)

    # --- the steps -------------------------------------------------------------------------------

    def _judged_rows(self, X: Any, random_state: int) -> tuple[Any, Any, Array]:
        """Return the data, the rows that are judged, and their places."""
        if not is_chunked(X):
            data = read_features(self, X, reset=True)
            places = judged_places(data.shape[0], settings.JUDGED_ROWS, random_state)
            return data, data if len(places) == data.shape[0] else data[places], places
        data = as_array(X)
        places = judged_places(data.shape[0], settings.JUDGED_ROWS, random_state)
        return data, read_features(self, rows_at(data, places), reset=True), places

    def _asked(self, n_samples: int, n_judged: int, random_state: int) -> Asked:
        return Asked(
            numbers_of(self.n_clusters, n_samples, "ConsensusClustering"),
            self.scaling,
            least_rows(self.min_cluster_size, n_judged, n_samples),
            self.generator,
            self.consensus,
            self.n_members,
            random_state,
            thread_count() if self.n_jobs is None else self.n_jobs,
        )

    def _set_answer(self, answer: Answer) -> None:
        self.n_clusters_ = answer.n_clusters
        self.labels_ = answer.labels
        self.confidence_ = answer.confidence
        self.cluster_stability_ = answer.stability
        self.ensemble_ = answer.ensemble
        self.generator_ = answer.generator
        self.consensus_ = answer.function

    def _doubts(self, choice: KChoice, n_clusters: int, *, is_given: bool) -> list[Doubt]:
        answer = self._answer
        of_number = list(choice.doubts)
        if is_given:
            of_number = doubts_about_answer(
                GIVEN, answer.n_clusters, n_clusters, choice.probability, largest_tried=None
            )
        of_function = [] if answer.function is None else answer.function.doubts_
        return [
            *of_number,
            *doubts_about_members(of_function, answer.ensemble.n_members),
            *doubts_about_votes(answer.sizes, np.asarray(answer.confidence), answer.stability),
        ]

    def _html_repr(self) -> str:
        """Show the answer in a notebook, above the diagram of parameters that scikit-learn draws."""
        diagram: str = super()._html_repr()
        return _summary(self) + diagram if hasattr(self, "verdict_") else diagram

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _summary(model: ConsensusClustering) -> str:
    """Return the verdict, the doubts and the clusters as HTML."""
    facts = {
        "objects": f"{model.ensemble_.n_samples:,}",
        "members": f"{model.ensemble_.n_members:,}",
    }
    title = f"ConsensusClustering: {headline(model.answer_, model.n_clusters_)}"
    sentences = [model.verdict_, *(doubt.sentence for doubt in model.doubts_)]
    return notebook_summary(title, sentences, facts, _clusters(model))


def _clusters(model: ConsensusClustering) -> Table | None:
    """Return sizes and mean confidences; None if there is one cluster or labels are outside memory."""
    labels: Any = model.labels_
    if model.n_clusters_ == 1 or not isinstance(labels, np.ndarray):
        return None
    sizes = np.bincount(labels, minlength=model.n_clusters_)
    largest = np.sort(np.argsort(-sizes, kind="stable")[:_SHOWN])
    caption = "Clusters"
    if len(largest) < len(sizes):
        caption = f"The {len(largest)} largest of {len(sizes)} clusters"
    stability = model.cluster_stability_
    rows = [
        [
            str(one),
            f"{sizes[one]:,}",
            f"{stability[one]:.2f}" if np.isfinite(stability[one]) else "",
        ]
        for one in largest.tolist()
    ]
    return Table(caption, ["cluster", "objects", "mean confidence"], rows)
