"""Checkpoints: killed, interrupted, damaged, and of other runs."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.cluster import KMeans

from consilience.exceptions import InvalidInputError
from consilience.generate import (
    IntelligentKMeans,
    KMeansRestarts,
    RandomProjection,
    _kmeans,
)
from consilience.generate._checkpoint import describe

N_MEMBERS = 30

# Every member takes a twentieth of a second more, so that there is a middle in which to be killed.
SCRIPT = """
import sys, time
import numpy as np
from consilience.generate import RandomProjection, _kmeans
plain = _kmeans.lloyd
def slow(*given, **named):
    time.sleep(0.05)
    return plain(*given, **named)
_kmeans.lloyd = slow
folder, n_jobs = sys.argv[1], int(sys.argv[2])
X = np.random.default_rng(0).normal(size=(400, 6))
RandomProjection(n_members=30, n_jobs=n_jobs, checkpoint=folder, random_state=5).fit(X)
"""


def _data():
    return np.random.default_rng(0).normal(size=(400, 6))


def _finished(folder):
    return sorted(folder.glob("member_*.npz"))


def _assert_same(first, second):
    for one, two in zip(first, second, strict=True):
        ours, theirs = one.to_arrays(), two.to_arrays()
        assert set(ours) == set(theirs)
        assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_killed_process_is_resumed_bit_for_bit(tmp_path, n_jobs):
    folder = tmp_path / "run"
    command = [sys.executable, "-c", SCRIPT, str(folder), str(n_jobs)]
    process = subprocess.Popen(command)  # noqa: S603 - our own interpreter and code
    deadline = time.monotonic() + 60
    while len(_finished(folder)) < 6 and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    before = {file: file.stat().st_mtime_ns for file in _finished(folder)}
    assert 6 <= len(before) < N_MEMBERS
    common = {"n_members": N_MEMBERS, "random_state": 5}
    resumed = RandomProjection(checkpoint=folder, n_jobs=n_jobs, **common).fit(_data())
    whole = RandomProjection(**common).fit(_data())
    _assert_same(resumed.members_, whole.members_)
    np.testing.assert_array_equal(resumed.ensemble_.labels, whole.ensemble_.labels)
    assert len(_finished(folder)) == N_MEMBERS
    assert all(file.stat().st_mtime_ns == written for file, written in before.items())


@pytest.mark.parametrize(
    ("kind", "n_jobs"), [(KMeansRestarts, 1), (KMeansRestarts, 2), (IntelligentKMeans, 1)]
)
def test_an_interrupted_run_is_continued(tmp_path, monkeypatch, kind, n_jobs):
    calls = []

    def interrupted(*given, **named):
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return plain(*given, **named)

    plain = _kmeans.lloyd
    monkeypatch.setattr(_kmeans, "lloyd", interrupted)
    generator = kind(n_members=8, checkpoint=tmp_path, n_jobs=n_jobs, random_state=1)
    with pytest.raises(KeyboardInterrupt):
        generator.fit(_data())
    assert 0 < len(_finished(tmp_path)) < 8
    monkeypatch.setattr(_kmeans, "lloyd", plain)
    expected = kind(n_members=8, random_state=1).fit(_data())
    _assert_same(generator.fit(_data()).members_, expected.members_)


def test_a_drawn_seed_is_kept(tmp_path):
    first = KMeansRestarts(n_members=4, checkpoint=tmp_path).fit_transform(_data())
    _finished(tmp_path)[2].unlink()
    again = KMeansRestarts(n_members=4, checkpoint=tmp_path).fit_transform(_data())
    np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_clusters": 4}, r"parameter n_clusters is 3 there and 4 now; choose another folder"),
        ({"random_state": 8}, r"seed is 7 there and 8 now"),
        ({"scaling": "max"}, r"parameter scaling is None there and 'max' now"),
    ],
)
def test_other_parameters_are_refused(tmp_path, change, message):
    given = {"n_members": 4, "n_clusters": 3, "random_state": 7, "checkpoint": tmp_path}
    KMeansRestarts(**given).fit(_data())
    with pytest.raises(InvalidInputError, match=message):
        KMeansRestarts(**{**given, **change}).fit(_data())


def test_other_data_and_generators_are_refused(tmp_path):
    given = {"n_members": 4, "random_state": 7, "checkpoint": tmp_path}
    KMeansRestarts(**given, n_jobs=1).fit(_data())
    KMeansRestarts(**given, n_jobs=2, verbose=0).fit(_data())
    with pytest.raises(InvalidInputError, match="was written by another run: data is"):
        KMeansRestarts(**given).fit(_data() + 1)
    with pytest.raises(InvalidInputError, match=r"shape is \[400, 6\] there and \[399, 6\] now"):
        KMeansRestarts(**given).fit(_data()[1:])
    with pytest.raises(InvalidInputError, match="generator is KMeansRestarts there and Intell"):
        IntelligentKMeans(**given).fit(_data())


def test_damaged_members_are_named(tmp_path):
    generator = KMeansRestarts(n_members=3, random_state=7, checkpoint=tmp_path)
    labels = generator.fit_transform(_data())
    file = _finished(tmp_path)[1]
    content = file.read_bytes()
    inside = content.index(b"labels.npy") + 60
    for damaged in (content[:100], content[:inside] + b"wrong" + content[inside + 5 :], b""):
        file.write_bytes(damaged)
        with pytest.raises(InvalidInputError, match=r"member_00001.npz cannot be read .*delete it"):
            generator.fit(_data())
    np.savez(file, labels=np.zeros(7, dtype=np.int32))
    with pytest.raises(InvalidInputError, match=r"labels \(7,\) rows instead of 400; delete it"):
        generator.fit(_data())
    file.unlink()
    np.testing.assert_array_equal(generator.fit_transform(_data()), labels)


def test_folders_that_are_no_checkpoints(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InvalidInputError, match="file is a file; a folder is needed"):
        KMeansRestarts(n_members=2, checkpoint=file, random_state=0).fit(_data())
    folder = tmp_path / "deep" / "folder"
    generator = KMeansRestarts(n_members=2, checkpoint=str(folder), random_state=0).fit(_data())
    manifest = folder / "manifest.json"
    strange = "is not the manifest of a checkpoint"
    for text, message in (("{", "cannot be read"), ("[]", strange), ('{"seed": "0"}', strange)):
        manifest.write_text(text)
        with pytest.raises(InvalidInputError, match=message):
            generator.fit(_data())
    manifest.unlink()
    with pytest.raises(InvalidInputError, match=r"holds member_00000.npz but no manifest.json"):
        generator.fit(_data())


def test_descriptions_tell_values_apart():
    values = [
        1, 1.5, "1", None, (1, 2), [2, 1], {"a": 1}, np.arange(3), np.arange(3.0), KMeans(2),
        KMeans(3), np.mean,
    ]  # fmt: skip
    descriptions = [describe(value) for value in values]
    assert len(set(descriptions)) == len(values)
    assert descriptions[-1] == "numpy.mean"


@pytest.mark.parametrize("kind", [KMeansRestarts, RandomProjection, IntelligentKMeans])
def test_members_are_added_to_a_checkpoint(tmp_path, kind):
    def members(n_members, checkpoint=None):
        return (
            kind(n_members=n_members, checkpoint=checkpoint, random_state=3).fit(_data()).members_
        )

    members(4, tmp_path)
    before = {file: file.stat().st_mtime_ns for file in _finished(tmp_path)}
    _assert_same(members(7, tmp_path), members(7))
    assert len(_finished(tmp_path)) == 7
    assert all(file.stat().st_mtime_ns == written for file, written in before.items())
    # Of fewer the first are used, and none is removed.
    _assert_same(members(3, tmp_path), members(3))
    assert len(_finished(tmp_path)) == 7
    assert json.loads((tmp_path / "manifest.json").read_text())["n_members"] == 7


def test_a_disk_without_links_has_checkpoints(tmp_path, monkeypatch):
    def no_links(manifest, written):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr("pathlib.Path.hardlink_to", no_links)
    KMeansRestarts(n_members=2, random_state=3, checkpoint=tmp_path).fit(_data())
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["generator"], manifest["seed"]) == ("KMeansRestarts", "3")
    decided_by = {"max_iter", "n_clusters", "n_init", "n_members", "scaling", "tol"}
    assert set(manifest["parameters"]) == decided_by


def test_two_processes_in_one_folder_make_the_same_members(tmp_path):
    """Neither knows the seed: that of the first one holds."""
    code = SCRIPT.replace(", random_state=5).fit(X)", ").fit_transform(X)").replace(
        "RandomProjection(", "labels = RandomProjection("
    )
    code += "np.save(sys.argv[3], labels)\n"
    files = [tmp_path / f"{name}.npy" for name in "ab"]
    command = [sys.executable, "-c", code, str(tmp_path / "run"), "1"]
    both = [subprocess.Popen([*command, str(file)]) for file in files]  # noqa: S603 - our own code
    assert [process.wait() for process in both] == [0, 0]
    np.testing.assert_array_equal(*map(np.load, files))
    again = RandomProjection(n_members=N_MEMBERS, checkpoint=tmp_path / "run").fit_transform(
        _data()
    )
    np.testing.assert_array_equal(again, np.load(files[0]))


def test_a_folder_that_another_process_removed_is_made_again(tmp_path, monkeypatch):
    def removed(*given, **named):
        shutil.rmtree(tmp_path / "run")
        return plain(*given, **named)

    plain = _kmeans.lloyd
    monkeypatch.setattr(_kmeans, "lloyd", removed)
    given = {"n_members": 3, "random_state": 1}
    labels = KMeansRestarts(checkpoint=tmp_path / "run", n_jobs=1, **given).fit_transform(_data())
    monkeypatch.setattr(_kmeans, "lloyd", plain)
    np.testing.assert_array_equal(labels, KMeansRestarts(**given).fit_transform(_data()))
