"""The supra-consensus: several consensus functions, the best of their answers."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import clone

from consilience._utils._declare import Declaration, Integer, Optional, Seed
from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._catalogue import catalogue
from consilience.ensemble import Ensemble
from consilience.exceptions import ConsilienceWarning
from consilience.metrics import anmi

Array = np.ndarray[Any, Any]

# Linear in the number of objects, and in every install.
DEFAULT_FUNCTIONS = ("IPC", "KMCF", "HBGF", "LWGP", "MCLA")


class SupraRow(NamedTuple):
    """What one consensus function came to."""

    function: str
    anmi: float
    n_clusters: int
    labels: Array


class Functions:
    """Names of consensus functions, or estimators."""

    def accepts(self, value: object) -> bool:
        """Need at least one, each of them known."""
        if isinstance(value, str) or not isinstance(value, Sequence) or not value:
            return False
        known = catalogue()
        return all(isinstance(f, ConsensusFunction) or f in known for f in value)

    def __str__(self) -> str:
        return "a list of consensus functions or of names among " + ", ".join(catalogue())


class Supra(ConsensusFunction):
    """Run several consensus functions and keep the answer that agrees best with the members.

    No consensus function is best everywhere, but how well an answer speaks for the ensemble can be
    measured without knowing the truth: by its mean normalised mutual information with the members.

    Maximises ANMI(P) = mean over the members j of NMI(P, j), members counted by their weight and by the
    number of objects they know, among the answers of the functions.

    Parameters
    ----------
    n_clusters : int, default 8
        Clusters wanted, K; given to every function.
    functions : list of names or estimators, optional
        What to run; default IPC, KMCF, HBGF, LWGP and MCLA, which are linear in the number of objects.
    random_state : int, generator or None
        Gives every function that draws random numbers its own seed.

    Attributes
    ----------
    labels_ : array (n,)
        The consensus, 0, 1, ... by first appearance.
    function_ : str
        The function it comes from.
    table_ : list of (function, anmi, n_clusters, labels)
        What every function came to, best first; labels of distinct rows of the ensemble.
    objective_ : float
        ANMI of the consensus.

    See Also
    --------
    consilience.metrics.anmi : The criterion.

    Notes
    -----
    Costs the sum of its parts and O(n r K) for each answer. Takes what all of its functions take.
    Warnings of single functions are silenced; those about the final answer are not. Ties go to the
    function named first.

    References
    ----------
    [strehl2002]_; [fern2004]_, section 6.2

    Examples
    --------
    >>> from consilience.consensus import Supra
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> fitted = Supra(n_clusters=2, functions=["IPC", "KMCF"], random_state=0).fit(members)
    >>> fitted.function_, fitted.labels_.tolist()
    ('IPC', [0, 0, 0, 1, 1])
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
        functions = DEFAULT_FUNCTIONS if self.functions is None else self.functions
        rows = [
            run_function(function, ensemble, n_clusters, stream)
            for function, stream in zip(functions, rng.spawn(len(functions)), strict=True)
        ]
        self.table_ = sorted(rows, key=lambda row: -row.anmi)
        best = self.table_[0]
        self.function_ = best.function
        return Outcome(best.labels, objective=best.anmi)


def run_function(
    function: str | ConsensusFunction,
    ensemble: Ensemble,
    n_clusters: int,
    stream: np.random.Generator,
) -> SupraRow:
    """Fit one function quietly and judge its answer."""
    fitted = catalogue()[function]() if isinstance(function, str) else clone(function)
    fitted.set_params(n_clusters=n_clusters)
    if "random_state" in fitted.parameters and fitted.get_params()["random_state"] is None:
        fitted.set_params(random_state=stream)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        fitted.fit(ensemble)
    agreement = anmi(fitted.labels_, ensemble)
    return SupraRow(type(fitted).__name__, agreement, fitted.n_clusters_, fitted.labels_)
