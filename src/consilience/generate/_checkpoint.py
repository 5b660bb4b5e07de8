"""A folder that keeps finished members, so that an interrupted run can continue.

`manifest.json` says what the members depend on; `member_00000.npz` and so on are the members, arrays
without pickles. Member j depends on the data, the parameters, the seed and j alone, so processes that
work in one folder at the same time write the same members. Every member is written completely or not at
all, and of several processes the first one writes the manifest and so decides the seed.
"""

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from consilience._utils._atomic import atomic_path
from consilience._utils._provenance import provenance
from consilience.exceptions import InvalidInputError
from consilience.generate._member import Member

_FORMAT = 1
_MANIFEST = "manifest.json"
# What may differ when a run is continued.
_EXTENDED = ("n_members", "parameter n_members")


class Checkpoint:
    """Finished members of one run; made by `open`."""

    def __init__(self, folder: Path, entropy: int, n_samples: int) -> None:
        self.folder = folder
        self.entropy = entropy
        self.n_samples = n_samples

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        identity: Mapping[str, Any],
        entropy: Any,
        *,
        drawn: bool,
    ) -> "Checkpoint":
        """Start a folder, or continue one that was started by the same call on the same data.

        The number of members may differ: member j depends on the seed and j alone, so more members are
        added to those in the folder, and of fewer the first are used. `drawn` says that the user gave no
        seed; then the seed of the folder is used.
        """
        place = Path(folder)
        if place.exists() and not place.is_dir():
            raise InvalidInputError(f"checkpoint: {place} is a file; a folder is needed.")
        place.mkdir(parents=True, exist_ok=True)
        wanted = {
            "format": _FORMAT,
            "version": provenance()["versions"]["consilience"],  # type: ignore[index]
            **identity,
            "seed": str(entropy),
        }
        manifest = place / _MANIFEST
        if not manifest.exists():
            _start(manifest, wanted)
        found = _read_manifest(manifest)
        _compare(found, wanted, manifest, ignored=(*_EXTENDED, *["seed"] * drawn))
        if int(found["n_members"]) < int(identity["n_members"]):
            with atomic_path(manifest, overwrite=True) as temporary:
                temporary.write_text(_as_text({**wanted, "seed": found["seed"]}))
        return cls(place, int(found["seed"]), int(identity["shape"][0]))

    def load(self, j: int) -> Member | None:
        """Return member j, or None if it is not finished."""
        file = self._file(j)
        if not file.exists():
            return None
        try:
            with file.open("rb") as opened, np.load(opened, allow_pickle=False) as named:
                member = Member.from_arrays(dict(named))
        except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, OSError) as error:
            raise InvalidInputError(
                f"checkpoint: {file} cannot be read ({error}); delete it, and the member is made again."
            ) from None
        if member.labels.shape != (self.n_samples,):
            raise InvalidInputError(
                f"checkpoint: {file} labels {member.labels.shape} rows instead of {self.n_samples}; "
                "delete it, and the member is made again."
            )
        return member

    def save(self, j: int, member: Member) -> None:
        """Write member j."""
        # Another process that was faster may have removed the folder, as the command does at its end.
        self.folder.mkdir(parents=True, exist_ok=True)
        with (
            atomic_path(self._file(j), overwrite=True) as temporary,
            temporary.open("wb") as opened,
        ):
            np.savez_compressed(opened, **member.to_arrays())  # type: ignore[arg-type]

    def _file(self, j: int) -> Path:
        return self.folder / f"member_{j:05d}.npz"


def data_hash(X: Any) -> str:
    """Return a hash of the numbers, their type and their shape."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{X.dtype} {X.shape} {sparse.issparse(X)}".encode())
    if sparse.issparse(X):
        for part in (X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data):
            digest.update(np.ascontiguousarray(part).data)
    else:
        digest.update(np.ascontiguousarray(X).data)
    return digest.hexdigest()


def describe(value: Any) -> str:
    """Return words that are equal for equal parameters, in every process."""
    if isinstance(value, np.ndarray):
        digest = hashlib.blake2b(np.ascontiguousarray(value).tobytes(), digest_size=8)
        return f"array {value.dtype} {value.shape} {digest.hexdigest()}"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key!r}: {describe(item)}" for key, item in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(describe(item) for item in value) + "]"
    if hasattr(value, "get_params") and not isinstance(value, type):
        given = sorted(value.get_params(deep=False).items())
        inside = ", ".join(f"{name}={describe(item)}" for name, item in given)
        return f"{type(value).__name__}({inside})"
    if callable(value):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)


def _start(manifest: Path, wanted: Mapping[str, Any]) -> None:
    members = sorted(manifest.parent.glob("member_*.npz"))
    if members:
        raise InvalidInputError(
            f"checkpoint: {manifest.parent} holds {members[0].name} but no {_MANIFEST}, so the origin "
            "of its members is unknown; choose another folder or empty it."
        )
    try:
        with atomic_path(manifest, overwrite=True) as temporary:
            temporary.write_text(_as_text(wanted))
            _claim(manifest, temporary)
    except FileExistsError:
        return  # another process was faster, and its manifest holds


def _claim(name: Path, written: Path) -> None:
    """Give a file its name, if no other process was faster; on a disk without links, do nothing."""
    try:
        name.hardlink_to(written)
    except FileExistsError:
        raise
    except OSError:
        return


def _as_text(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=1) + "\n"


def _read_manifest(manifest: Path) -> dict[str, Any]:
    try:
        found = json.loads(manifest.read_text())
    except (ValueError, OSError) as error:
        raise InvalidInputError(
            f"checkpoint: {manifest} cannot be read ({error}); choose another folder or empty it."
        ) from None
    if not isinstance(found, dict) or not {"seed", "n_members"} <= set(found):
        raise InvalidInputError(
            f"checkpoint: {manifest} is not the manifest of a checkpoint; choose another folder."
        )
    return found


def _compare(
    found: Mapping[str, Any], wanted: Mapping[str, Any], manifest: Path, *, ignored: tuple[str, ...]
) -> None:
    there, here = _flat(found), _flat(wanted)
    for entry in {**here, **there}:
        before, now = there.get(entry), here.get(entry)
        if before != now and entry not in ignored:
            raise InvalidInputError(
                f"checkpoint: {manifest} was written by another run: {entry} is {before} there and "
                f"{now} now; choose another folder, or repeat the call that started this one."
            )


def _flat(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of a manifest, every parameter as an entry of its own."""
    entries: dict[str, Any] = {}
    for key, value in facts.items():
        if key == "parameters" and isinstance(value, Mapping):
            entries |= {f"parameter {name}": one for name, one in value.items()}
        else:
            entries[key] = value
    return entries
