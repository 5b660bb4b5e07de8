"""Shared texts of docstrings, which are added when a class is created.

A class describes what is special about it. Parameters and attributes that mean the same in many classes
are described here, in the docstrings of `CONSENSUS`, `GENERATOR` and `CLUSTERER`. Added are

* the parameters of ``__init__`` that the docstring of the class lacks, in the order of the signature;
* the attributes that every class of the kind has;
* the text of an attribute whose name stands alone on its line in the section of attributes.

Texts in the docstring of the class are never changed.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
_COMPLETED = ("", "Parameters", "Attributes")


class CONSENSUS:
    """Consensus functions.

    Parameters
    ----------
    n_clusters : int
        Number of clusters, K.
    max_samples : int or None
        Distinct rows of labels up to which the linkage is exact, at least 100. If there are more, a
        sample of this many rows is linked (or ten rows per cluster if that is more), and all rows are
        labelled by the votes of their base clusters. None: always exact, in time that grows with the
        square of the number of distinct rows.
    refine : bool
        Whether the result is improved by a local search on the consensus Rand distance, object by
        object.
    feature_weights : {"mean", "nearest", "dispersion"}
        How `feature_weights_` is found: "mean", of the weights of the base clusters of its objects over
        all members; "nearest", those of the member with the largest NMI with the consensus, each
        cluster taking the base cluster with most of its objects; "dispersion", LAC's own formula on the
        consensus clusters, for which the data are needed.
    h : float
        h of LAC, for "dispersion".
    compactness : float
        Weight of the squared distances to the means of the clusters, if there are features. With 1, an
        object that is as far from a mean as objects are from the mean of all (root mean square) counts
        like an object on which all members disagree.
    conflicts : {"raise", "drop_cannot_link"}
        What to do with cannot-links that contradict must-links.
    enforce : bool
        Whether the final labels are repaired so that all constraints hold: each group moves as a
        whole to the allowed cluster with most of its votes.
    random_state : int, generator or None
        Draws the starts.
    verbose : int or None
        None: a progress bar on a terminal or in a notebook; 0: none; 1: always.

    Attributes
    ----------
    labels_ : array (n,)
        The consensus, 0, 1, ... by first appearance.
    n_clusters_ : int
        Number of clusters of the consensus.
    members_ : Ensemble
        The members without their objects; used by `predict` to encode new rows.
    cluster_shares_ : array (K,)
        Share of the objects in every cluster.
    vote_table_ : array (t, K)
        Share of every consensus cluster among the objects of every base cluster.
    doubts_ : list of Doubt
        Reasons to doubt the result, each with a code, numbers and a sentence.
    unlabelled_ : array (n,) of bool
        Objects that no member labels; they are in the largest cluster.
    provenance_ : mapping
        Versions, parameters and fingerprint of the ensemble.
    n_features_in_ : int
        Number of members of the ensemble, r.
    feature_names_in_ : array (r,)
        Names of the columns, if the labels came as a data frame with names of text.

    Attributes of some
    ------------------
    solutions_ : list of Solution
        Every distinct result of the starts, best first.
    n_iter_ : int
        Number of iterations; those of the start that was kept, if there are several.
    uses_classes_ : bool
        Whether the criterion compared labels with known classes, see `consilience.metrics.KnownClasses`.
    meta_clusters_ : array (t,)
        The group of every base cluster.
    function_ : str
        The function whose result was kept.
    linkage_matrix_ : array (q - 1, 4)
        Merges of the q distinct rows of labels, lowest first, as `scipy.cluster.hierarchy` writes
        and draws them; the last column counts distinct rows.
    profile_of_ : array (n,)
        The leaf of every object; -1 if no member labels it, if it and all identical objects have
        weight 0, or if it is not in the sample.
    feature_weights_ : array (K, D)
        Which features define each cluster, by the rule `feature_weights`; "mean" and "nearest" need a
        cluster table "feature_weights" of the ensemble, as those of `LACSweep` have. Rows sum to one.
    approximation_error_ : float
        Largest error of an entry of M, if `degree` is given.
    constraints_ : ConstraintReport
        Number of constrained pairs, after transitive closure, and how many the labels satisfy.
    """

    # Parameter -> attribute that classes with this parameter have.
    implied = {"max_iter": "n_iter_", "enforce": "constraints_"}  # noqa: RUF012 - never changed


class GENERATOR:
    """Generators.

    Parameters
    ----------
    n_members : int
        Number of members of the ensemble, r.
    n_clusters : int, pair (low, high) or None
        Clusters of a member, K; a pair: drawn for every member, both ends included; None: drawn from
        2 .. min(50, ceil(sqrt(n))).
    n_init : int
        Runs of k-means per member. A single run starts from random rows, as in the papers, which makes
        members diverse. Several runs start from k-means++, and the best is kept.
    max_iter : int
        Maximum number of iterations of a run of k-means.
    tol : float
        A run of k-means ends when the squared moves of its centres sum to at most `tol` times the mean
        variance of the columns. 0: it ends when no label changes, as in the papers.
    scaling : {"standard", "max", "common"} or None
        Divide columns by their standard deviation, by their largest absolute value, or all by one
        number, the root of their mean variance; or leave them unchanged.
    n_jobs : int or None
        Number of members computed in parallel; see joblib. Results do not depend on it.
    checkpoint : path or None
        Folder for finished members; if a run was interrupted, the same call continues it.
    verbose : int or None
        None: a progress bar on a terminal or in a notebook; 0: none; 1: always.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members.
    members_ : list of Member
        Labels and centres of every member; ``arrays["converged"]`` of a member says whether its run of
        k-means converged.
    provenance_ : mapping
        Versions, parameters, seed and hash of the data.
    n_features_in_ : int
        Number of columns of the data.
    feature_names_in_ : array (d,)
        Names of the columns, if the data came with names of text.

    Attributes of some
    ------------------
    n_iter_ : int
        Largest number of k-means iterations of a member.
    """


class CLUSTERER:
    """Estimators that take data and return labels.

    Parameters
    ----------
    random_state : int, generator or None
        Seed of all random numbers.
    n_jobs : int or None
        Number of clusterings computed in parallel; results do not depend on it.
    verbose : int or None
        None: a progress bar on a terminal or in a notebook; 0: none; 1: always.

    Attributes
    ----------
    labels_ : array (n,)
        The consensus, 0, 1, ... by first appearance.
    n_features_in_ : int
        Number of columns of the data.
    feature_names_in_ : array (d,)
        Names of the columns, if the data came with names of text.

    Attributes of some
    ------------------
    n_clusters_ : int
        Number of clusters found.
    n_iter_ : int
        Rounds.
    provenance_ : mapping
        Versions, parameters, seed and hash of the data.
    """


def complete(cls: type[Any], shared: type[Any]) -> None:
    """Add shared texts to the docstring of a class that has one, and its own constructor."""
    own = vars(cls)
    if not own.get("__doc__") or "__init__" not in own or not shared.__doc__:
        return
    written, texts = _sections(own["__doc__"]), _sections(shared.__doc__)
    mine, common = _entries(written.get("Parameters", "")), _entries(texts["Parameters"])
    signature = inspect.signature(own["__init__"]).parameters
    parameters = {}
    for name, parameter in signature.items():
        if name in mine:
            parameters[name] = mine[name]
        elif name in common:
            head, _, text = common[name].partition("\n")
            given = f", default {parameter.default!r}".replace("'", '"')
            default = "" if parameter.default is parameter.empty else given
            parameters[name] = f"{head}{default}\n{text}"
    always, some = _entries(texts["Attributes"]), _entries(texts.get("Attributes of some", ""))
    implied = getattr(shared, "implied", {})
    always |= {name: some[name] for given, name in implied.items() if given in signature}
    mine = _entries(written.get("Attributes", ""))
    # A name alone stands for the shared text.
    attributes = always | {
        name: {**always, **some}.get(entry, entry) for name, entry in mine.items()
    }
    rest = {title: text for title, text in written.items() if title not in _COMPLETED}
    sections = {
        "": written[""],
        # Several names may share one entry.
        "Parameters": "\n".join(dict.fromkeys(parameters.values())),
        "Attributes": "\n".join(dict.fromkeys(attributes.values())),
    }
    cls.__doc__ = "\n\n".join(
        f"{title}\n{'-' * len(title)}\n{text}" if title else text
        for title, text in {**sections, **rest}.items()
        if text
    )


def documented(shared: type[Any]) -> Callable[[type[T]], type[T]]:
    """Return a decorator that adds shared texts to the docstring of a class."""

    def decorate(cls: type[T]) -> type[T]:
        complete(cls, shared)
        return cls

    return decorate


def _sections(document: str) -> dict[str, str]:
    """Split a docstring at its headings, in order; the text before the first heading has no name."""
    first, *parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", inspect.cleandoc(document), flags=re.M)
    found = dict(zip(parts[::2], parts[1::2], strict=True))
    return {title: text.rstrip() for title, text in {"": first, **found}.items()}


def _entries(text: str) -> dict[str, str]:
    """Return the entries of a section by their names: a line at the margin, and what is indented."""
    entries = re.findall(r"^\S.*(?:\n(?: .*|(?=\n)))*", text, re.MULTILINE)
    return {
        name.strip(): entry
        for entry in entries
        for name in entry.split("\n")[0].split(" : ")[0].split(",")
    }
