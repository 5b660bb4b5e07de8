"""Data without clusters, mixtures, and clusters of odd shapes."""

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.datasets import make_circles, make_moons

STRUCTURELESS = {
    "Gaussian": lambda rng, n, d: rng.standard_normal((n, d)),
    "correlated": lambda rng, n, d: rng.standard_normal((n, d)) @ rng.standard_normal((d, d)),
    "cube": lambda rng, n, d: rng.random((n, d)),
    "t5": lambda rng, n, d: rng.standard_t(5, (n, d)),
    "lognormal": lambda rng, n, d: np.exp(rng.standard_normal((n, d))),
}


# Without clusters too, with columns that have few values, or mostly zeros.
DISCRETE = {
    "yes or no, 4 normal columns": lambda rng, n: np.c_[
        rng.integers(0, 2, n), rng.standard_normal((n, 4))
    ],
    "10 columns of yes or no": lambda rng, n: rng.integers(0, 2, (n, 10)).astype(float),
    "three values, 3 normal columns": lambda rng, n: np.c_[
        rng.integers(0, 3, n), rng.standard_normal((n, 3))
    ],
    "5 columns of counts, mean 1": lambda rng, n: rng.poisson(1, (n, 5)).astype(float),
    "8 answers from 1 to 5": lambda rng, n: np.clip(
        np.round(3 + 0.6 * rng.standard_normal((n, 1)) + 1.2 * rng.standard_normal((n, 8))), 1, 5
    ),
    "3 rounded columns": lambda rng, n: np.round(2 * rng.standard_normal((n, 3))) / 2,
    "6 columns, 60 % zeros": lambda rng, n: np.where(
        rng.random((n, 6)) < 0.6, 0, np.exp(rng.standard_normal((n, 6)))
    ),
}


def arc(rng, n):
    """Half a circle, as thick as a tenth of its radius."""
    turn = rng.uniform(0, np.pi, n)
    return np.c_[np.cos(turn), np.sin(turn)] + 0.1 * rng.standard_normal((n, 2))


def banana(rng, n):
    """A parabola with noise."""
    x = rng.standard_normal(n)
    return np.c_[x, x**2 + 0.5 * rng.standard_normal(n)]


def square(rng, n):
    """A square."""
    return rng.random((n, 2))


ONE_CURVED = {"arc": arc, "banana": banana, "square": square}


def mixture(rng, k, n, d, apart):
    """k spherical Gaussians, the nearest centres `apart` standard deviations apart, sizes to 10 : 1."""
    centres = rng.standard_normal((k, d))
    centres *= apart / pdist(centres).min()
    share = np.exp(rng.uniform(0, np.log(10), k))
    labels = rng.choice(k, n, p=share / share.sum())
    return centres[labels] + rng.standard_normal((n, d))


def in_one_column(rng, sizes, d, apart):
    """Two spherical Gaussians that differ in the first of d columns."""
    rows = rng.standard_normal((sum(sizes), d))
    rows[sizes[0] :, 0] += apart
    return rows


def moons(rng, n):
    return make_moons(n, noise=0.07, random_state=int(rng.integers(2**31)))[0]


def rings(rng, n):
    return make_circles(n, noise=0.05, factor=0.4, random_state=int(rng.integers(2**31)))[0]


def bars(rng, n):
    label = rng.integers(0, 3, n)
    return np.c_[rng.uniform(0, 8, n), 1.5 * label + 0.15 * rng.standard_normal(n)]


def spirals(rng, n):
    label = rng.integers(0, 2, n)
    turn = 1.5 + np.sqrt(rng.random(n)) * 2.5 * np.pi
    arms = np.c_[turn * np.cos(turn + np.pi * label), turn * np.sin(turn + np.pi * label)]
    return arms / 4 + 0.06 * rng.standard_normal((n, 2))


SHAPES = {"moons": (moons, 2), "rings": (rings, 2), "bars": (bars, 3), "spirals": (spirals, 2)}


def tens(rng, k):
    """k blobs of ten objects each, far apart."""
    centres = 20 * rng.standard_normal((k, 5))
    return np.repeat(centres, 10, axis=0) + rng.standard_normal((10 * k, 5))
