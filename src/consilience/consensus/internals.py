"""Names for use by other parts of the library. Not for users: they may change without notice."""

from consilience.consensus._catalogue import (
    EXTENSIONS,
    function_named,
    function_names,
    functions_that_take,
)
from consilience.consensus._constrained import (
    ConstrainedFunction,
    broken_constraints,
    require_possible,
)
from consilience.consensus._constraints import SIDE_KNOWLEDGE, Constraints
from consilience.consensus._doubts import (
    BROKEN_CONSTRAINTS,
    BY_CHANCE,
    DIVIDED_VOTES,
    FEW_MEMBERS,
    FEWER_CLUSTERS,
    K_AT_THE_EDGE,
    K_IS_A_GUESS,
    KNOWN_TO_ONE_MEMBER,
    NO_DIVERSITY,
    NO_EVIDENCE,
    NO_SIGNAL,
    listed_doubts,
    untold,
    warn_of,
)
from consilience.consensus._panel import solve
from consilience.consensus._trust import doubts_about, doubts_about_chance, doubts_about_clusters
from consilience.consensus._votes import chance_level

__all__ = [
    "BROKEN_CONSTRAINTS",
    "BY_CHANCE",
    "DIVIDED_VOTES",
    "EXTENSIONS",
    "FEWER_CLUSTERS",
    "FEW_MEMBERS",
    "KNOWN_TO_ONE_MEMBER",
    "K_AT_THE_EDGE",
    "K_IS_A_GUESS",
    "NO_DIVERSITY",
    "NO_EVIDENCE",
    "NO_SIGNAL",
    "SIDE_KNOWLEDGE",
    "ConstrainedFunction",
    "Constraints",
    "broken_constraints",
    "chance_level",
    "doubts_about",
    "doubts_about_chance",
    "doubts_about_clusters",
    "function_named",
    "function_names",
    "functions_that_take",
    "listed_doubts",
    "require_possible",
    "solve",
    "untold",
    "warn_of",
]
