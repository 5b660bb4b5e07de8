"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.answer._named_parts import ConsensusChoice, make_consensus
from consilience.answer._words import SCALING_WORDS, headline, strength

__all__ = ["SCALING_WORDS", "ConsensusChoice", "headline", "make_consensus", "strength"]
