"""The properties that every generator must have.

Each check takes an unfitted generator with a fixed `random_state`, if it has one, and raises
AssertionError. The data have 90 rows and 4 columns.
"""

import pickle
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import get_tags

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.generate import EnsembleGenerator, Member
from consilience.metrics import ari
from consilience.testing._checks import quietly

Check = Callable[[EnsembleGenerator], None]


@cache
def _blobs() -> Array:
    """Three groups of thirty, two thirds of the numbers positive and the others zero."""
    rng = np.random.default_rng(11)
    centres = np.array([[0, 0, 9, 9], [9, 0, 0, 9], [9, 9, 0, 0]])
    X = np.maximum(np.repeat(centres, 30, axis=0) + rng.normal(size=(90, 4)), 0)
    X = X[rng.permutation(90)]
    X.setflags(write=False)
    return X


def _fit(generator: EnsembleGenerator, X: Any, **parameters: Any) -> tuple[Any, Array]:
    """Return a fitted copy and its label matrix."""
    fitted = clone(generator).set_params(**parameters)
    with quietly():
        labels: Array = fitted.fit_transform(X)
    return fitted, labels


def _has(generator: EnsembleGenerator, parameter: str) -> bool:
    return parameter in generator.get_params(deep=False)


def check_label_matrix(generator: EnsembleGenerator) -> None:
    """Labels are int32 from -1 up, a column per member, and those of the ensemble."""
    fitted, labels = _fit(generator, _blobs())
    assert labels.dtype == np.int32
    assert labels.shape == (90, len(fitted.members_))
    assert labels.min() >= -1
    assert all(isinstance(member, Member) for member in fitted.members_)
    np.testing.assert_array_equal(Ensemble(labels).labels, Ensemble(fitted.ensemble_.labels).labels)
    assert fitted.get_feature_names_out().tolist() == list(fitted.ensemble_.names)


def check_fit_is_fit_transform(generator: EnsembleGenerator) -> None:
    """Fitting again forgets the first fit, and `fit` makes the same ensemble as `fit_transform`."""
    fitted, _ = _fit(generator, _blobs())
    again = clone(generator)
    with quietly():
        again.fit(_blobs()[:40]).fit(_blobs())
    assert again.ensemble_.fingerprint == fitted.ensemble_.fingerprint


def check_seed_decides(generator: EnsembleGenerator) -> None:
    """The same seed gives the same members, another seed or a generator object others."""
    if not _has(generator, "random_state"):
        return
    _, first = _fit(generator, _blobs(), random_state=3)
    _, again = _fit(generator, _blobs(), random_state=3)
    _, drawn = _fit(generator, _blobs(), random_state=np.random.default_rng(3))
    np.testing.assert_array_equal(first, again)
    assert drawn.shape == first.shape


def check_jobs_do_not_matter(generator: EnsembleGenerator) -> None:
    """One worker and two give identical results, also when new rows are labelled."""
    if not _has(generator, "n_jobs"):
        return
    one, first = _fit(generator, _blobs(), n_jobs=1)
    two, second = _fit(generator, _blobs(), n_jobs=2)
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(one.transform(_blobs()[::3]), two.transform(_blobs()[::3]))
    _assert_same_members(one.members_, two.members_)


def check_transform_is_fit_transform(generator: EnsembleGenerator) -> None:
    """Training rows get the labels of the fit, in any number and order, unless they were left out."""
    fitted, labels = _fit(generator, _blobs())
    known = labels >= 0
    np.testing.assert_array_equal(fitted.transform(_blobs())[known], labels[known])
    order = np.random.default_rng(0).permutation(90)[:50]
    np.testing.assert_array_equal(
        fitted.transform(_blobs()[order])[known[order]], labels[order][known[order]]
    )


def check_float32(generator: EnsembleGenerator) -> None:
    """float32 data give the same members up to rounding."""
    _, labels = _fit(generator, _blobs())
    narrow, found = _fit(generator, _blobs().astype(np.float32))
    assert _agreement(labels, found) > 0.9
    np.testing.assert_array_equal(
        narrow.transform(_blobs().astype(np.float32))[found >= 0], found[found >= 0]
    )


def check_sparse_data(generator: EnsembleGenerator) -> None:
    """If the generator takes sparse data, they give the same members."""
    if not get_tags(generator).input_tags.sparse:
        return
    fitted, labels = _fit(generator, _blobs())
    for kind in (sparse.csr_matrix, sparse.csc_array):
        thin, found = _fit(generator, kind(_blobs()))
        assert _agreement(labels, found) > 0.95
        np.testing.assert_array_equal(thin.transform(kind(_blobs()))[found >= 0], found[found >= 0])
        for model in (fitted, thin):
            assert _agreement(model.transform(kind(_blobs())), model.transform(_blobs())) > 0.95


def check_data_frames(generator: EnsembleGenerator) -> None:
    """A frame is the array of its columns, and its column names are remembered and compared."""
    import pyarrow as pa

    names = ["a", "b", "c", "d"]
    table = pa.table(dict(zip(names, _blobs().T, strict=True)))
    _, labels = _fit(generator, _blobs())
    fitted, found = _fit(generator, table)
    np.testing.assert_array_equal(found, labels)
    assert fitted.feature_names_in_.tolist() == names
    try:
        fitted.transform(table.rename_columns(["a", "b", "c", "other"]))
    except ValueError as error:
        assert "feature names" in str(error)  # noqa: PT017 - this module does not need pytest
    else:
        raise AssertionError("other columns were accepted")


def check_bad_numbers(generator: EnsembleGenerator) -> None:
    """NaN and infinity are refused with their row and column, if the generator refuses them."""
    if get_tags(generator).input_tags.allow_nan:
        return
    for bad, word in ((np.nan, "NaN"), (-np.inf, "inf")):
        X = _blobs().copy()
        X[17, 2] = bad
        try:
            clone(generator).fit(X)
        except InvalidInputError as error:
            assert f"{word}" in str(error)  # noqa: PT017
            assert "row 17, column 2" in str(error)  # noqa: PT017
        else:
            raise AssertionError(f"{bad} was accepted")


def check_input_is_not_changed(generator: EnsembleGenerator) -> None:
    """Neither the data nor the parameters are changed."""
    X = _blobs().copy()
    fitted, _ = _fit(generator, X)
    np.testing.assert_array_equal(X, _blobs())
    assert repr(fitted.get_params()) == repr(clone(generator).get_params())


def check_members_are_arrays(generator: EnsembleGenerator) -> None:
    """A member is its arrays: written and read back, it labels rows as before."""
    fitted, _ = _fit(generator, _blobs())
    before = fitted.transform(_blobs())
    with tempfile.TemporaryFile() as file:
        np.savez(file, **fitted.members_[-1].to_arrays())
        file.seek(0)
        with np.load(file, allow_pickle=False) as arrays:
            fitted.members_[-1] = Member.from_arrays(dict(arrays))
    np.testing.assert_array_equal(fitted.transform(_blobs()), before)


def check_checkpoint(generator: EnsembleGenerator) -> None:
    """A run that finds some members finished ends as one that finds none."""
    if not _has(generator, "checkpoint"):
        return
    expected, labels = _fit(generator, _blobs())
    with tempfile.TemporaryDirectory() as folder:
        _, first = _fit(generator, _blobs(), checkpoint=folder)
        files = sorted(Path(folder).glob("member_*.npz"))
        assert len(files) == labels.shape[1]
        for file in files[1::2]:
            file.unlink()
        resumed, second = _fit(generator, _blobs(), checkpoint=folder)
        assert sorted(Path(folder).glob("member_*.npz")) == files
    np.testing.assert_array_equal(first, labels)
    np.testing.assert_array_equal(second, labels)
    _assert_same_members(resumed.members_, expected.members_)
    np.testing.assert_array_equal(resumed.transform(_blobs()), expected.transform(_blobs()))


def check_fitted_pickle(generator: EnsembleGenerator) -> None:
    """A fitted generator can be pickled and labels rows as before."""
    fitted, _ = _fit(generator, _blobs())
    restored = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - our own bytes
    assert restored.ensemble_.fingerprint == fitted.ensemble_.fingerprint
    np.testing.assert_array_equal(restored.transform(_blobs()), fitted.transform(_blobs()))


def check_provenance(generator: EnsembleGenerator) -> None:
    """The ensemble says which generator made it of which data."""
    fitted, _ = _fit(generator, _blobs())
    facts = fitted.ensemble_.provenance
    assert facts["generator"] == type(generator).__name__
    assert facts["shape"] == [90, 4]
    assert facts["data"] != _fit(generator, _blobs()[::-1])[0].ensemble_.provenance["data"]


def _agreement(first: Array, second: Array) -> float:
    """Mean adjusted Rand index of the members of two label matrices."""
    scores = []
    for one, two in zip(first.T, second.T, strict=True):
        known = (one >= 0) & (two >= 0)
        scores.append(ari(one[known], two[known]) if known.any() else 1.0)
    return float(np.mean(scores))


def _assert_same_members(first: list[Member], second: list[Member]) -> None:
    for one, two in zip(first, second, strict=True):
        ours, theirs = one.to_arrays(), two.to_arrays()
        assert set(ours) == set(theirs)
        for name in set(ours) - {"array:model"}:
            np.testing.assert_array_equal(ours[name], theirs[name])


GENERATOR_CHECKS: tuple[Check, ...] = (
    check_label_matrix,
    check_fit_is_fit_transform,
    check_seed_decides,
    check_jobs_do_not_matter,
    check_transform_is_fit_transform,
    check_float32,
    check_sparse_data,
    check_data_frames,
    check_bad_numbers,
    check_input_is_not_changed,
    check_members_are_arrays,
    check_checkpoint,
    check_fitted_pickle,
    check_provenance,
)


def check_generator(generator: EnsembleGenerator) -> None:
    """Run every check on a generator.

    Examples
    --------
    >>> from consilience.generate import KMeansRestarts
    >>> from consilience.testing import check_generator
    >>> check_generator(KMeansRestarts(n_members=3, random_state=0))
    """
    for check in GENERATOR_CHECKS:
        check(generator)
