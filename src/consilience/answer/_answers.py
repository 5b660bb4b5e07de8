"""An answer with a number of clusters: labels and confidence of all rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience.answer._borders import cluster_costs
from consilience.answer._candidates import Candidates, first_come
from consilience.answer._choose import Asked, Evidence, answer_of, members_to_combine, voters_at
from consilience.answer._members import Member
from consilience.answer._named_parts import Generated, combine, make_consensus
from consilience.answer._score import Scored
from consilience.answer._votes import Voters, Votes, fill_empty, shared_with
from consilience.consensus import ConsensusFunction
from consilience.ensemble import Ensemble
from consilience.generate import EnsembleGenerator
from consilience.incidence import is_chunked, map_rows


class Road(NamedTuple):
    """What every answer is made of.

    data       all rows, in memory or in chunks
    places     positions of the judged rows
    evidence   what is known about these; None if there is one row
    asked      what the user asked for
    weight     of all rows; None if they weigh the same
    knowledge  constraints and known classes by name
    verbose    whether to show progress
    """

    data: Any
    places: Array
    evidence: Evidence | None
    asked: Asked
    weight: Any
    knowledge: Mapping[str, Any]
    verbose: int | None


@dataclass(frozen=True, eq=False)
class Answer:
    """The best answer with a number of clusters.

    Attributes
    ----------
    n_clusters : int
        Clusters; fewer than asked for if no clustering has more.
    labels : array (n,)
        Labels of all rows, 0, 1, ... by first appearance.
    confidence : array (n,)
        Share of the members' votes for the object's own cluster.
    score, gain, border_cost : float
        Score of the answer among those with as many clusters, and its parts; NaN for one cluster.
    borders : array (K,)
        What the border of every cluster costs, from 0 (a gap) to 1, on the judged rows; NaN if these
        do not have all clusters.
    sizes, stability : array (K,)
        Objects of every cluster, and their mean confidence.
    ensemble : Ensemble
        The members' labels of all rows.
    """

    n_clusters: int
    labels: Any
    confidence: Any
    score: float
    gain: float
    border_cost: float
    borders: Array
    sizes: Array
    stability: Array
    ensemble: Ensemble
    generator: EnsembleGenerator | None = None
    function: ConsensusFunction | None = None
    votes: Votes | None = None
    voters: Voters | None = None

    @property
    def weakest_border(self) -> float:
        """Return the cost of the weakest border; NaN if there is none."""
        return float(self.borders.max()) if len(self.borders) > 1 else float("nan")

    def shares(self, X: Any) -> Array:
        """Return the shares of the votes of new rows, (n, K)."""
        if self.votes is not None:
            return self.votes.predict_proba(X)
        if self.function is None or self.voters is None:
            return _one_cluster(X)
        if self.ensemble.is_soft and self.generator is not None:
            columns = self.voters.scales[self.voters.place].columns(X)
            return self.function.predict_proba(self.generator.ensemble_for(columns))
        return self.function.predict_proba(self.voters.labels_of(X))

    def shares_in_chunks(self, X: Any) -> Any:
        """Return the shares of the votes of new rows in chunks, lazily; only what is needed is sent."""
        if self.function is not None and self.voters is not None:
            width = self.ensemble.n_members
            labels = map_rows(self.voters.labels_of, X, width=width, dtype=np.int32)
            return self.function.predict_proba(labels)
        shares = _one_cluster if self.votes is None else self.votes.predict_proba
        return map_rows(shares, X, width=self.n_clusters, dtype=np.float64)


def _one_cluster(rows: Any) -> Array:
    return np.ones((rows.shape[0], 1))


def answer_at(road: Road, n_clusters: int, *, asked: bool) -> Answer:
    """Return the best answer with a number of clusters.

    Parameters
    ----------
    road : Road
        What is known.
    n_clusters : int
        The number.
    asked : bool
        Whether the user gave it, for a message.
    """
    scored = None
    if n_clusters > 1 and road.evidence is not None:
        scored = answer_of(road.evidence, n_clusters)
    n_clusters = 1 if scored is None else scored.n_clusters
    voters, judged = _voters(road, n_clusters, scored)
    with progress("Labelling all rows", None, road.verbose):
        ensemble = _ensemble(road, voters)
        function = road.asked.function
        if road.knowledge or (function is not None and n_clusters > 1):
            fitted = make_consensus(
                function,
                n_clusters,
                road.asked.seed,
                constrained=bool(road.knowledge),
                verbose=road.verbose,
            )
            combine(
                ensemble,
                fitted,
                sample_weight=road.weight,
                knowledge=dict(road.knowledge),
                asked=asked,
            )
            labels, confidence = np.asarray(fitted.labels_), fitted.own_shares(ensemble)
            return _answer(road, labels, confidence, scored, ensemble, voters, function=fitted)
        weight = None
        if road.weight is not None:
            # Reads the weights as every function does.
            weight = np.asarray(ensemble.with_sample_weight(road.weight).sample_weight)[road.places]
        if scored is None:
            n = ensemble.n_samples
            return _answer(road, np.zeros(n, np.int32), np.ones(n), None, ensemble, voters)
        votes, voters = _votes(road, scored, voters, judged, weight)
        decided = _decided(road, votes)
        labels, confidence = decided[:, 0].astype(np.int32), decided[:, 1]
        fill_empty(labels, confidence, n_clusters)
        numbered = first_come(labels)
        order = np.empty(n_clusters, dtype=np.int64)
        order[numbered] = labels
        votes = votes.ordered(order)
    return _answer(road, numbered, confidence, scored, ensemble, voters, votes=votes)


def _voters(road: Road, n_clusters: int, scored: Scored | None) -> tuple[Voters, Array]:
    """Return the members that vote or are combined, and their labels of the judged rows."""
    evidence = road.evidence
    if evidence is None:
        return Voters((), (), ()), np.zeros((len(road.places), 0), dtype=np.int32)
    rows = [seen.rows for seen in evidence.seen]
    if evidence.generated:
        place = scored.member.scale if scored is not None else min(evidence.generated)
        made: Generated = evidence.generated[place]
        return Voters(evidence.scales, (), (), made.generator, place), made.labels
    if road.asked.function is not None or scored is None:
        members = members_to_combine(evidence, n_clusters)
    else:
        members = _closest(
            scored.member, voters_at(evidence, n_clusters, fitted=True), road.asked.n_members
        )
    if not members:  # of two rows, no clusterings are made
        return Voters((), (), ()), np.zeros((len(road.places), 0), dtype=np.int32)
    judged = np.stack([member.labels for member in members], axis=1)
    return Voters.of(members, evidence.scales, rows), judged


def _closest(answer: Member, table: Candidates, n_members: int) -> list[Member]:
    """Return the answer, and the other members that are the closest to it."""
    alike = np.array([shared_with(answer.labels, labels)[1] for labels in table.labels])
    others = [table.members[place] for place in np.argsort(-alike, kind="stable")]
    return [answer, *(one for one in others if one is not answer)][:n_members]


def _ensemble(road: Road, voters: Voters) -> Ensemble:
    """Return the labels of all rows by the members; of data in chunks, in chunks."""
    if not voters.names:
        return Ensemble(np.zeros((road.data.shape[0], 1), dtype=np.int32))
    if voters.generator is not None:
        return voters.generator.ensemble_for(voters.scales[voters.place].columns(road.data))
    if is_chunked(road.data):
        width = len(voters.names)
        labels = map_rows(voters.labels_of, road.data, width=width, dtype=np.int32)
        return Ensemble.from_dask(labels, names=voters.names)
    return Ensemble(voters.labels_of(road.data), names=voters.names)


def _votes(
    road: Road, scored: Scored, voters: Voters, judged: Array, weight: Array | None
) -> tuple[Votes, Voters]:
    """Return the votes for an answer; of the answer alone if the votes would lose a cluster."""
    answer, evidence = scored.labels, road.evidence
    assert evidence is not None  # noqa: S101 - there is an answer
    votes = Votes.of(answer, judged, voters, weight)
    won = np.unique(votes.decide(judged)[:, 0])
    if len(won) < scored.n_clusters:
        rows = [seen.rows for seen in evidence.seen]
        voters = Voters.of([scored.member], evidence.scales, rows)
        votes = Votes.of(answer, answer[:, None], voters)
    return votes, voters


def _decided(road: Road, votes: Votes) -> Array:
    """Return the winner of the votes and its share for every row, (n, 2)."""
    if not is_chunked(road.data):
        return votes.decide(votes.voters.labels_of(road.data))
    lazily = map_rows(votes.decide_rows, road.data, width=2, dtype=np.float64)
    decided: Array = lazily.compute()
    return decided


def _answer(
    road: Road,
    labels: Array,
    confidence: Array,
    scored: Scored | None,
    ensemble: Ensemble,
    voters: Voters,
    function: ConsensusFunction | None = None,
    votes: Votes | None = None,
) -> Answer:
    n_clusters = int(labels.max()) + 1
    sizes = np.bincount(labels)
    known = np.isfinite(confidence)
    counted = np.bincount(labels[known], minlength=n_clusters)
    sums = np.bincount(labels[known], weights=confidence[known], minlength=n_clusters)
    nan = float("nan")
    judged = labels[road.places]
    borders = np.full(n_clusters, nan)
    if road.evidence is not None and len(np.unique(judged)) == n_clusters:
        borders = cluster_costs(judged, road.evidence.graphs)
    return Answer(
        n_clusters,
        ensemble.labels_as_given(labels),
        ensemble.labels_as_given(confidence),
        nan if scored is None else scored.score,
        nan if scored is None else scored.gain,
        nan if scored is None else scored.cost,
        borders,
        sizes,
        sums / np.where(counted > 0, counted, nan),
        ensemble,
        voters.generator,
        function,
        votes,
        voters,
    )
