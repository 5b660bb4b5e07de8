"""The properties that every generator must have.

Each check takes an unfitted generator with a fixed `random_state`, if it has one, and raises
AssertionError. The data have 90 rows and 4 columns.
"""

import pickle
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.utils import get_tags

from consilience._utils._types import Array
from consilience.generate import EnsembleGenerator, Member
from consilience.metrics import ari
from consilience.testing._checks import Checks, quietly

GENERATOR_CHECKS = Checks()


def check_generator(generator: EnsembleGenerator) -> None:
    """Run every check on a generator.

    Examples
    --------
    >>> from consilience.generate import KMeansRestarts
    >>> from consilience.testing import check_generator
    >>> check_generator(KMeansRestarts(n_members=3, random_state=0))
    """
    GENERATOR_CHECKS.run(generator)


@cache
def _blobs() -> Array:
    """Three groups of thirty, two thirds of the numbers positive and the others zero."""
    centres = [[0, 0, 9, 9], [9, 0, 0, 9], [9, 9, 0, 0]]
    X: Array = np.maximum(make_blobs(90, centers=centres, random_state=11)[0], 0)
    X.setflags(write=False)
    return X


def _fit(generator: EnsembleGenerator, X: Any, **parameters: Any) -> tuple[Any, Array]:
    """Return a fitted copy and its label matrix."""
    fitted = clone(generator).set_params(**parameters)
    with quietly():
        labels: Array = fitted.fit_transform(X)
    return fitted, labels


def _agreement(first: Array, second: Array) -> float:
    """Mean adjusted Rand index of the members of two label matrices."""
    members = zip(first.T, second.T, ((first >= 0) & (second >= 0)).T, strict=True)
    scores = [ari(a[known], b[known]) if known.any() else 1.0 for a, b, known in members]
    return float(np.mean(scores))


@GENERATOR_CHECKS
def check_fit_twice_is_the_same(generator: EnsembleGenerator) -> None:
    """The same seed gives the same members with any number of jobs, and nothing stays of a fit before.

    The data are not changed.
    """
    X = _blobs().copy()
    fitted, labels = _fit(generator, X)
    assert labels.dtype == np.int32
    assert labels.shape == (90, len(fitted.members_))
    again = clone(generator)
    if "n_jobs" in generator.get_params(deep=False):
        again.set_params(n_jobs=2)
    with quietly():
        again.fit(X[:40]).fit(X)
    assert again.ensemble_.fingerprint == fitted.ensemble_.fingerprint
    np.testing.assert_array_equal(again.transform(X[::3]), fitted.transform(X[::3]))
    np.testing.assert_array_equal(X, _blobs())


@GENERATOR_CHECKS
def check_transform_is_fit_transform(generator: EnsembleGenerator) -> None:
    """Training rows get the labels of the fit, in any number and order, unless they were left out."""
    fitted, labels = _fit(generator, _blobs())
    known = labels >= 0
    for rows in (np.arange(90), np.random.default_rng(0).permutation(90)[:50]):
        found = fitted.transform(_blobs()[rows])
        np.testing.assert_array_equal(found[known[rows]], labels[rows][known[rows]])


@GENERATOR_CHECKS
def check_kind_of_data_does_not_matter(generator: EnsembleGenerator) -> None:
    """float32 and, if the generator takes them, sparse data give the same members up to rounding."""
    fitted, labels = _fit(generator, _blobs())
    given = [_blobs().astype(np.float32)]
    if get_tags(generator).input_tags.sparse:
        given += [sparse.csr_matrix(_blobs()), sparse.csc_array(_blobs())]
        assert _agreement(fitted.transform(given[1]), fitted.transform(_blobs())) > 0.95
    for X in given:
        other, found = _fit(generator, X)
        assert _agreement(labels, found) > (0.95 if sparse.issparse(X) else 0.9)
        np.testing.assert_array_equal(other.transform(X)[found >= 0], found[found >= 0])


@GENERATOR_CHECKS
def check_members_can_be_stored(generator: EnsembleGenerator) -> None:
    """Rows get the same labels from members that were written as arrays, and after pickling."""
    fitted, _ = _fit(generator, _blobs())
    before = fitted.transform(_blobs())
    restored = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - our own bytes
    np.testing.assert_array_equal(restored.transform(_blobs()), before)
    with tempfile.TemporaryFile() as file:
        np.savez(file, **fitted.members_[-1].to_arrays())
        file.seek(0)
        with np.load(file, allow_pickle=False) as arrays:
            fitted.members_[-1] = Member.from_arrays(dict(arrays))
    np.testing.assert_array_equal(fitted.transform(_blobs()), before)


@GENERATOR_CHECKS
def check_checkpoint(generator: EnsembleGenerator) -> None:
    """A run that finds some members finished ends as one that finds none."""
    if "checkpoint" not in generator.get_params(deep=False):
        return
    expected, labels = _fit(generator, _blobs())
    with tempfile.TemporaryDirectory() as folder:
        _fit(generator, _blobs(), checkpoint=folder)
        files = sorted(Path(folder).glob("member_*.npz"))
        assert len(files) == labels.shape[1]
        for file in files[1::2]:
            file.unlink()
        resumed, found = _fit(generator, _blobs(), checkpoint=folder)
        assert sorted(Path(folder).glob("member_*.npz")) == files
    np.testing.assert_array_equal(found, labels)
    np.testing.assert_array_equal(resumed.transform(_blobs()), expected.transform(_blobs()))
