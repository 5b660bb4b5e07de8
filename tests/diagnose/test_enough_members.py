"""The curve of agreement against the number of members."""

import numpy as np
import pytest

from consilience import Ensemble
from consilience.consensus import HAC, IPC, KMCF
from consilience.datasets import make_planted_ensemble
from consilience.diagnose import enough_members
from consilience.diagnose._enough_members import _summary
from consilience.exceptions import InvalidInputError, InvalidParameterError


@pytest.fixture(scope="module")
def planted():
    return make_planted_ensemble(150, 40, 3, noise=0.3, missing=0.1, random_state=0).ensemble


def test_the_curve_rises_and_becomes_flat(planted):
    curve = enough_members(planted, IPC(3), n_repeats=5, random_state=0)
    assert curve.sizes[0] == 1
    assert curve.sizes[-1] == 20
    assert curve.agreement.shape == curve.with_full.shape == (len(curve.sizes), 5)
    np.testing.assert_allclose(curve.mean, curve.agreement.mean(axis=1))
    expected = curve.agreement.std(axis=1, ddof=1) / np.sqrt(5)
    np.testing.assert_allclose(curve.standard_error, expected)
    assert np.all(np.diff(curve.fitted) >= -1e-12)
    assert curve.fitted[-1] > curve.fitted[0] + 0.3
    assert 1 < curve.enough < 20
    assert str(curve).startswith(f"{curve.enough} of 40 members are enough: ")


def _by_rule(means, tolerance=0.02, n_repeats=3):
    table = np.repeat(np.array(means)[:, None], n_repeats, axis=1)
    sizes = np.arange(1, len(means) + 1)
    return _summary(2 * len(means), sizes, table, table, tolerance)


def test_the_rule():
    assert _by_rule([0.2, 0.5, 0.79, 0.8, 0.8]).enough == 3
    # A dip counts as noise: the curve that is fitted does not decrease.
    dip = _by_rule([0.2, 0.8, 0.7, 0.76, 0.77], tolerance=0.05)
    np.testing.assert_allclose(dip.fitted, [0.2, 0.75, 0.75, 0.76, 0.77])
    assert dip.enough == 2
    assert _by_rule([0.2, 0.4, 0.6, 0.8]).enough is None
    # At 1 there is nothing to gain, also if only the last size gets there.
    assert _by_rule([0.2, 0.4, 0.6, 0.99]).enough == 4
    assert _by_rule([1.0, 1.0]).enough == 1


def test_sentences():
    assert "1 of 4 members is enough" in str(_by_rule([1.0, 1.0]))
    assert "up to 5" in str(_by_rule([0.2, 0.5, 0.79, 0.8, 0.8]))
    assert "poor" in str(_by_rule([0.3, 0.3, 0.3]))
    rising = str(_by_rule([0.2, 0.5]))
    assert "may not be enough" in rising
    assert "grows by 0.300" in rising


def test_draws_that_share_no_object_are_not_counted():
    table = np.array([[np.nan, np.nan, np.nan], [0.5, np.nan, 0.7], [0.6, 0.6, 0.6]])
    curve = _summary(6, np.arange(1, 4), table, table, 0.05)
    assert np.isnan(curve.mean[0])
    assert curve.mean[1] == pytest.approx(0.6)
    assert curve.enough == 2
    assert _summary(6, np.arange(1, 4), table * np.nan, table, 0.05).enough is None


def test_disjoint_members_in_practice():
    # Members 0-3 know the first half, members 4-7 the second: two of each are needed.
    labels = np.repeat(np.arange(40)[:, None] % 2, 8, axis=1)
    labels[:20, 4:], labels[20:, :4] = -1, -1
    curve = enough_members(labels, HAC(2), sizes=[1, 4], n_repeats=6, random_state=0)
    known = np.isfinite(curve.agreement)
    assert not known.all()
    np.testing.assert_allclose(curve.agreement[known], 1)


def test_seeds_decide_and_jobs_do_not(planted):
    settings = {"sizes": [2, 5], "n_repeats": 3}
    one = enough_members(planted, KMCF(3), random_state=1, **settings)
    two = enough_members(planted, KMCF(3), random_state=1, n_jobs=2, **settings)
    other = enough_members(planted, KMCF(3), random_state=2, **settings)
    np.testing.assert_array_equal(one.agreement, two.agreement)
    np.testing.assert_array_equal(one.with_full, two.with_full)
    assert not np.array_equal(one.agreement, other.agreement)


def test_members_that_do_not_count_are_not_drawn(planted):
    few = planted.select(range(9))
    labels = np.hstack([few.labels, np.full((150, 1), -1)])
    ensemble = Ensemble(labels, weights=[0, *[1] * 9])
    curve = enough_members(ensemble, HAC(3), n_repeats=2, random_state=0)
    kept = enough_members(few.select(range(1, 9)), HAC(3), n_repeats=2, random_state=0)
    assert curve.n_members == 8
    np.testing.assert_array_equal(curve.agreement, kept.agreement)


def test_errors(planted):
    with pytest.raises(InvalidInputError, match=r"at least 4 members .*; got 3"):
        enough_members(planted.select(range(3)), IPC(3))
    for sizes in ([5, 21], [3, 3]):
        with pytest.raises(InvalidParameterError, match=r"two different integers from 1 to 20"):
            enough_members(planted, IPC(3), sizes=sizes)
    with pytest.raises(InvalidParameterError, match="function must be a consensus function"):
        enough_members(planted, 3)
    with pytest.raises(InvalidParameterError, match="tolerance must be"):
        enough_members(planted, IPC(3), tolerance=-0.1)
