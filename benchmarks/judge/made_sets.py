# ruff: noqa: ARG001 - every function that makes a set takes the same arguments
"""Generated data sets, with clusters and without, to judge the choice of the answer.

    for made in made_sets("design"):  # or "unseen"
        made.name, made.X, made.references

The list was fixed before the judge was written and is never changed afterwards: sets with an even number
are for designing, sets with an odd number were looked at once. A reference has a label for every row,
-1 for noise, which is left out of the score; one label for all rows means that there are no clusters.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.datasets import make_circles, make_moons


class Made(NamedTuple):
    """A data set: its family, number in the family, rows, and one or several references."""

    family: str
    number: int
    X: np.ndarray
    references: list

    @property
    def name(self):
        return f"{self.family} {self.number}"

    @property
    def has_clusters(self):
        return self.references[0].max() > 0


def made_sets(half="all"):
    """Yield the data sets of one half, "design" or "unseen", or of both."""
    for place, (family, (times, make)) in enumerate(FAMILIES.items()):
        for number in range(times):
            if half != "all" and (number % 2 == 0) != (half == "design"):
                continue
            X, *references = make(np.random.default_rng([2026, 11, place, number]), number)
            references = [np.asarray(reference) for reference in references]
            yield Made(family, number, np.asarray(X, dtype=float), references)


# --- parts ---------------------------------------------------------------------------------------


def _sizes(rng, n, k, ratio=3.0):
    """Draw sizes of k clusters that sum to n, the largest at most about `ratio` times the smallest."""
    share = np.exp(rng.uniform(0, np.log(ratio), k))
    return np.maximum(np.round(n * share / share.sum()).astype(int), 2)


def _centres(rng, k, d, apart):
    """Draw k centres of which the nearest two are `apart` from each other."""
    centres = rng.standard_normal((k, d))
    return centres * (apart / pdist(centres).min()) if k > 1 else centres


def _blobs(rng, sizes, d, apart, spread=1.0, draw=None):
    """Draw round clusters around centres; `spread` is a number, or one for each cluster."""
    k = len(sizes)
    y = np.repeat(np.arange(k), sizes)
    draw = rng.standard_normal if draw is None else draw
    spread = np.broadcast_to(spread, k)[y][:, None]
    return _centres(rng, k, d, apart)[y] + spread * draw((len(y), d)), y


def _ones(X):
    return X, np.zeros(len(X), dtype=int)


# --- with clusters -------------------------------------------------------------------------------


def blobs(rng, number):
    k, d = int(rng.integers(2, 13)), int(rng.choice([2, 3, 5, 10, 30]))
    return _blobs(rng, _sizes(rng, int(rng.integers(60, 170)) * k, k), d, rng.uniform(5, 8))


def unequal_spread(rng, number):
    k, d = int(rng.integers(2, 7)), int(rng.choice([2, 3, 5, 10]))
    spread = np.exp(rng.uniform(np.log(0.3), np.log(1.5), k))
    return _blobs(rng, _sizes(rng, 200 * k, k), d, rng.uniform(7, 9), spread)


def fifty_to_one(rng, number):
    k, d = int(rng.integers(2, 6)), int(rng.choice([2, 5, 10, 20]))
    sizes = np.r_[1000, rng.integers(20, 60, k - 1)]
    return _blobs(rng, sizes, d, rng.uniform(6, 9))


def overlapping(rng, number):
    k, d = int(rng.integers(2, 5)), int(rng.choice([2, 5, 10, 30]))
    return _blobs(rng, _sizes(rng, 300 * k, k, 2.0), d, rng.uniform(3.7, 4.5))


def elongated(rng, number):
    k, d = int(rng.integers(2, 6)), int(rng.choice([2, 3, 5, 10]))
    sizes = _sizes(rng, 200 * k, k)
    y = np.repeat(np.arange(k), sizes)
    centres = _centres(rng, k, d, rng.uniform(7, 10))
    X = np.concatenate(
        [
            centres[c]
            + rng.standard_normal((sizes[c], d))
            * np.exp(rng.uniform(-0.9, 0.9, d))
            @ np.linalg.qr(rng.standard_normal((d, d)))[0]
            for c in range(k)
        ]
    )
    return X, y


def _shape(rng, name, n):
    if name == "moons":
        return make_moons(n, noise=rng.uniform(0.04, 0.08), random_state=int(rng.integers(2**31)))
    if name == "rings":
        factor, seed = rng.uniform(0.3, 0.5), int(rng.integers(2**31))
        return make_circles(n, noise=rng.uniform(0.03, 0.06), factor=factor, random_state=seed)
    if name == "spirals":
        arms = int(rng.integers(2, 4))
        y = rng.integers(0, arms, n)
        turn = 1.5 + np.sqrt(rng.random(n)) * 2 * np.pi
        angle = turn + 2 * np.pi * y / arms
        X = np.c_[turn * np.cos(angle), turn * np.sin(angle)]
        return X / 4 + 0.05 * rng.standard_normal((n, 2)), y
    if name == "bars":
        y = rng.integers(0, int(rng.integers(2, 6)), n)
        return np.c_[rng.uniform(0, 8, n), 1.5 * y + 0.15 * rng.standard_normal(n)], y
    if name == "chainlink":
        y, turn = rng.integers(0, 2, n), rng.uniform(0, 2 * np.pi, n)
        a, b, zero = np.cos(turn), np.sin(turn), np.zeros(n)
        X = np.where((y == 0)[:, None], np.c_[a, b, zero], np.c_[1 + a, zero, b])
        return X + 0.07 * rng.standard_normal((n, 3)), y
    assert name == "letters"
    y = rng.integers(0, 3, n)
    arc, side = rng.uniform(0, np.pi, n), rng.uniform(-1, 1, n)
    pieces = np.stack([np.c_[2 * np.cos(arc), 2 * np.sin(arc)], np.c_[side / 2, 0.4 + side / 2],
                       np.c_[3.5 + 0 * side, 1 + 1.2 * side]])  # fmt: skip
    return pieces[y, np.arange(n)] + 0.08 * rng.standard_normal((n, 2)), y


SHAPES = ("moons", "rings", "spirals", "bars", "chainlink", "letters")


def shapes(rng, number):
    return _shape(rng, SHAPES[number // 2 % 6], int(rng.integers(400, 1500)))


def shapes_in_many_columns(rng, number):
    X, y = _shape(rng, ("moons", "rings", "bars")[number // 2 % 3], 800)
    d = int(rng.integers(5, 15))
    turned = X / X.std() @ np.linalg.qr(rng.standard_normal((d, d)))[0][: X.shape[1]]
    return turned + 0.08 * rng.standard_normal((len(X), d)), y


def in_noise(rng, number):
    share = (0.05, 0.1, 0.2, 0.3, 0.1)[number // 2 % 5]
    if number % 4 < 2:
        k, d = int(rng.integers(2, 7)), int(rng.choice([2, 3]))
        X, y = _blobs(rng, _sizes(rng, 200 * k, k), d, rng.uniform(7, 9))
    else:
        X, y = _shape(rng, SHAPES[int(rng.integers(4))], 900)
    low, high = X.min(axis=0), X.max(axis=0)
    noise = rng.uniform(low, high, (int(share * len(X)), X.shape[1]))
    return np.r_[X, noise], np.r_[y, np.full(len(noise), -1)]


def outliers(rng, number):
    k, d = int(rng.integers(2, 6)), int(rng.choice([2, 5, 10]))
    X, y = _blobs(rng, _sizes(rng, 150 * k, k), d, rng.uniform(6, 8))
    far = X.std() * rng.uniform(5, 50) * rng.standard_normal((int(rng.integers(3, 12)), d))
    return np.r_[X, far], np.r_[y, np.full(len(far), -1)]


def few_relevant_columns(rng, number):
    k, d = int(rng.integers(2, 5)), (10, 20, 30, 60)[number // 2 % 4]
    X, y = _blobs(rng, _sizes(rng, 200 * k, k, 2.0), 3, rng.uniform(6, 8))
    return np.c_[X, rng.standard_normal((len(X), d - 3))], y


def counts(rng, number):
    k, d, n = int(rng.integers(2, 7)), int(rng.choice([30, 60, 150])), 600
    y = rng.integers(0, k, n)
    profile = rng.dirichlet(np.full(d, 0.3), k) + 0.3 / d
    depth = rng.gamma(4, 50, n) if number % 4 < 2 else np.full(n, 200.0)
    return rng.poisson(depth[:, None] * profile[y] / profile[y].sum(axis=1, keepdims=True)), y


def latent_classes(rng, number):
    k, d, n = int(rng.integers(2, 5)), int(rng.integers(10, 25)), 800
    y = rng.integers(0, k, n)
    chance = np.where(rng.random((k, d)) < 0.5, 0.1, 0.9)
    return rng.random((n, d)) < chance[y], y


def answers_of_classes(rng, number):
    k, d, n = int(rng.integers(2, 4)), int(rng.integers(8, 16)), 600
    y = rng.integers(0, k, n)
    mean = rng.choice([1.5, 3.0, 4.5], (k, d))
    return np.clip(np.round(mean[y] + 0.7 * rng.standard_normal((n, d))), 1, 5), y


def several_units(rng, number):
    k, d = int(rng.integers(2, 6)), int(rng.integers(3, 9))
    X, y = _blobs(rng, _sizes(rng, 200 * k, k), d, rng.uniform(6, 8))
    return X * 10.0 ** rng.integers(-3, 4, d) + 10.0 ** rng.integers(0, 4, d), y


def many_clusters(rng, number):
    k, d = int(rng.integers(15, 31)), int(rng.choice([2, 5, 10]))
    return _blobs(rng, _sizes(rng, 50 * k, k, 2.0), d, rng.uniform(6, 8))


def nested(rng, number):
    d, inner = int(rng.choice([2, 5])), 3
    outer = _centres(rng, 3, d, 25.0)
    fine = np.repeat(np.arange(9), 80)
    centres = np.concatenate([centre + _centres(rng, inner, d, 6.0) for centre in outer])
    return centres[fine] + rng.standard_normal((720, d)), fine, fine // 3


def heavy_tailed(rng, number):
    k, d = int(rng.integers(2, 6)), int(rng.choice([2, 5, 10]))
    draw = lambda shape: rng.standard_t(3, shape)  # noqa: E731
    return _blobs(rng, _sizes(rng, 200 * k, k), d, rng.uniform(9, 13), draw=draw)


def skewed(rng, number):
    k, d = int(rng.integers(2, 5)), int(rng.choice([2, 4, 8]))
    draw = lambda shape: np.exp(0.6 * rng.standard_normal(shape))  # noqa: E731
    return _blobs(rng, _sizes(rng, 200 * k, k), d, rng.uniform(6, 9), draw=draw)


def one_column(rng, number):
    k = (2, 3, 5)[number // 2 % 3]
    y = np.repeat(np.arange(k), _sizes(rng, 200 * k, k))
    return (rng.uniform(5, 7) * y + rng.standard_normal(len(y)))[:, None], y


def customers(rng, number):
    k, n = int(rng.integers(2, 5)), 700
    y = rng.integers(0, k, n)
    logs = rng.uniform(0, 6, (k, 3))[y] + 0.35 * rng.standard_normal((n, 3))
    age = rng.uniform(20, 70, k)[y] + 5 * rng.standard_normal(n)
    coded = rng.random((n, 2)) < rng.uniform(0.05, 0.95, (k, 2))[y]
    visits = rng.poisson(np.exp(rng.uniform(0, 3, k))[y])
    return np.c_[np.exp(logs), age, coded, visits], y


def compositions(rng, number):
    k, d, n = int(rng.integers(2, 6)), int(rng.integers(4, 12)), 600
    y = rng.integers(0, k, n)
    centre = rng.dirichlet(np.ones(d), k)
    weights = rng.gamma(60 * centre[y] + 0.5)
    return weights / weights.sum(axis=1, keepdims=True), y


def small_blobs(rng, number):
    k, d = int(rng.integers(3, 11)), int(rng.choice([2, 5, 10]))
    return _blobs(rng, rng.integers(8, 16, k), d, rng.uniform(8, 12))


def dense_in_sparse(rng, number):
    d = int(rng.choice([2, 3]))
    wide, tight = 4 * rng.standard_normal((700, d)), 0.25 * rng.standard_normal((300, d))
    return np.r_[wide, tight + rng.uniform(2, 5)], np.r_[np.zeros(700, int), np.ones(300, int)]


def touching(rng, number):
    n, k = 900, int(rng.integers(2, 5))
    y = rng.integers(0, k, n)
    turn = 2 * np.pi * y / k
    X = 1.35 / np.sin(np.pi / k) * np.c_[np.cos(turn), np.sin(turn)]
    radius, angle = np.sqrt(rng.random(n)), rng.uniform(0, 2 * np.pi, n)
    return X + 1.2 * np.c_[radius * np.cos(angle), radius * np.sin(angle)], y


# --- without clusters ----------------------------------------------------------------------------


def normal(rng, number):
    return _ones(
        rng.standard_normal((int(rng.choice([150, 500, 1500])), [1, 2, 5, 10, 50][number // 2 % 5]))
    )


def correlated(rng, number):
    d = int(rng.choice([2, 5, 15, 40]))
    return _ones(rng.standard_normal((800, d)) @ rng.standard_normal((d, d)))


def uniform(rng, number):
    d, n = (2, 3, 8, 20)[number // 2 % 4], 700
    if number % 4 < 2:
        return _ones(rng.random((n, d)) * rng.uniform(1, 3, d))
    X = rng.standard_normal((n, d))
    radius = rng.random((n, 1)) ** (1 / d)
    return _ones(X / np.linalg.norm(X, axis=1, keepdims=True) * radius)


def one_skewed(rng, number):
    d, n = (1, 2, 5, 12)[number // 2 % 4], int(rng.choice([300, 1000]))
    draw = (
        lambda: np.exp(rng.uniform(0.5, 1.2) * rng.standard_normal((n, d))),
        lambda: rng.gamma(1.0, 1.0, (n, d)),
    )[number % 4 // 2]
    return _ones(draw())


def heavy_tails(rng, number):
    d, n = (1, 2, 5, 15)[number // 2 % 4], 700
    return _ones(rng.standard_t((2.5, 4.0)[number % 4 // 2], (n, d)))


def curves(rng, number):
    n = int(rng.choice([300, 1000]))
    t, noise = rng.random(n), rng.uniform(0.04, 0.1)
    kind = number // 2 % 6
    if kind == 0:
        X = np.c_[np.cos(np.pi * t), np.sin(np.pi * t)]
    elif kind == 1:
        x = rng.standard_normal(n)
        X = np.c_[x, x**2]
    elif kind == 2:
        X = np.c_[4 * t, np.sin(2 * np.pi * t)]
    elif kind == 3:
        X = np.c_[np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)]
    elif kind == 4:
        X = np.c_[np.cos(6 * t), np.sin(6 * t), 2 * t]
    else:
        phase = rng.uniform(0, 2 * np.pi, 15)
        X = np.sin(np.outer(t, rng.uniform(1, 4, 15)) + phase)
    return _ones(X + noise * rng.standard_normal(X.shape))


def branches(rng, number):
    n, arms, d = 800, int(rng.integers(3, 5)), int(rng.choice([2, 5, 15]))
    ends = rng.standard_normal((arms, d))
    ends *= 3 / np.linalg.norm(ends, axis=1, keepdims=True)
    X = ends[rng.integers(0, arms, n)] * rng.random((n, 1))
    return _ones(X + 0.15 * rng.standard_normal((n, d)))


def zeros(rng, number):
    n, d = 600, int(rng.integers(3, 10))
    kept = rng.random((n, d)) < rng.uniform(0.3, 0.7)
    return _ones(np.where(kept, np.exp(rng.standard_normal((n, d))), 0.0))


def one_trait(rng, number):
    n, d = 600, int(rng.integers(8, 20))
    trait, item = rng.standard_normal((n, 1)), rng.standard_normal(d)
    if number % 4 < 2:
        return _ones(rng.random((n, d)) < 1 / (1 + np.exp(item - 1.5 * trait)))
    return _ones(
        np.clip(np.round(3 + trait + 0.4 * item + 0.7 * rng.standard_normal((n, d))), 1, 5)
    )


def one_class_of_counts(rng, number):
    n, d = 500, int(rng.choice([20, 60, 150]))
    depth = rng.gamma((2, 5, 50)[number // 2 % 3], 1, n)
    depth *= 150 / depth.mean()
    return _ones(rng.poisson(depth[:, None] * rng.dirichlet(np.full(d, 0.5))))


def walks(rng, number):
    return _ones(np.cumsum(rng.standard_normal((600, (2, 5)[number // 2 % 2])), axis=0))


def bent(rng, number):
    X = rng.random((900, 2)) * 2
    return _ones(X[(X.min(axis=1) < 0.6)])


def independent_items(rng, number):
    n = 700
    if number % 4 < 2:
        return _ones(rng.random((n, int(rng.integers(5, 16)))) < rng.uniform(0.2, 0.8))
    return _ones(np.c_[rng.integers(0, 2, (n, 1)), rng.standard_normal((n, 4))])


def rounded(rng, number):
    return _ones(np.round(2 * rng.standard_normal((600, 3))) / 2)


# Family -> how many sets, and the function that makes them.
FAMILIES = {
    "blobs": (12, blobs),
    "unequal spread": (8, unequal_spread),
    "fifty to one": (8, fifty_to_one),
    "overlapping": (8, overlapping),
    "elongated": (8, elongated),
    "shapes": (12, shapes),
    "shapes in many columns": (6, shapes_in_many_columns),
    "in noise": (10, in_noise),
    "outliers": (6, outliers),
    "few relevant columns": (8, few_relevant_columns),
    "counts": (8, counts),
    "latent classes": (8, latent_classes),
    "answers of classes": (4, answers_of_classes),
    "several units": (6, several_units),
    "many clusters": (6, many_clusters),
    "nested": (4, nested),
    "heavy-tailed clusters": (6, heavy_tailed),
    "skewed clusters": (6, skewed),
    "one column": (6, one_column),
    "customers": (4, customers),
    "compositions": (4, compositions),
    "small blobs": (6, small_blobs),
    "dense in sparse": (4, dense_in_sparse),
    "touching discs": (4, touching),
    "normal": (10, normal),
    "correlated": (6, correlated),
    "uniform": (8, uniform),
    "one skewed": (8, one_skewed),
    "heavy tails": (8, heavy_tails),
    "curves": (12, curves),
    "branches": (6, branches),
    "zeros": (6, zeros),
    "one trait": (8, one_trait),
    "one class of counts": (6, one_class_of_counts),
    "walks": (4, walks),
    "bent": (2, bent),
    "independent items": (6, independent_items),
    "rounded": (2, rounded),
}
