"""The one gate: everything an ensemble can be made of, and everything it refuses."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from consilience import Ensemble
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from oracles.strategies import examples

# Two members in every disguise that labels wear; None = missing.
NUMBERS = {"a": [7, 3, 7, None, 0, 3], "b": [None, 1, 1, 4, 2, 4]}
TEXT = {name: [None if v is None else f"c{v}" for v in column] for name, column in NUMBERS.items()}
CODES = [[1, 0], [2, 1], [1, 1], [0, 2], [3, 3], [2, 2]]


def rows(columns, missing, dtype):
    filled = [[missing if value is None else value for value in c] for c in columns.values()]
    return np.array(filled, dtype=dtype).T


def arrow_dictionaries(columns):
    return pa.table({name: pa.array(c).dictionary_encode() for name, c in columns.items()})


DISGUISES = {
    "numpy int": lambda: rows(NUMBERS, -1, int),
    "numpy float": lambda: rows(NUMBERS, np.nan, float),
    "numpy objects": lambda: rows(NUMBERS, None, object),
    "numpy objects with NaN": lambda: rows(NUMBERS, np.nan, object),
    "numpy objects with NA": lambda: rows(NUMBERS, pd.NA, object),
    "numpy text with None": lambda: rows(TEXT, None, object),
    "numpy text with NaN": lambda: rows(TEXT, np.nan, object),
    "numpy text with NA": lambda: rows(TEXT, pd.NA, object),
    "lists of numbers": lambda: list(NUMBERS.values()),
    "tuples of text": lambda: tuple(tuple(column) for column in TEXT.values()),
    "list of arrays": lambda: list(rows(NUMBERS, -1, np.int16).T),
    "list of series": lambda: [pd.Series(TEXT["a"]), pl.Series(TEXT["b"])],
    "list of arrow arrays": lambda: [pa.array(NUMBERS["a"]), pa.chunked_array([TEXT["b"]])],
    "pandas category": lambda: pd.DataFrame(TEXT).astype("category"),
    "pandas category of ints": lambda: pd.DataFrame(NUMBERS, dtype="Int64").astype("category"),
    "pandas nullable Int64": lambda: pd.DataFrame(NUMBERS, dtype="Int64"),
    "pandas float": lambda: pd.DataFrame(NUMBERS, dtype=float),
    "pandas str": lambda: pd.DataFrame(TEXT, dtype="str"),
    "pandas object": lambda: pd.DataFrame(TEXT, dtype=object),
    "polars str": lambda: pl.DataFrame(TEXT),
    "polars Categorical": lambda: pl.DataFrame(TEXT, schema=dict.fromkeys(TEXT, pl.Categorical)),
    "polars null ints": lambda: pl.DataFrame(NUMBERS),
    "polars null floats": lambda: pl.DataFrame(NUMBERS, schema=dict.fromkeys(NUMBERS, pl.Float64)),
    "arrow ints": lambda: pa.table(NUMBERS),
    "arrow record batch": lambda: pa.record_batch(TEXT),
    "arrow dictionary": lambda: arrow_dictionaries(TEXT),
    "arrow dictionary of ints": lambda: arrow_dictionaries(NUMBERS),
}


def through_pickle(ensemble):
    return pickle.loads(pickle.dumps(ensemble))  # noqa: S301 - our own bytes


def label_matrices(highest=4):
    shape = st.tuples(st.integers(1, 12), st.integers(1, 4))
    cells = st.integers(-1, highest)
    return arrays(np.int64, shape, elements=cells).filter(lambda labels: (labels >= 0).any())


# --- what goes in ------------------------------------------------------------------------------------


@pytest.mark.parametrize("disguise", DISGUISES)
def test_same_content_gives_the_same_codes(disguise):
    e = Ensemble(DISGUISES[disguise]())
    assert e.codes.tolist() == CODES
    assert e.codes.dtype == np.uint8
    assert e.labels.tolist() == (np.array(CODES) - 1).tolist()
    assert e.n_clusters.tolist() == [3, 3]
    assert e.fingerprint == Ensemble(rows(NUMBERS, -1, int)).fingerprint


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u2"])
def test_every_integer_type_is_read(dtype):
    e = Ensemble(np.array([[100, 0], [5, 0], [100, 1]], dtype=dtype))
    assert e.labels.tolist() == [[0, 0], [1, 0], [0, 1]]
    assert [value.tolist() for value in e.values] == [[100, 5], [0, 1]]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "longdouble"])
def test_every_float_type_is_read(dtype):
    e = Ensemble(np.array([[100, np.nan], [-1, 0], [100, 1]], dtype=dtype))
    assert e.labels.tolist() == [[0, -1], [-1, 0], [0, 1]]
    assert e.values[0].tolist() == [100]


def test_booleans_are_two_clusters():
    matrix = np.array([[True, True], [False, True]])
    assert Ensemble(matrix).labels.tolist() == [[0, 0], [1, 0]]
    assert Ensemble(pl.DataFrame({"a": [True, None, False]})).labels[:, 0].tolist() == [0, -1, 1]


def test_fixed_width_text_and_bytes_are_read():
    text = np.array([["x", "y"], ["y", "y"], ["", "x"]])
    for given_labels in (text, text.astype("S1"), list(text.T), list(text.astype("S1").T)):
        e = Ensemble(given_labels)
        assert e.labels.tolist() == [[0, 0], [1, 0], [2, 1]]
        assert e.values[0].tolist() == ["x", "y", ""]


def test_masked_cells_of_a_masked_array_are_missing():
    masked = np.ma.array([[0], [1], [2]], mask=[[False], [True], [False]])
    assert Ensemble(masked).labels.tolist() == [[0], [-1], [1]]


def test_memory_order_and_strides_do_not_matter():
    wide = np.array([[3, 9, 1, 9], [1, 9, 1, 9], [3, 9, 0, 9]])
    expected = Ensemble([[3, 1, 3], [1, 1, 0]]).codes.tolist()
    assert Ensemble(wide[:, ::2]).codes.tolist() == expected
    assert Ensemble(np.asfortranarray(wide[:, ::2])).codes.tolist() == expected
    assert Ensemble(memoryview(wide[:, ::2].copy())).codes.tolist() == expected
    assert Ensemble(wide[:, ::2]).codes.flags.c_contiguous


def test_text_that_looks_like_a_code_is_only_text():
    assert Ensemble([["-1", "nan", "None", "-1"]]).labels[:, 0].tolist() == [0, 1, 2, 0]


def test_object_members_may_be_of_different_kinds():
    table = np.array([[1, "p", 2.0], [None, "q", 3], [2, "p", np.nan]], dtype=object)
    assert Ensemble(table).labels.tolist() == [[0, 0, 0], [-1, 1, 1], [1, 0, -1]]


@given(label_matrices())
@examples(100)
def test_labels_are_canonical_and_values_lead_back(labels):
    e = Ensemble(labels)
    for j in range(labels.shape[1]):
        known = labels[:, j] >= 0
        assert np.array_equal(e.labels[:, j] >= 0, known)
        appearance = list(dict.fromkeys(e.labels[known, j].tolist()))
        assert appearance == list(range(e.n_clusters[j]))
        assert np.array_equal(e.values[j][e.labels[known, j]], labels[known, j])
    assert np.array_equal(e.codes, e.labels + 1)
    assert np.array_equal(e.n_observed, (labels >= 0).sum(axis=0))
    assert e.has_missing == bool((labels < 0).any())


@given(label_matrices(), st.randoms(use_true_random=False))
@examples(100)
def test_renaming_labels_changes_nothing(labels, random):
    renamed = []
    for column in labels.T.tolist():
        names = random.sample(range(10**6), 5)
        if random.random() < 0.5:
            names = [f"group {name}" for name in names]
        renamed.append([None if label < 0 else names[label] for label in column])
    assert np.array_equal(Ensemble(renamed).codes, Ensemble(labels).codes)
    assert Ensemble(renamed).fingerprint == Ensemble(labels).fingerprint


@given(label_matrices(highest=3))
@examples(50)
def test_widely_spread_labels_are_like_small_ones(labels):
    spread = np.where(labels < 0, -1, labels * 10**12 + 17)
    e = Ensemble(spread)
    assert np.array_equal(e.codes, Ensemble(labels).codes)
    assert e.codes.dtype == np.uint8
    for given_values, small in zip(e.values, Ensemble(labels).values, strict=True):
        assert given_values.tolist() == [10**12 * value + 17 for value in small.tolist()]


@pytest.mark.parametrize(
    ("n_clusters", "dtype"), [(1, "u1"), (255, "u1"), (256, "u2"), (65535, "u2"), (65536, "u4")]
)
@pytest.mark.parametrize("step", [1, 10**9])
def test_codes_have_the_smallest_unsigned_type(n_clusters, dtype, step):
    e = Ensemble(np.arange(n_clusters)[:, None] * step)
    assert e.codes.dtype == dtype
    assert np.array_equal(e.labels[:, 0], np.arange(n_clusters))


def test_one_large_member_decides_the_type_of_all():
    many = [f"c{k}" for k in range(256)]
    assert Ensemble([[0] * 256, many]).codes.dtype == np.uint16
    assert Ensemble([[0] * 256, [*many[:255], "c0"]]).codes.dtype == np.uint8


def test_labels_up_to_the_largest_integer_are_read():
    highest = np.iinfo(np.int64).max
    e = Ensemble(np.array([[highest] * 3, [0] * 3, [highest] * 3]))
    assert e.labels.tolist() == [[0, 0, 0], [1, 1, 1], [0, 0, 0]]
    assert e.values[0].tolist() == [highest, 0]


def test_many_rows_are_read_across_blocks():
    labels = np.random.default_rng(0).integers(-1, 9, size=(10_000, 3))
    labels[:, 2] = np.where(np.arange(10_000) < 9_000, -1, labels[:, 2])
    e = Ensemble(labels)
    assert np.array_equal(e.codes, Ensemble(labels.astype(object)).codes)
    assert e.n_observed.tolist() == (labels >= 0).sum(axis=0).tolist()


# --- what it says ------------------------------------------------------------------------------------


def test_a_member_that_knows_nothing_has_no_clusters():
    e = Ensemble([[0, 1, 1], [-1, -1, -1], [None, None, None]])
    assert e.n_clusters.tolist() == [2, 0, 0]
    assert e.n_base_clusters == 2
    assert e.n_observed.tolist() == [3, 0, 0]
    assert e.labels[:, 1].tolist() == [-1, -1, -1]


def test_sizes_and_text():
    e = Ensemble([[0, 0, 1, 2], ["a", "a", "b", None]])
    assert (e.n_samples, len(e), e.n_members, e.n_base_clusters) == (4, 4, 2, 5)
    assert not e.is_soft
    assert repr(e) == "Ensemble(4 objects, 2 members, 5 base clusters, 12.5 % missing)"
    assert repr(Ensemble([[0, 1]])) == "Ensemble(2 objects, 1 member, 2 base clusters)"


def test_names_come_from_the_caller_or_the_frame_or_are_numbered():
    assert Ensemble([[0], [1]]).names == ("member_0", "member_1")
    assert Ensemble([[0], [1]], names=["north", 2]).names == ("north", "2")
    assert Ensemble(pl.DataFrame({"x": [0], "y": [1]}), names=["u", "v"]).names == ("u", "v")
    e = Ensemble(pd.DataFrame(np.array([[4, 5], [6, 5], [4, 7]])))
    assert e.names == ("0", "1")
    assert e.labels.tolist() == [[0, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize("factor", [1 / 3, 1e-12, 1e-300, 1e12, 1e300])
def test_only_ratios_of_weights_matter(factor):
    weights = np.array([1.0, 2.5, 0.0, 0.3])
    labels = [[0, 1]] * 4
    e = Ensemble(labels, weights=factor * weights)
    assert e.weights.tolist() == Ensemble(labels, weights=weights).weights.tolist()
    assert e.weights[[0, 1, 3]].mean() == pytest.approx(1)
    np.testing.assert_allclose(e.weights / e.weights[0], weights, rtol=1e-10)
    assert e.weights[2] == 0


@pytest.mark.parametrize("size", [0.1, 1e-320, 1e308])
def test_equal_weights_are_one(size):
    e = Ensemble([[0, 1]] * 3, weights=[size, 0, size])
    assert e.weights.tolist() == [1, 0, 1]
    assert e.given_weights.tolist() == [size, 0, size]


def test_a_tiny_weight_stays_positive():
    weights = Ensemble([[0, 1]] * 2, weights=[1, 1e-320]).weights
    assert 0 < weights[1] < 1e-14 < weights[0]


def test_members_are_appended_by_the_weights_as_given():
    e = Ensemble([[0, 1]], weights=[2]).append([[0, 1]], weights=[1])
    np.testing.assert_allclose(e.weights, [4 / 3, 2 / 3])


@pytest.mark.parametrize(
    "ids",
    [
        ["u", "v"],
        np.array(["u", "v"]),
        pd.Series(["u", "v"], index=[7, 3]),
        pd.Index(["u", "v"]),
        pd.Categorical(["u", "v"]),
        pl.Series(["u", "v"]),
        pa.array(["u", "v"]),
    ],
    ids=lambda ids: f"{type(ids).__module__}.{type(ids).__name__}",
)
def test_text_ids_of_every_kind(ids):
    assert Ensemble([[0, 1]], ids=ids).ids.tolist() == ["u", "v"]


@pytest.mark.parametrize("ids", [[-1, -5], range(2), np.array([9, 3], "u1"), [2.0, 1.0]])
def test_integer_ids_may_be_anything(ids):
    assert Ensemble([[0, 1]], ids=ids).ids.tolist() == list(ids)


def test_fingerprint_changes_with_labels_and_weights_only():
    e = Ensemble([[0, 0, 1], [0, 1, 1]])
    renamed = Ensemble([["b", "b", "a"], [9, 3, 3]], names=["p", "q"], ids=[5, 6, 7])
    assert renamed.fingerprint == e.fingerprint
    others = [
        Ensemble([[0, 0, 1], [0, 1, 1]], weights=[1, 2]),
        Ensemble([[0, 0, 1], [0, 1, 0]]),
        Ensemble([[0, 0, 1], [0, 1, -1]]),
        Ensemble([[0, 1, 1], [0, 0, 1]]),
        Ensemble([[0, 0, 1], [0, 1, 1], [0, 0, 0]]),
        Ensemble([[0, 0, 1, 1], [0, 1, 1, 1]]),
    ]
    assert len({e.fingerprint, *(other.fingerprint for other in others)}) == 7


def test_own_noise_becomes_clusters_of_one():
    e = Ensemble([[5, -1, 5, -1], ["x", None, "y", "x"]], noise="own")
    assert e.labels.tolist() == [[0, 0], [1, 1], [0, 2], [2, 0]]
    assert not e.has_missing
    assert e.values[0][0] == 5
    assert [len(set(value.tolist())) for value in e.values] == [3, 3]


@pytest.mark.parametrize("dtype", [pa.uint8(), pa.int8(), pa.uint16(), pa.int64(), pa.bool_()])
def test_own_noise_works_for_every_column_type(dtype):
    highest = {pa.uint8(): 255, pa.int8(): 127, pa.uint16(): 65535}.get(dtype, 1)
    highest = True if dtype == pa.bool_() else highest
    frame = pa.table({"a": pa.array([highest, None, highest, None], dtype)})
    e = Ensemble(frame, noise="own")
    assert e.labels[:, 0].tolist() == [0, 1, 0, 2]
    assert len(set(e.values[0].tolist())) == 3


def test_own_noise_takes_names_that_are_free():
    taken = Ensemble([["x", None]], noise="own").values[0][1]
    assert len(set(Ensemble([[taken, None]], noise="own").values[0].tolist())) == 2


def test_of_passes_an_ensemble_through():
    e = Ensemble([[0, 1]])
    assert Ensemble.from_labels(e) is e
    assert Ensemble.from_labels([[0, 1]]).fingerprint == e.fingerprint


# --- nothing changes afterwards ----------------------------------------------------------------------


def test_attributes_cannot_be_set_or_deleted():
    e = Ensemble([[0, 1]])
    for name in ("weights", "labels", "anything"):
        with pytest.raises(AttributeError, match=f"does not change; '{name}' cannot be set"):
            setattr(e, name, None)
    with pytest.raises(AttributeError, match="does not change"):
        del e.given_weights
    assert e.given_weights.tolist() == [1.0]


def test_arrays_are_read_only():
    e = Ensemble([[0, 1], ["a", None]], ids=["u", "v"]).with_sample_weight([1, 2])
    for name in ("codes", "labels", "weights", "ids", "sample_weight", "n_clusters", "n_observed"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(e, name)[0] = 0


def test_values_and_memberships_are_read_only():
    e = Ensemble([[0, 1], ["a", None]])
    soft = Ensemble.from_memberships([[[0.5, 0.5], [0.0, 1.0]]])
    for array in (*e.values, *soft.values, soft.memberships, soft.labels):
        assert not array.flags.writeable


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, through_pickle])
def test_copies_are_equal_and_do_not_change_either(duplicate):
    e = Ensemble([[0, 1], ["a", None]], weights=[1, 3], ids=["u", "v"])
    other = duplicate(e)
    assert other.fingerprint == e.fingerprint
    assert other.ids.tolist() == ["u", "v"]
    for array in (other.codes, other.given_weights, other.ids, *other.values):
        assert not array.flags.writeable


@pytest.mark.parametrize("dtype", ["i8", "u1", "f8", "f4", "U3", "O"])
@pytest.mark.parametrize("as_list", [False, True])
def test_the_callers_arrays_stay_his_own(dtype, as_list):
    labels = np.array([[0, 1], [1, 1], [2, 0]]).astype(dtype)
    weights, ids = np.array([1.0, 2.0]), np.array([4, 5, 6])
    parts = [labels, weights, ids]
    before = [part.copy() for part in parts]
    e = Ensemble(list(labels.T) if as_list else labels, weights=weights, ids=ids)
    fingerprint, known_ids = e.fingerprint, e.ids.tolist()
    for part, old in zip(parts, before, strict=True):
        assert part.flags.writeable
        assert np.array_equal(part, old)
        part[...] = part[0]
    assert e.ids.tolist() == known_ids
    assert e.given_weights.tolist() == [1.0, 2.0]
    assert e.labels.tolist() == [[0, 0], [1, 0], [2, 1]]
    assert e.fingerprint == fingerprint


def test_the_callers_frames_stay_his_own():
    frame = pd.DataFrame({"a": np.array([3, 1, 3], dtype="u1"), "b": ["x", "y", "x"]})
    before = frame.copy(deep=True)
    e = Ensemble(frame)
    pd.testing.assert_frame_equal(frame, before)
    frame.loc[:, "a"] = 0
    assert e.values[0].tolist() == [3, 1]


def test_whole_numbers_as_floats_are_exact_below_two_to_the_power_of_53():
    largest = 2**53 - 1
    e = Ensemble(np.array([[107.0], [largest], [np.nan], [0]]))
    assert e.values[0].tolist() == [107, largest, 0]
    with pytest.raises(InvalidLabelsError, match=WHOLE):
        Ensemble(np.array([[float(2**53)], [0]]))


# --- what it refuses ---------------------------------------------------------------------------------

WHOLE = "labels must be whole numbers, text, or missing"
NEGATIVE = r"labels are 0, 1, 2, \.\.\., or -1 for missing"


def objects(*cells):
    vector = np.empty(len(cells), dtype=object)
    vector[:] = cells
    return vector


FRACTION = rf"Label 0\.5 of object 1 in member 1: {WHOLE}"
BAD_LABELS = {
    "fraction": (np.array([[0.0, 1.0], [0.0, 0.5]]), FRACTION),
    "fraction in a list": ([[0, 1], [0, 0.5]], FRACTION),
    "fraction in a list of arrays": ([np.array([0.0, 1.0]), np.array([0.0, 0.5])], FRACTION),
    "fraction in objects": (np.array([[0, 0], [0, 0.5]], dtype=object), FRACTION),
    "fraction in a frame": (pd.DataFrame({"a": [0, 0.5]}), r"0\.5 of object 1 in column 'a'"),
    "infinity": (np.array([[np.inf]]), f"Label inf of object 0 in member 0: {WHOLE}"),
    "infinity in a list": ([[0, -np.inf]], f"Label -inf of object 1 in member 0: {WHOLE}"),
    "float beyond precision": (np.array([[1e300]]), r"Label 1e\+300 of object 0 in member 0"),
    "late fraction": (np.r_[np.zeros(5_000), 0.5][:, None], r"Label 0\.5 of object 5000"),
    "negative": (np.array([[0, 1], [-2, 1]]), f"Label -2 of object 1 in member 0: {NEGATIVE}"),
    "negative float": (np.array([[0, -3.0]]), f"Label -3 of object 0 in member 1: {NEGATIVE}"),
    "negative in a list": ([[0, 1], [0, -9]], f"Label -9 of object 1 in member 1: {NEGATIVE}"),
    "negative in a frame": (pl.DataFrame({"a": [0, -2]}), "Label -2 of object 1 in column 'a'"),
    "late negative": (np.r_[np.zeros(5_000, int), -2][:, None], "Label -2 of object 5000"),
    "too large": (np.array([[2**63]], dtype=np.uint64), f"Label {2**63} .*signed 64-bit integer"),
    "too large in a list": ([[1, 2**63]], "64-bit integer"),
    "too large in objects": (np.array([[2**70]], dtype=object), "64-bit integer"),
    "too large in arrow": (pa.table({"a": pa.array([2**63], pa.uint64())}), "64-bit integer"),
    "ragged": ([[0, 1], [0, 1], [0]], "member 0 has 2 labels, member 2 has 1. Use -1"),
    "empty list": ([], "An empty list holds no members"),
    "empty vectors": ([[], []], "label vectors are empty; at least one object"),
    "no members": (np.empty((3, 0), int), r"0 feature\(s\) \(shape=\(3, 0\)\) .* minimum of 1"),
    "no objects": (np.empty((0, 3), int), r"0 sample\(s\) \(shape=\(0, 3\)\) .* minimum of 1"),
    "frame without columns": (pd.DataFrame(), r"shape \(0, 0\) holds no labels"),
    "frame without rows": (pl.DataFrame({"a": []}), r"shape \(0, 1\) holds no labels"),
    "1-D": (np.array([0, 1]), r"Expected 2D array, objects x members; .* shape \(2,\)\. Reshape"),
    "3-D": (np.zeros((2, 3, 2), int), r"Expected 2D array, objects x members"),
    "one series": (pd.Series([0, 1]), r"Expected 2D array.*pass a list of label vectors"),
    "None": (None, r"Expected 2D array, objects x members"),
    "2-D in a list": (
        [np.zeros((2, 3), int)],
        r"member 0 must be one label per object; .*\(2, 3\)",
    ),
    "numbers in a list": ([0, 1, 1], "A list must hold label vectors, .*; entry 0 is 0"),
    "words in a list": (["ab", "cd"], "A list must hold label vectors, .*; entry 0 is 'ab'"),
    "None in a list": ([[0, 1], None], "A list must hold label vectors, .*; entry 1 is None"),
    "complex": (np.array([[1j]]), "Complex data not supported"),
    "complex in a list": ([np.array([1j])], "(?i)complex"),
    "structured": (np.zeros((2, 2), [("a", int)]), r"type \[\('a', .*whole numbers or text"),
    "structured in a list": ([np.zeros(2, [("a", int)])], "member 0 .* whole numbers or text"),
    "dates": (np.zeros((2, 2), "M8[s]"), r"type datetime64\[s\]"),
    "dates in a list": ([np.zeros(2, "M8[s]")], r"member 0 are of type datetime64\[s\]"),
    "dates in a frame": (pa.table({"a": pa.array([1], pa.date32())}), "'a' are of type date32"),
    "raw memory": (np.zeros((2, 2), "V4"), "a member holds whole numbers or text"),
    "undecodable bytes": (np.array([[b"\xff"]]), "text"),
    "lists in cells": (objects([1], [2])[:, None], "member 0 are of type list"),
    "lists in an arrow column": (pa.table({"a": [[1], [2]]}), "column 'a' are of type list"),
    "dictionaries": ([objects({"a": 1}, None)], "member 0 are of type struct"),
    "anything else": ([[0, 1], objects(object(), None)], "member 1 are of mixed or unknown kinds"),
    "numbers and text": ([objects(0, "a")], "member 0 are of mixed or unknown kinds"),
    "text and numbers": ([["a", 0]], "member 0 are of mixed or unknown kinds"),
    "text and numbers in pandas": (pd.DataFrame({"a": objects("x", 1)}), "column 'a' .*kinds"),
    "all missing": (np.array([[-1, -1]]), "Every label is missing"),
    "all missing in a list": ([[None, None], [np.nan, -1]], "Every label is missing"),
    "all missing in a frame": (pl.DataFrame({"a": [None, None]}), "Every label is missing"),
}


@pytest.mark.parametrize("case", BAD_LABELS)
def test_bad_labels_are_refused(case):
    labels, message = BAD_LABELS[case]
    with pytest.raises(InvalidLabelsError, match=message):
        Ensemble(labels)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sparse.csr_array(np.eye(3)), "sparse matrix .* 0 is a label; pass a dense"),
        (lambda: pl.LazyFrame({"a": [0]}), r"LazyFrame is lazy; call collect\(\)"),
        (lambda: Ensemble([[0, 1]]), "This is an Ensemble already; use select, append"),
        (lambda: pd.DataFrame(np.eye(2, dtype=int), columns=["a", "a"]), "'a' 2 times"),
    ],
    ids=["sparse matrix", "lazy frame", "an ensemble", "columns of one name"],
)
def test_other_objects_are_refused(make, message):
    with pytest.raises(InvalidInputError, match=message):
        Ensemble(make())


NEEDED = "weights must be 2 numbers, one per member"


@pytest.mark.parametrize(
    ("part", "given", "message"),
    [
        ("weights", [1, -0.5], r"weights\[1\] is -0\.5; .* finite and not negative"),
        ("weights", [np.nan, 1], r"weights\[0\] is nan"),
        ("weights", [1, np.inf], r"weights\[1\] is inf"),
        ("weights", [0, 0.0], "weights are all zero"),
        ("weights", [1, 2, 3], rf"{NEEDED}; got .* shape \(3,\)"),
        ("weights", 1.0, rf"{NEEDED}; got .* shape \(\)"),
        ("weights", ["a", "b"], f"{NEEDED}; got an array of type <U1"),
        ("weights", [1j, 1], f"{NEEDED}; got an array of type complex128"),
        ("weights", [[1], [1, 2]], NEEDED),
        ("names", ["a", "a"], "names must be distinct; 'a' occurs twice"),
        ("names", [1, "1"], "names must be distinct; '1' occurs twice"),
        ("names", ["a"], "names must hold 2 entries, one per member; got 1"),
        ("names", ["a", "b", "c"], "names must hold 2 entries, one per member; got 3"),
        ("names", "ab", "names must be a list of 2 names"),
        ("ids", ["a", "b", "a"], "ids must be distinct; 'a' occurs again at row 2"),
        ("ids", [7, 7, 8], "ids must be distinct; 7 occurs again at row 1"),
        ("ids", ["a", None, "b"], "ids has no value at row 1"),
        ("ids", [0.0, 1.0, np.nan], "ids has no value at row 2"),
        ("ids", ["a", "b"], "ids must hold 3 entries, one per object; got 2"),
        ("ids", "abc", "ids must be a list of 3 ids"),
        ("ids", [0.5, 1, 2], r"ids must be whole numbers or text; got 0\.5"),
        ("ids", ["a", 1, 2], "ids are of mixed or unknown kinds"),
        ("ids", np.zeros((3, 2), int), "ids .*1-dimensional"),
    ],
)
def test_bad_weights_names_and_ids_are_refused(part, given, message):
    with pytest.raises(InvalidInputError, match=message):
        Ensemble([[0, 1, 1], [0, 0, 1]], **{part: given})


@pytest.mark.parametrize("noise", ["Missing", None, -1])
def test_unknown_noise_policy_is_refused(noise):
    with pytest.raises(InvalidInputError, match=f"noise must be 'missing' or 'own'; got {noise!r}"):
        Ensemble([[0, 1]], noise=noise)


def test_a_hard_ensemble_has_no_memberships():
    with pytest.raises(InvalidInputError, match="has labels, not memberships"):
        _ = Ensemble([[0, 1]]).memberships
