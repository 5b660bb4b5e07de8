"""A share of the rows or columns."""

from consilience._utils._declare import Real


class Share:
    """A number above 0 and at most 1."""

    def accepts(self, value: object) -> bool:
        """Booleans are not numbers here."""
        return Real(0).accepts(value) and 0 < value <= 1  # type: ignore[operator]

    def __str__(self) -> str:
        return "a number above 0 and at most 1"
