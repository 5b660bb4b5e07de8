"""Validation of AnnData objects."""

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from consilience._utils._optional import require
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError

# Where leiden_ensemble leaves its members, unless another value is given.
MEMBERS = "leiden_ensemble"


def check_cells(data: Any, owner: str) -> None:
    """Refuse what is not AnnData, and views, into which nothing can be written."""
    anndata = require("anndata", extra="anndata", owner=owner)
    if not isinstance(data, anndata.AnnData):
        raise InvalidInputError(f"{owner} takes an AnnData object; got {type(data).__name__}.")
    if data.is_view:
        raise InvalidInputError(
            f"{owner} writes into the AnnData object, but this one is a view of another; pass "
            "adata.copy()."
        )


def read_members(data: Any, keys: Any, owner: str) -> tuple[Ensemble, list[str]]:
    """Return the members that keys name, and what they are called.

    keys: columns of obs, a regular expression over them, a matrix of labels in obsm, or an ensemble.
    """
    if isinstance(keys, Ensemble):
        if keys.n_samples != data.n_obs:
            raise InvalidInputError(
                f"{owner}: the ensemble must have one object for each of the {data.n_obs} cells; it "
                f"has {keys.n_samples}."
            )
        return keys, list(keys.names)
    if keys is None:
        if MEMBERS not in data.obsm:
            raise InvalidInputError(
                f"{owner}: keys must name columns of obs, or obsm must hold {MEMBERS!r}, which "
                "consilience.scanpy.leiden_ensemble writes; got neither."
            )
        keys = MEMBERS
    if isinstance(keys, str) and keys in data.obsm and keys not in data.obs:
        return _from_obsm(data, keys)
    columns = obs_columns(data, keys, owner)
    frame = data.obs[columns].astype(object)
    frame = frame.where(frame.notna(), None)
    ids = np.asarray(data.obs_names, dtype=object)
    return Ensemble([frame[column].tolist() for column in columns], names=columns, ids=ids), columns


def obs_columns(data: Any, keys: str | Sequence[str], owner: str) -> list[str]:
    """Return the columns of obs that are named, or whose whole name fits a regular expression."""
    known = [str(name) for name in data.obs.columns]
    if isinstance(keys, str):
        try:
            pattern = re.compile(keys)
        except re.error as error:
            raise InvalidInputError(
                f"{owner}: keys={keys!r} is not a regular expression: {error}."
            ) from error
        found = [name for name in known if pattern.fullmatch(name)]
        if not found:
            raise InvalidInputError(
                f"{owner}: no column of obs fits the regular expression {keys!r}; obs has {known}."
            )
        return found
    missing = [key for key in keys if key not in known]
    if missing or not len(keys):
        raise InvalidInputError(
            f"{owner}: keys must name columns of obs; got {missing or list(keys)}, obs has {known}."
        )
    return list(keys)


def _from_obsm(data: Any, key: str) -> tuple[Ensemble, list[str]]:
    labels = np.asarray(data.obsm[key])
    facts = data.uns.get(key, {})
    names = [str(name) for name in facts.get("names", [])]
    if len(names) != labels.shape[1]:
        names = [f"{key}_{j}" for j in range(labels.shape[1])]
    ids = np.asarray(data.obs_names, dtype=object)
    return Ensemble(labels, names=names, ids=ids), names


def as_json(facts: object) -> str:
    """Return facts as text, which every version of the file format can hold."""
    return json.dumps(facts, default=str)
