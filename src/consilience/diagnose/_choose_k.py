"""How many clusters? A rule that picks, a table that shows, a sentence that explains."""

import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.stats import norm
from sklearn.base import BaseEstimator, clone
from sklearn.decomposition import PCA, TruncatedSVD

from consilience._utils._declare import Integer, Real, Seed, check_parameters
from consilience._utils._random import RandomState, seed_sequence
from consilience.consensus import GWCA, HAC, ConsensusFunction
from consilience.diagnose._cluster_separation import cluster_separation
from consilience.diagnose._consensus_matrix import ConsensusMatrix
from consilience.diagnose._k_choice import KChoice, KRow
from consilience.diagnose._null_data import structureless_data
from consilience.ensemble import Ensemble
from consilience.exceptions import ConsilienceWarning, InvalidParameterError
from consilience.generate import EnsembleGenerator, Subsample
from consilience.generate._features import read_features

Array = np.ndarray[Any, Any]

_LARGEST = 10
# Largest p-value at which a valley counts as one.
ALPHA = 0.01
# A cluster of fewer objects is never separated.
_FEWEST = 3
# More columns than this are reduced to so many principal axes.
_MANY_COLUMNS = 100
_AXES = 50
# The tree of all members is drawn for this many objects.
_TREE_OBJECTS = 500


class _Door(BaseEstimator):  # type: ignore[misc]
    """Whose books scikit-learn keeps while data are read."""


class _Settings(NamedTuple):
    """How members are made and combined."""

    generator: EnsembleGenerator
    function: ConsensusFunction
    candidates: tuple[int, ...]


def choose_k(
    X: Any,
    *,
    candidates: Iterable[int] | None = None,
    generator: EnsembleGenerator | None = None,
    consensus: ConsensusFunction | None = None,
    n_null: int = 10,
    alpha: float = ALPHA,
    max_samples: int = 2000,
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> KChoice:
    """Choose the number of clusters of data; the answer may be one.

    For every candidate k, clusterings of subsamples are combined, and three questions asked. Does a
    valley separate every two clusters of the consensus (`cluster_separation`)? How many pairs of objects
    are ambiguous, together in some subsamples and apart in others (PAC)? Would data of the same
    covariance but without clusters be as unambiguous? The choice is the largest k whose clusters are all
    separated, and 1 if there is none; the table has the rest.

    Parameters
    ----------
    X : array (n, d)
        The data, finite numbers.
    candidates : iterable of int, optional
        Numbers of clusters from 2 on; default 2 to 10, fewer for few objects.
    generator : EnsembleGenerator, optional
        Makes the members; its n_clusters is set to k. Default: thirty subsamples of 80 %, each
        clustered by the best of three k-means runs.
    consensus : ConsensusFunction, optional
        Combines them; its n_clusters is set to k. Default GWCA.
    n_null : int, default 10
        Data sets without clusters to compare with; 0 leaves this out, which is much faster.
    alpha : float, default 0.01
        Largest p-value at which a valley counts as one.
    max_samples : int, default 2000
        Larger data are represented by that many objects, drawn without replacement.
    random_state : int, generator or None
        Decides everything.
    n_jobs : int or None
        Members of the default generator made side by side.

    Returns
    -------
    KChoice
        The number, the table and the sentence.

    Notes
    -----
    Time grows with (1 + n_null) x candidates x members runs of the base clusterer on at most
    `max_samples` rows. More than 100 columns, and sparse matrices, are reduced to 50 principal axes
    first. The p-value of PAC is that of a normal distribution fitted to the logarithms of
    the null values. PAC alone falls with k whatever the data; `corrected` does not.

    References
    ----------
    [monti2003]_; [senbabaoglu2014]_; [john2020]_; [fred2005]_ (lifetime)

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from consilience.diagnose import choose_k
    >>> X, _ = make_blobs(300, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)
    >>> choice = choose_k(X, candidates=range(2, 6), n_null=0, random_state=0)
    >>> choice.n_clusters
    3
    """
    check_parameters(
        "choose_k",
        {
            "n_null": Integer(0),
            "alpha": Real(0),
            "max_samples": Integer(10),
            "random_state": Seed(),
        },
        {
            "n_null": n_null,
            "alpha": alpha,
            "max_samples": max_samples,
            "random_state": random_state,
        },
    )
    X = read_features(_Door(), X, reset=True)
    sampling, *seeds = seed_sequence(random_state).spawn(4)
    rng = np.random.default_rng(sampling)
    rows = np.arange(X.shape[0])
    if len(rows) > max_samples:
        rows = np.sort(rng.choice(len(rows), max_samples, replace=False))
    X = _few_columns(X[rows])
    settings = _Settings(
        Subsample(n_members=30, left_out="missing", n_init=3, n_jobs=n_jobs, verbose=0)
        if generator is None
        else generator,
        GWCA() if consensus is None else consensus,
        _checked(candidates, len(X)),
    )
    # Members that disagree and consensus worse than a member are what this is about.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        table, labels, cdf = _examine(X, settings, n_null, seeds, rng)
    separated = [row.n_clusters for row in table if row.separation <= alpha]
    return KChoice(
        n_clusters=max(separated, default=1),
        table=tuple(table),
        alpha=alpha,
        rows=rows,
        labels=labels,
        cdf=cdf,
        n_null=n_null,
    )


def separation_of(X: Any, labels: Array, rows: Array) -> float:
    """Test labels as candidates for k are tested: the weakest p-value of a valley, on some rows.

    A cluster that has none of the rows is not tested.
    """
    tested = np.unique(labels[rows], return_inverse=True)[1]
    if tested.max() == 0:
        return float("nan")
    if np.bincount(tested).min() < _FEWEST:
        return 1.0
    return cluster_separation(_few_columns(X[rows]), tested, random_state=0).weakest


def _examine(
    X: Array,
    settings: _Settings,
    n_null: int,
    seeds: list[np.random.SeedSequence],
    rng: np.random.Generator,
) -> tuple[list[KRow], dict[int, Array], dict[int, Array]]:
    """Return the table, the consensus labels and the distributions of the consensus of pairs."""
    members, nulls, halves = seeds
    ensembles = _ensembles(X, settings, members)
    matrices = {k: ConsensusMatrix(ensemble) for k, ensemble in ensembles.items()}
    null_values = _null_values(X, settings, n_null, nulls)
    labels = {k: _combined(settings, k, ensemble, members) for k, ensemble in ensembles.items()}
    lifetimes = _lifetimes(ensembles, rng)
    table: list[KRow] = []
    for k in settings.candidates:
        previous = table[-1].area if table else None
        weakest = cluster_separation(X, labels[k], random_state=_seed(halves)).weakest
        # Fewer clusters than asked for is no partition into k.
        weakest = weakest if labels[k].max() + 1 == k else 1.0
        table.append(
            _row(
                k, weakest, matrices[k], labels[k], null_values[k], previous, lifetimes.get(k, 0.0)
            )
        )
    return table, labels, {k: matrix.cdf for k, matrix in matrices.items()}


def _few_columns(X: Any) -> Array:
    """Reduce many columns, or a sparse matrix, to the leading principal axes."""
    if X.shape[1] <= _MANY_COLUMNS and not sparse.issparse(X):
        return np.asarray(X)
    n_axes = max(1, min(_AXES, X.shape[0] - 1, X.shape[1] - 1))
    if sparse.issparse(X):
        return np.asarray(TruncatedSVD(n_axes, random_state=0).fit_transform(X))
    return np.asarray(PCA(n_axes, random_state=0).fit_transform(X))


def _checked(candidates: Iterable[int] | None, n_samples: int) -> tuple[int, ...]:
    if candidates is None:
        return tuple(range(2, max(3, min(_LARGEST, n_samples // 5) + 1)))
    numbers = sorted({int(k) for k in candidates})
    if not numbers or numbers[0] < 2 or numbers[-1] > n_samples // 2:
        raise InvalidParameterError(
            f"choose_k: candidates must be whole numbers from 2 to half the number of objects, "
            f"{n_samples // 2}; got {numbers}."
        )
    return tuple(numbers)


def _seed(sequence: np.random.SeedSequence) -> int:
    """Return the same small number whenever it is asked for."""
    return int(sequence.generate_state(1)[0])


def _ensembles(
    X: Array, settings: _Settings, sequence: np.random.SeedSequence
) -> dict[int, Ensemble]:
    """Make members for every candidate; the same seed, so that subsamples are the same."""
    found = {}
    for k in settings.candidates:
        generator = clone(settings.generator)
        generator.set_params(n_clusters=k, random_state=_seed(sequence))
        ensemble = generator.fit(X).ensemble_
        found[k] = Ensemble(ensemble.labels) if ensemble.is_soft else ensemble
    return found


def _combined(
    settings: _Settings, k: int, ensemble: Ensemble, sequence: np.random.SeedSequence
) -> Array:
    function = clone(settings.function).set_params(n_clusters=k)
    if "random_state" in function.get_params():
        function.set_params(random_state=_seed(sequence))
    labels: Array = function.fit(ensemble).labels_
    return labels


def _null_values(
    X: Array, settings: _Settings, n_null: int, sequence: np.random.SeedSequence
) -> dict[int, Array]:
    """PAC of every candidate on data without clusters, made in the same way."""
    values: dict[int, list[float]] = {k: [] for k in settings.candidates}
    for child in sequence.spawn(n_null):
        null = structureless_data(X, np.random.default_rng(child))
        for k, ensemble in _ensembles(null, settings, child).items():
            values[k].append(ConsensusMatrix(ensemble).pac())
    return {k: np.array(found) for k, found in values.items()}


def _lifetimes(ensembles: dict[int, Ensemble], rng: np.random.Generator) -> dict[int, float]:
    """Lifetimes of the average linkage tree of all members of all candidates, on some objects."""
    labels = np.hstack([ensemble.labels for ensemble in ensembles.values()])
    if len(labels) > _TREE_OBJECTS:
        labels = labels[np.sort(rng.choice(len(labels), _TREE_OBJECTS, replace=False))]
    heights = HAC(n_clusters=2).fit(labels).linkage_matrix_[:, 2]
    levels = np.concatenate([[0.0], heights, [1.0]])
    spans = np.diff(levels)[::-1]
    return {k + 1: float(span) for k, span in enumerate(spans)}


def _row(
    k: int,
    separation: float,
    matrix: ConsensusMatrix,
    labels: Array,
    null_values: Array,
    previous: float | None,
    lifetime: float,
) -> KRow:
    pac = matrix.pac()
    # Never the logarithm of zero: at least half a pair is ambiguous.
    least = 0.5 / len(matrix.pairs)
    null_pac = corrected = p_value = float("nan")
    if len(null_values):
        null_pac = float(null_values.mean())
        logs = np.log10(np.maximum(null_values, least))
        corrected = float(np.log10(max(null_pac, least)) - np.log10(max(pac, least)))
        spread = max(float(logs.std(ddof=1)) if len(logs) > 1 else 0.0, 1e-3)
        p_value = float(norm.cdf((np.log10(max(pac, least)) - logs.mean()) / spread))
    area = matrix.area
    return KRow(
        n_clusters=k,
        separation=separation,
        pac=pac,
        pac_error=matrix.pac_error(),
        null_pac=null_pac,
        corrected=corrected,
        p_value=p_value,
        area=area,
        delta=area if previous is None else (area - previous) / max(previous, 1e-12),
        cophenetic=matrix.cophenetic_correlation(),
        lifetime=lifetime,
        cluster_consensus=float(matrix.cluster_consensus(labels).min()),
        smallest=float(np.bincount(labels).min() / len(labels)),
    )
