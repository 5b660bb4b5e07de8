"""Shared texts of docstrings, which are inserted when a class is created.

A class describes what is special about it. Parameters and attributes that mean the same in many classes
are omitted from its docstring, or are listed there by name only, and get their text from here:

* a parameter of ``__init__`` that the docstring does not have, in the order of the signature;
* an attribute that every class of the kind has (`Shared.always`);
* a name that stands alone on its line in the section of attributes.

Texts in the docstring of the class are never changed.
"""

import re
from collections.abc import Callable, Mapping
from inspect import cleandoc
from typing import Any, TypeVar

T = TypeVar("T")
_REQUIRED = object()  # marks a parameter without a default


def _entries(text: str) -> list[str]:
    """Split a section into its entries: a line at the margin, and the indented lines below it."""
    return re.findall(r"^\S.*(?:\n(?: .*|(?=\n)))*", text, re.MULTILINE)


def _by_name(entries: list[str]) -> dict[str, str]:
    """Return entries by the names in front of the colon; several names may share one."""
    return {
        name.strip(): entry
        for entry in entries
        for name in entry.split("\n")[0].split(" : ")[0].split(",")
    }


class Shared:
    """The texts of one kind of class.

    Parameters
    ----------
    parameters, attributes : str
        Texts as in the sections of a docstring; defaults of parameters are read from the signature.
    first, always : tuple of str
        Attributes that every class has, before its own and after them.
    if_given : mapping of str to str
        Parameter -> attribute that classes with this parameter have.
    """

    def __init__(
        self,
        parameters: str,
        attributes: str,
        *,
        first: tuple[str, ...] = (),
        always: tuple[str, ...] = (),
        if_given: Mapping[str, str] | None = None,
    ) -> None:
        self.parameters = _by_name(_entries(parameters))
        self.attributes = _by_name(_entries(attributes))
        self.first = first
        self.always = always
        self.if_given = if_given or {}


CONSENSUS = Shared(
    parameters="""
n_clusters : int
    Number of clusters, K.
max_samples : int or None
    Distinct rows of labels up to which the linkage is exact, at least 100. If there are more, a sample
    of this many rows is linked (or ten rows per cluster if that is more), and all rows are labelled by
    the votes of their base clusters. None: always exact, in time that grows with the square of the
    number of distinct rows.
refine : bool
    Whether the result is improved by a local search on the consensus Rand distance, object by object.
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
    Whether the final labels are repaired so that all constraints hold: each group moves as a whole to
    the allowed cluster with most of its votes.
random_state : int, generator or None
    Draws the starts.
verbose : int or None
    None: a progress bar on a terminal or in a notebook; 0: none; 1: always.
""",
    attributes="""
labels_ : array (n,)
    The consensus, 0, 1, ... by first appearance.
n_clusters_ : int
    Number of clusters of the consensus.
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
    The leaf of every object; -1 if no member labels it, if it and all identical objects have weight 0,
    or if it is not in the sample.
feature_weights_ : array (K, D)
    Which features define each cluster, by the rule `feature_weights`; "mean" and "nearest" need a
    cluster table "feature_weights" of the ensemble, as those of `LACSweep` have. Rows sum to one.
approximation_error_ : float
    Largest error of an entry of M, if `degree` is given.
constraints_ : ConstraintReport
    Number of constrained pairs, after transitive closure, and how many the labels satisfy.
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
""",
    first=("labels_", "n_clusters_"),
    always=(
        "members_",
        "cluster_shares_",
        "vote_table_",
        "doubts_",
        "unlabelled_",
        "provenance_",
        "n_features_in_",
        "feature_names_in_",
    ),
    if_given={"max_iter": "n_iter_", "enforce": "constraints_"},
)

GENERATOR = Shared(
    parameters="""
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
""",
    attributes="""
ensemble_ : Ensemble
    The members.
members_ : list of Member
    Labels and centres of every member; ``arrays["converged"]`` of a member says whether its run of
    k-means converged.
n_iter_ : int
    Largest number of k-means iterations of a member.
provenance_ : mapping
    Versions, parameters, seed and hash of the data.
n_features_in_ : int
    Number of columns of the data.
feature_names_in_ : array (d,)
    Names of the columns, if the data came with names of text.
""",
    first=("ensemble_", "members_"),
    always=("provenance_", "n_features_in_", "feature_names_in_"),
)

# Estimators that take data and return labels.
CLUSTERER = Shared(
    parameters="""
random_state : int, generator or None
    Seed of all random numbers.
n_jobs : int or None
    Number of clusterings computed in parallel; results do not depend on it.
verbose : int or None
    None: a progress bar on a terminal or in a notebook; 0: none; 1: always.
""",
    attributes="""
labels_ : array (n,)
    The consensus, 0, 1, ... by first appearance.
n_clusters_ : int
    Number of clusters found.
n_iter_ : int
    Rounds.
provenance_ : mapping
    Versions, parameters, seed and hash of the data.
n_features_in_ : int
    Number of columns of the data.
feature_names_in_ : array (d,)
    Names of the columns, if the data came with names of text.
""",
    first=("labels_",),
    always=("n_features_in_", "feature_names_in_"),
)

_SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", re.MULTILINE)


def complete(cls: type[Any], shared: Shared) -> None:
    """Insert shared texts into the docstring of a class that has one, and its own constructor."""
    own = vars(cls)
    if not own.get("__doc__") or "__init__" not in own:
        return
    defaults = _parameters_of(own["__init__"])
    sections = _sections(cleandoc(own["__doc__"]))
    parameters = _entries(sections.get("Parameters", ""))
    written = _by_name(parameters)
    for name in defaults:
        if name not in written and name in shared.parameters:
            head, _, text = shared.parameters[name].partition("\n")
            default = "" if defaults[name] is _REQUIRED else f", default {defaults[name]!r}"
            written[name] = head + default.replace("'", '"') + "\n" + text
    ordered = [written[name] for name in defaults if name in written]
    sections["Parameters"] = "\n".join(dict.fromkeys([*ordered, *parameters]))
    implied = [name for given, name in shared.if_given.items() if given in defaults]
    sections["Attributes"] = "\n".join(_attributes(sections.get("Attributes", ""), shared, implied))
    cls.__doc__ = _joined(sections)


def documented(shared: Shared) -> Callable[[type[T]], type[T]]:
    """Return a decorator that inserts shared texts into the docstring of a class."""

    def decorate(cls: type[T]) -> type[T]:
        complete(cls, shared)
        return cls

    return decorate


def _parameters_of(constructor: Any) -> dict[str, Any]:
    """Return the parameters of a constructor with their defaults, faster than `inspect.signature`."""
    code = getattr(constructor, "__code__", None)
    if code is None:  # a constructor not written in Python
        return {}
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    positional = names[: code.co_argcount - 1]
    values = constructor.__defaults__ or ()
    found = dict(zip(positional[len(positional) - len(values) :], values, strict=True))
    found |= constructor.__kwdefaults__ or {}
    return {name: found.get(name, _REQUIRED) for name in names}


def _attributes(text: str, shared: Shared, implied: list[str]) -> list[str]:
    entries = _entries(text)
    written = _by_name(entries)
    own = [shared.attributes.get(entry, entry) for entry in entries]

    def missing(names: tuple[str, ...] | list[str]) -> list[str]:
        return [shared.attributes[name] for name in names if name not in written]

    return [*missing(shared.first), *own, *missing([*implied, *shared.always])]


def _sections(document: str) -> dict[str, str]:
    """Split a docstring at its headings, in order; the text before the first heading has no name."""
    parts = _SECTION.split(document)
    found = {"": parts[0].rstrip()}
    titles, texts = parts[1::2], parts[2::2]
    for title, text in zip(titles, texts, strict=True):
        if title not in (
            "Parameters",
            "Attributes",
        ):  # these two come first, also if they are new
            found.setdefault("Parameters", "")
            found.setdefault("Attributes", "")
        found[title] = text.rstrip()
    return found


def _joined(sections: Mapping[str, str]) -> str:
    parts = [
        f"{title}\n{'-' * len(title)}\n{text}" if title else text
        for title, text in sections.items()
        if text
    ]
    return "\n\n".join(parts) + "\n"
