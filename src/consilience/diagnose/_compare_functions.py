"""Consensus functions compared on ensembles whose truth is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, count, pairwise
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

from consilience._utils._declare import Choice, Declaration, Integer, Optional, check_parameters
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array
from consilience.consensus import ConsensusFunction, catalogue
from consilience.diagnose._members import truth_agreement
from consilience.diagnose._reruns import RUN_PARAMETERS, consensus_labels, rerun
from consilience.ensemble import Ensemble, as_label_vector
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.metrics import nmi, snmi

_PARAMETERS: dict[str, Declaration] = {
    "n_clusters": Optional(Integer(1)),
    "score": Choice("nmi", "improvement"),
    **RUN_PARAMETERS,
}
# A difference is significant below this p-value.
_SIGNIFICANT = 0.05
# Figures between 0 and 1 that differ by less are the same figure.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class FunctionComparison:
    """A row per ensemble (e of them), a column per consensus function (f).

    functions             names of the functions
    nmi                   (e, f) NMI of every consensus with the truth
    snmi                  (e, f) sum of its NMI with the members, which needs no truth
    base_quality          (e,) mean NMI of the members with the truth, q
    improvement           (e, f) improvement rates (nmi - q) / q; NaN where q = 0
    upper_bound           (e,) best NMI: what one would get by always choosing the right function
    chosen                (e,) function with the largest SNMI; the first of equals
    realistic             (e,) its NMI: what one does get without knowing the truth
    score                 "nmi" or "improvement", by which the functions are compared
    p_values              (f, f) paired t tests on the columns of these figures, two-sided; NaN for one
                          ensemble, and without ensembles of q = 0 if rates are compared
    ranking               "A < B <= C": worst mean first, < where the step is significant at 0.05
    """

    functions: tuple[str, ...]
    nmi: Array
    snmi: Array
    base_quality: Array
    improvement: Array
    upper_bound: Array
    chosen: Array
    realistic: Array
    score: str
    p_values: Array
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
        comparable.
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
    check_parameters("compare_functions", _PARAMETERS, locals())
    checked = _read_ensembles(ensembles)
    truths = _read_truth(truth, checked)
    chosen = _read_functions(functions)
    tasks = []
    streams = iter(spawn(random_state, len(checked) * len(chosen)))
    for ensemble, classes in zip(checked, truths, strict=True):
        number = len(as_label_vector(classes).values[0]) if n_clusters is None else n_clusters
        for function in chosen.values():
            ready = function(n_clusters=number) if isinstance(function, type) else function
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
    improvement = table / np.where(improves, quality, np.nan)[:, None] - 1
    best = agreement.max(axis=1, keepdims=True)
    chosen = np.argmax(agreement >= best - 1e-12 * np.maximum(best, 1.0), axis=1)
    compared = table if score == "nmi" else improvement[improves]
    p_values = paired_p_values(compared)
    means = compared.mean(axis=0) if len(compared) else np.full(len(names), np.nan)
    return FunctionComparison(
        functions=names,
        nmi=table,
        snmi=agreement,
        base_quality=quality,
        improvement=improvement,
        upper_bound=table.max(axis=1),
        chosen=chosen,
        realistic=table[np.arange(len(table)), chosen],
        score=score,
        p_values=p_values,
        ranking=ranking(names, means, p_values),
    )


def paired_p_values(table: Array) -> Array:
    """Two-sided p values of paired t tests between all columns, (f, f).

    Equal columns have p = 1; columns a constant apart, on more than one row, have p = 0. One row, or
    none, allows no test: NaN off the diagonal.
    """
    n_columns = table.shape[1]
    p_values = np.ones((n_columns, n_columns))
    for a in range(n_columns):
        for b in range(a):
            p_values[a, b] = p_values[b, a] = _p_value(table[:, a], table[:, b])
    return p_values


def _p_value(first: Array, second: Array) -> float:
    difference = first - second
    if len(difference) and np.abs(difference).max() <= _ROUNDING:
        return 1.0
    if len(difference) < 2:
        return np.nan
    if np.ptp(difference) <= _ROUNDING:
        return 0.0
    return float(ttest_rel(first, second).pvalue)


def ranking(names: Sequence[str], means: Array, p_values: Array) -> str:
    """Write "A < B <= C": worst first; < is worse and significant, <= is worse or equal and not."""
    order = np.argsort(means, kind="stable")
    text = str(names[order[0]])
    for worse, better in pairwise(order):
        sign = "<" if p_values[worse, better] < _SIGNIFICANT else "<="
        text += f" {sign} {names[better]}"
    return text


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
    known = catalogue()
    entries: list[tuple[Any, Any]] = []
    if isinstance(functions, Mapping):
        entries = list(functions.items())
    elif isinstance(functions, Sequence) and not isinstance(functions, str):
        entries = [(None, function) for function in functions]
    wrong = [
        function
        for _, function in entries
        if not (isinstance(function, ConsensusFunction) or function in tuple(known))
    ]
    if wrong or not entries:
        raise InvalidParameterError(
            "compare_functions: functions must be a list or a dict of at least one consensus function "
            f"or name among {', '.join(known)}; got {wrong[0] if wrong else functions!r}."
        )
    read: dict[str, Any] = {}
    for given, function in entries:
        found = known[function] if isinstance(function, str) else function
        name = str(given or getattr(found, "__name__", type(found).__name__))
        # Several estimators of a class are numbered.
        numbered = (f"{name} {number}" for number in count(2))
        read[next(free for free in chain([name], numbered) if free not in read)] = found
    return read
