"""Ensembles made from ensembles: fewer or more members, fewer or more objects, other weights."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from consilience import Ensemble
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from oracles.strategies import examples


@pytest.fixture
def hard():
    return Ensemble(
        [[0, 0, 1, -1], ["p", "q", "q", "p"], [4, 7, 9, 7]],
        names=["a", "b", "c"],
        weights=[1, 2, 3],
        ids=["t", "u", "v", "w"],
    )


@pytest.fixture
def soft():
    matrices = [[[1.0, 0.0], [0.5, 0.5], [0.0, 0.0]], [[0.2, 0.3, 0.5], [1, 0, 0], [0, 0, 1]]]
    return Ensemble.from_memberships(matrices, names=["a", "b"], weights=[1, 2], ids=[7, 8, 9])


def label_matrices(n_members):
    shape = st.tuples(st.integers(1, 10), st.just(n_members))
    cells = st.integers(-1, 4)
    return arrays(np.int64, shape, elements=cells).filter(lambda labels: (labels >= 0).any())


def given_labels(ensemble):
    """Return the rows under the labels that were given, None = missing."""
    known = [value.tolist() for value in ensemble.values]
    return [
        [None if label < 0 else names[label] for label, names in zip(row, known, strict=True)]
        for row in ensemble.labels.tolist()
    ]


# --- select ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "positions"),
    [
        ("b", [1]),
        (["c", "a"], [2, 0]),
        (("b", "c"), [1, 2]),
        (pd.Index(["c"]), [2]),
        (1, [1]),
        (-1, [2]),
        ([-3, -1], [0, 2]),
        (np.array([2, 1], dtype="u1"), [2, 1]),
        (range(2), [0, 1]),
        ([True, False, True], [0, 2]),
        (np.array([False, True, False]), [1]),
        (slice(1, None), [1, 2]),
        (slice(None, None, -1), [2, 1, 0]),
    ],
)
def test_select_by_name_position_mask_and_slice(hard, members, positions):
    e = hard.select(members)
    assert e.names == tuple("abc"[j] for j in positions)
    assert e.given_weights.tolist() == [j + 1 for j in positions]
    assert np.array_equal(e.codes, hard.codes[:, positions])
    assert [v.tolist() for v in e.values] == [hard.values[j].tolist() for j in positions]
    assert e.ids.tolist() == hard.ids.tolist()


def test_select_keeps_memberships_in_their_order(soft):
    assert np.array_equal(soft.select(["b"]).memberships, soft.memberships[:, 2:])
    swapped = soft.select([1, 0])
    assert np.array_equal(swapped.memberships, soft.memberships[:, [2, 3, 4, 0, 1]])
    assert swapped.n_clusters.tolist() == [3, 2]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ("z", r"There is no member named 'z'; the members are \['a', 'b', 'c'\]"),
        (["a", "y"], "There is no member named 'y'"),
        ([None], "There is no member named None"),
        (3, "members are numbered 0 to 2; got 3"),
        ([0, -4], "members are numbered 0 to 2; got -4 to 0"),
        ([0.5], r"members .* list of at least one position.*got \[0\.5\]"),
        ([True, False], r"A mask of members must have 3 entries; got shape \(2,\)"),
        ([], "members .* list of at least one position"),
        ([False] * 3, "members .* at least one"),
        (slice(3, None), "members .* at least one"),
        ([0, 0], "names must be distinct; 'a' occurs twice"),
        ([[0, 1]], "(?i)member"),
    ],
)
def test_select_refuses(hard, members, message):
    with pytest.raises(InvalidInputError, match=message):
        hard.select(members)


def test_select_refuses_members_that_do_not_count():
    e = Ensemble([[0, 1], [0, 0], [-1, -1]], weights=[0, 1, 1])
    with pytest.raises(InvalidInputError, match="weights are all zero"):
        e.select([0])
    assert e.select([2]).n_clusters.tolist() == [0]


# --- take --------------------------------------------------------------------------------------------


@given(label_matrices(3), st.data())
@examples(60)
def test_take_equals_an_ensemble_of_these_rows(labels, data):
    rows = data.draw(st.lists(st.integers(-len(labels), len(labels) - 1), min_size=1))
    kept = labels[rows]
    assume((kept >= 0).any())
    e = Ensemble(labels).take(rows)
    assert e.fingerprint == Ensemble(kept).fingerprint
    assert np.array_equal(e.codes, Ensemble(kept).codes)
    expected = [[None if cell < 0 else cell for cell in row] for row in kept.tolist()]
    assert given_labels(e) == expected


@pytest.mark.parametrize("rows", [[1, 3], np.array([False, True, False, True]), [-3, -1]])
def test_take_by_position_or_mask(hard, rows):
    e = hard.with_sample_weight([1, 2, 3, 4]).take(rows)
    assert given_labels(e) == [[0, "q", 7], [None, "p", 7]]
    assert e.ids.tolist() == ["u", "w"]
    assert e.sample_weight.tolist() == [2, 4]
    assert e.n_clusters.tolist() == [1, 2, 1]
    assert e.given_weights.tolist() == [1, 2, 3]


def test_take_keeps_the_clusters_of_soft_members(soft):
    e = soft.take([2, 0])
    assert np.array_equal(e.memberships, soft.memberships[[2, 0]])
    assert e.n_clusters.tolist() == [2, 3]
    assert e.ids.tolist() == [9, 7]


def test_take_refuses_an_object_twice_if_it_has_an_id(hard):
    with pytest.raises(InvalidInputError, match="ids must be distinct; 'u' occurs again at row 1"):
        hard.take([1, 1])


@pytest.mark.parametrize(
    "rows", [[True, False], [True] * 5, [4], [-5], [], [0.5], [[0]], ["t"]], ids=repr
)
def test_take_refuses_what_are_not_rows(hard, rows):
    with pytest.raises(InvalidInputError, match=r"(?i)object"):
        hard.take(rows)


def test_the_type_of_the_codes_follows_the_number_of_clusters():
    e = Ensemble(np.arange(300)[:, None])
    assert e.codes.dtype == np.uint16
    assert e.take(np.arange(200, 300)).codes.dtype == np.uint8
    grown = Ensemble([[0] * 256]).append(np.arange(256)[:, None])
    assert grown.codes.dtype == np.uint16
    assert grown.codes.T.tolist() == [[1] * 256, list(range(1, 257))]


def test_take_may_leave_nothing_known():
    assert Ensemble([[0, -1, -1]]).take([1, 2]).n_observed.tolist() == [0]


# --- append ------------------------------------------------------------------------------------------


def test_append_adds_members(hard):
    e = hard.append([[5, 5, -1, 6]])
    assert e.names == ("a", "b", "c", "member_0")
    assert e.given_weights.tolist() == [1, 2, 3, 1]
    assert np.array_equal(e.codes[:, :3], hard.codes)
    assert hard.with_sample_weight([1, 2, 3, 4]).append([[0] * 4]).sample_weight.tolist() == [
        1,
        2,
        3,
        4,
    ]
    assert e.labels[:, 3].tolist() == [0, 0, -1, 1]
    assert e.values[3].tolist() == [5, 6]
    assert e.ids.tolist() == hard.ids.tolist()


@given(label_matrices(4))
@examples(40)
def test_append_undoes_select(labels):
    e = Ensemble(labels, weights=[1, 2, 3, 4], names=list("abcd"))
    assume((labels[:, :2] >= 0).any() and (labels[:, 2:] >= 0).any())
    both = e.select([0, 1]).append(e.select([2, 3]))
    assert both.fingerprint == e.fingerprint
    assert both.names == e.names
    assert both.codes.dtype == e.codes.dtype


def test_append_aligns_by_id(hard):
    other = Ensemble([["x", "y", "x", None]], ids=["w", "v", "t", "u"], names=["new"])
    e = hard.append(other)
    assert [row[3] for row in given_labels(e)] == ["x", None, "y", "x"]
    assert e.labels[:, 3].tolist() == [0, -1, 1, 0]
    assert e.ids.tolist() == ["t", "u", "v", "w"]


def test_append_aligns_soft_members_by_id(soft):
    other = Ensemble.from_memberships([[[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]], ids=[9, 8, 7])
    e = soft.append(other)
    assert np.array_equal(e.memberships[:, :5], soft.memberships)
    assert e.memberships[:, 5:].tolist() == [[0, 1], [0.5, 0.5], [1, 0]]


def test_append_with_weights_and_names(hard):
    e = hard.append([[0, 1, 0, 1], [0, 0, 0, 1]], weights=[5, 0], names=["d", "e"])
    assert e.names == ("a", "b", "c", "d", "e")
    assert e.given_weights.tolist() == [1, 2, 3, 5, 0]
    weighted = Ensemble([[0, 1, 0, 1]], weights=[7])
    assert hard.append(weighted).given_weights.tolist() == [1, 2, 3, 7]


def test_append_numbers_members_whose_names_are_taken(hard):
    e = hard.append(Ensemble([[0, 1, 0, 1], [0, 0, 0, 1]], names=["z", "a"]))
    assert e.names == ("a", "b", "c", "member_3", "member_4")
    taken = Ensemble([[0, 1], [0, 0]]).select([1]).append([[0, 1], [0, 1]])
    assert taken.names[0] == "member_1"
    assert len(set(taken.names)) == 3


@pytest.mark.parametrize(
    ("members", "keywords", "message"),
    [
        ([[0, 1]], {}, "must label the same 4 objects; they label 2"),
        (Ensemble([[0, 1]], ids=["t", "u"]), {}, "must label the same 4 objects; they label 2"),
        (Ensemble([[0, 1]], ids=["t", "z"]), {}, "Unknown object id 'z'"),
        (Ensemble([[0, 1, 1, 1]], ids=["t", "u", "v", "z"]), {}, "Unknown object id"),
        (Ensemble([[0, 1, 1, 1, 1]], ids=["t", "u", "v", "w", "z"]), {}, "Unknown object id 'z'"),
        ([[0, 1, 1, 1]], {"weights": [1, 2]}, "weights must be 1 numbers, one per member"),
        ([[0, 1, 1, 1]], {"weights": [-1]}, r"weights\[0\] is -1\.0"),
        ([[0, 1, 1, 1]], {"names": ["a"]}, "names must be distinct; 'a' occurs twice"),
        ([[0, 1, 1, 1]], {"names": ["x", "y"]}, "names must hold 4 entries, one per member; got 5"),
        ([[0, 1.5, 1, 1]], {}, r"Label 1\.5 of object 1 in member 0"),
        (Ensemble.from_memberships([np.eye(4)]), {}, "Soft and hard members cannot be mixed"),
    ],
)
def test_append_refuses(hard, members, keywords, message):
    with pytest.raises(InvalidInputError, match=message):
        hard.append(members, **keywords)


def test_append_refuses_labels_for_a_soft_ensemble(soft):
    with pytest.raises(InvalidInputError, match="cannot be mixed by append"):
        soft.append([[0, 1, 1]])


# --- append_objects ----------------------------------------------------------------------------------


@given(label_matrices(3), label_matrices(3))
@examples(60)
def test_append_objects_equals_an_ensemble_of_all_rows(first, second):
    e = Ensemble(first).append_objects(second)
    whole = Ensemble(np.vstack([first, second]))
    assert e.fingerprint == whole.fingerprint
    assert np.array_equal(e.codes, whole.codes)
    assert given_labels(e) == given_labels(whole)


def test_append_objects_lets_members_grow(hard):
    more = Ensemble([[2, -1], ["q", "r"], [None, 4]], ids=["x", "y"])
    e = hard.append_objects(more)
    assert given_labels(e)[4:] == [[2, "q", None], [None, "r", 4]]
    assert np.array_equal(e.codes[:4], hard.codes)
    assert e.n_clusters.tolist() == [3, 3, 3]
    assert e.ids.tolist() == ["t", "u", "v", "w", "x", "y"]
    assert (e.names, e.given_weights.tolist()) == (hard.names, hard.given_weights.tolist())


def test_append_objects_lets_the_type_of_the_codes_grow():
    labels = np.arange(256) - 1
    e = Ensemble(labels[:, None])
    assert e.codes.dtype == np.uint8
    grown = e.append_objects([[3, 1000, -1]])
    assert grown.codes.dtype == np.uint16
    assert np.array_equal(grown.codes[:256], e.codes)
    assert grown.codes[256:, 0].tolist() == [4, 256, 0]


def test_append_objects_to_integer_ids():
    e = Ensemble([[0, 1]], ids=[5, -2]).append_objects([[1]], ids=pl.Series([9]))
    assert e.ids.tolist() == [5, -2, 9]
    assert e.ids.dtype == np.int64


def test_append_objects_of_a_soft_ensemble(soft):
    more = Ensemble.from_memberships([[[0.0, 1.0]], [[0.0, 0.0, 1.0]]], ids=[3])
    e = soft.append_objects(more)
    assert np.array_equal(e.memberships[:3], soft.memberships)
    assert e.memberships[3].tolist() == [0, 1, 0, 0, 1]
    assert e.ids.tolist() == [7, 8, 9, 3]


@pytest.mark.parametrize(
    ("objects", "ids", "message"),
    [
        ([[0], ["p"]], ["x"], "X has 2 features, but this ensemble is expecting 3 features"),
        (
            [[0], ["p"], [4]],
            None,
            "Either all objects have ids or none: .* has ids, .* objects none",
        ),
        ([[0], ["p"], [4]], ["t"], "ids must be distinct; 't' occurs again at row 4"),
        ([[0], ["p"], [4]], ["x", "y"], "ids must hold 5 entries, one per object; got 6"),
        ([[0], ["p"], [4]], [None], "ids has no value at row 4"),
        ([[0], ["p"], [4]], [5], "ids are of mixed or unknown kinds"),
        ([[0.5], ["p"], [4]], ["x"], r"Label 0\.5 of object 0 in member 0"),
        (Ensemble.from_memberships([[[1.0]]] * 3, ids=["x"]), None, "soft|memberships"),
    ],
)
def test_append_objects_refuses(hard, objects, ids, message):
    with pytest.raises(InvalidInputError, match=message):
        hard.append_objects(objects, ids=ids)


def test_append_objects_refuses_what_does_not_fit_the_ensemble():
    e = Ensemble([[0, 1]])
    with pytest.raises(InvalidInputError, match="the ensemble has none, the new objects have them"):
        e.append_objects([[0]], ids=["x"])
    with pytest.raises(InvalidInputError, match="Append objects before giving rows a weight"):
        e.with_sample_weight([1, 2]).append_objects([[0]])
    with pytest.raises(InvalidLabelsError, match="either numbers or text"):
        e.append_objects([["x"]])


def test_append_objects_refuses_other_clusters_in_a_soft_ensemble(soft):
    other = Ensemble.from_memberships([[[1.0, 0.0, 0.0]], [[1.0, 0.0, 0.0]]], ids=[3])
    with pytest.raises(
        InvalidLabelsError, match=r"same clusters, \[2, 3\] per member; got \[3, 3\]"
    ):
        soft.append_objects(other)
    with pytest.raises(
        InvalidLabelsError, match="The ensemble is soft; new objects must be memberships"
    ):
        soft.append_objects([[0], [1]], ids=[3])


# --- encode ------------------------------------------------------------------------------------------


def test_encode_reads_rows_under_known_labels(hard):
    new = [[1, 5, -1], ["r", "s", "p"], [9, 4, 7]]
    assert given_labels(hard.without_objects().encode(new)[0])[2] == [None, "p", 7]
    rows, n_unseen = hard.with_sample_weight([1, 2, 3, 4]).encode(new)
    assert rows.sample_weight is None
    assert given_labels(rows) == [[1, None, 9], [None, None, 4], [None, "p", 7]]
    assert n_unseen.tolist() == [1, 2, 0]
    assert rows.n_clusters.tolist() == hard.n_clusters.tolist()
    assert rows.codes.dtype == hard.codes.dtype
    assert rows.given_weights.tolist() == hard.given_weights.tolist()
    assert rows.ids is None


@given(label_matrices(2), label_matrices(2))
@examples(60)
def test_encode_agrees_with_a_lookup_in_the_known_labels(known, new):
    rows, n_unseen = Ensemble(known).encode(new)
    seen = [set(column[column >= 0].tolist()) for column in known.T]
    expected = [
        [cell if cell in seen[j] else None for j, cell in enumerate(row)] for row in new.tolist()
    ]
    assert given_labels(rows) == expected
    unseen = [sum(c >= 0 and c not in seen[j] for c in new[:, j].tolist()) for j in range(2)]
    assert n_unseen.tolist() == unseen


def test_encode_its_own_rows_gives_the_same_codes(hard):
    rows, n_unseen = hard.encode(hard)
    assert rows.fingerprint == hard.fingerprint
    assert n_unseen.tolist() == [0, 0, 0]
    assert rows.ids.tolist() == hard.ids.tolist()


def test_encode_does_not_take_numbers_for_text():
    rows, n_unseen = Ensemble([["1", "2"]]).encode([[1, 2]])
    assert rows.labels[:, 0].tolist() == [-1, -1]
    assert n_unseen.tolist() == [2]


def test_encode_memberships(soft):
    new = Ensemble.from_memberships([[[0.0, 1.0]], [[0.0, 0.0, 1.0]]])
    rows, n_unseen = soft.encode(new)
    assert np.array_equal(rows.memberships, new.memberships)
    assert (rows.names, n_unseen.tolist()) == (("a", "b"), [0, 0])


def test_encode_refuses_rows_of_another_kind(hard, soft):
    with pytest.raises(InvalidInputError, match=r"X has 2 features, .* expecting 3 features"):
        hard.encode([[0], [1]])
    with pytest.raises(InvalidLabelsError, match="new rows must be labels, not memberships"):
        hard.encode(Ensemble.from_memberships([[[1.0]]] * 3))
    with pytest.raises(InvalidLabelsError, match="must be memberships in the same clusters"):
        soft.encode([[0], [1]])


# --- weights, ids, objects ---------------------------------------------------------------------------


def test_with_weights_changes_only_weights(hard):
    e = hard.with_weights([0, 0, 1])
    assert e.given_weights.tolist() == [0, 0, 1]
    assert hard.given_weights.tolist() == [1, 2, 3]
    assert np.array_equal(e.codes, hard.codes)
    assert hard.with_weights(None).given_weights.tolist() == [1, 1, 1]
    with pytest.raises(InvalidInputError, match="weights must be 3 numbers, one per member"):
        hard.with_weights([1, 2])


@pytest.mark.parametrize(
    ("weight", "dtype"),
    [
        ([1, 0, 3, 2], np.int64),
        ([1.0, 0.0, 3.0, 2.0], np.int64),
        ([True, False, True, True], np.int64),
        ([0.5, 0, 3, 2], np.float64),
        ([1e300, 0, 3, 2], np.float64),
    ],
)
def test_row_weights_are_integers_where_they_can_be(hard, weight, dtype):
    e = hard.with_sample_weight(weight)
    assert e.sample_weight.tolist() == weight
    assert e.sample_weight.dtype == dtype


def test_row_weights_count_in_sums(hard):
    e = hard.with_sample_weight([1, 2, 3, 4])
    assert e.incidence.sizes.tolist() == [3, 3, 5, 5, 1, 6, 3]
    assert e.fingerprint == hard.fingerprint
    assert hard.sample_weight is None
    assert e.with_sample_weight(None).sample_weight is None
    assert hard.with_sample_weight(2).sample_weight.tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 2], r"sample_weight must be 4 numbers, one per object; got .* shape \(2,\)"),
        (["a"] * 4, "sample_weight must be 4 numbers, one per object; got an array of type <U1"),
        ([1, 2, -1, 1], r"sample_weight\[2\] is -1; weights must be finite and not negative"),
        ([1, np.nan, 1, 1], r"sample_weight\[1\] is nan; weights must be finite"),
        ([0, 0, 0, 0], "sample_weight is zero for every object; some must count"),
    ],
)
def test_bad_row_weights_are_refused(hard, weight, message):
    with pytest.raises(InvalidInputError, match=message):
        hard.with_sample_weight(weight)


def test_with_ids_and_with_provenance(hard):
    assert hard.with_ids([3, 1, 2, 0]).ids.tolist() == [3, 1, 2, 0]
    assert hard.with_ids(None).ids is None
    origin = {"seed": 3}
    e = hard.with_provenance(origin)
    origin["seed"] = 4
    assert e.provenance == {"seed": 3}
    assert e.select("a").provenance == {"seed": 3}
    with pytest.raises(InvalidInputError, match="ids must hold 4 entries"):
        hard.with_ids([1])


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_without_objects_keeps_the_members(kind, request):
    e = request.getfixturevalue(kind)
    empty = e.without_objects()
    assert len(empty) == 0
    assert empty.ids is None
    assert empty.names == e.names
    assert empty.given_weights.tolist() == e.given_weights.tolist()
    assert empty.n_clusters.tolist() == e.n_clusters.tolist()
    assert not empty.has_missing
    assert repr(empty).startswith("Ensemble(0 objects")


def test_without_objects_there_are_no_profiles(hard):
    assert hard.without_objects().n_profiles == 0
