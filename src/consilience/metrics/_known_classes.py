"""Agreement with known classes, as a criterion."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from consilience.ensemble import as_label_vector
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.metrics._accuracy import accuracy
from consilience.metrics._ari import ari
from consilience.metrics._nmi import nmi
from consilience.metrics._purity import purity
from consilience.metrics._rand_distance import rand_distance

Score = Callable[[Any, Any], float]


def _rand_index(labels: Any, truth: Any) -> float:
    return 1 - rand_distance(labels, truth)


_SCORES: Mapping[str, Score] = {
    "nmi": nmi,
    "ari": ari,
    "accuracy": accuracy,
    "purity": purity,
    "rand": _rand_index,
}


class KnownClasses:
    """A criterion that compares labels with known classes; larger is better.

    For studies of methods, such as that of [nguyen2007]_, where results are chosen "with respect to the
    evaluation criteria": ``BEST(criterion=KnownClasses(y))`` is the member that is best in truth. A
    function that used classes says so: `uses_classes_` is True, `doubts_` has an entry, and
    `provenance_` shows this object. Its agreement with the same classes is not a result without them.

    Parameters
    ----------
    truth : vector of n labels
        The class of every object; objects without a class are left out.
    score : {"nmi", "ari", "accuracy", "purity", "rand"} or callable, default "nmi"
        How labels are compared with the classes: a metric of this module ("rand" is one minus
        `rand_distance`), or a function of labels and classes for which larger is better.

    See Also
    --------
    anmi, confidence, consensus_rand : Criteria that need no classes.

    Examples
    --------
    >>> from consilience.consensus import BEST
    >>> from consilience.metrics import KnownClasses
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> best = BEST(criterion=KnownClasses([0, 0, 1, 1, 1])).fit(members)
    >>> best.member_, best.objective_, best.uses_classes_
    ('member_2', 1.0, True)
    """

    # Marks a criterion that uses known classes.
    uses_classes: ClassVar[bool] = True

    def __init__(self, truth: Any, score: str | Score = "nmi") -> None:
        if not callable(score) and score not in _SCORES:
            names = ", ".join(repr(name) for name in _SCORES)
            raise InvalidParameterError(
                f"KnownClasses: score must be one of {names}, or a function of labels and classes; got "
                f"{score!r}."
            )
        self.truth = truth
        self.score = score
        self._classes = as_label_vector(truth)

    def __call__(self, labels: Any, ensemble: Any = None) -> float:  # noqa: ARG002
        """Return the agreement of labels with the classes.

        Parameters
        ----------
        labels : vector of n labels
            One for each object that `truth` has.
        ensemble : ignored
            For the interface of criteria.
        """
        n_classified, n_labels = len(self._classes.codes), len(np.asarray(labels))
        if n_classified != n_labels:
            raise InvalidInputError(
                f"KnownClasses: truth must have a class for each of the {n_labels} objects, in their "
                f"order; got {n_classified} classes."
            )
        score = self.score if callable(self.score) else _SCORES[self.score]
        return float(score(labels, self.truth))

    def __repr__(self) -> str:
        known = self._classes.codes[:, 0]
        score = self.score if isinstance(self.score, str) else getattr(self.score, "__name__", "")
        return (
            f"KnownClasses({len(known)} objects, {len(np.unique(known[known > 0]))} classes, "
            f"score={score!r})"
        )
