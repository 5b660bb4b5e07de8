"""The choice of the number of clusters, as a function."""

from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from consilience._utils._config import thread_count
from consilience._utils._declare import (
    Choice,
    Declaration,
    Integer,
    Integers,
    Optional,
    Seed,
    check_parameters,
)
from consilience._utils._progress import progress
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.answer import _settings as settings
from consilience.answer._choose import Asked, Evidence, answer_of, choose, gather
from consilience.answer._k_choice import KChoice, Tried, make_table
from consilience.answer._labels_alone import choose_from_labels
from consilience.answer._named_parts import numbers_of
from consilience.answer._words import ONE, answer_for, doubts_about_answer, evidence_sentence
from consilience.ensemble import Ensemble
from consilience.exceptions import UnsupportedInputError
from consilience.generate import EnsembleGenerator
from consilience.generate.internals import COMMON, SCALINGS, features_checked, read_features


class ClusterSize:
    """A number of rows, or a share of them."""

    def accepts(self, value: object) -> bool:
        """Shares are numbers above 0 and below 1."""
        return Integer(1).accepts(value) or (isinstance(value, float) and 0 < value < 1)

    def __str__(self) -> str:
        return "an integer of at least 1 (rows) or a number between 0 and 1 (a share of the rows)"


class _Generator:
    """An object that makes members."""

    def accepts(self, value: object) -> bool:
        return isinstance(value, EnsembleGenerator)

    def __str__(self) -> str:
        return "a generator such as KMeansRestarts()"


_PARAMETERS: dict[str, Declaration] = {
    "candidates": Optional(Integers(2)),
    "scaling": Optional(Choice(*SCALINGS)),
    "generator": Optional(_Generator()),
    "min_cluster_size": Optional(ClusterSize()),
    "max_samples": Integer(10),
    "random_state": Seed(),
    "n_jobs": COMMON["n_jobs"],
    "verbose": COMMON["verbose"],
}
# Parameters that have no meaning for clusterings without features, and their defaults.
_OF_FEATURES = {"scaling": "auto", "generator": None}
# Members of a generator whose number is not given.
_MEMBERS = 30


class _DataReader(BaseEstimator):  # type: ignore[misc]
    """Dummy estimator for `validate_data`; its name is in messages about wrong data."""


_DataReader.__name__ = "choose_k"


def choose_k(
    X: Any,
    *,
    candidates: Collection[int] | None = None,
    scaling: str | None = "auto",
    generator: EnsembleGenerator | None = None,
    min_cluster_size: float | None = None,
    max_samples: int = settings.JUDGED_ROWS,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> KChoice:
    """Choose the number of clusters of data, or of clusterings; the answer may be one, or "unsure".

    The data are clustered in several ways, with many numbers of clusters. A clustering scores by the
    information that the other ways also find, less what its borders cost: a border costs nothing
    where there is a gap, and most where it is like a cut through the inside of a cluster. The number
    whose best clustering scores best is chosen. The share of its gain that an
    answer pays for its borders gives the probability that there are clusters at all. The answer is "one"
    if it is below 0.3 for every good number, and "unsure" below 0.8.

    Parameters
    ----------
    X : array (n, d), sparse matrix or Ensemble
        The data, finite numbers; or clusterings alone, where the features are not known.
    candidates : list or range of int, optional
        Numbers of clusters from 2 on; default: up to 45.
    scaling : {"auto", "standard", "max", "common", "counts", "log-counts"} or None, default "auto"
        How columns are scaled; see `consilience.ConsensusClustering`.
    generator : EnsembleGenerator, optional
        Makes the candidates; other ways of clustering still decide among them.
    min_cluster_size : int or float, optional
        Rows, or the share of the rows, that the smallest cluster has at least; default 1 %, at least 2.
    max_samples : int, default 2000
        Larger data are represented by that many rows, drawn without replacement.
    random_state : int, generator or None
        Seed of all random numbers.
    n_jobs : int or None
        Threads; results do not depend on it.
    verbose : int or None, default None
        None: a progress bar on a terminal; 0: none; 1: always.

    Returns
    -------
    KChoice
        The number, the probability that there are clusters, and the table of all numbers.

    See Also
    --------
    consilience.ConsensusClustering : The clusters themselves.

    Notes
    -----
    From clusterings alone, the tree of one half of the members is compared with that of the other half,
    without borders. Cuts that all members make at the same places cannot be told from clusters then.

    References
    ----------
    [monti2003]_ and [senbabaoglu2014]_ for the share of ambiguous pairs.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from consilience.answer import choose_k
    >>> X, _ = make_blobs(300, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)
    >>> choice = choose_k(X, random_state=0)
    >>> choice.n_clusters, choice.answer
    (3, 'clusters')
    """
    given = {
        "candidates": candidates,
        "scaling": scaling,
        "generator": generator,
        "min_cluster_size": min_cluster_size,
        "max_samples": max_samples,
        "random_state": random_state,
        "n_jobs": n_jobs,
        "verbose": verbose,
    }
    check_parameters("choose_k", _PARAMETERS, given)
    listed = candidates if candidates is None or isinstance(candidates, range) else list(candidates)
    if isinstance(X, Ensemble):
        for name, default in _OF_FEATURES.items():
            if given[name] != default:
                raise UnsupportedInputError(
                    f"choose_k: {name} has no meaning for an Ensemble, which has no features; got "
                    f"{name}={given[name]!r}. Leave it out, or pass the features."
                )
        numbers = numbers_of(listed, X.n_samples, "choose_k")
        rng = np.random.default_rng(seed_sequence(random_state))
        least = least_rows(min_cluster_size, X.n_samples, X.n_samples)
        return choose_from_labels(X, numbers, least, max_samples, rng, verbose)
    X = read_features(_DataReader(), X, reset=True)
    seed = seed_of(random_state)
    rows = judged_places(X.shape[0], max_samples, seed)
    asked = Asked(
        numbers_of(listed, len(rows), "choose_k"),
        scaling,
        least_rows(min_cluster_size, len(rows), X.shape[0]),
        generator,
        None,
        _MEMBERS,
        seed,
        thread_count() if n_jobs is None else n_jobs,
    )
    with features_checked():
        evidence, choice = choose_on(X[rows], rows, asked, verbose)
    if evidence is not None and choice.n_clusters > 1:
        answer = answer_of(evidence, choice.n_clusters)
        if answer is not None:
            choice.labels[choice.n_clusters] = answer.labels
    return choice


def choose_on(
    X: Any, rows: Array, asked: Asked, verbose: int | None
) -> tuple[Evidence | None, KChoice]:
    """Choose the number of clusters of the judged rows; `rows` are their places among all.

    There is no evidence where there is one row.
    """
    if X.shape[0] < 2:
        return None, KChoice(1, ONE, 0.0, evidence_sentence(0.0), (), {}, rows, {})
    with progress("Clustering in several ways", None, verbose):
        evidence = gather(X, asked)
        chosen = choose(evidence)
    best = chosen.best
    answer = answer_for(chosen.probability, is_given=False) if best else ONE
    n_clusters = 1 if answer == ONE else chosen.n_clusters
    tried = {
        k: Tried(one.score, one.gain, one.cost, one.labels, one.smallest) for k, one in best.items()
    }
    voters = evidence.voters
    answers = {k: voters.labels[voters.n_clusters == k] for k in tried}
    answers = {k: found if len(found) else [tried[k].labels] for k, found in answers.items()}
    table, cdf = make_table(tried, answers, n_clusters, asked.least_size)
    largest = max(best, default=0)
    doubts = doubts_about_answer(
        answer, n_clusters, None, chosen.probability,
        largest_tried=largest if len(best) > 1 and largest < len(rows) // 2 else None,
    )  # fmt: skip
    labels = {k: one.labels for k, one in tried.items()}
    said = evidence_sentence(chosen.probability)
    return evidence, KChoice(
        n_clusters, answer, chosen.probability, said, table, labels, rows, cdf, tuple(doubts)
    )


def seed_of(random_state: RandomState) -> int:
    """Return the seed of all clusterings."""
    return int(seed_sequence(random_state).generate_state(1)[0])


def judged_places(n_rows: int, most: int, random_state: int) -> Array:
    """Return the places of the rows that are judged, ascending."""
    if n_rows <= most:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng([random_state, most]).choice(n_rows, most, replace=False))


def least_rows(given: float | None, n_judged: int, n_rows: int) -> float:
    """Return how many of the judged rows the smallest cluster has at least, from what was asked."""
    share = settings.LEAST_SHARE if given is None else given
    if isinstance(share, int | np.integer):
        share = share / n_rows
    return max(2.0 if given is None else 1.0, share * n_judged)
