"""Fitted state of an estimator, which ends with an underscore as in scikit-learn."""

from typing import Any


def forget_fit(estimator: Any) -> None:
    """Delete every fitted attribute, so that no attribute of an earlier fit remains."""
    for name in [name for name in vars(estimator) if name.endswith("_")]:
        delattr(estimator, name)
