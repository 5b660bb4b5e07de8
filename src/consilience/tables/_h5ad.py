"""AnnData files of single cells; the package is imported only here and in `attach`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from consilience._utils._option import option
from consilience._utils._optional import require
from consilience.exceptions import InvalidInputError
from consilience.tables._source import Source, distinct_names


def open_h5ad(file: Path, representation: str | None) -> Source:
    """Take X, or a representation such as X_pca, with the names of cells and the columns of obs."""
    import pyarrow as pa

    data = load_h5ad(file)
    if representation in (None, "X"):
        matrix, names = data.X, [str(name) for name in data.var_names]
    elif representation in data.obsm:
        matrix = data.obsm[representation]
        matrix = matrix.to_numpy() if hasattr(matrix, "to_numpy") else matrix
        names = [f"{representation}_{j}" for j in range(matrix.shape[1])]
    else:
        raise InvalidInputError(
            f"{file} has no representation {representation!r}; it has "
            f"{', '.join(['X', *data.obsm.keys()])}."
        )
    if matrix is None:
        raise InvalidInputError(f"{file} has no X; choose one of {', '.join(data.obsm.keys())}.")
    if 0 in matrix.shape:
        raise InvalidInputError(f"{file} has shape {matrix.shape}; neither side may be empty.")
    annotations = pa.Table.from_pandas(data.obs.reset_index(drop=True), preserve_index=False)

    def batches() -> Iterator[Any]:
        yield from annotations.to_batches()

    others = [key for key in data.obsm if key != representation]
    found = f"{file}: it also has the representations {', '.join(others)}"
    hint = f"{found} ({option('representation')})." if others else ""
    return Source(
        path=file,
        names=distinct_names(_numbered(names), file),
        kind=f"AnnData, {representation or 'X'}",
        batches=batches,
        array=matrix,
        ids=np.array([str(name) for name in data.obs_names], dtype=object),
        annotations=annotations,
        notes=(hint,) if hint and representation is None else (),
    )


# What anndata and h5py raise on damaged files; they share no base of their own.
_DAMAGED = (
    OSError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)


def load_h5ad(file: Path) -> Any:
    """Read an AnnData file; raise an error with the reason if this fails."""
    anndata = require("anndata", extra="anndata", owner=f"Reading {file.name}")
    import warnings

    try:
        # Deprecation warnings of anndata and warnings about repeated names are not useful to the user.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return anndata.read_h5ad(file)
    except _DAMAGED as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InvalidInputError(f"{file} cannot be read as H5AD: {words}") from None


def _numbered(names: list[str]) -> list[str]:
    """Tell columns of one name apart: gene symbols repeat."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return result
