"""Block functions of the verbs: module level, so that they can be sent to another process."""

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._block_source import BlockSource
from consilience.incidence._hard import HardBlocks
from consilience.incidence._row_vectors import distinct, row_hashes
from consilience.incidence._soft import SoftBlocks
from consilience.incidence._sweep import NearestCentres, Step, Swept, best_columns

Blocks = HardBlocks | SoftBlocks
Rows = tuple[int, int]

# Number of rows that a thread processes at a time, so that scores and codes stay in its cache.
SLICE_ROWS = 4_096


class ArgmaxOptions(NamedTuple):
    """Options of an argmax: what it counts and returns."""

    n_labels: int
    count_dtype: Any
    want_best: bool
    changes_only: bool


class SweepOptions(NamedTuple):
    """Options of a sweep."""

    step: Step
    n_labels: int | None
    count_dtype: Any


def added_sums(total: tuple[Array, ...], part: tuple[Array, ...]) -> tuple[Array, ...]:
    """Add the sums of the next block."""
    return tuple(a + b for a, b in zip(total, part, strict=True)) if total else part


def label_sizes(labels: Array, n_labels: int, weight: Array | None) -> Array:
    """Return the weight of the rows of every label; exact for whole weights."""
    sizes = np.bincount(labels, weights=weight, minlength=n_labels)
    return sizes if weight is None else sizes.astype(weight.dtype)


def _slices(block: Array, n_rows: int = SLICE_ROWS) -> Iterator[tuple[slice, Array]]:
    """Cut a block into slices: the position of each inside the block, and its rows."""
    for low in range(0, len(block), n_rows):
        inside = slice(low, low + n_rows)
        yield inside, block[inside]


def _scatter_rows(blocks: Blocks) -> int:
    """Return the rows per slice for a scatter, large enough that clearing the table is cheap."""
    layout = blocks.layout
    return max(SLICE_ROWS, layout.n_columns // max(1, layout.n_members))


def _pieces(blocks: Blocks, block: Array) -> Iterator[tuple[slice, Array]]:
    """Do not slice a block of hard labels, because count tables are set up once per call."""
    return _slices(block, max(1, len(block)) if isinstance(blocks, HardBlocks) else SLICE_ROWS)


def _part(vector: Array | None, inside: slice | Array) -> Array | None:
    return None if vector is None else vector[inside]


def gather(source: BlockSource, blocks: Any, prepared: Any, rows: Rows) -> Array:
    """Gather the scores of a block."""
    gathered: Array = blocks.gather(source.read(*rows), prepared)
    return gathered


def count(
    source: BlockSource,
    blocks: Any,
    n_labels: int,
    dtype: Any,
    rows: Rows,
    labels: Array | None,
    weight: Array | None,
) -> Array:
    """Count the labels of a block; None means label 0 for all rows."""
    out: Array = blocks.zeros(n_labels, dtype)
    if labels is None:
        labels = np.zeros(rows[1] - rows[0], dtype=np.int32)
    for inside, piece in _pieces(blocks, source.read(*rows)):
        blocks.count(piece, labels[inside], _part(weight, inside), out)
    return out


def scatter(
    source: BlockSource, blocks: Any, rows: Rows, values: Array, weight: Array | None
) -> Array:
    """Scatter the values of a block."""
    out: Array = blocks.zeros(values.shape[1], np.float64)
    for inside, piece in _slices(source.read(*rows), _scatter_rows(blocks)):
        blocks.scatter(piece, values[inside], _part(weight, inside), out)
    return out


def gram(source: BlockSource, blocks: Any, dtype: Any, rows: Rows, weight: Array | None) -> Array:
    """Overlaps within a block."""
    out: Array = blocks.zeros(0, dtype)
    out = np.zeros((len(out), len(out)), dtype=out.dtype)
    for inside, piece in _pieces(blocks, source.read(*rows)):
        blocks.gram(piece, _part(weight, inside), out)
    return out


def overlaps(source: BlockSource, blocks: Any, rows: Rows, weight: Array | None) -> Array:
    """List the overlaps within a block that are not 0."""
    cells = blocks.overlaps(source.read(*rows), weight).tocoo()
    dtype = [("first", np.int32), ("second", np.int32), ("overlap", cells.dtype)]
    listed = np.empty(cells.nnz, dtype=dtype)
    listed["first"], listed["second"] = cells.coords
    listed["overlap"] = cells.data
    return listed


def argmax(
    source: BlockSource,
    blocks: Any,
    prepared: Any,
    options: ArgmaxOptions,
    rows: Rows,
    current: Array | None,
    weight: Array | None,
) -> Swept:
    """Gather, choose, count: all rows, or those that move, as differences to the current tables."""
    block = source.read(*rows)
    if isinstance(blocks, HardBlocks):
        return blocks.label_and_count(block, prepared, current, weight, options)
    n_rows = rows[1] - rows[0]
    labels = np.empty(n_rows, dtype=np.int32)
    best = np.empty(n_rows) if options.want_best else None
    counts: Array = blocks.zeros(options.n_labels, options.count_dtype)
    for inside, piece in _slices(block):
        scores = blocks.gather(piece, prepared)
        labels[inside], top = best_columns(
            scores, _part(current, inside), want_best=options.want_best
        )
        if best is not None:
            best[inside] = top
    for inside, piece in _slices(block):
        blocks.count(piece, labels[inside], _part(weight, inside), counts)
    sizes = label_sizes(labels, options.n_labels, weight)
    return Swept(labels=labels, counts=counts, sizes=sizes, best=best)


def sweep(
    source: BlockSource,
    blocks: Any,
    prepared: Any,
    options: SweepOptions,
    rows: Rows,
    weight: Array | None,
    *vectors: Array | None,
) -> Swept:
    """Gather, apply the step, add up what it returns."""
    labels = counts = memberships = values = None
    sums: tuple[Array, ...] = ()
    block = source.read(*rows)
    step = options.step
    if isinstance(step, NearestCentres) and isinstance(blocks, HardBlocks) and step.adds_up:
        return blocks.nearest(block, prepared, step, *vectors)
    for inside, piece in _slices(block, _scatter_rows(blocks)):
        scores = blocks.gather(piece, prepared)
        result = options.step(scores, *(_part(vector, inside) for vector in vectors))
        part_weight = _part(weight, inside)
        if result.labels is not None:
            labels = np.empty(rows[1] - rows[0], np.int32) if labels is None else labels
            labels[inside] = result.labels
        if result.memberships is not None:
            if memberships is None:
                memberships = blocks.zeros(result.memberships.shape[1], np.float64)
            blocks.scatter(piece, result.memberships, part_weight, memberships)
        if result.values is not None:
            values = result.values if values is None else np.concatenate([values, result.values])
        sums = added_sums(sums, result.sums)
    sizes = None
    if labels is not None and options.n_labels is not None:
        counts = blocks.zeros(options.n_labels, options.count_dtype)
        for inside, piece in _pieces(blocks, block):
            blocks.count(piece, labels[inside], _part(weight, inside), counts)
        sizes = label_sizes(labels, options.n_labels, weight)
    return Swept(labels, counts, memberships, sizes, sums, values=values)


def row_squares(source: BlockSource, blocks: Any, table: Array, rows: Rows) -> Array:
    """Sum table[c] h_c^2 over the columns of each row."""
    squares: Array = blocks.row_squares(source.read(*rows), table)
    return squares


def square_sizes(source: BlockSource, blocks: Any, rows: Rows, weight: Array | None) -> Array:  # noqa: ARG001
    """Sum the squares of every column of a block of memberships."""
    squares = np.square(source.read(*rows), dtype=np.float64)
    sums: Array = squares.sum(axis=0) if weight is None else weight @ squares
    return sums


def quadratic(source: BlockSource, blocks: Any, table: Array, rows: Rows) -> Array:
    """Return h' T h for each row h."""
    forms: Array = blocks.quadratic(source.read(*rows), table)
    return forms


def observed(source: BlockSource, blocks: Any, weights: Array, rows: Rows) -> Array:
    """Sum the weights of the members that label each row."""
    seen: Array = blocks.observed(source.read(*rows), weights)
    return seen


def known(source: BlockSource, blocks: Any, rows: Rows) -> Array:
    """Return a mask of the rows that at least one member labels."""
    seen = blocks.observed(source.read(*rows), np.ones(blocks.layout.n_members))
    return np.asarray(seen > 0)


def member_labels(source: BlockSource, blocks: Any, member: int, rows: Rows) -> Array:
    """Return the labels of one member, -1 = missing."""
    labels: Array = blocks.member_labels(source.read(*rows), member)
    return labels


def stored_rows(source: BlockSource, blocks: Any, rows: Rows, chosen: Array) -> Array:  # noqa: ARG001
    """Return the chosen rows as they are stored."""
    return source.read(*rows)[chosen]


def distinct_hashes(source: BlockSource, blocks: Any, one_in: int, rows: Rows) -> Array:  # noqa: ARG001
    """Return the distinct hashes of the rows that are divisible by a power of two."""
    hashes = row_hashes(source.read(*rows))
    return distinct(hashes if one_in == 1 else hashes[hashes % np.uint64(one_in) == 0])


def places(source: BlockSource, blocks: Any, hashes: Array, rows: Rows) -> Array:  # noqa: ARG001
    """Return the position of the hash of every row among sorted hashes."""
    return np.searchsorted(hashes, row_hashes(source.read(*rows)))


def differing_rows(
    source: BlockSource,
    blocks: Any,  # noqa: ARG001
    stored: Array,
    rows: Rows,
    place: Array,
) -> Array:
    """Count the rows that are not equal to stored[place]."""
    block = source.read(*rows)
    n_different = sum(
        np.count_nonzero(np.any(piece != stored[place[inside]], axis=1))
        for inside, piece in _slices(block)
    )
    return np.array([n_different])


def digest(source: BlockSource, blocks: Any, rows: Rows) -> Array:
    """Return a digest of the rows, (1, 2) of uint64."""
    block = source.read(*rows)
    if isinstance(blocks, HardBlocks):
        from consilience._kernels._hash import digest_rows

        sums = np.empty(2, dtype=np.uint64)
        digest_rows(block, sums)
        return sums[None, :]
    found = hashlib.blake2b(np.ascontiguousarray(block).tobytes(), digest_size=16).digest()
    return np.frombuffer(found, dtype=np.uint64)[None, :]
