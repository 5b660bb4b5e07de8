"""Files appear whole or not at all."""

import errno
import os

import pytest

from consilience._utils._atomic import atomic_path
from consilience.exceptions import InvalidInputError


def _names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_with_ordinary_rights(tmp_path):
    target = tmp_path / "out.txt"
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"
    plain = tmp_path / "plain.txt"
    plain.write_text("")
    assert target.stat().st_mode == plain.stat().st_mode
    assert _names(tmp_path) == ["out.txt", "plain.txt"]


def _write_and_fail(target, **options):
    with atomic_path(target, **options) as temporary:
        temporary.write_text("half")
        raise KeyboardInterrupt


def test_a_failure_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        _write_and_fail(tmp_path / "out.txt")
    assert _names(tmp_path) == []


def test_a_failure_keeps_the_old_file(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        _write_and_fail(target, overwrite=True)
    assert target.read_text() == "old"
    assert _names(tmp_path) == ["out.txt"]


def test_existing_files_and_missing_folders_are_refused(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")
    with pytest.raises(InvalidInputError, match="exists already; choose another name"):
        _write_and_fail(target)
    with pytest.raises(InvalidInputError, match=r"folder .*nowhere of out.txt does not exist"):
        _write_and_fail(tmp_path / "nowhere" / "out.txt")


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        OSError("Can't write data (file write failed: errno = 28)"),
        OSError("[Errno 28] Error writing bytes. Detail: No space left on device"),
    ],
    ids=["python", "hdf5", "arrow"],
)
def test_a_full_disk_names_the_file(tmp_path, error):
    target = tmp_path / "out.txt"
    with pytest.raises(OSError, match="No space left on device") as caught, atomic_path(target):
        raise error
    assert caught.value.filename == str(target)
    assert caught.value.errno == errno.ENOSPC
    assert _names(tmp_path) == []


def test_errors_about_other_files_keep_their_names(tmp_path):
    other = tmp_path / "in.txt"
    with pytest.raises(FileNotFoundError) as caught, atomic_path(tmp_path / "out.txt"):
        other.read_text()
    assert caught.value.filename == str(other)


def test_long_names_are_written(tmp_path):
    """The temporary name must not be longer than the name itself may be."""
    target = tmp_path / ("n" * 250)
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
    assert target.read_text() == "whole"
