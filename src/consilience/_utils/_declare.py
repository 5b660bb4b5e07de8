"""Declarations of parameters and their validation, with one form of error message."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from numbers import Integral as AnyInteger
from numbers import Real as AnyReal
from typing import Protocol

import numpy as np

from consilience.exceptions import InvalidParameterError

# Upper limit for the number of jobs.
_MOST_JOBS = 4096
# Characters of a value in a message.
_MOST_SHOWN = 100


class Declaration(Protocol):
    """The allowed values of a parameter."""

    def accepts(self, value: object) -> bool:
        """Whether the value is allowed."""
        ...

    def __str__(self) -> str:
        """Describe the allowed values, to follow the words 'must be'."""
        ...


def _is_number(value: object, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool | np.bool_)


@dataclass(frozen=True)
class Integer:
    """A whole number that is at least `low` and, if there is a limit, at most `high`."""

    low: int
    high: int | None = None

    def accepts(self, value: object) -> bool:
        """Booleans are not accepted as numbers."""
        if not _is_number(value, AnyInteger):
            return False
        number = int(value)  # type: ignore[call-overload]
        return number >= self.low and (self.high is None or number <= self.high)

    def __str__(self) -> str:
        if self.high is None:
            return f"an integer of at least {self.low}"
        return f"an integer from {self.low} to {self.high}"


@dataclass(frozen=True)
class Real:
    """A finite number that is at least `low` and, if there is a limit, at most `high`."""

    low: float
    high: float = np.inf

    def accepts(self, value: object) -> bool:
        """Booleans are not accepted as numbers."""
        if not _is_number(value, AnyReal):
            return False
        number = float(value)  # type: ignore[arg-type]
        return self.low <= number < np.inf and number <= self.high

    def __str__(self) -> str:
        if self.high < np.inf:
            return f"a number from {self.low:g} to {self.high:g}"
        return f"a finite number of at least {self.low:g}"


class Share:
    """A number above 0 and at most 1; below 1 if it is proper."""

    def __init__(self, *, proper: bool = False) -> None:
        self.proper = proper

    def accepts(self, value: object) -> bool:
        """Booleans are not accepted as numbers."""
        if not Real(0).accepts(value):
            return False
        number = float(value)  # type: ignore[arg-type]
        return 0 < number < 1 if self.proper else 0 < number <= 1

    def __str__(self) -> str:
        return f"a number above 0 and {'below' if self.proper else 'at most'} 1"


@dataclass(frozen=True)
class Integers:
    """A list, tuple, range or array of whole numbers that are at least `low`; not empty."""

    low: int

    def accepts(self, value: object) -> bool:
        """Iterators are not allowed, since they can be read only once."""
        if isinstance(value, range):  # checking both ends is sufficient, and it may be very long
            return len(value) > 0 and min(value[0], value[-1]) >= self.low
        return (
            isinstance(value, Collection)
            and not isinstance(value, str | bytes | Mapping)
            and len(value) > 0
            and all(Integer(self.low).accepts(one) for one in value)
        )

    def __str__(self) -> str:
        return f"a list or range of integers of at least {self.low}"


class Jobs:
    """A number of jobs as in joblib."""

    def accepts(self, value: object) -> bool:
        """Negative numbers count from the number of cores."""
        return Integer(1, _MOST_JOBS).accepts(value) or Integer(-_MOST_JOBS, -1).accepts(value)

    def __str__(self) -> str:
        return f"an integer from 1 to {_MOST_JOBS:,}, or from -{_MOST_JOBS:,} to -1"


class Choice:
    """One of a few words."""

    def __init__(self, *options: str) -> None:
        self.options = options

    def accepts(self, value: object) -> bool:
        """Only the exact words are accepted."""
        return isinstance(value, str) and value in self.options

    def __str__(self) -> str:
        return "one of " + ", ".join(repr(option) for option in self.options)


class WordOr:
    """One of some words, or what another declaration accepts."""

    def __init__(self, inner: Declaration, *words: str) -> None:
        self.inner = inner
        self.words = words

    def accepts(self, value: object) -> bool:
        """Numbers are not words."""
        return (isinstance(value, str) and value in self.words) or self.inner.accepts(value)

    def __str__(self) -> str:
        return f"{', '.join(map(repr, self.words))} or {self.inner}"


class Name:
    """Some text."""

    def accepts(self, value: object) -> bool:
        """Any text is accepted; whether the name exists is checked later."""
        return isinstance(value, str)

    def __str__(self) -> str:
        return "a name"


class Flag:
    """True or False."""

    def accepts(self, value: object) -> bool:
        """NumPy's booleans are accepted too."""
        return isinstance(value, bool | np.bool_)

    def __str__(self) -> str:
        return "True or False"


class Seed:
    """A random state as in scikit-learn."""

    def accepts(self, value: object) -> bool:
        """Integers of at least 0, generators of either NumPy interface, or None."""
        if value is None or isinstance(value, np.random.Generator | np.random.RandomState):
            return True
        return Integer(0).accepts(value)

    def __str__(self) -> str:
        return "None, an integer of at least 0, or a NumPy random generator"


class DataArray:
    """A NumPy array of numbers with two dimensions; its shape is compared with the objects later."""

    def accepts(self, value: object) -> bool:
        """Booleans are not accepted as numbers."""
        return isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind in "iuf"

    def __str__(self) -> str:
        return "an array (n_samples, n_features) of numbers"


class Optional:
    """None, or a value that another declaration accepts."""

    def __init__(self, inner: Declaration) -> None:
        self.inner = inner

    def accepts(self, value: object) -> bool:
        """None is always accepted."""
        return value is None or self.inner.accepts(value)

    def __str__(self) -> str:
        return f"None or {self.inner}"


def _shown(value: object) -> str:
    """Return a value as it is written, in one line of readable length."""
    text = repr(value)
    first = text.split("\n")[0]
    return text if len(text) <= _MOST_SHOWN and first == text else f"{first[:_MOST_SHOWN]}..."


def check_parameters(
    owner: str, declared: Mapping[str, Declaration], given: Mapping[str, object]
) -> None:
    """Raise an error for the first parameter that does not match its declaration."""
    for name, declaration in declared.items():
        value = given[name]
        if not declaration.accepts(value):
            raise InvalidParameterError(
                f"{owner}: {name} must be {declaration}; got {_shown(value)} ({type(value).__name__}).",
                parameter=name,
            )
