"""Concord: many consensus functions, the consensus of their answers, and the best of all, refined."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Optional, Seed
from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._supra import Functions, SupraRow, run_function
from consilience.ensemble import Ensemble
from consilience.exceptions import ConsilienceWarning
from consilience.metrics import anmi

Array = np.ndarray[Any, Any]

# Each is linear in the number of objects, in every install, and right where others are not.
LINEAR_FUNCTIONS = ("GWCA", "HBGF", "LWGP", "MCLA", "CBGF", "CCU", "IBGF", "KMCF", "IVC")
# These are quadratic, so they are asked as long as there are few distinct rows.
QUADRATIC_FUNCTIONS = ("HAC", "LWEA")
_FEW_ROWS = 4_000
# What combines the answers.
_SECOND = ("IVC", "HBGF", "GWCA")
_REVOTES = 15


class Concord(ConsensusFunction):
    """Ask many consensus functions, let them agree among themselves, keep what speaks for the members.

    No consensus function is best everywhere. Concord runs several that err in different ways, combines
    their answers as if these were members, and lets every object of every answer move to the cluster
    its base clusters vote for, as long as that raises the agreement with the members. The answer with
    the highest agreement is the consensus. It is the default of ConsensusClustering because it has the
    best mean rank and the best mean agreement with the truth in the benchmarks of this library.

    Maximises ANMI(P) = mean over the members j of NMI(P, j) among all these answers.

    Parameters
    ----------
    n_clusters : int, default 8
        Clusters wanted, K; given to every function.
    functions : list of names or estimators, optional
        Whom to ask; default GWCA, HBGF, LWGP, MCLA, CBGF, CCU, IBGF, KMCF and IVC, and up to 4,000
        distinct rows of labels also HAC and LWEA (not for soft members).
    random_state : int, generator or None
        Gives every function that draws random numbers its own seed.

    Attributes
    ----------
    labels_ : array (n,)
        The consensus, 0, 1, ... by first appearance.
    function_ : str
        Where it comes from: a function, "IVC of all" and the like for an answer to the answers; with
        " + votes" if objects moved afterwards.
    table_ : list of (function, anmi, n_clusters, labels)
        Every answer, best first; labels of distinct rows of the ensemble.
    objective_ : float
        ANMI of the consensus.

    See Also
    --------
    Supra : Runs several functions and keeps the best answer as it is.
    consilience.metrics.anmi : The criterion.

    Notes
    -----
    Costs the sum of its parts; linear in n. Each revote is one sweep. Ties go to what comes first.
    Warnings of single functions are silenced; those about the final answer are not.

    References
    ----------
    [strehl2002]_; [fern2004]_, section 6.2

    Examples
    --------
    >>> from consilience.consensus import Concord
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> Concord(n_clusters=2, random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "functions": Optional(Functions()),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        functions: Sequence[str | ConsensusFunction] | None = None,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.functions = functions
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        functions = _whom_to_ask(ensemble) if self.functions is None else self.functions
        first, second = rng.spawn(2)
        answers = [
            run_function(function, ensemble, n_clusters, stream)
            for function, stream in zip(functions, first.spawn(len(functions)), strict=True)
        ]
        answers += _combined(answers, ensemble, n_clusters, second)
        answers += [_revoted(answer, ensemble) for answer in answers]
        self.table_ = sorted(answers, key=lambda row: -row.anmi)
        # An answer with fewer clusters than asked for is taken only if there is no other.
        best = max(self.table_, key=lambda row: (row.n_clusters >= n_clusters, row.anmi))
        self.function_ = best.function
        return Outcome(best.labels, objective=best.anmi)


def _whom_to_ask(ensemble: Ensemble) -> tuple[str, ...]:
    if ensemble.is_soft or ensemble.n_profiles > _FEW_ROWS:
        return LINEAR_FUNCTIONS
    return LINEAR_FUNCTIONS + QUADRATIC_FUNCTIONS


def _combined(
    answers: list[SupraRow], ensemble: Ensemble, n_clusters: int, rng: np.random.Generator
) -> list[SupraRow]:
    """Combine the answers as if they were members; judge the result by the members themselves."""
    panel = Ensemble([answer.labels for answer in answers])
    if ensemble.row_weight is not None:
        panel = panel.with_row_weight(ensemble.row_weight)
    if panel.n_profiles < n_clusters:
        return []  # the answers are the same
    rows = []
    for name, stream in zip(_SECOND, rng.spawn(len(_SECOND)), strict=True):
        row = run_function(name, panel, n_clusters, stream)
        rows.append(row._replace(function=f"{name} of all", anmi=anmi(row.labels, ensemble)))
    return rows


def _revoted(answer: SupraRow, ensemble: Ensemble) -> SupraRow:
    """Let base clusters vote for their objects while that raises ANMI and empties no cluster."""
    H, weights = ensemble.incidence, ensemble.weights[ensemble.layout.member_of, None]
    labels, best = answer.labels.astype(np.int32), answer.anmi
    for _ in range(_REVOTES):
        counts = H.count(labels, answer.n_clusters)
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
        following = H.argmax(weights * shares, labels).labels
        if len(np.unique(following)) < answer.n_clusters:
            break
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConsilienceWarning)
            agreement = anmi(following, ensemble)
        if agreement <= best + 1e-12:
            break
        labels, best = following, agreement
    if best == answer.anmi:
        return answer
    return SupraRow(f"{answer.function} + votes", best, answer.n_clusters, labels)
