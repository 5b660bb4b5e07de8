"""A consensus of many clusterings of the same cells, written into the AnnData object."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._declare import (
    Declaration,
    Integer,
    Name,
    Optional,
    Seed,
    WordOr,
    check_parameters,
)
from consilience._utils._provenance import provenance
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.answer import KChoice, choose_k
from consilience.answer.internals import ConsensusChoice, make_consensus
from consilience.consensus import ConsensusFunction
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.metrics import nmi
from consilience.scanpy._cells import as_json, check_cells, read_members

_DECLARED: dict[str, Declaration] = {
    "n_clusters": WordOr(Integer(1), "auto"),
    "function": ConsensusChoice(),
    "use_rep": Optional(Name()),
    "key_added": Name(),
    "random_state": Seed(),
}


class _Answer(NamedTuple):
    """Labels by size of the clusters, confidence and shares of votes."""

    labels: Array
    confidence: Array
    votes: Array


def consensus(
    adata: Any,
    keys: Any = None,
    *,
    n_clusters: int | str = "auto",
    function: str | ConsensusFunction | None = None,
    use_rep: str | None = None,
    key_added: str = "consensus",
    weights: Any = None,
    random_state: RandomState = 0,
) -> str:
    """Combine clusterings of the cells, and write the consensus into the AnnData object.

    Parameters
    ----------
    adata : AnnData
        The cells.
    keys : list of str, str, Ensemble or None
        Which clusterings: columns of obs; a regular expression that the whole name of a column fits,
        such as ``"leiden_.*"``; a matrix of labels in obsm; an ensemble. None: what
        `leiden_ensemble` made.
    n_clusters : int or "auto", default "auto"
        Clusters wanted. "auto": chosen by `consilience.answer.choose_k` from the members, or from
        `use_rep`; the answer may be one.
    function : str, consensus function or None, default None
        How members are combined; None: Concord.
    use_rep : str or None, default None
        Representation in obsm, such as "X_pca", from which the number of clusters is chosen.
    key_added : str, default "consensus"
        Name of what is written.
    weights : array (r,), optional
        How much every member counts.
    random_state : int, generator or None, default 0
        Seed of all random numbers.

    Returns
    -------
    str
        The result in a sentence.

    Notes
    -----
    Written are

    * ``obs[key_added]``: the consensus, categorical; "0" is the largest cluster, as in scanpy;
    * ``obs[key_added + "_confidence"]``: share of the members' votes for the cell's own cluster;
    * ``obsm[key_added + "_votes"]``: shares of all clusters, (cells, K);
    * ``uns[key_added]``: the sentence, parameters and versions, a table of the members, and the table
      of the choice of the number of clusters, if it was chosen.

    ``adata.write_h5ad`` keeps all of it. ``scanpy.pl.umap(adata, color="consensus")`` draws it.

    Examples
    --------
    >>> import anndata, numpy as np, pandas as pd
    >>> from consilience.scanpy import consensus
    >>> obs = pd.DataFrame({"a": list("xxxyyy"), "b": list("ppqqqq"), "c": list("mmmnnn")})
    >>> cells = anndata.AnnData(np.zeros((6, 1), np.float32), obs=obs.set_index(obs.index.astype(str)))
    >>> print(consensus(cells, ["a", "b", "c"], n_clusters=2))
    2 clusters of 3, 3 cells from 3 members; mean confidence 0.9...
    >>> cells.obs["consensus"].tolist()
    ['0', '0', '0', '1', '1', '1']
    """
    given = dict(locals())
    check_cells(adata, "consensus")
    check_parameters("consensus", _DECLARED, given)
    ensemble, names = read_members(adata, keys, "consensus")
    if weights is not None:
        ensemble = ensemble.with_weights(weights)
    choosing, combining = (
        int(child.generate_state(1)[0]) for child in seed_sequence(random_state).spawn(2)
    )
    source = ensemble if use_rep is None else _representation(adata, use_rep, n_clusters)
    choice = choose_k(source, random_state=choosing) if n_clusters == "auto" else None
    wanted = int(n_clusters) if choice is None else choice.n_clusters
    fitted, answer = _combine(ensemble, function, wanted, combining)
    sentence = _sentence(answer, ensemble, choice)
    _write(adata, key_added, answer)
    parameters = {name: repr(given[name]) for name in _DECLARED}
    facts = provenance(
        estimator="consilience.scanpy.consensus",
        parameters=parameters,
        function="one cluster" if fitted is None else repr(fitted),
        ensemble=ensemble.fingerprint,
    )
    adata.uns[key_added] = {
        "sentence": sentence,
        "n_clusters": answer.votes.shape[1],
        "provenance": as_json(facts),
        "members": _member_table(ensemble, names, answer.labels),
        **({} if choice is None else {"choice": choice.sentence, "table": _choice_table(choice)}),
    }
    return sentence


def _representation(adata: Any, use_rep: str, n_clusters: int | str) -> Array:
    if n_clusters != "auto":
        raise InvalidInputError(
            "consensus: use_rep is where the number of clusters is chosen from, so it needs "
            f"n_clusters='auto'; got n_clusters={n_clusters}."
        )
    if use_rep not in adata.obsm:
        raise InvalidInputError(
            f"consensus: obsm has no representation {use_rep!r}; it has {list(adata.obsm)}."
        )
    return np.asarray(adata.obsm[use_rep])


def _combine(
    ensemble: Ensemble, function: Any, n_clusters: int, random_state: int
) -> tuple[ConsensusFunction | None, _Answer]:
    n_cells = ensemble.n_samples
    if n_clusters == 1:
        return None, _Answer(np.zeros(n_cells, np.int32), np.ones(n_cells), np.ones((n_cells, 1)))
    fitted = make_consensus(function, n_clusters, random_state, constrained=False).fit(ensemble)
    labels, votes = np.asarray(fitted.labels_), fitted.predict_proba(ensemble)
    # The largest cluster first, as scanpy names them.
    order = np.argsort(-np.bincount(labels, minlength=votes.shape[1]), kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order))
    return fitted, _Answer(rank[labels], fitted.own_shares(ensemble), votes[:, order])


def _write(adata: Any, key: str, answer: _Answer) -> None:
    import pandas as pd

    names = [str(k) for k in range(answer.votes.shape[1])]
    adata.obs[key] = pd.Categorical.from_codes(answer.labels, categories=names)
    adata.obs[f"{key}_confidence"] = answer.confidence
    adata.obsm[f"{key}_votes"] = answer.votes
    # Colours of an earlier result would be those of other clusters.
    adata.uns.pop(f"{key}_colors", None)


def _member_table(ensemble: Ensemble, names: list[str], labels: Array) -> Any:
    import pandas as pd

    return pd.DataFrame(
        {
            "n_clusters": ensemble.n_clusters.astype(np.int64),
            "weight": np.asarray(ensemble.weights, dtype=np.float64),
            "cells": np.asarray(ensemble.n_observed, dtype=np.int64),
            "nmi_with_consensus": [nmi(member, labels) for member in ensemble.labels.T],
        },
        index=pd.Index(names, name="member"),
    )


def _choice_table(choice: KChoice) -> Any:
    import pandas as pd

    rows = pd.DataFrame([row._asdict() for row in choice.table])
    # The file format needs an index of text with a name that no column has.
    return rows.set_index(pd.Index([f"k={row.n_clusters}" for row in choice.table]))


def _sentence(answer: _Answer, ensemble: Ensemble, choice: KChoice | None) -> str:
    n_clusters = answer.votes.shape[1]
    if n_clusters == 1:
        text = f"One cluster of {len(answer.labels):,} cells from {ensemble.n_members} members"
    else:
        sizes = np.bincount(answer.labels, minlength=n_clusters)
        shown = ", ".join(f"{size:,}" for size in sizes[:12]) + (", ..." if n_clusters > 12 else "")
        doubtful = int(np.count_nonzero(answer.confidence < 0.5))
        text = (
            f"{n_clusters} clusters of {shown} cells from {ensemble.n_members} members; mean confidence "
            f"{answer.confidence.mean():.2f}, {doubtful or 'no'} cell{'s' if doubtful > 1 else ''} "
            "below 0.50"
        )
    return text + ("." if choice is None else f". {choice.sentence}")
