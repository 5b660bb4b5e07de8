"""The number of clusters as people write it."""

from typing import Any

import click


class NumberOfClusters(click.ParamType):  # type: ignore[type-arg]
    """A number; a range such as 2:12; a list such as 2,4,8; or, where allowed, auto.

    A range becomes a pair, a list a list.
    """

    name = "K"

    def __init__(self, *, auto: bool = True, smallest: int = 1) -> None:
        self.auto = auto
        self.smallest = smallest

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return an int, a pair, a list or "auto"."""
        if not isinstance(value, str):
            return value
        text = value.strip()
        if self.auto and text == "auto":
            return text
        cut = next((mark for mark in ":," if mark in text), None)
        parts = [text] if cut is None else text.split(cut)
        if not all(part.strip().isascii() and part.strip().isdigit() for part in parts):
            self._refuse(value, param, ctx)
        numbers = [int(part) for part in parts]
        if cut == ":" and (len(numbers) != 2 or numbers[0] > numbers[1]):
            self._refuse(value, param, ctx)
        if min(numbers) < (self.smallest if cut is None else 2):
            self._refuse(value, param, ctx)
        if cut is None:
            return numbers[0]
        return (numbers[0], numbers[1]) if cut == ":" else numbers

    def _refuse(self, value: str, param: Any, ctx: Any) -> None:
        auto = ", or auto" if self.auto else ""
        self.fail(
            f"{value!r} is no number of clusters; give a number from {self.smallest}, a range such as "
            f"2:12, a list such as 2,4,8{auto}.",
            param,
            ctx,
        )
