"""Number and names of columns, which are stored and checked by scikit-learn."""

from typing import Any

from sklearn.utils.validation import validate_data

from consilience.exceptions import InvalidInputError, WrongTypeError


def remember_columns(owner: Any, X: Any, *, reset: bool) -> None:
    """Let scikit-learn store the columns of a table on `owner`, or compare them with those stored."""
    try:
        validate_data(owner, X, reset=reset, skip_check_array=True)
    except TypeError as error:
        raise WrongTypeError(" ".join(str(error).split())) from None
    except ValueError as error:
        raise InvalidInputError(str(error)) from None
