"""Members of an ensemble from many runs of community detection."""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from consilience._utils._declare import (
    Choice,
    Declaration,
    Flag,
    Integer,
    Jobs,
    Optional,
    Real,
    Seed,
    Share,
    check_parameters,
)
from consilience._utils._provenance import provenance
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.graphs._communities import labels_of_communities
from consilience.graphs._detect import ALGORITHMS, LIBRARIES, Detection, Task
from consilience.graphs._graph import Graph, read_graph

_FEWEST_SEEN = 2


class Resolutions:
    """A number above 0, or several."""

    def accepts(self, value: object) -> bool:
        """Booleans are not numbers here."""
        if isinstance(value, Collection) and not isinstance(value, str | bytes):
            return len(value) > 0 and all(self.accepts(one) for one in value)
        return Real(0).accepts(value) and float(value) > 0  # type: ignore[arg-type]

    def __str__(self) -> str:
        return "a number above 0, or a list of such numbers"


class _Algorithm:
    """A name or a function."""

    def accepts(self, value: object) -> bool:
        return callable(value) or Choice(*ALGORITHMS).accepts(value)

    def __str__(self) -> str:
        return f"{Choice(*ALGORITHMS)}, or a function of a graph and a seed"


DECLARED: dict[str, Declaration] = {
    "algorithm": _Algorithm(),
    "library": Choice(*LIBRARIES),
    "n_members": Integer(1),
    "resolution": Resolutions(),
    "first_level": Flag(),
    "subsample": Optional(Share()),
    "random_state": Seed(),
    "n_jobs": Optional(Jobs()),
}


def community_ensemble(  # noqa: PLR0913 - every parameter has a name and a default
    graph: Any,
    *,
    algorithm: str | Callable[[Any, int], Any] = "leiden",
    library: str = "igraph",
    n_members: int = 50,
    resolution: float | Collection[float] = 1.0,
    first_level: bool = False,
    subsample: float | None = None,
    weight: str | None = "weight",
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> Ensemble:
    """Run community detection many times: an ensemble with a member per run.

    Parameters
    ----------
    graph : networkx graph, igraph graph, sparse matrix (n, n), or edges
        See `read_graph`.
    algorithm : {"leiden", "louvain", "label_propagation"} or callable, default "leiden"
        A function gets the graph as you gave it and a seed, and returns labels, or communities as lists
        of nodes.
    library : {"igraph", "leidenalg", "networkx"}, default "igraph"
        Package of the algorithm. igraph has all three and is the fastest; leidenalg has Leiden; networkx
        has Louvain and label propagation.
    n_members : int, default 50
        Runs.
    resolution : float or list of floats, default 1.0
        Larger numbers give more and smaller communities; of a list, members take the entries in turn.
        Label propagation has none.
    first_level : bool, default False
        Keep the finest partition of every run of Louvain, before communities are merged.
    subsample : float or None, default None
        Share of the nodes that a run sees; the others are missing in this member.
    weight : str or None, default "weight"
        Attribute of edges that holds their weight.
    random_state : int, generator or None
        Seed of all random numbers.
    n_jobs : int or None
        Processes that make members side by side; the members are the same for any number.

    Returns
    -------
    Ensemble
        An object per node, with the names of the nodes as ids; every consensus function takes it.

    Notes
    -----
    igraph draws from one generator per process. It is set for every run, and set back to Python's
    `random` module afterwards.

    Examples
    --------
    >>> import networkx as nx
    >>> from consilience.graphs import community_ensemble
    >>> community_ensemble(nx.karate_club_graph(), n_members=10, random_state=0)
    Ensemble(34 objects, 10 members, ... base clusters)
    """
    owner, given = "community_ensemble", dict(locals())
    check_parameters(owner, DECLARED, given)
    read = read_graph(graph, weight=weight)
    each = [
        float(one) for one in (resolution if isinstance(resolution, Collection) else [resolution])
    ]
    wanted = [each[j % len(each)] for j in range(n_members)]
    if callable(algorithm):
        _refuse_for_functions(owner, given)
        labels = _by_function(algorithm, graph, read, n_members, random_state)
        name = getattr(algorithm, "__name__", "function")
    else:
        detection = Detection(algorithm, library, first_level)
        detection.check(owner)
        labels = detect(read, detection, draw_tasks(read, wanted, subsample, random_state), n_jobs)
        name = algorithm
    facts = {key: given[key] for key in DECLARED} | {"algorithm": name, "graph": repr(read)}
    kept = {key: repr(value) for key, value in facts.items()}
    # Only resolutions that differ are part of the name.
    names = [
        f"{name}_{j}" if len(each) == 1 else f"{name}_{one:g}_{j}" for j, one in enumerate(wanted)
    ]
    ensemble = Ensemble(labels, names=names, ids=read.ids)
    return ensemble.with_provenance(provenance(estimator=owner, parameters=kept))


def draw_tasks(
    graph: Graph, resolutions: list[float], subsample: float | None, random_state: RandomState
) -> list[Task]:
    """Give every member its own seed, and its own nodes if it sees only some."""
    tasks = []
    for one, child in zip(
        resolutions, seed_sequence(random_state).spawn(len(resolutions)), strict=True
    ):
        rng = np.random.default_rng(child)
        number = int(rng.integers(2**31 - 1))
        rows = None
        if subsample is not None and subsample < 1:
            n_seen = max(min(_FEWEST_SEEN, graph.n_nodes), round(subsample * graph.n_nodes))
            rows = np.sort(rng.choice(graph.n_nodes, n_seen, replace=False))
        tasks.append(Task(one, number, rows))
    return tasks


def detect(graph: Graph, detection: Detection, tasks: list[Task], n_jobs: int | None) -> Array:
    """Run all tasks, in this process or divided among several."""
    n_parts = min(effective_n_jobs(n_jobs), len(tasks))
    if n_parts <= 1:
        return detection.run(graph, tasks)
    parts = np.array_split(np.arange(len(tasks)), n_parts)
    # Processes, since igraph has one random generator for all threads.
    found = Parallel(n_jobs=n_parts, prefer="processes")(
        delayed(detection.run)(graph, [tasks[j] for j in part]) for part in parts
    )
    return np.concatenate(found, axis=1)


def _by_function(
    function: Callable[[Any, int], Any],
    graph: Any,
    read: Graph,
    n_members: int,
    random_state: RandomState,
) -> Array:
    columns = []
    for task in draw_tasks(read, [1.0] * n_members, None, random_state):
        found = function(graph, task.seed)
        flat = isinstance(found, np.ndarray | list | tuple) and _is_flat(found)
        columns.append(np.asarray(found) if flat else labels_of_communities(found, read))
        if len(columns[-1]) != read.n_nodes:
            raise InvalidParameterError(
                f"community_ensemble: the function must label each of the {read.n_nodes} nodes; it "
                f"returned {len(columns[-1])} labels."
            )
    return np.column_stack(columns)


def _is_flat(found: Any) -> bool:
    return len(found) > 0 and np.ndim(found[0]) == 0 and isinstance(found[0], int | np.integer)


def _refuse_for_functions(owner: str, given: dict[str, Any]) -> None:
    defaults = {"library": "igraph", "resolution": 1.0, "first_level": False, "subsample": None}
    for name, default in defaults.items():
        if given[name] != default:
            raise InvalidParameterError(
                f"{owner}: {name} has no meaning if algorithm is a function; got {given[name]!r}."
            )
