"""Values that parameters of ConsensusTopics may have."""

from consilience._utils._declare import Integer


class NumberOfTopics:
    """A number, or how it is found."""

    def accepts(self, value: object) -> bool:
        """Say whether the value is allowed."""
        return (isinstance(value, str) and value in ("median", "auto")) or Integer(1).accepts(value)

    def __str__(self) -> str:
        return "'median', 'auto' or an integer of at least 1"


class Reducer:
    """A transformer."""

    def accepts(self, value: object) -> bool:
        """Say whether the value is allowed."""
        return all(hasattr(value, name) for name in ("fit_transform", "transform", "get_params"))

    def __str__(self) -> str:
        return "a transformer such as TruncatedSVD(5), with fit_transform and transform"
