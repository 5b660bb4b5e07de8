"""Labels into a copy of an AnnData file."""

import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from consilience._utils._atomic import atomic_path
from consilience.exceptions import InvalidLabelsError
from consilience.tables._attach import attach
from consilience.tables._h5ad import load_h5ad
from consilience.tables._source import require_file


def write_h5ad(
    source: str | os.PathLike[str],
    path: str | os.PathLike[str],
    labels: Any,
    confidence: Any = None,
    *,
    ids: Any = None,
    provenance: Mapping[str, object] | None = None,
    overwrite: bool = False,
) -> None:
    """Write a copy of an .h5ad file whose obs has the consensus.

    Parameters
    ----------
    source : path
        The file that was clustered.
    path : path
        The copy. It appears whole or not at all.
    labels : array (n,)
        The clusters; become `obs["consensus"]`, categorical.
    confidence : array (n,), optional
        Becomes `obs["consensus_confidence"]`.
    ids : array (n,), optional
        Names of the cells that the labels belong to, if not all of the file; the others are left out
        of the copy.
    provenance : mapping, optional
        Becomes part of `uns["consensus"]`, as JSON.
    overwrite : bool
        Whether an existing file may be replaced.
    """
    file = Path(source)
    require_file(file)
    data = load_h5ad(file)
    if ids is not None and len(ids) != data.n_obs:
        wanted = np.isin(np.asarray(data.obs_names, dtype=str), np.asarray(ids, dtype=str))
        data = data[wanted].copy()
    if len(labels) != data.n_obs:
        raise InvalidLabelsError(
            f"{file} has {data.n_obs} cells; got {len(labels)} labels. One per cell is needed."
        )
    attach(data, labels, confidence, provenance=provenance)
    with atomic_path(path, overwrite=overwrite) as temporary, warnings.catch_warnings():
        # What anndata says about its own future is not for our readers.
        warnings.simplefilter("ignore")
        data.write_h5ad(temporary)
