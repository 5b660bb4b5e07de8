"""Files appear whole or not at all."""

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
