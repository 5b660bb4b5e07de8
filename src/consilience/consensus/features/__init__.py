"""Features: base clusters become numbers, so that objects become points."""

from consilience.consensus.features._labelling import Labelling

__all__ = ["Labelling"]
