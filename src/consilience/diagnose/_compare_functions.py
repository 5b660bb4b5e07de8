"""Consensus functions compared on ensembles whose truth is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone

from consilience._utils._declare import Choice, Declaration, Integer, Optional, check_parameters
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array
from consilience.consensus import ConsensusFunction, catalogue
from consilience.diagnose._member_agreement import truth_agreement
from consilience.diagnose._paired_tests import paired_p_values, ranking
from consilience.diagnose._reruns import RUN_PARAMETERS, consensus_labels, rerun
from consilience.ensemble import Ensemble, as_label_vector
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.metrics import nmi, snmi


@dataclass(frozen=True, eq=False)
class FunctionComparison:
    """A row per ensemble (e of them), a column per consensus function (f).

    functions             names of the functions
    nmi                   (e, f) NMI of every consensus with the truth
    snmi                  (e, f) sum of its NMI with the members, which needs no truth
    base_quality          (e,) mean NMI of the members with the truth, q
    improvement           (e, f) improvement rates (nmi - q) / q; NaN where q = 0
    mean_nmi              (f,) mean over the ensembles
    mean_improvement      (f,) mean over the ensembles with q > 0
    upper_bound           (e,) best NMI: what one would get by always choosing the right function
    chosen                (e,) function with the largest SNMI; the first of equals
    realistic             (e,) its NMI: what one does get without knowing the truth
    p_values              (f, f) paired t tests on the columns of `nmi`, two-sided; NaN for one ensemble
    improvement_p_values  (f, f) the same on the columns of `improvement`, over the ensembles with q > 0
    score                 "nmi" or "improvement", by which the functions are ranked
    ranking               "A < B <= C": worst mean first, < where the step is significant at 0.05
    """

    functions: tuple[str, ...]
    nmi: Array
    snmi: Array
    base_quality: Array
    improvement: Array
    mean_nmi: Array
    mean_improvement: Array
    upper_bound: Array
    chosen: Array
    realistic: Array
    p_values: Array
    improvement_p_values: Array
    score: str
    ranking: str

    def __str__(self) -> str:
        n_ensembles = len(self.nmi)
        ranking = self.ranking
        if self.score == "improvement":
            ranking = f"{ranking} by improvement rate"
            n_ensembles = int(np.isfinite(self.improvement).all(axis=1).sum())
        return (
            f"{ranking} on {n_ensembles} ensemble{'s' * (n_ensembles != 1)}: members have a mean "
            f"NMI of {self.base_quality.mean():.3f} with the truth, the best function of every ensemble "
            f"{self.upper_bound.mean():.3f}, the one of largest SNMI {self.realistic.mean():.3f}."
        )


def compare_functions(
    ensembles: Any,
    functions: Mapping[str, ConsensusFunction] | Sequence[str | ConsensusFunction],
    truth: Any,
    *,
    n_clusters: int | None = None,
    score: str = "nmi",
    random_state: RandomState = None,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> FunctionComparison:
    """Fit every consensus function to every ensemble and compare the results with the truth.

    No function is best on all data, and a difference in means may be due to chance. So all functions are
    fitted to the same ensembles, and paired t tests show which steps of the ranking are significant.

    Parameters
    ----------
    ensembles : list of Ensembles, or of array-likes of labels
        The ensembles.
    truth : vector of labels, or a list of one vector per ensemble
        Known classes; objects without a class are left out.
    functions : list of names and estimators, or dict of name -> estimator
        What to compare; names are those of `consilience.consensus.catalogue`.
    n_clusters : int or None, default None
        Clusters for functions given by name; None: the number of classes. Estimators keep their own.
    score : {"nmi", "improvement"}, default "nmi"
        Figures by which the functions are ranked and tested: NMI with the truth, or improvement rates,
        (NMI - q) / q with q the mean NMI of the members. Rates make ensembles of different data sets
        comparable. The result has the p-values of both.
    random_state : int, generator or None, default None
        Gives every fit its own seed, unless the function has one.
    n_jobs : int or None, default None
        Fits made in parallel; see joblib. Results do not depend on it.
    verbose : int or None, default None
        None: a progress bar on a terminal; 0: none; 1: always.

    Returns
    -------
    FunctionComparison
        The table of NMI and what follows from it.

    See Also
    --------
    diversity_quality : How good and how diverse the members are.
    consilience.consensus.Supra : Take the function of largest ANMI.

    Notes
    -----
    The cost is that of all fits; input must be accepted by all functions. Warnings of single fits are
    silenced. Objects that no member labels are left out. The base quality weights members. Neighbours of
    the ranking are tested pair by pair, without correction for their number. Ensembles whose members
    have an NMI of 0 with the truth have no improvement rate and are left out of its means and tests.

    References
    ----------
    [fern2004]_, sections 5 and 6

    Examples
    --------
    >>> from consilience.datasets import make_planted_ensemble
    >>> from consilience.diagnose import compare_functions
    >>> planted = [make_planted_ensemble(60, 8, 3, random_state=j) for j in range(3)]
    >>> result = compare_functions(
    ...     [p.ensemble for p in planted], ["BEST", "IPC"], [p.truth for p in planted], random_state=0
    ... )
    >>> result.ranking
    'BEST < IPC'
    """
    how = {"random_state": random_state, "n_jobs": n_jobs, "verbose": verbose}
    declared: dict[str, Declaration] = {
        "n_clusters": Optional(Integer(1)),
        "score": Choice("nmi", "improvement"),
        **RUN_PARAMETERS,
    }
    given = {"n_clusters": n_clusters, "score": score, **how}
    check_parameters("compare_functions", declared, given)
    checked = _read_ensembles(ensembles)
    truths = _read_truth(truth, checked)
    chosen = _read_functions(functions)
    tasks = []
    streams = iter(spawn(random_state, len(checked) * len(chosen)))
    for ensemble, classes in zip(checked, truths, strict=True):
        number = len(as_label_vector(classes).values[0]) if n_clusters is None else n_clusters
        for function in chosen.values():
            ready = function(n_clusters=number) if isinstance(function, type) else clone(function)
            tasks.append(partial(_judge, ready, ensemble, classes, next(streams)))
    figures = rerun(tasks, "compare_functions", n_jobs=n_jobs, verbose=verbose)
    table = np.array(figures).reshape(len(checked), len(chosen), 2)
    quality = np.array([_base_quality(e, t) for e, t in zip(checked, truths, strict=True)])
    return _summary(tuple(chosen), table[..., 0], table[..., 1], quality, score)


def _judge(
    function: ConsensusFunction, ensemble: Ensemble, truth: Any, stream: np.random.Generator
) -> tuple[float, float]:
    labels = consensus_labels(function, ensemble, stream)
    return nmi(labels, truth), snmi(labels, ensemble)


def _base_quality(ensemble: Ensemble, truth: Any) -> float:
    quality = truth_agreement(ensemble, truth)
    counted = (ensemble.weights > 0) & np.isfinite(quality)
    return float(np.average(quality[counted], weights=ensemble.weights[counted]))


def _summary(
    names: tuple[str, ...], table: Array, agreement: Array, quality: Array, score: str
) -> FunctionComparison:
    improves = quality > 0
    base = np.where(improves, quality, np.nan)
    improvement = table / base[:, None] - 1
    mean_improvement = np.full(len(names), np.nan)
    if improves.any():
        mean_improvement = improvement[improves].mean(axis=0)
    best = agreement.max(axis=1, keepdims=True)
    chosen = np.argmax(agreement >= best - 1e-12 * np.maximum(best, 1.0), axis=1)
    p_values, rate_p_values = paired_p_values(table), paired_p_values(improvement[improves])
    ranked_by = (
        (table.mean(axis=0), p_values) if score == "nmi" else (mean_improvement, rate_p_values)
    )
    return FunctionComparison(
        functions=names,
        nmi=table,
        snmi=agreement,
        base_quality=quality,
        improvement=improvement,
        mean_nmi=table.mean(axis=0),
        mean_improvement=mean_improvement,
        upper_bound=table.max(axis=1),
        chosen=chosen,
        realistic=table[np.arange(len(table)), chosen],
        p_values=p_values,
        improvement_p_values=rate_p_values,
        score=score,
        ranking=ranking(names, *ranked_by),
    )


def _read_ensembles(ensembles: Any) -> list[Ensemble]:
    if isinstance(ensembles, Ensemble) or not isinstance(ensembles, Sequence) or not ensembles:
        raise InvalidInputError(
            "compare_functions: ensembles must be a list of at least one ensemble; got "
            f"{ensembles!r}."
        )
    return [Ensemble.from_labels(ensemble) for ensemble in ensembles]


def _read_truth(truth: Any, ensembles: list[Ensemble]) -> list[Any]:
    """Distinguish one vector for all ensembles from one vector per ensemble."""
    one_each = (isinstance(truth, np.ndarray) and truth.ndim == 2) or (
        isinstance(truth, list | tuple) and len(truth) > 0 and np.ndim(truth[0]) == 1
    )
    truths = list(truth) if one_each else [truth] * len(ensembles)
    if len(truths) != len(ensembles):
        raise InvalidInputError(
            "compare_functions: truth must be one vector, or one per ensemble; got "
            f"{len(truths)} vectors for {len(ensembles)} ensembles."
        )
    return truths


def _read_functions(functions: Any) -> dict[str, Any]:
    """Return estimators, or classes for names, under distinct names."""
    if isinstance(functions, Mapping):
        entries = list(functions.items())
    elif isinstance(functions, Sequence) and not isinstance(functions, str):
        entries = [(None, function) for function in functions]
    else:
        entries = []
    if not entries:
        raise InvalidParameterError(
            "compare_functions: functions must be a list or a dict of at least one consensus function; "
            f"got {functions!r}."
        )
    known = catalogue()
    read: dict[str, Any] = {}
    for name, function in entries:
        if isinstance(function, str) and function in known:
            read[_free_name(name or function, read)] = known[function]
        elif isinstance(function, ConsensusFunction):
            read[_free_name(name or type(function).__name__, read)] = function
        else:
            raise InvalidParameterError(
                "compare_functions: functions must be consensus functions or names among "
                f"{', '.join(known)}; got {function!r}."
            )
    return read


def _free_name(name: str, taken: Mapping[str, Any]) -> str:
    """Return the name, numbered if several estimators of a class are compared."""
    number, free = 1, str(name)
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free
