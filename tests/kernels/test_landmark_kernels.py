"""Kernels of landmarks against NumPy; run once more with the compiler switched off."""

import numpy as np
import pytest

from consilience._kernels._landmarks import (
    add_affinities,
    embed_rows,
    exact_distances,
    keep_nearest,
    link_rows,
    mean_distance,
)

NOT_KNOWN = np.empty(0, dtype=np.int32)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kept", [1, 3, 6])
def test_nearest_landmarks_come_first_and_of_equals_the_first(kept, dtype):
    rng = np.random.default_rng(0)
    rows, landmarks = rng.integers(-2, 3, (9, 2)), rng.integers(-2, 3, (6, 2))
    apart = np.square(rows[:, None] - landmarks).sum(axis=2)
    near, distance = np.zeros((9, kept), np.uint16), np.empty((9, kept), np.float32)
    products = (rows @ landmarks.T).astype(dtype)
    half = (np.square(landmarks).sum(axis=1) / 2).astype(dtype)
    keep_nearest(products, half, np.square(rows).sum(axis=1).astype(dtype), near, distance)
    expected = np.argsort(apart, axis=1, kind="stable")[:, :kept]
    np.testing.assert_array_equal(near, expected)
    by_row = np.sqrt(np.take_along_axis(apart, expected, axis=1))
    np.testing.assert_allclose(distance, by_row, rtol=1e-6)
    assert (distance[by_row == 0] == 0).all()
    distance[:] = np.nan
    exact_distances(rows.astype(dtype), landmarks.astype(dtype), near, distance)
    np.testing.assert_allclose(distance, by_row, rtol=1e-6)


def test_rounding_below_zero_is_a_distance_of_zero():
    near, distance = np.zeros((1, 1), np.uint16), np.empty((1, 1), np.float32)
    keep_nearest(np.array([[1.0]]), np.array([0.5]), np.array([1 - 1e-9]), near, distance)
    assert distance.tolist() == [[0.0]]


# Three rows; the landmarks 1 and 4 are the member's places 0 and 1.
NEAR = np.array([[1, 0, 4], [4, 2, 1], [0, 2, 3]], dtype=np.uint16)
DISTANCE = np.array([[1, 2, 3], [0.5, 1, 2], [2, 3, 4]], dtype=np.float32)
PLACE_OF = np.array([-1, 0, -1, -1, 1], dtype=np.int32)


def test_mean_distance_of_what_a_member_uses():
    assert mean_distance(NEAR, DISTANCE, PLACE_OF, 1) == (1 + 0.5) / 2
    assert mean_distance(NEAR, DISTANCE, PLACE_OF, 2) == (1 + 3 + 0.5 + 2) / 4
    assert mean_distance(NEAR[2:], DISTANCE[2:], PLACE_OF, 2) == 0


def _linked(n_links, instead, scale, near=NEAR, distance=DISTANCE):
    shape = (len(near), n_links)
    parts = np.full(shape, -9, np.int32), np.full(shape, np.nan), np.full(shape[0], np.nan)
    n_without = link_rows(near, distance, PLACE_OF, instead, scale, *parts)
    return n_without, *parts


def _affinity(distance, scale):
    return np.exp(-np.square(np.asarray(distance, dtype=float) / scale) / 2) + 1e-12


@pytest.mark.parametrize("scale", [2.0, 0.0])
def test_links_and_shares_of_rows(scale):
    instead = np.array([1, 0, 0, 0, 1], dtype=np.int32)
    n_without, links, shares, total = _linked(2, instead, scale)
    assert n_without == 1
    assert links.tolist() == [[0, 1], [1, 0], [1, 1]]
    first = _affinity([1, 3], scale or 2.0)
    second = _affinity([0.5, 2], scale or 1.25)
    third = _affinity([2], scale or 2.0)
    np.testing.assert_allclose(total, [first.sum(), second.sum(), third.sum()], rtol=1e-14)
    expected = [first / first.sum(), second / second.sum(), [1.0, 0.0]]
    np.testing.assert_allclose(shares, expected, rtol=1e-14)


def test_rows_have_one_link_if_one_is_wanted():
    n_without, links, shares, _ = _linked(1, NOT_KNOWN, 0.0)
    assert n_without == 1
    assert links.tolist() == [[0], [1], [0]]
    assert shares.tolist() == [[1], [1], [1]]


def test_rows_at_their_landmarks_have_a_width_too():
    nothing = np.zeros((1, 3))
    _, links, shares, total = _linked(2, NOT_KNOWN, 0.0, NEAR[:1], nothing)
    assert links.tolist() == [[0, 1]]
    assert shares.tolist() == [[0.5, 0.5]]
    assert total.tolist() == [2 * (1 + 1e-12)]


def test_rows_far_from_all_landmarks_are_linked_too():
    far = np.full((1, 3), 1e6, dtype=np.float32)
    _, _, shares, total = _linked(2, NOT_KNOWN, 1.0, NEAR[:1], far)
    assert shares.tolist() == [[0.5, 0.5]]
    assert total.tolist() == [2e-12]


def test_affinities_of_landmarks():
    links = np.array([[0, 2], [1, 0]], dtype=np.int32)
    shares, total = np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([4.0, 2.0])
    similarity = np.ones((3, 3))
    add_affinities(links, shares, total, similarity)
    B = np.array([[3.0, 0, 1], [1, 1, 0]])
    np.testing.assert_allclose(similarity, 1 + B.T @ np.diag(1 / total) @ B, rtol=1e-15)


def test_embedded_rows_have_length_one():
    links = np.array([[0, 2], [1, 1], [1, 0]], dtype=np.int32)
    shares = np.array([[0.75, 0.25], [1, 0], [0.5, 0.5]])
    table = np.array([[4, 0, 1], [-4, 0, -1], [0, 8, 1]], dtype=np.float32)
    rows = np.full((3, 3), 9, dtype=np.float32)
    embed_rows(links, shares, table, rows)
    expected = np.array([[3, 2, 1], [-4, 0, -1], [1, 1, 1]])
    expected = expected / np.linalg.norm(expected, axis=1)[:, None]
    expected[2] = 0  # the opposite points cancel
    np.testing.assert_allclose(rows, expected, rtol=1e-6)
