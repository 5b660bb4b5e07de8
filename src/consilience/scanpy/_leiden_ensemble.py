"""Members by Leiden on the neighbour graph of the cells, and a tree of them over the resolutions."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from consilience._utils._declare import (
    Choice,
    Declaration,
    Integer,
    Jobs,
    Name,
    Optional,
    Seed,
    Share,
    check_parameters,
)
from consilience._utils._random import RandomState
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.graphs import community_ensemble, read_graph
from consilience.graphs.internals import Resolutions
from consilience.plot import ResolutionTreeDisplay
from consilience.scanpy._cells import MEMBERS, as_json, check_cells, obs_columns

_RESOLUTIONS = (0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)
_DECLARED: dict[str, Declaration] = {
    "resolutions": Resolutions(),
    "n_runs": Integer(1),
    "subsample": Optional(Share()),
    "library": Choice("igraph", "leidenalg"),
    "neighbors_key": Optional(Name()),
    "key_added": Name(),
    "random_state": Seed(),
    "n_jobs": Optional(Jobs()),
}


def leiden_ensemble(
    adata: Any,
    resolutions: Collection[float] = _RESOLUTIONS,
    *,
    n_runs: int = 40,
    subsample: float | None = 0.9,
    library: str = "igraph",
    neighbors_key: str | None = None,
    key_added: str = MEMBERS,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> Ensemble:
    """Run Leiden many times on the neighbour graph, over resolutions and seeds.

    Parameters
    ----------
    adata : AnnData
        With a neighbour graph, as `scanpy.pp.neighbors` writes it.
    resolutions : list of floats, default 0.4, 0.6, ..., 2.0
        Resolutions to run.
    n_runs : int, default 40
        Runs of every resolution, each with a seed of its own.
    subsample : float or None, default 0.9
        Share of the cells that a run sees; the others are missing in this member. None: all.
    library : {"igraph", "leidenalg"}, default "igraph"
        Package of Leiden; igraph is several times faster.
    neighbors_key : str or None, default None
        Where `scanpy.pp.neighbors(key_added=...)` left the graph; None: `obsp["connectivities"]`.
    key_added : str, default "leiden_ensemble"
        Name of what is written.
    random_state : int, generator or None, default 0
        Seed of all random numbers.
    n_jobs : int or None
        Processes that make members; the members are the same for any number.

    Returns
    -------
    Ensemble
        The members; the same labels are in `obsm[key_added]`, (cells, members), -1 = not seen, and
        names, resolutions and parameters in `uns[key_added]`.

    Examples
    --------
    >>> import anndata, numpy as np
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn.neighbors import kneighbors_graph
    >>> from consilience.scanpy import leiden_ensemble
    >>> X, _ = make_blobs(90, centers=3, random_state=0)
    >>> cells = anndata.AnnData(X.astype(np.float32))
    >>> graph = kneighbors_graph(X, 10)
    >>> cells.obsp["connectivities"] = graph.maximum(graph.T)
    >>> leiden_ensemble(cells, [0.5, 1.0], n_runs=3)
    Ensemble(90 objects, 6 members, ... base clusters, 10.0 % missing)
    >>> cells.obsm["leiden_ensemble"].shape
    (90, 6)
    """
    owner, given = "leiden_ensemble", dict(locals())
    check_cells(adata, owner)
    check_parameters(owner, _DECLARED, given)
    each = resolutions if isinstance(resolutions, Collection) else [resolutions]
    wanted = [float(one) for one in each for _ in range(n_runs)]
    graph = read_graph(_neighbour_graph(adata, neighbors_key, owner))
    ensemble = community_ensemble(
        graph,
        algorithm="leiden",
        library=library,
        n_members=len(wanted),
        resolution=wanted,
        subsample=subsample,
        random_state=random_state,
        n_jobs=n_jobs,
    ).with_ids(np.asarray(adata.obs_names, dtype=object))
    adata.obsm[key_added] = np.array(ensemble.labels, dtype=np.int32)
    adata.uns[key_added] = {
        "names": np.array(ensemble.names, dtype=object),
        "resolutions": np.array(wanted),
        "params": as_json({name: repr(given[name]) for name in _DECLARED}),
    }
    return ensemble


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


def _neighbour_graph(adata: Any, neighbors_key: str | None, owner: str) -> Any:
    """Return the connectivities of cells that scanpy computed."""
    key = "connectivities"
    if neighbors_key is not None:
        if neighbors_key not in adata.uns:
            raise InvalidInputError(
                f"{owner}: uns has no {neighbors_key!r}; scanpy.pp.neighbors(adata, "
                f"key_added={neighbors_key!r}) writes it."
            )
        key = adata.uns[neighbors_key]["connectivities_key"]
    if key not in adata.obsp:
        raise InvalidInputError(
            f"{owner}: obsp has no {key!r}, the neighbour graph of the cells; run "
            "scanpy.pp.neighbors(adata) first."
        )
    return adata.obsp[key]
