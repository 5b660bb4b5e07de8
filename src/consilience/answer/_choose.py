"""The road from rows to the best candidate of every number of clusters, as steps that pass values."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from consilience._utils._types import Array
from consilience.answer import _settings as settings
from consilience.answer._borders import Links, spread_values
from consilience.answer._candidates import Candidates
from consilience.answer._members import Kind, Member, Scale, Seen, grid_for, kinds_of, mixtures, see
from consilience.answer._probability import (
    Density,
    density_of,
    neighbour_numbers,
    probability_of_clusters,
)
from consilience.answer._score import Scored, best_candidate, gains
from consilience.generate.internals import scalings_to_try


class Evidence(NamedTuple):
    """Everything that is known about the judged rows before a number of clusters is chosen.

    scales      the scalings of the columns
    seen        the judged rows in every scaling
    kinds       the kinds of clusterings, one entry for every scaling
    members     the clusterings on the grid of numbers
    density     what the density shows
    graphs      links of near rows, one graph for every scaling
    least_size  rows that the smallest cluster has at least where possible
    seed        of clusterings that are still to be made
    n_threads   workers
    """

    scales: Sequence[Scale]
    seen: Sequence[Seen]
    kinds: Sequence[Kind]
    members: Sequence[Member]
    density: Density
    graphs: Sequence[Links]
    least_size: float
    seed: int
    n_threads: int

    @property
    def n_rows(self) -> int:
        """Return the number of judged rows."""
        return len(self.seen[0].rows)


class Choice(NamedTuple):
    """The best candidate of every number of clusters, and the probability that there are clusters."""

    best: dict[int, Scored]
    n_clusters: int
    probability: float


def gather(X: Any, scaling: str | None, least_size: float, seed: int, n_threads: int) -> Evidence:
    """Make clusterings of the judged rows, and see their density and borders."""
    scales = [Scale(name, X) for name in scalings_to_try(X, scaling)]
    rows = [scale(X) for scale in scales]
    for_borders = rows
    if not sparse.issparse(X) and X.shape[1] <= settings.MANY_COLUMNS:
        spread = spread_values(X)
        if not np.array_equal(spread, X):
            for_borders = [_scaled_alike(scale, spread) for scale in scales]
    n = X.shape[0]
    few = max(settings.GRAPH_NEIGHBOURS, settings.CORE_NEIGHBOUR)
    many = max(few, settings.LINKS, *neighbour_numbers(n))
    with ThreadPoolExecutor(n_threads) as pool:
        dense = list(pool.map(partial(see, n_neighbours=many), for_borders))
        seen = dense if for_borders is rows else list(pool.map(partial(see, n_neighbours=few), rows))
        looking = pool.submit(density_of, dense)
        found = kinds_of(seen, seed, n_threads)
        graphs = list(pool.map(Links.of, dense))
        density = looking.result()
    return Evidence(
        scales,
        seen,
        [kind for kind, _ in found],
        [member for _, members in found for member in members] + list(density.members),
        density,
        graphs,
        least_size,
        seed,
        n_threads,
    )


def _scaled_alike(scale: Scale, rows: Array) -> Array:
    """Scale other rows in the same way, by what these rows show."""
    return Scale(None if scale.name == "none" else scale.name, rows)(rows)


def choose(evidence: Evidence, numbers: Iterable[int] | None) -> Choice:
    """Return the best candidate of every number, the number that scores best, and the probability.

    None: all numbers of the candidates.
    """
    on_grid = Candidates.of(evidence.members, evidence.n_rows)
    wanted = np.unique(on_grid.n_clusters) if numbers is None else sorted(set(numbers))
    made = [_made_at(evidence, int(k)) for k in wanted]
    pooled = [
        Candidates.of([*evidence.members, *extra], evidence.n_rows) if extra else on_grid
        for extra in made
    ]

    def judge(k: int, candidates: Candidates) -> Scored | None:
        chosen = candidates.with_number(k)
        gained = gains(chosen, candidates, settings.CHOOSING)
        return best_candidate(
            chosen, gained, evidence.graphs, evidence.density.dimension, settings.CHOOSING,
            evidence.least_size,
        )  # fmt: skip

    with ThreadPoolExecutor(evidence.n_threads) as pool:
        found = list(pool.map(judge, map(int, wanted), pooled))
    best = {int(k): one for k, one in zip(wanted, found, strict=True) if one is not None}
    large = {k: one for k, one in best.items() if one.smallest >= evidence.least_size} or best
    if not large:
        return Choice({}, 1, 0.0)
    n_clusters = max(large, key=lambda k: (large[k].score, -k))
    probability = probability_of_clusters(large[n_clusters].score, evidence.density.evidence)
    return Choice(best, n_clusters, probability)


def answer_of(evidence: Evidence, n_clusters: int) -> Scored | None:
    """Return the best answer with a number of clusters, from the same evidence; None if there is none."""
    members = [
        *evidence.members,
        *_made_at(evidence, n_clusters),
        *mixtures(evidence.seen, n_clusters, evidence.seed),
    ]
    voters = Candidates.of(members, evidence.n_rows)
    candidates = voters.with_number(n_clusters)
    gained = gains(candidates, voters, settings.OF_ONE_NUMBER)
    return best_candidate(
        candidates, gained, evidence.graphs, evidence.density.dimension, settings.OF_ONE_NUMBER,
        evidence.least_size,
    )  # fmt: skip


def _made_at(evidence: Evidence, n_clusters: int) -> list[Member]:
    """Make clusterings at a number that is not on the grid."""
    if n_clusters in grid_for(evidence.n_rows):
        return []
    return [member for kind in evidence.kinds for member in kind.members([n_clusters])]
