"""Every error and warning of the library, and the function that warns."""

import sys
import warnings
from pathlib import Path

_PACKAGE = str(Path(__file__).parent)


class ConsilienceError(Exception):
    """Base class of all errors of the library."""


class InvalidInputError(ConsilienceError, ValueError):
    """The input cannot be used; the message says what is allowed."""


class InvalidLabelsError(InvalidInputError):
    """A label matrix, label vector or membership matrix is not valid."""


class AmbiguousColumnError(InvalidInputError):
    """Several columns of a file could be meant, or none, and the user has to name one."""


class WrongTypeError(InvalidInputError, TypeError):
    """Cells or names of columns are of a type that cannot be used."""


class InvalidParameterError(InvalidInputError):
    """A constructor parameter is outside its declared range."""


class UnsupportedInputError(InvalidInputError):
    """The input is legal, but this method cannot use it; the message names methods that can."""


class MemoryLimitError(ConsilienceError, MemoryError):
    """The next step would need more memory than `consilience.set_config` allows."""


class MissingExtraError(ConsilienceError, ImportError):
    """An optional package is not installed; the message says how to get it."""


class BrokenExtensionError(ConsilienceError, ImportError):
    """A consensus function or generator of another package cannot be used; the message says why."""


class ConsilienceWarning(UserWarning):
    """Base class of all warnings of the library."""


class FewerClustersWarning(ConsilienceWarning):
    """Fewer clusters were found than requested."""


class NoDiversityWarning(ConsilienceWarning):
    """The members are nearly the same clustering, so a consensus adds nothing."""


class NoSignalWarning(ConsilienceWarning):
    """The members agree no better than by chance, so a consensus has no meaning."""


class WorseThanMemberWarning(ConsilienceWarning):
    """A single member agrees with the others better than the consensus does."""


class UnlabelledObjectsWarning(ConsilienceWarning):
    """Some objects are labelled by no member, so nothing is known about them."""


class LittleOverlapWarning(ConsilienceWarning):
    """Tables that were joined by id have less than half of the objects of the smaller one in common."""


class MatchedIdsWarning(ConsilienceWarning):
    """Ids that are written differently (7, 7.0, 007) were matched as the same number."""


class UnseenLabelsWarning(ConsilienceWarning):
    """New rows carry labels that did not occur when the model was fitted."""


class UncertainNumberWarning(ConsilienceWarning):
    """The number of clusters is a guess, or a second sample of the objects gave another one."""


class EdgeOfRangeWarning(ConsilienceWarning):
    """The number of clusters is the largest that was tried."""


class CollapsedWeightsWarning(ConsilienceWarning):
    """Learned member weights ended on a single member."""


class UnequalClustersWarning(ConsilienceWarning):
    """Parts of equal size were requested, but the clusters seem to be of unequal size."""


class BrokenConstraintsWarning(ConsilienceWarning):
    """Objects that must be together are apart, or objects that must be apart are together."""


class NotConvergedWarning(ConsilienceWarning):
    """An iteration stopped at its limit."""


class BrokenExtensionWarning(ConsilienceWarning):
    """A consensus function or generator of another package is left out, because it cannot be used."""


def warn(message: str, category: type[ConsilienceWarning]) -> None:
    """Warn, with the first line outside this package as its origin."""
    level = 2  # 1 would be this function
    frame = sys._getframe(1)  # noqa: SLF001 - the documented way to look at the caller
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
