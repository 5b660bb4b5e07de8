"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.compose._judgement import WITHOUT_CLUSTERS
from consilience.compose._kept_answer import KeptAnswer
from consilience.compose._parts import ConsensusChoice, make_consensus
from consilience.compose._views import SCALING_WORDS

__all__ = [
    "SCALING_WORDS",
    "WITHOUT_CLUSTERS",
    "ConsensusChoice",
    "KeptAnswer",
    "make_consensus",
]
