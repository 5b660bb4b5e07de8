"""One labelling against every member, from the one count table H' Z."""

from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble, as_label_vector
from consilience.exceptions import InvalidInputError
from consilience.incidence import Layout
from consilience.metrics._formulas import nmi_from_sums, rand_from_squares, xlogx


def count_table(labels: Any, ensemble: Ensemble) -> Array:
    """Return the (t, K) count table of a labelling; objects without a label are left out."""
    codes = as_label_vector(labels).codes[:, 0].astype(np.int32)
    if len(codes) != ensemble.n_samples:
        raise InvalidInputError(
            f"The ensemble has {ensemble.n_samples} objects; got {len(codes)} labels."
        )
    return ensemble.incidence.count(codes, int(codes.max()) + 1)[:, 1:]


def nmi_with_members(counts: Array, layout: Layout, average_method: str = "geometric") -> Array:
    """NMI of the labelling with every member, (r,)."""
    within = layout.sum_by_member(counts)
    return nmi_from_sums(
        layout.sum_by_member(xlogx(counts).sum(axis=1)),
        layout.sum_by_member(xlogx(counts.sum(axis=1))),
        xlogx(within).sum(axis=1),
        within.sum(axis=1),
        average_method,
    )


def rand_with_members(counts: Array, layout: Layout) -> Array:
    """Rand distance of the labelling to every member, (r,)."""
    return rand_from_squares(*_squares(counts, layout))


def mean_nmi(counts: Array, layout: Layout, weights: Array) -> float:
    """Average NMI, weighted by member weights and by the objects they label (ClusterPack)."""
    known = weights * layout.sum_by_member(counts.sum(axis=1))
    return float(np.average(nmi_with_members(counts, layout), weights=known))


def mean_rand(counts: Array, layout: Layout, weights: Array) -> float:
    """Consensus Rand distance: the mean over the members that label some object."""
    counted = weights * (layout.n_clusters > 0)
    return float(np.average(rand_with_members(counts, layout), weights=counted))


def _squares(counts: Array, layout: Layout) -> tuple[Array, Array, Array, Array]:
    within = layout.sum_by_member(counts)
    return (
        layout.sum_by_member(np.square(counts, dtype=np.float64).sum(axis=1)),
        layout.sum_by_member(np.square(counts.sum(axis=1), dtype=np.float64)),
        np.square(within, dtype=np.float64).sum(axis=1),
        within.sum(axis=1),
    )
