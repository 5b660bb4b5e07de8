"""The choice of the number of clusters, with a table and a sentence that explain it."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from consilience._utils._declare import (
    Choice,
    Declaration,
    Integer,
    Integers,
    Optional,
    Share,
    check_parameters,
)
from consilience._utils._random import RandomState, seed_sequence
from consilience.diagnose._examined_views import ALPHA, Settings
from consilience.diagnose._k_choice import KChoice
from consilience.diagnose._k_examination import Examination
from consilience.diagnose._k_of_labels import choose_from_labels
from consilience.diagnose._reruns import RUN_PARAMETERS
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError, UnsupportedInputError
from consilience.generate import EnsembleGenerator
from consilience.generate.internals import SCALINGS, read_features

# Candidates by default.
_LARGEST = 30
# Below so many objects a cluster may have five of them, else ten.
_SMALL = 60


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
    "alpha": Share(proper=True),
    "max_samples": Integer(10),
    **RUN_PARAMETERS,
}
# Parameters that have no meaning for clusterings without features, and their defaults.
_OF_FEATURES = {"scaling": "auto", "generator": None, "alpha": ALPHA}


class _DataReader(BaseEstimator):  # type: ignore[misc]
    """Dummy estimator for `validate_data`; its name is in messages about wrong data."""


_DataReader.__name__ = "choose_k"


def choose_k(
    X: Any,
    *,
    candidates: Collection[int] | None = None,
    scaling: str | None = "auto",
    generator: EnsembleGenerator | None = None,
    alpha: float = ALPHA,
    max_samples: int = 2000,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> KChoice:
    """Choose the number of clusters of data, or of clusterings; the answer may be one, or "unsure".

    Several views of the data are clustered: two scalings, and members by k-means, spectral clustering
    and Gaussian mixtures. Every view has a tree of clusters; a few trees of the data themselves are made
    without random numbers. Two questions are asked. Which clusters are separated? A tree is cut into
    many clusters, and the least separated one is merged into its neighbour until the border of every
    cluster is thinner than a cut through a cluster. And on how many clusters do the views agree? Views
    make different errors.

    If the merged clusters of the views are the same, they are the answer; or a larger number, if the
    views clearly agree on it and not on the next one. If most views end with several clusters, but not
    the same ones, the answer is the smallest number on which they agree nearly as well as on any, if
    they agree better than on data without clusters. The views of one scaling may also decide alone.
    Otherwise the answer is one. It is "unsure", with the best guess, if the views agree far better
    than on data without clusters, if a few columns show groups that the others hide, if several normal
    components describe the data better than one, or if there are too few objects or different rows; and
    if the number of separated clusters is not one of the candidates that were given.

    Parameters
    ----------
    X : array (n, d), sparse matrix or Ensemble
        The data, finite numbers; or clusterings alone, where the features are not known.
    candidates : list or range of int, optional
        Numbers of clusters from 2 on; default 2 to 30, fewer for few objects. By default separated
        clusters are an answer also if there are more.
    scaling : {"auto", "standard", "max", "common", "counts", "log-counts"} or None, default "auto"
        How columns are scaled; see `consilience.ConsensusClustering`.
    generator : EnsembleGenerator, optional
        Makes the members of the only view; its n_clusters is set. Default: the kinds above.
    alpha : float, default 0.01
        Largest p-value at which a cluster counts as separated; 0.3 times this if most of the variance is
        in fewer than three axes, or if one scaling decides alone.
    max_samples : int, default 2000
        Larger data are represented by that many objects, drawn without replacement, and, if there are
        twice as many, by as many others in a second run.
    random_state : int, generator or None
        Seed of all random numbers.
    n_jobs : int or None
        Views made in parallel.
    verbose : int or None, default None
        None: a progress bar on a terminal; 0: none; 1: always.

    Returns
    -------
    KChoice
        The number, the table, the tree of merges and the sentence.

    See Also
    --------
    cluster_separation : Valleys between the clusters of a given partition.

    Notes
    -----
    About 3 s for 2,000 objects with 50 columns. More than 100 columns, and sparse matrices, are reduced
    to 50 principal axes where borders are tested. Equal values of a column are spread evenly there, up
    to half of the way to the next value. Two data sets without clusters are made when they decide, with
    the rank correlations of the data and with their columns, in which valleys are filled. If
    `max_samples` is above 4,000, there are no trees of the data themselves.

    From clusterings alone, the tree of one half of the members is compared with that of the other half.
    Cuts that all members make at the same places cannot be distinguished from clusters in this way.

    References
    ----------
    [monti2003]_ and [senbabaoglu2014]_ for the share of ambiguous pairs.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from consilience.diagnose import choose_k
    >>> X, _ = make_blobs(300, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)
    >>> choice = choose_k(X, random_state=0)
    >>> choice.n_clusters, choice.answer
    (3, 'clusters')
    """
    given = {
        "candidates": candidates,
        "scaling": scaling,
        "generator": generator,
        "alpha": alpha,
        "max_samples": max_samples,
        "random_state": random_state,
        "n_jobs": n_jobs,
        "verbose": verbose,
    }
    check_parameters("choose_k", _PARAMETERS, given)
    sampling, seed = seed_sequence(random_state).spawn(2)
    if isinstance(X, Ensemble):
        _refuse_for_labels(given)
        return choose_from_labels(
            X,
            _checked(candidates, X.n_samples),
            max_samples,
            np.random.default_rng(sampling),
            verbose,
        )
    X = read_features(_DataReader(), X, reset=True)
    rng = np.random.default_rng(sampling)
    order = np.arange(X.shape[0])
    if len(order) > max_samples:
        order = rng.permutation(X.shape[0])[: 2 * max_samples]
    samples = [np.sort(order[:max_samples])]
    # A second sample needs as many other objects.
    if len(order) == 2 * max_samples:
        samples.append(np.sort(order[max_samples:]))
    settings = Settings(
        _checked(candidates, len(samples[0])),
        candidates is not None,
        scaling,
        generator,
        alpha,
        int(seed.generate_state(1)[0]),
        n_jobs,
        verbose,
    )
    choices = [Examination(X[rows], rows, settings).choice() for rows in samples]
    choice = choices[0]
    if len(choices) > 1:
        choice = replace(choice, second=choices[1])
    return choice


def _refuse_for_labels(given: Mapping[str, object]) -> None:
    for name, default in _OF_FEATURES.items():
        if given[name] is not default and given[name] != default:
            raise UnsupportedInputError(
                f"choose_k: {name} has no meaning for an Ensemble, which has no features; got "
                f"{name}={given[name]!r}. Leave it out, or pass the features."
            )


def _checked(candidates: Collection[int] | None, n_samples: int) -> tuple[int, ...]:
    if candidates is None:
        most = n_samples // 5 if n_samples < _SMALL else max(n_samples // 10, _SMALL // 10)
        return tuple(range(2, max(2, min(_LARGEST, most)) + 1))
    # Of a range the ends are enough, since it may be very long.
    is_range = isinstance(candidates, range)
    largest = int(max((candidates[0], candidates[-1]) if is_range else candidates))  # type: ignore[index]
    if largest > max(2, n_samples // 2):
        raise InvalidParameterError(
            "Candidates for the number of clusters may be at most half the number of objects, "
            f"{max(2, n_samples // 2):,} of {n_samples:,}; got {largest:,}."
        )
    return tuple(sorted({int(k) for k in candidates}))
