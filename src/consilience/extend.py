"""What a package needs to add a consensus function or a generator.

A consensus function is a subclass of `ConsensusFunction` that declares `parameters` and `capabilities`
and implements one method, `_consensus(ensemble, n_clusters, rng)`, which returns an `Outcome`. It works
on `ensemble.incidence`, the operator H (`Incidence`), and never on a matrix of all pairs of objects. A
generator is a subclass of `EnsembleGenerator` that declares `parameters` and implements `_member`, which
returns a `Member`, and `_predict`.

A package registers its classes as entry points, in the group ``consilience.consensus`` or
``consilience.generators``. From then on, `consilience methods` lists them, and every place that takes
the name of a function takes theirs.

The guide has a page that builds such a package step by step. `check_consensus_function` and
`check_generator` test that a class has the properties of all others.

`ConsensusFunction`, `Capabilities`, `Outcome` and `Solution` are described in `consilience.consensus`,
`EnsembleGenerator` and `Member` in `consilience.generate`, `Ensemble` in `consilience`, and the checks
in `consilience.testing`; all of them can be imported from here.
"""

from typing import TYPE_CHECKING, Any

from consilience._utils._declare import (
    Choice,
    Declaration,
    Flag,
    Integer,
    Integers,
    Jobs,
    Name,
    Optional,
    Real,
    Seed,
    Share,
)
from consilience.consensus import (
    Capabilities,
    ConsensusFunction,
    ConstraintReport,
    Outcome,
)
from consilience.consensus.internals import EXTENSIONS as _CONSENSUS
from consilience.consensus.internals import ConstrainedFunction, Constraints
from consilience.ensemble import Ensemble, canonical_labels, centre_table, start_from_member
from consilience.exceptions import warn
from consilience.generate import EnsembleGenerator, Member
from consilience.generate.internals import EXTENSIONS as _GENERATORS
from consilience.generate.internals import WholeOrRange
from consilience.incidence import (
    Assigned,
    EdgeVotes,
    Incidence,
    Layout,
    StepResult,
    Swept,
    argmax_step,
    label_digest,
    label_sizes,
    n_different,
    own_score_step,
    relabelled,
    responsibilities_step,
)
from consilience.partition import (
    Balanced,
    BipartiteGraph,
    ClusterGraph,
    Dendrogram,
    Dhillon,
    Hypergraph,
    Linkage,
    Metis,
    MtKaHyPar,
    ObjectGraph,
    Partitioner,
    PartitionerChoice,
    Solution,
    Spectral,
    best_of,
    distinct_solutions,
    incidence_kmeans,
    incidence_linkage,
    member_gram,
    minimise_on_simplex,
    njw_dense,
    njw_incidence,
    project_to_simplex,
    vote_table,
)

if TYPE_CHECKING:
    from consilience.testing import check_consensus_function, check_generator

# Only tests need these, and a package that is used in the command should load quickly.
_CHECKS = ("check_consensus_function", "check_generator")

__all__ = [
    "Assigned",
    "Balanced",
    "BipartiteGraph",
    "Capabilities",
    "Choice",
    "ClusterGraph",
    "ConsensusFunction",
    "ConstrainedFunction",
    "ConstraintReport",
    "Constraints",
    "Declaration",
    "Dendrogram",
    "Dhillon",
    "EdgeVotes",
    "Ensemble",
    "EnsembleGenerator",
    "Flag",
    "Hypergraph",
    "Incidence",
    "Integer",
    "Integers",
    "Jobs",
    "Layout",
    "Linkage",
    "Member",
    "Metis",
    "MtKaHyPar",
    "Name",
    "ObjectGraph",
    "Optional",
    "Outcome",
    "Partitioner",
    "PartitionerChoice",
    "Real",
    "Seed",
    "Share",
    "Solution",
    "Spectral",
    "StepResult",
    "Swept",
    "WholeOrRange",
    "argmax_step",
    "best_of",
    "broken_extensions",
    "canonical_labels",
    "centre_table",
    "check_consensus_function",
    "check_generator",
    "distinct_solutions",
    "incidence_kmeans",
    "incidence_linkage",
    "label_digest",
    "label_sizes",
    "member_gram",
    "minimise_on_simplex",
    "n_different",
    "njw_dense",
    "njw_incidence",
    "own_score_step",
    "project_to_simplex",
    "relabelled",
    "responsibilities_step",
    "start_from_member",
    "vote_table",
    "warn",
]


def broken_extensions() -> list[str]:
    """Return a sentence for every extension of an installed package that cannot be used.

    The sentence names the package and the error. Broken extensions are left out of
    `consilience.consensus.catalogue`, and have no other effect.

    Examples
    --------
    >>> from consilience.extend import broken_extensions
    >>> isinstance(broken_extensions(), list)
    True
    """
    return [*_CONSENSUS.broken(), *_GENERATORS.broken()]


def __getattr__(name: str) -> Any:
    if name in _CHECKS:
        from consilience import testing

        return getattr(testing, name)
    raise AttributeError(f"module 'consilience.extend' has no attribute {name!r}")
