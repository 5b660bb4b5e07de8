"""Cluster tables: rows that follow their base clusters.

The table `names` repeats the label behind every cluster, so that in every ensemble made from another
it must say the same as `values`.
"""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.exceptions import InvalidInputError
from oracles.strategies import examples, incomplete_matrices


def named(labels, **given):
    """Make an ensemble whose tables repeat its labels, once as a column and once as a number."""
    e = Ensemble(labels, **given)
    return e.with_cluster_tables(
        names=[np.column_stack([v, -v]) for v in e.values],
        first=[v.astype(float) for v in e.values],
    )


def assert_rows_follow(e):
    for table, value in zip(e.cluster_tables["names"], e.values, strict=True):
        np.testing.assert_array_equal(table, np.column_stack([value, -value]))
    for table, value in zip(e.cluster_tables["first"], e.values, strict=True):
        np.testing.assert_array_equal(table, value)


@pytest.fixture
def ensemble():
    return named([[7, 3, 7, 5, 9], [2, 2, 4, -1, 6], [0, 1, 2, 3, 4]], names=["a", "b", "c"])


@pytest.fixture
def soft():
    e = Ensemble.from_memberships([[[0.9, 0.1], [0.2, 0.8]], [[1.0], [1.0]], [[0.3, 0.7]] * 2])
    return e.with_cluster_tables(centres=[[[0.0], [1.0]], [[2.0]], None])


@given(incomplete_matrices(), st.data())
@examples(60)
def test_rows_follow_their_clusters(L, data):
    e = named(L * 3 + np.where(L < 0, 2, 0))
    n, r = L.shape
    rows = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n))
    members = data.draw(st.lists(st.integers(0, r - 1), min_size=1, max_size=r, unique=True))
    assert_rows_follow(e.take(rows))
    assert_rows_follow(e.select(members))
    assert_rows_follow(e.select(members).take(rows).profiles().ensemble)
    assert_rows_follow(e.append(e.take(rng_order(n)).take(np.argsort(rng_order(n)))))


def rng_order(n):
    return np.random.default_rng(n).permutation(n)


@pytest.mark.parametrize(
    "change",
    [
        lambda e: e.with_weights([1, 2, 3]),
        lambda e: e.with_ids(list("pqrst")),
        lambda e: e.with_sample_weight([1, 2, 1, 1, 1]),
        lambda e: e.with_provenance({"from": "a test"}),
        lambda e: e.profiles().ensemble,
        lambda e: e.without_objects(),
        lambda e: e.encode([[9], [6], [4]])[0],
        lambda e: e.append_objects([[9], [-1], [4]]),
        lambda e: pickle.loads(pickle.dumps(e)),  # noqa: S301 - our own bytes
        copy.deepcopy,
    ],
)
def test_they_survive(ensemble, change):
    assert_rows_follow(change(ensemble))


def test_aligned_members_bring_their_rows(ensemble):
    ids = np.array(list("pqrst"))
    order = [3, 1, 4, 0, 2]
    other = ensemble.with_ids(ids).take(order)
    assert_rows_follow(ensemble.with_ids(ids).append(other))


def test_a_table_of_one_side_is_dropped(ensemble):
    other = ensemble.with_cluster_tables(first=None, more=[None] * 3)
    assert list(ensemble.append(other).cluster_tables) == ["names"]
    assert dict(ensemble.append(Ensemble(ensemble.labels)).cluster_tables) == {}


def test_new_clusters_drop_the_tables(ensemble):
    assert dict(ensemble.append_objects([[9], [-1], [11]]).cluster_tables) == {}


def test_tables_can_be_replaced_and_taken_away(ensemble):
    e = ensemble.with_cluster_tables(first=[None] * 3)
    assert e.cluster_tables["first"] == (None, None, None)
    assert list(e.with_cluster_tables(names=None).cluster_tables) == ["first"]
    assert list(ensemble.cluster_tables) == ["names", "first"]


def test_they_cannot_be_changed(ensemble):
    given = np.ones((4, 1))
    e = ensemble.with_cluster_tables(extra=[given, None, None])
    given[0] = 5
    assert e.cluster_tables["extra"][0][0] == 1
    with pytest.raises(ValueError, match="read-only"):
        e.cluster_tables["extra"][0][0] = 2
    with pytest.raises(TypeError):
        e.cluster_tables["extra"] = ()


def test_soft_members_keep_all_rows(soft):
    for e in (soft.take([1]), soft.without_objects(), soft.encode(soft.take([0]))[0]):
        assert e.cluster_tables["centres"][0].tolist() == [[0.0], [1.0]]
    chosen = soft.select([1, 2]).cluster_tables["centres"]
    assert chosen[0].tolist() == [[2.0]]
    assert chosen[1] is None
    grown = soft.append_objects(soft.take([1]))
    assert grown.cluster_tables["centres"][1].tolist() == [[2.0]]


# --- files ---------------------------------------------------------------------------------------


def test_files_hold_them(ensemble, soft, tmp_path):
    for j, e in enumerate((ensemble, soft.with_cluster_tables(empty=[None] * 3))):
        e.to_parquet(tmp_path / f"{j}.parquet")
        back = Ensemble.from_parquet(tmp_path / f"{j}.parquet")
        assert list(back.cluster_tables) == list(e.cluster_tables)
        for name, table in e.cluster_tables.items():
            for rows, old in zip(back.cluster_tables[name], table, strict=True):
                np.testing.assert_array_equal(rows, old)
                assert rows is None or rows.dtype == old.dtype


def test_a_file_may_use_fewer_clusters_in_another_order(ensemble, tmp_path):
    rows, _ = ensemble.encode([[9, 7], [6, -1], [4, 0]])
    rows.to_parquet(tmp_path / "rows.parquet")
    back = Ensemble.from_parquet(tmp_path / "rows.parquet")
    assert back.values[0].tolist() == [9, 7]
    assert_rows_follow(back)


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (3, r"'centres' must be a list with one array \(or None\) per member; got int"),
        ("abc", "must be a list with one array .* got str"),
        ([None, None], "for each of the 3 members; got 2"),
        (
            [[[1.0]], None, None],
            r"of member 0 must have a row for each of its 4 clusters.*\(1, 1\)",
        ),
        (
            [None, 4.0, None],
            r"of member 1 must have a row for each of its 3 clusters; got shape \(\)",
        ),
        ([None, ["x", "y", "z"], None], "of member 1 must hold numbers; got an array of type <U1"),
        ([None, [[1, 2], [3], [4]], None], "of member 1 must be an array; got a ragged list"),
    ],
)
def test_errors(ensemble, table, message):
    with pytest.raises(InvalidInputError, match=message):
        ensemble.with_cluster_tables(centres=table)
