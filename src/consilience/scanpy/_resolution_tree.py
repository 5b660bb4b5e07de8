"""A tree of the clusterings in obs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from consilience.exceptions import InvalidInputError
from consilience.plot import ResolutionTreeDisplay
from consilience.scanpy._cells import MEMBERS, check_cells, obs_columns


def resolution_tree(adata: Any, keys: str | Sequence[str] | None = None) -> ResolutionTreeDisplay:
    """Return the tree of clusterings of the cells; `plot` draws it, `sentence` says what is stable.

    Parameters
    ----------
    adata : AnnData
        The cells.
    keys : list of str, str or None
        Columns of obs, or a regular expression that the whole name of a column fits; each is a level.
        None: what `leiden_ensemble` made, a level for every resolution.

    Examples
    --------
    >>> import anndata, numpy as np, pandas as pd
    >>> from consilience.scanpy import resolution_tree
    >>> obs = pd.DataFrame({"r1": list("xxxyyy"), "r2": list("ppqrrr"), "r3": list("mmnooo")})
    >>> cells = anndata.AnnData(np.zeros((6, 1), np.float32), obs=obs.set_index(obs.index.astype(str)))
    >>> resolution_tree(cells, "r[0-9]").stable_level
    'r2'
    """
    check_cells(adata, "resolution_tree")
    if keys is not None:
        columns = obs_columns(adata, keys, "resolution_tree")
        frame = adata.obs[columns].astype(object)
        frame = frame.where(frame.notna(), None)
        return ResolutionTreeDisplay({column: frame[column].tolist() for column in columns})
    if MEMBERS not in adata.obsm or MEMBERS not in adata.uns:
        raise InvalidInputError(
            f"resolution_tree: keys must name columns of obs, or obsm must hold {MEMBERS!r}, which "
            "consilience.scanpy.leiden_ensemble writes; got neither."
        )
    levels = [float(one) for one in adata.uns[MEMBERS]["resolutions"]]
    return ResolutionTreeDisplay.from_ensemble(np.asarray(adata.obsm[MEMBERS]), levels=levels)
