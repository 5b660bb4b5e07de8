"""Gaps between a cluster and the rest.

Objects along a curve have random gaps, some of them wide. Beside a wide border there are many more
objects than beside a gap in a curve, and a gap between all of them is no accident.
"""

from typing import NamedTuple, Self

import numpy as np
from scipy.special import ndtri

from consilience._utils._types import Array
from consilience.diagnose._neighbour_graph import NeighbourGraph

# If a border is wide, a gap of so many radii is evidence enough.
_WIDE = 2.0
# A border is wide if this many times as many objects are near it as would be along a curve.
_CURVE = 2.0
# Larger than any evidence; smaller than any.
SURE, NEVER = 9.0, -9.0
_TINY = 1e-12


class Gap(NamedTuple):
    """The gap between a cluster and the rest.

    nearest   the object of the rest that is nearest to the cluster; -1 if there is no rest
    evidence  that the gap is no accident, in standard deviations
    """

    nearest: int
    evidence: float

    @classmethod
    def around(
        cls, graph: NeighbourGraph, labels: Array, cluster: int, *, in_curve: bool = False
    ) -> Self:
        """Look at the gap around a cluster; `in_curve` if few objects are known to be near it.

        Of a cluster that is a part of a chain, it is the gap before the rest of the chain.

        Along a curve, gaps between objects are exponential: with m neighbours within a radius r of its
        end, one of n gaps is as wide as d with a probability of at most n exp(-m d / r). Objects may be
        dense at the end by accident, so r is at least twice the median radius, since the other objects
        have neighbours on both sides. If the border is wide, the number of objects near it takes the
        place of m d / r if it is larger, and a gap that is twice as wide as the usual radius is no
        accident. The same holds if all objects of one side are as near to each other as to the other
        side: they are no part of a curve.
        """
        own = labels == cluster
        if own.all():
            return cls(-1, SURE)
        rest = graph.rest_of_chain(own)
        inside, outside = np.flatnonzero(own), np.flatnonzero(rest)
        nearest, distance, back = graph.across(own, rest)
        place = int(np.argmin(distance))
        width, here, there = distance[place], inside[place], int(nearest[place])
        sides = (here, own), (there, labels == labels[there])
        usual = max(float(np.median(graph.radius[side])) for _, side in sides)
        radius = max(graph.radius[here], graph.radius[there], 2 * usual, _TINY)
        wide = graph.n_nearest * width / radius
        if not in_curve:
            near = inside[distance <= 2 * width], outside[back <= 2 * width]
            radius_near = float(np.median(graph.radius[np.concatenate(near)]))
            is_compact = any(_extent(graph, end, side) <= width for end, side in sides)
            if is_compact or not _is_in_curve(graph, near, width, radius_near):
                if width >= _WIDE * radius_near:
                    return cls(there, SURE)
                wide = max(wide, min(map(len, near)))
            wide = max(wide, min(map(len, near)) / 2)
        p_value = np.exp(min(np.log(len(own)) - wide, 0.0))
        return cls(there, float(np.clip(-ndtri(p_value), NEVER, SURE)))


def _extent(graph: NeighbourGraph, end: int, side: Array) -> float:
    """Return the largest distance of the objects of a mask from one of them."""
    return float(np.sqrt(np.square(graph.rows[side] - graph.rows[end]).sum(axis=1).max()))


def _is_in_curve(
    graph: NeighbourGraph, near: tuple[Array, Array], width: float, radius: float
) -> bool:
    """Say whether objects near a border are no more than they would be along a curve.

    On a curve, half of the nearest neighbours of an object are on each side, within its radius.
    """
    on_a_curve = graph.n_nearest * width / max(radius, _TINY)
    return min(map(len, near)) <= _CURVE * on_a_curve
