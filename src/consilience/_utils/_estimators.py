"""Columns and fitted attributes of an estimator, as in scikit-learn."""

from typing import Any

from sklearn.utils.validation import validate_data

from consilience.exceptions import InvalidInputError, WrongTypeError


def forget_fit(estimator: Any) -> None:
    """Delete every fitted attribute, so that no attribute of an earlier fit remains."""
    for name in [name for name in vars(estimator) if name.endswith("_")]:
        delattr(estimator, name)


def remember_columns(owner: Any, X: Any, *, reset: bool) -> None:
    """Let scikit-learn store the columns of a table on `owner`, or compare them with those stored."""
    try:
        validate_data(owner, X, reset=reset, skip_check_array=True)
    except TypeError as error:
        raise WrongTypeError(" ".join(str(error).split())) from None
    except ValueError as error:
        raise InvalidInputError(str(error)) from None
