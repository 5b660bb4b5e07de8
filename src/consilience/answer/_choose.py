"""The road from rows to the best candidate of every number of clusters, as steps that pass values."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from consilience.answer import _settings as settings
from consilience.answer._borders import (
    Links,
    dimension_numbers,
    intrinsic_dimension,
    spread_values,
)
from consilience.answer._candidates import Candidates
from consilience.answer._members import (
    NAMED,
    Kind,
    Member,
    Scale,
    Seen,
    grid_for,
    kinds_of,
    mixtures,
    see,
)
from consilience.answer._named_parts import Generated, generate, labels_by
from consilience.answer._probability import probability_of_clusters
from consilience.answer._score import Scored, best_candidate, gains
from consilience.consensus import ConsensusFunction
from consilience.ensemble import Ensemble
from consilience.generate import EnsembleGenerator
from consilience.generate.internals import scalings_to_try


class Asked(NamedTuple):
    """What the user asked for.

    numbers           numbers of clusters in question; None for all
    scaling           of the columns
    least_size        rows that the smallest cluster has at least where possible
    generator         makes the candidates; None for all kinds
    function          combines members to candidates; None for all kinds
    n_members         members that vote or are combined
    seed, n_threads
    """

    numbers: Sequence[int] | None
    scaling: str | None
    least_size: float
    generator: str | EnsembleGenerator | None
    function: str | ConsensusFunction | None
    n_members: int
    seed: int
    n_threads: int


class Evidence(NamedTuple):
    """Everything that is known about the judged rows before a number of clusters is chosen.

    asked      what the user asked for
    scales     the scalings of the columns
    seen       the judged rows in every scaling
    kinds      the kinds of clusterings, one entry for every scaling
    voters     their clusterings on the grid of numbers
    generated  what a named generator made, by the place of the scaling; empty without one
    dimension  intrinsic dimension
    graphs     links of near rows, one graph for every scaling
    """

    asked: Asked
    scales: Sequence[Scale]
    seen: Sequence[Seen]
    kinds: Sequence[Kind]
    voters: Candidates
    generated: dict[int, Generated]
    dimension: float
    graphs: Sequence[Links]

    @property
    def n_rows(self) -> int:
        """Return the number of judged rows."""
        return len(self.seen[0].rows)


class Choice(NamedTuple):
    """The best candidate of every number of clusters, and the probability that there are clusters."""

    best: dict[int, Scored]
    n_clusters: int
    probability: float


def gather(X: Any, asked: Asked) -> Evidence:
    """Make clusterings of the judged rows, and see which rows are near each other."""
    n = X.shape[0]
    scales = [Scale(name, X) for name in scalings_to_try(X, asked.scaling)]
    rows = [scale(X) for scale in scales]
    for_borders = rows
    if not sparse.issparse(X) and X.shape[1] <= settings.MANY_COLUMNS:
        spread = spread_values(X)
        if not np.array_equal(spread, X):
            for_borders = [Scale(name_of(scale), spread)(spread) for scale in scales]
    few = max(settings.GRAPH_NEIGHBOURS, settings.CORE_NEIGHBOUR)
    many = max(few, settings.LINKS, *dimension_numbers(n))
    with ThreadPoolExecutor(asked.n_threads) as pool:
        dense = list(pool.map(partial(see, n_neighbours=many), for_borders))
        seen = (
            dense if for_borders is rows else list(pool.map(partial(see, n_neighbours=few), rows))
        )
        kinds = kinds_of(seen, asked.seed, asked.n_threads)
        graphs = list(pool.map(Links.of, dense))
    grid = grid_for(n)
    members = [member for kind in kinds for member in kind.members(grid)]
    generated = {}
    if asked.generator is not None:
        random = {"random_state": asked.seed, "n_members": asked.n_members}
        common = {**random, "n_jobs": asked.n_threads, "verbose": 0}
        generated = generate(asked.generator, scales, X, asked.numbers, common)
    voters = Candidates.of(members, n)
    dimension = intrinsic_dimension(dense)
    return Evidence(asked, scales, seen, kinds, voters, generated, dimension, graphs)


def name_of(scale: Scale) -> str | None:
    """Return the parameter that gives a scaling."""
    return None if scale.name == "none" else scale.name


def choose(evidence: Evidence) -> Choice:
    """Return the best candidate of every number, the number of the answer, and the probability.

    The numbers with the best scores are examined, the best one first. The first that leaves clusters
    probable is the number; if none does, the most probable of them is the best guess.
    """
    numbers = evidence.asked.numbers
    if numbers is None:
        numbers = np.unique(evidence.voters.n_clusters).tolist()

    def judge(k: int) -> Scored | None:
        return _best_of(evidence, k, settings.CHOOSING, voters_at(evidence, k, fitted=False))

    with ThreadPoolExecutor(evidence.asked.n_threads) as pool:
        found = list(pool.map(judge, numbers))
    best = {k: one for k, one in zip(numbers, found, strict=True) if one is not None}
    if not best:
        return Choice({}, 1, 0.0)
    large = {k: one for k, one in best.items() if one.smallest >= evidence.asked.least_size} or best
    guesses = {}
    for k in sorted(large, key=lambda k: (-large[k].score, k))[: settings.EXAMINED]:
        guesses[k] = probability_of_clusters(answer_of(evidence, k) or large[k], evidence.n_rows)
        if guesses[k] >= settings.UNSURE[0]:
            return Choice(best, k, guesses[k])
    n_clusters = max(guesses, key=lambda k: guesses[k])
    return Choice(best, n_clusters, guesses[n_clusters])


def answer_of(evidence: Evidence, n_clusters: int) -> Scored | None:
    """Return the best answer with a number of clusters from the same evidence.

    If no candidate has so many, the largest smaller number counts; None if there is none either.
    """
    for k in range(n_clusters, 1, -1):
        found = _best_of(evidence, k, settings.OF_ONE_NUMBER, voters_at(evidence, k, fitted=True))
        if found is not None:
            return found
    return None


def voters_at(evidence: Evidence, n_clusters: int, *, fitted: bool) -> Candidates:
    """Return all clusterings that vote on answers with so many clusters; with mixtures if `fitted`."""
    more = [] if not fitted else mixtures(evidence.seen, n_clusters, evidence.asked.seed)
    if n_clusters not in grid_for(evidence.n_rows):
        more += [member for kind in evidence.kinds for member in kind.members([n_clusters])]
    if not more:
        return evidence.voters
    return evidence.voters.joined(Candidates.of(more, evidence.n_rows))


def _best_of(
    evidence: Evidence, n_clusters: int, weights: settings.Weights, voters: Candidates
) -> Scored | None:
    """Judge the candidates of one number."""
    candidates = voters.with_number(n_clusters)
    if evidence.generated or evidence.asked.function is not None:
        named = Candidates.of(_named_at(evidence, n_clusters), evidence.n_rows)
        candidates = named.with_number(n_clusters)
    gained = gains(candidates, voters, weights)
    return best_candidate(
        candidates, gained, evidence.graphs, evidence.dimension, weights, evidence.asked.least_size
    )


def _named_at(evidence: Evidence, n_clusters: int) -> list[Member]:
    """Return what a named generator, or a named function, offers with so many clusters."""
    function = evidence.asked.function
    found = []
    if function is None:
        for made in evidence.generated.values():
            found += [*made.members, *made.kind.cuts([n_clusters])]
        return found
    ensembles = {place: one.generator.ensemble_ for place, one in evidence.generated.items()}
    if not ensembles:
        combined = members_to_combine(evidence, n_clusters)
        ensembles = {0: Ensemble(np.stack([one.labels for one in combined], axis=1))}
    for place, ensemble in ensembles.items():
        labels = labels_by(function, ensemble, n_clusters, evidence.asked.seed)
        found.append(Member(NAMED, place, labels))
    return found


def members_to_combine(evidence: Evidence, n_clusters: int) -> list[Member]:
    """Return members with at least so many clusters, of all kinds that make them, spread evenly."""
    made = [member for kind in evidence.kinds for member in kind.made]
    made.sort(key=lambda one: int(one.labels.max()))
    first = sum(one.labels.max() + 1 < n_clusters for one in made)
    first = max(0, min(first, len(made) - evidence.asked.n_members))
    places = np.linspace(first, len(made) - 1, min(evidence.asked.n_members, len(made) - first))
    return [made[place] for place in np.unique(places.round().astype(int))]
