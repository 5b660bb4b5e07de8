"""Stable topics: a consensus of several runs, with noise."""

import warnings
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted, validate_data

from consilience._utils._blas import one_blas_thread
from consilience._utils._declare import (
    Choice,
    Declaration,
    Integer,
    Jobs,
    Optional,
    Seed,
    Share,
    WordOr,
    check_parameters,
)
from consilience._utils._documents import CLUSTERER, documented
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.answer import choose_k
from consilience.answer.internals import ConsensusChoice, make_consensus
from consilience.consensus import ConsensusFunction
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError, NoDiversityWarning

# Members by k-means have from the number of clusters wanted to so many times as much.
_SPREAD = 2
_DEFAULT_CLUSTERS = 15
# Rows of a member, if nothing else makes it different from the others.
_SUBSAMPLE = 0.9


class _Reducer:
    """A transformer."""

    def accepts(self, value: object) -> bool:
        return all(hasattr(value, name) for name in ("fit_transform", "transform", "get_params"))

    def __str__(self) -> str:
        return "a transformer such as TruncatedSVD(5), with fit_transform and transform"


@dataclass(frozen=True)
class NoisyMember:
    """A fitted member: it labels a row as the nearest row that it was made of.

    reducer  what brought the rows into the space of the neighbours, or None
    near     finds the nearest of the rows that the member saw
    labels   of these rows, -1 = noise
    """

    reducer: Any
    near: NearestNeighbors
    labels: Array

    def predict(self, X: Any) -> Array:
        """Return the labels of rows, -1 = noise."""
        rows = X if self.reducer is None else self.reducer.transform(X)
        with one_blas_thread():
            nearest = self.near.kneighbors(rows, return_distance=False)[:, 0]
        labels: Array = self.labels[nearest]
        return labels


@documented(CLUSTERER)
@dataclass(eq=False, repr=False)
class ConsensusTopics(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """A consensus of several runs of HDBSCAN or k-means, with noise; BERTopic's `hdbscan_model`.

    Every run sees its own reduction of the columns if a `reducer` is given, else its own share of the
    rows. The runs are combined, and rows that most runs call noise are noise.

    Parameters
    ----------
    n_clusters : int, "median", "auto" or None, default None
        Topics wanted. "median": the median of the members' numbers of clusters; for HDBSCAN alone, since
        the number of k-means is given and not found. "auto": the number on which halves of the members
        agree best, see `consilience.answer.choose_k`. None: "median" for HDBSCAN, "auto" for k-means.
    members : {"hdbscan", "kmeans"}, default "hdbscan"
        What makes the members. k-means calls nothing noise.
    n_members : int, default 20
        Runs.
    min_cluster_size : int, default 10
        Smallest cluster of HDBSCAN.
    reducer : transformer or None, default None
        Reduces the columns anew for every member, with a seed of its own: UMAP, TruncatedSVD, a random
        projection. None: members see the columns as they are.
    subsample : float or None, default None
        Share of the rows that a member is made of. It labels the others as their nearest neighbours.
        None: all rows if there is a reducer, else 0.9, since HDBSCAN draws no random numbers.
    noise : {"vote", "missing"}, default "vote"
        What a member says that calls a row noise. "vote": it votes for noise, and rows with more than
        `noise_fraction` of such votes are noise. "missing": it says nothing, and only rows that all
        members call noise are noise.
    noise_fraction : float, default 0.5
        Share of the members above which a row is noise.
    consensus : str, consensus function or None, default None
        How members are combined; None: Concord.
    n_jobs : int or None
        Members made in parallel, on threads; results do not depend on it.

    Attributes
    ----------
    labels_ : array (n,)
        Topic of every row, the largest is 0; -1 = noise.
    probabilities_ : array (n,)
        Share of the members' votes for the row's own topic; 0 for noise.
    noise_votes_ : array (n,)
        Share of the members that call the row noise.
    n_clusters_ : int
        Topics found.
    ensemble_ : Ensemble
        The members; noise is missing in them.
    k_choice_ : KChoice
        How the number was chosen, if it was by "auto".

    See Also
    --------
    consilience.ConsensusClustering : Without noise, and with a choice of the view of the data.

    Notes
    -----
    With BERTopic, ``BERTopic(hdbscan_model=ConsensusTopics(random_state=0))`` stabilises HDBSCAN.
    Most of the difference between runs comes from UMAP, which BERTopic runs once, before. To
    stabilise this too, let BERTopic pass the embeddings on and reduce them here:
    ``BERTopic(umap_model=BaseDimensionalityReduction(),
    hdbscan_model=ConsensusTopics(reducer=UMAP(n_components=5)))``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_blobs
    >>> from consilience.topics import ConsensusTopics
    >>> X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> X = np.vstack([X, [[30, 30], [-30, 20]]])
    >>> topics = ConsensusTopics(random_state=0).fit(X)
    >>> topics.n_clusters_, topics.labels_[-2:].tolist()
    (3, [-1, -1])
    >>> topics.predict([[0, 0.5], [40, 40]]).tolist() == [topics.labels_[0], -1]
    True
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Optional(WordOr(Integer(1), "median", "auto")),
        "members": Choice("hdbscan", "kmeans"),
        "n_members": Integer(2),
        "min_cluster_size": Integer(2),
        "reducer": Optional(_Reducer()),
        "subsample": Optional(Share()),
        "noise": Choice("vote", "missing"),
        "noise_fraction": Share(proper=True),
        "consensus": ConsensusChoice(),
        "random_state": Seed(),
        "n_jobs": Optional(Jobs()),
    }

    n_clusters: int | str | None = None
    _: KW_ONLY
    members: str = "hdbscan"
    n_members: int = 20
    min_cluster_size: int = 10
    reducer: Any = None
    subsample: float | None = None
    noise: str = "vote"
    noise_fraction: float = 0.5
    consensus: str | ConsensusFunction | None = None
    random_state: RandomState = None
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Make the members and combine them.

        Parameters
        ----------
        X : array (n, d) or sparse matrix
            Embeddings of texts, or any numbers.
        y : ignored
            For scikit-learn's interface.
        """
        check_parameters(type(self).__name__, self.parameters, self.get_params(deep=False))
        if self.members == "kmeans" and self.n_clusters == "median":
            raise InvalidParameterError(
                "ConsensusTopics: n_clusters='median' needs members='hdbscan', because the number of "
                "clusters of k-means is given and not found; use 'auto' or an integer."
            )
        X = self._read(X, reset=True)
        if self.members == "hdbscan" and self.min_cluster_size > X.shape[0]:
            raise InvalidInputError(
                f"ConsensusTopics: min_cluster_size={self.min_cluster_size} is more than the number of "
                f"rows, {X.shape[0]}."
            )
        making, choosing, combining = seed_sequence(self.random_state).spawn(3)
        made = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._make_member)(X, np.random.default_rng(child))
            for child in making.spawn(self.n_members)
        )
        self._members = [member for member, _ in made]
        labels = np.column_stack([found for _, found in made])
        self.noise_votes_ = np.mean(labels < 0, axis=1)
        self._combine(
            labels, int(choosing.generate_state(1)[0]), int(combining.generate_state(1)[0])
        )
        return self

    def predict(self, X: Any) -> Array:
        """Return the topics of new rows, -1 = noise: members label them, and vote.

        Parameters
        ----------
        X : array (n_new, d) or sparse matrix
            Rows with the columns of `fit`.
        """
        check_is_fitted(self, "labels_")
        X = self._read(X, reset=False)
        labels = np.column_stack([member.predict(X) for member in self._members])
        noise = self._is_noise(np.mean(labels < 0, axis=1))
        found = np.full(len(labels), -1, dtype=np.int32)
        if not noise.all():
            found[~noise] = self._shares(labels[~noise]).argmax(axis=1)
        return found

    # --- inside ----------------------------------------------------------------------------------

    def _read(self, X: Any, *, reset: bool) -> Any:
        return validate_data(
            self, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32],
            ensure_min_samples=2 if reset else 1,
        )  # fmt: skip

    def _make_member(self, X: Any, rng: np.random.Generator) -> tuple[NoisyMember, Array]:
        """Make a member of rows and seeds of its own; return it and the labels of all rows."""
        n_rows = X.shape[0]
        default = _SUBSAMPLE if self.reducer is None else 1.0
        share = default if self.subsample is None else float(self.subsample)
        n_seen = max(min(2, n_rows), round(share * n_rows))
        seen = np.sort(rng.choice(n_rows, n_seen, replace=False))
        reducer = None
        rows = X[seen]
        if self.reducer is not None:
            reducer = clone(self.reducer)
            if "random_state" in reducer.get_params():
                reducer.set_params(random_state=int(rng.integers(2**31 - 1)))
            rows = reducer.fit_transform(rows)
        with one_blas_thread():
            found = self._clusters(rows, rng)
            near = NearestNeighbors(n_neighbors=1).fit(rows)
        member = NoisyMember(reducer, near, found)
        labels = np.empty(n_rows, dtype=np.int32)
        labels[seen] = found
        left_out = np.setdiff1d(np.arange(n_rows), seen)
        if len(left_out):
            labels[left_out] = member.predict(X[left_out])
        return member, labels

    def _clusters(self, rows: Any, rng: np.random.Generator) -> Array:
        n_rows = rows.shape[0]
        if self.members == "kmeans":
            wanted = self._given_number() or _DEFAULT_CLUSTERS
            n_clusters = min(int(rng.integers(wanted, _SPREAD * wanted + 1)), n_rows)
            model = KMeans(n_clusters, n_init=1, random_state=int(rng.integers(2**31 - 1)))
        else:
            # The same settings for all: members with other settings have other numbers of clusters, and
            # then the answer changes from seed to seed.
            model = HDBSCAN(min_cluster_size=min(self.min_cluster_size, max(2, n_rows)), copy=True)
        # HDBSCAN has -2 and -3 for rows with missing or infinite values, which are refused before.
        labels: Array = model.fit(rows).labels_.astype(np.int32)
        return labels

    def _is_noise(self, votes: Array) -> Array:
        """Say which rows are noise by the share of members that call them so."""
        return np.asarray(votes > self.noise_fraction if self.noise == "vote" else votes >= 1.0)

    def _combine(self, labels: Array, choosing: int, combining: int) -> None:
        noise = self._is_noise(self.noise_votes_)
        self.labels_ = np.full(len(labels), -1, dtype=np.int32)
        self.probabilities_ = np.zeros(len(labels))
        self._function: ConsensusFunction | None = None
        self._order = np.zeros(1, dtype=np.int64)
        if noise.all():
            self.n_clusters_ = 0
            return
        self.ensemble_ = Ensemble(labels)
        known = self.ensemble_.take(np.flatnonzero(~noise))
        n_clusters = self._number(known, choosing)
        if n_clusters > 1:
            function = make_consensus(self.consensus, n_clusters, combining, constrained=False)
            with warnings.catch_warnings():
                # Members that were made from data and all agree are no reason for doubt.
                warnings.simplefilter("ignore", NoDiversityWarning)
                self._function = function.fit(known)
            found = np.asarray(self._function.labels_)
            self._order = np.argsort(-np.bincount(found), kind="stable")
            rank = np.empty(len(self._order), dtype=np.int32)
            rank[self._order] = np.arange(len(self._order))
            self.labels_[~noise] = rank[found]
        else:
            self.labels_[~noise] = 0
        self.n_clusters_ = int(self.labels_.max()) + 1
        shares = self._shares(labels[~noise])
        own = shares[np.arange(len(shares)), self.labels_[~noise]]
        if self.noise == "vote":
            own = own * (1 - self.noise_votes_[~noise])
        self.probabilities_[~noise] = own

    def _given_number(self) -> int | None:
        given = self.n_clusters
        return None if given is None or isinstance(given, str) else int(given)

    def _number(self, known: Ensemble, random_state: int) -> int:
        given = self._given_number()
        if given is not None:
            return min(given, known.n_samples)
        rule = self.n_clusters or ("median" if self.members == "hdbscan" else "auto")
        if rule == "median":
            counted = known.n_clusters[known.n_clusters > 0]
            return int(np.median(counted))
        self.k_choice_ = choose_k(known, random_state=random_state)
        return int(self.k_choice_.n_clusters)

    def _shares(self, labels: Array) -> Array:
        """Return the shares of the votes for every topic, the largest topic first."""
        if self._function is None:
            return np.ones((len(labels), 1))
        shares: Array = self._function.predict_proba(labels)[:, self._order]
        return shares

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
