"""What can come of an example, and small random choices."""

from typing import Any

import numpy as np

from consilience.exceptions import ConsilienceError

Rng = np.random.Generator
READ, REFUSED, FAILED = "read", "refused", "failed"


class WrongError(AssertionError):
    """Something was read, but it is not what was written."""


def require(condition: Any, what: str) -> None:
    if not condition:
        raise WrongError(what)


def pick(rng: Rng, choices: Any) -> Any:
    return choices[int(rng.integers(len(choices)))]


def size(rng: Rng, most: int) -> int:
    """Return a number from 1 to `most`, rarely 0."""
    return 0 if rng.random() < 0.03 else int(rng.integers(1, most + 1))


def several(*steps: Any) -> str:
    """Do all steps; they are read if one is, and every refusal must be one line."""
    outcome = REFUSED
    for step in steps:
        try:
            step()
        except ConsilienceError as error:
            # scikit-learn's sentences about shapes and names have several lines.
            known = "feature" in str(error) or "Reshape" in str(error) or "array" in str(error)
            require(known or "\n" not in str(error).strip(), f"several lines: {error}")
        else:
            outcome = READ
    return outcome
