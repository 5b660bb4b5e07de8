"""One sentence for every bad parameter."""

import numpy as np
import pytest

from consilience._utils._declare import (
    Choice,
    Flag,
    Integer,
    Optional,
    Real,
    Seed,
    Share,
    check_parameters,
)
from consilience.exceptions import InvalidParameterError

ACCEPTED = [
    (Integer(1), [1, 7, np.int64(3)]),
    (Real(0), [0, 0.0, 2, np.float32(1.5)]),
    (Choice("a", "b"), ["a", "b"]),
    (Flag(), [True, False, np.True_]),
    (Seed(), [None, 0, np.int32(4), np.random.RandomState(0), np.random.default_rng(0)]),
    (Optional(Integer(1)), [None, 1]),
]
REFUSED = [
    (Integer(1), [0, -1, 1.0, "1", None, True, np.nan], "an integer of at least 1"),
    (Real(0), [-1, np.nan, np.inf, "0", True], "a finite number of at least 0"),
    (Choice("a", "b"), ["c", None, 1], "one of 'a', 'b'"),
    (Flag(), [0, 1, "yes", None], "True or False"),
    (Seed(), [-1, 1.5, "x"], "None, an integer of at least 0, or a NumPy random generator"),
    (Optional(Integer(1)), [0, "x"], "None or an integer of at least 1"),
]


@pytest.mark.parametrize(
    ("declaration", "values"), ACCEPTED, ids=lambda value: type(value).__name__
)
def test_accepted(declaration, values):
    for value in values:
        check_parameters("X", {"p": declaration}, {"p": value})


@pytest.mark.parametrize(
    ("declaration", "values", "words"), REFUSED, ids=lambda value: type(value).__name__
)
def test_refused(declaration, values, words):
    for value in values:
        with pytest.raises(InvalidParameterError) as caught:
            check_parameters("IPC", {"n_init": declaration}, {"n_init": value})
        kind = type(value).__name__
        assert str(caught.value) == f"IPC: n_init must be {words}; got {value!r} ({kind})."


def test_shares():
    for value in (0.5, 1, 1.0, np.float32(0.25)):
        assert Share().accepts(value)
    for value in (0, -0.5, 1.5, np.nan, np.inf, True, "0.5", None):
        assert not Share().accepts(value)
    assert Share(proper=True).accepts(0.5)
    assert not Share(proper=True).accepts(1.0)
    assert str(Share()) == "a number above 0 and at most 1"
    assert str(Share(proper=True)) == "a number above 0 and below 1"
