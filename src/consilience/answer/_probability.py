"""The probability that data have clusters at all.

Two tests look for a second peak of the density: among near neighbours, and on lines between centres that
were found on other rows. Their evidence and the score of the best candidate give the probability.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.answer import _settings as settings
from consilience.answer._borders import edges_of
from consilience.answer._members import DENSITY, Member, Seen, kmeans
from consilience.clusterers.internals import Points, inertia


class Density(NamedTuple):
    """What the density of the judged rows shows.

    members    clusterings by peaks
    dimension  intrinsic dimension, at least 1
    evidence   of a second peak, from 0 to MOST_EVIDENCE
    """

    members: Sequence[Member]
    dimension: float
    evidence: float


def density_of(seen: Sequence[Seen]) -> Density:
    """Look for peaks with several numbers of neighbours, and on lines if there are many dimensions."""
    n = len(seen[0].rows)
    numbers = neighbour_numbers(n)
    found = [_peaks(view, scale, k) for scale, view in enumerate(seen) for k in numbers]
    dimension = max(1.0, float(np.median([one[1] for one in found])))
    evidence = _evidence(max(one[2] for one in found), n, settings.PEAK_TAIL)
    if dimension > settings.LINE_DIMENSION:
        on_lines = max(line_prominence_of(view.rows) for view in seen)
        evidence = max(evidence, _evidence(on_lines, n, settings.LINE_TAIL))
    members = [one[0] for one in found if 1 < one[0].labels.max() + 1 <= settings.MOST_PEAKS]
    return Density(members, dimension, evidence)


def probability_of_clusters(score: float, evidence: float, n_rows: int) -> float:
    """Return the probability that there are clusters, from the best score and the evidence of the tests.

    Of very few rows it is never enough to be sure.
    """
    constant, of_score, of_evidence = settings.LOG_ODDS
    odds = constant + of_score * float(np.clip(score, -1, 1)) + of_evidence * evidence
    probability = float(1 / (1 + np.exp(-odds)))
    return probability if n_rows >= settings.FEW_ROWS else min(probability, settings.UNSURE[1])


def neighbour_numbers(n_rows: int) -> list[int]:
    """Return the numbers of neighbours by which the density is estimated."""
    numbers = [k for k in settings.DENSITY_NEIGHBOURS if k <= n_rows // 5]
    return numbers or [max(1, min(max(4, n_rows // 5), n_rows - 1))]


def _peaks(seen: Seen, scale: int, k: int) -> tuple[Member, float, float]:
    """Return a clustering by peaks, the intrinsic dimension, and the prominence of the second peak.

    Prominences are in standard errors, those of peaks that do not stand out are 0.
    """
    from consilience._kernels._peaks import peaks

    radius, half = seen.distances[:, k - 1], seen.distances[:, max(k // 2, 1) - 1]
    apart = half > 1e-6 * np.median(half)
    dimension = 1.0
    if np.count_nonzero(apart) > settings.LINE_ROWS:
        spread = np.mean(np.log(radius[apart] / half[apart]))
        dimension = float(np.log(k / max(k // 2, 1)) / max(spread, 1e-9))
    density = -dimension * np.log(np.maximum(radius, 1e-300))
    edges = edges_of(seen.neighbours, k)[0]
    heights = density[edges].min(axis=1)
    order = np.argsort(-heights, kind="stable")
    least = settings.LEAST_PROMINENCE / np.sqrt(k)
    peak_of, prominence = peaks(edges[order], heights[order], density, least)
    tops, labels = np.unique(peak_of, return_inverse=True)
    stands = np.sort(prominence[tops])[::-1]
    second = float(stands[1]) if len(stands) > 1 else 0.0
    return Member(DENSITY, scale, labels.astype(np.int32)), dimension, second * np.sqrt(k)


def line_prominence_of(rows: Array) -> float:
    """Return the prominence of the second peak on lines between centres, found on the other half."""
    n = len(rows)
    order = np.random.default_rng(0).permutation(n)
    halves = order[: n // 2], order[n // 2 :]
    found = [0.0]
    for n_centres in settings.LINE_CENTRES:
        both = []
        for one, other in (halves, halves[::-1]):
            centres = _best_of_two(rows[one], n_centres)
            both.append(_between_centres(rows[other], centres))
        found.append(float(np.mean(both)))
    return max(found)


def _best_of_two(rows: Array, n_centres: int) -> Array:
    points = Points.of(rows)
    runs = [kmeans(points, n_centres, np.random.default_rng([seed, n_centres])) for seed in (0, 1)]
    return min(runs, key=lambda run: inertia(points, run[1], run[0]))[1]


def _between_centres(rows: Array, centres: Array) -> float:
    """Project rows on the line between their two nearest centres; the largest prominence of any line."""
    from consilience._kernels._peaks import line_prominence

    squares = np.square(centres).sum(axis=1) - 2 * (rows @ centres.T)
    pairs = np.sort(np.argsort(squares, axis=1)[:, :2], axis=1)
    best = 0.0
    for a, b in np.unique(pairs, axis=0):
        between = rows[(pairs == (a, b)).all(axis=1)]
        k = max(settings.LINE_ROWS, int(settings.LINE_SHARE * len(between)))
        if len(between) >= 3 * k:
            places = np.sort(between @ (centres[b] - centres[a]))
            best = max(best, float(line_prominence(places, k)) * np.sqrt(k))
    return best


def _evidence(prominence: float, n_rows: int, tail: tuple[float, float, float]) -> float:
    """Return how seldom data without clusters have so prominent a second peak, as -log10."""
    first, by_size, scale = tail
    log_share = np.log(0.03) - (prominence - first - by_size * np.log(n_rows / 200)) / scale
    return float(np.clip(-log_share / np.log(10), 0.0, settings.MOST_EVIDENCE))
