"""The report: a result as a plain dictionary, and the page made of it."""

import html as markup
import json
import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from consilience._utils._atomic import atomic_path
from consilience._utils._progress import no_bars, progress
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.reporting._choice import describe_choice
from consilience.reporting._clusters import describe_clusters, known_classes, uncertain_objects
from consilience.reporting._features import (
    column_names,
    defining_features,
    read_data,
    weighted_features,
)
from consilience.reporting._maps import object_maps
from consilience.reporting._members import describe_members
from consilience.reporting._origin import origin
from consilience.reporting._picture import consensus_picture
from consilience.reporting._result import read_result
from consilience.reporting._verdict import find_doubts, verdict

_BINS = 20


class Report:
    """A summary, and the page made of it.

    Parameters
    ----------
    summary : dict
        What `consilience.reporting.summarise` returns, or the same read back from JSON.

    Attributes
    ----------
    summary : dict
        Text, numbers, lists and None only.
    html : str
        The whole page; it needs no other file and no network.

    Examples
    --------
    >>> import consilience
    >>> from consilience.datasets import make_planted_ensemble
    >>> ensemble, truth = make_planted_ensemble(60, 8, 2, noise=0.05, random_state=0)
    >>> page = consilience.report(ensemble, labels=truth, title="Two halves")
    >>> page
    Report('Two halves': 2 clusters: the clusterings agree)
    >>> page.html.splitlines()[0]
    '<!doctype html>'
    """

    def __init__(self, summary: Mapping[str, Any]) -> None:
        self.summary = dict(summary)

    @cached_property
    def html(self) -> str:
        """Return the page."""
        from consilience.reporting._render import render

        return render(self.summary)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the page; the file is written completely or not at all."""
        text = self.html
        with atomic_path(path, overwrite=overwrite) as temporary:
            temporary.write_text(text, encoding="utf-8", newline="\n")

    def to_json(self) -> str:
        """Return the summary as JSON text."""
        return json.dumps(self.summary, ensure_ascii=False, allow_nan=False)

    def _repr_html_(self) -> str:
        """Show the page in a notebook, in a frame that shares nothing with it."""
        return (
            f'<iframe title="{markup.escape(str(self.summary["title"]))}" sandbox="allow-scripts" '
            f'width="100%" height="720" style="border:0" srcdoc="{markup.escape(self.html)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Report({self.summary['title']!r}: {self.summary['verdict']['headline']})"


def report(  # noqa: PLR0913 - everything after the path is optional and by name
    result: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    labels: Any = None,
    ensemble: Any = None,
    X: Any = None,
    feature_names: Any = None,
    ids: Any = None,
    command: str | None = None,
    title: str | None = None,
    truth: Any = None,
    sample_of: int | None = None,
    overwrite: bool = False,
) -> Report:
    """Write a report about a result in one HTML file.

    The file needs no network and no other file. It has the verdict
    and the doubts in words, maps of the objects, the choice of the number of clusters, the consensus
    heatmap, the clusters and what defines them, the least certain objects, the members, and how to
    repeat it all.

    Parameters
    ----------
    result : ConsensusClustering, consensus function or Ensemble
        A fitted model; or a fitted consensus function together with `ensemble`; or an Ensemble together
        with `labels`.
    path : path, optional
        Where to write the file; None writes nothing.
    labels : vector of n labels, optional
        The labels of a consensus of an Ensemble.
    ensemble : Ensemble, optional
        What a consensus function was fitted to.
    X : array (n, d), sparse matrix or data frame, optional
        The data, to draw them and to say which columns define the clusters.
    feature_names : sequence of str, optional
        Names of the columns; default those of the data frame.
    ids : array (n,), optional
        Names of the objects; default those of the ensemble, else their positions.
    command : str, optional
        What was typed to get the result; default the Python lines that repeat it.
    title : str, optional
        Title of the page, best the name of the data; default "Consensus clustering".
    truth : vector of n labels, optional
        Known classes, to say how far the clusters are the same; -1, None and NaN are not known.
    sample_of : int, optional
        How many objects there are, if those of the result are a sample of them; the page says so.
    overwrite : bool, default False
        Whether a file that exists may be replaced.

    Returns
    -------
    Report
        With `summary`, `html`, `save` and `to_json`; is displayed in notebooks.

    See Also
    --------
    consilience.reporting.summarise : The same as a dictionary.

    Notes
    -----
    Linear in the number of objects. The heatmap shows at most 400 objects and the maps at most 2,000,
    some of every cluster;
    members are compared on at most 20,000; the means between clusters are over all objects. The file
    is below 1 MB for any n. Everything that comes from the data is escaped.

    Examples
    --------
    >>> import consilience
    >>> from consilience.consensus import IPC
    >>> e = consilience.Ensemble([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]])
    >>> page = consilience.report(IPC(n_clusters=2).fit(e), ensemble=e)
    >>> page.summary["verdict"]["n_clusters"]
    2
    """
    with progress("Writing the report", None, None):
        read = read_result(result, labels=labels, ensemble=ensemble)
        id_of = _namer(ids, read.ensemble)
        pictured, compared, mapped = np.random.SeedSequence(0).spawn(3)
        doubts = find_doubts(read, id_of)
        data, features = None, []
        weights = getattr(read.function, "feature_weights_", None) if X is None else None
        if X is not None:
            if feature_names is None:
                feature_names = getattr(read.estimator, "feature_names_in_", None)
            data = read_data(X, feature_names, read.n_samples)
            features = defining_features(*data, read.labels, read.n_clusters)
        elif weights is not None:
            features = weighted_features(weights, column_names(feature_names, weights.shape[1]))
        confidence = read.confidence[~read.unknown]
        made = Report(
            {
                "format": 1,
                "title": title or "Consensus clustering",
                "sample_of": sample_of,
                "verdict": verdict(read, doubts),
                "doubts": [doubt.as_dict() for doubt in doubts],
                "classes": None if truth is None else known_classes(read.labels, truth),
                "choice": None if read.k_choice is None else describe_choice(read.k_choice),
                "picture": consensus_picture(read, id_of, np.random.default_rng(pictured)),
                "map": object_maps(read, id_of, data, np.random.default_rng(mapped)),
                "clusters": describe_clusters(read, features),
                "features": {"given": bool(features), "by_weight": weights is not None},
                "confidence": np.histogram(confidence, _BINS, range=(0.0, 1.0 + 1e-9))[0].tolist(),
                "n_unknown": int(np.count_nonzero(read.unknown)),
                "objects": uncertain_objects(read, id_of),
                "members": describe_members(read, np.random.default_rng(compared)),
                "origin": origin(read, command),
            }
        )
        if path is not None:
            made.save(path, overwrite=overwrite)
    return made


def summarise(result: Any, **given: Any) -> dict[str, Any]:
    """Collect what a report says about a result, without the page.

    Parameters
    ----------
    result : ConsensusClustering, consensus function or Ensemble
        As for `consilience.report`.
    **given : dict
        As for `consilience.report`.

    Returns
    -------
    dict
        Text, numbers, lists and None only: ``json.dumps`` takes it, and `Report` makes the page of it
        and of nothing else.

    Notes
    -----
    Samples (objects of the heatmap, objects on which members are compared) are drawn with a fixed seed.
    Apart from the time, the same result gives the same summary.

    Examples
    --------
    >>> from consilience import Ensemble
    >>> from consilience.reporting import summarise
    >>> e = Ensemble([[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]])
    >>> summary = summarise(e, labels=[0, 0, 0, 1, 1, 1])
    >>> summary["verdict"]["headline"]
    '2 clusters: usable, with doubts'
    >>> summary["objects"][0]["id"], summary["objects"][0]["second"]
    ('2', '1')
    """
    # Who asks for a dictionary shows the progress of something larger.
    with no_bars():
        return report(result, **given).summary


def _namer(ids: Any, ensemble: Ensemble) -> Callable[[int], str]:
    given = ensemble.ids if ids is None else np.asarray(ids)
    if given is None:
        return str
    if given.shape != (ensemble.n_samples,):
        raise InvalidInputError(
            f"report: ids must be one name per object, {ensemble.n_samples}; got an array of shape "
            f"{given.shape}."
        )
    return lambda row: str(given[row])
