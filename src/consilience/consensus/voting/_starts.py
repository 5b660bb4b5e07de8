"""Starts of iterative voting: members, random partitions, random rows, or labels that are given."""

import numpy as np

from consilience._utils._types import Array
from consilience.consensus._start_labels import count_known
from consilience.ensemble import Ensemble, start_from_member
from consilience.incidence import as_narrow_as, label_digest
from consilience.partition import RANDOM_ROWS, few_rows, random_rows

MEMBERS, RANDOM_PARTITION = "members", "random_partition"
STARTS = (MEMBERS, RANDOM_PARTITION, RANDOM_ROWS)


def distinct_starts(
    ensemble: Ensemble, n_clusters: int, rng: np.random.Generator, *, init: str, n_init: int
) -> list[Array]:
    """Return the labels of at most `n_init` starts, each once."""
    if init == MEMBERS:
        found = _members(ensemble, n_clusters, n_init, rng)
    elif init == RANDOM_PARTITION:
        found = [random_partition(ensemble, n_clusters, stream) for stream in rng.spawn(n_init)]
    else:
        found = _from_random_rows(ensemble, n_clusters, n_init, rng)
    starts: dict[bytes, Array] = {}
    for start in found:
        starts.setdefault(label_digest(start), start)
    return list(starts.values())


def _members(
    ensemble: Ensemble, n_clusters: int, n_init: int, rng: np.random.Generator
) -> list[Array]:
    """Return members drawn without repetition, every one if n_init >= r."""
    members = np.flatnonzero(ensemble.n_clusters)
    if n_init < len(members):
        members = np.sort(rng.choice(members, n_init, replace=False))
    return [start_from_member(ensemble, int(member), n_clusters) for member in members]


def random_partition(ensemble: Ensemble, n_clusters: int, stream: np.random.Generator) -> Array:
    """Draw the cluster of every object uniformly; an empty cluster gets an object drawn at random.

    Objects of weight 0 do not count as contents of a cluster.
    """
    weight = ensemble.incidence.row_weight
    # A small type, because there may be very many objects.
    dtype = np.min_scalar_type(n_clusters - 1)
    labels = stream.integers(n_clusters, size=ensemble.n_samples, dtype=dtype)
    counted = np.ones(len(labels), dtype=bool) if weight is None else np.asarray(weight) > 0
    sizes = np.bincount(labels[counted], minlength=n_clusters)
    for empty in np.flatnonzero(sizes == 0):
        movable = np.flatnonzero(counted & (sizes[labels] > 1))
        if not len(movable):
            break  # fewer objects with a weight than clusters
        moved = stream.choice(movable)
        sizes[labels[moved]] -= 1
        sizes[empty] = 1
        labels[moved] = empty
    return as_narrow_as(labels, labels) if ensemble.is_chunked else labels.astype(np.int32)


def _from_random_rows(
    ensemble: Ensemble, n_clusters: int, n_init: int, rng: np.random.Generator
) -> list[Array]:
    """Assign every object to the one of K random rows with which it shares most labels."""
    H = ensemble.incidence
    streams = rng.spawn(n_init)
    drawn = few_rows(H, n_clusters, rng)
    starts = []
    for stream in streams:
        rows = random_rows(drawn.H, drawn.weight, n_clusters, stream)
        centres = drawn.H.dense_rows(rows.tolist()).T
        starts.append(H.argmax(centres * ensemble.column_weights[:, None]).labels)
    return starts


def completed(ensemble: Ensemble, labels: Array, n_clusters: int) -> Array:
    """Label the unknown rows by the cluster with whose known rows they share most labels on average."""
    unknown = labels < 0
    if not unknown.any():
        return labels
    known = count_known(ensemble.incidence, labels, n_clusters)
    shares = known.counts / np.maximum(known.sizes, 1e-300)
    nearest = ensemble.incidence.argmax(shares * ensemble.column_weights[:, None]).labels
    return np.where(unknown, np.asarray(nearest), labels)
