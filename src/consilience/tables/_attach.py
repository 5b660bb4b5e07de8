"""Results added to the data that were clustered."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from consilience.exceptions import InvalidInputError, InvalidLabelsError

LABELS, CONFIDENCE = "consensus", "consensus_confidence"


def attach(
    data: Any,
    labels: Any,
    confidence: Any = None,
    *,
    provenance: Mapping[str, object] | None = None,
) -> Any:
    """Return labels in the form of the data: a frame for a frame, AnnData for AnnData.

    Parameters
    ----------
    data : pandas, polars or pyarrow data frame, or AnnData
        What was clustered, one row per object.
    labels : array (n,)
        The clusters.
    confidence : array (n,), optional
        The confidence of every object.
    provenance : mapping, optional
        Where the result comes from; kept in `uns["consensus"]` of an AnnData object.

    Returns
    -------
    data frame, or the AnnData object
        Frames: a new one of the same kind with the columns "consensus" and "consensus_confidence", and
        the same index if there is one. AnnData: the object itself, its obs with the two columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience.tables import attach
    >>> plants = pd.DataFrame({"height": [1.0, 2.0]}, index=["fern", "oak"])
    >>> attach(plants, [0, 1], [0.9, 0.8])
          consensus  consensus_confidence
    fern          0                   0.9
    oak           1                   0.8
    """
    columns: dict[str, Any] = {LABELS: np.asarray(labels)}
    if confidence is not None:
        columns[CONFIDENCE] = np.asarray(confidence, dtype=np.float64)
    n_rows = data.shape[0] if hasattr(data, "shape") else None
    for name, column in columns.items():
        if column.shape != (n_rows,):
            raise InvalidLabelsError(
                f"{name} must hold one entry for each of the {n_rows} rows; got shape {column.shape}."
            )
    if hasattr(data, "obs") and hasattr(data, "uns"):
        return _annotate(data, columns, provenance)
    import narwhals.stable.v2 as nw

    frame: Any = nw.from_native(data, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise InvalidInputError(
            f"attach takes a pandas, polars or pyarrow data frame or AnnData; got {type(data).__name__}."
        )
    if frame.implementation.is_pandas():
        return type(data)(columns, index=data.index)
    return nw.from_dict(columns, backend=frame.implementation).to_native()


def _annotate(data: Any, columns: dict[str, Any], provenance: Any) -> Any:
    # Scanpy draws and tests by category.
    data.obs[LABELS] = columns[LABELS].astype(str)
    data.obs[LABELS] = data.obs[LABELS].astype("category")
    if CONFIDENCE in columns:
        data.obs[CONFIDENCE] = columns[CONFIDENCE]
    facts = json.dumps(dict(provenance or {}), default=str)
    n_clusters = len(np.unique(columns[LABELS]))
    data.uns["consensus"] = {"n_clusters": n_clusters, "provenance": facts}
    return data
