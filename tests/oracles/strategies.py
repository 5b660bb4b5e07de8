"""Small random ensembles, and a fit that is silent about their being small."""

import os
import warnings

import numpy as np
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from consilience import Ensemble
from consilience.exceptions import ConsilienceWarning

from .labels import canonical, canonical_members, profiles

_EFFORT = int(os.environ.get("ORACLE_EFFORT", "0"))


# Enough to notice a changed operator; the weekly run takes the numbers that tests ask for.
_FEW = 25


def examples(count):
    """Settings of a test: a few fixed examples, or with ORACLE_EFFORT=m new ones, m times `count`."""
    return settings(
        max_examples=count * _EFFORT if _EFFORT else min(count, _FEW),
        derandomize=not _EFFORT,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )


def fit(estimator, L, weights=None, **fit_params):
    """Fit to labels or an ensemble, without the warnings that tiny ensembles deserve."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        ensemble = L if isinstance(L, Ensemble) else Ensemble(np.asarray(L), weights=weights)
        return estimator.fit(ensemble, **fit_params)


def partitions(model):
    """Return the distinct results of the restarts as canonical tuples."""
    return [canonical(s.labels.tolist()) for s in model.solutions_]


def _column(draw, n, K, exact):
    if draw(st.booleans()):
        column = draw(st.lists(st.integers(0, K - 1), min_size=n, max_size=n))
    else:
        column = np.random.default_rng(draw(st.integers(0, 2**32))).integers(0, K, n).tolist()
    if exact:
        shift = draw(st.integers(0, n - 1))
        for k in range(K):
            column[(shift + k) % n] = k
    return column


@st.composite
def label_matrices(draw, K=None, min_r=1, max_n=14, max_r=6):
    """Complete label matrices; with K every member has exactly K clusters."""
    n = draw(st.integers(4, max_n))
    r = draw(st.integers(min_r, max_r))
    columns = [
        _column(draw, n, draw(st.integers(1, 4)) if K is None else K, K is not None)
        for _ in range(r)
    ]
    if draw(st.booleans()):  # members that resemble the first: structure, so runs take longer
        for j in range(1, r):
            keep = draw(st.lists(st.booleans(), min_size=n, max_size=n))
            first = columns[0]
            columns[j] = [a if k else b for a, b, k in zip(first, columns[j], keep, strict=True)]
    return canonical_members(np.array(columns).T)


def any_matrices(*, n_samples=(1, 12), n_members=(1, 5), n_labels=4, missing=True):
    """(n, r) label matrices, also of one object; every row and every member knows something."""
    shapes = st.tuples(st.integers(*n_samples), st.integers(*n_members))
    cells = st.integers(-1 if missing else 0, n_labels - 1)
    matrices = shapes.flatmap(lambda shape: arrays(np.int64, shape, elements=cells))
    return matrices.filter(lambda L: (L >= 0).any(axis=0).all() and (L >= 0).any(axis=1).all())


@st.composite
def uniform_ensembles(draw, max_n=14, max_r=6):
    """(L, K) with K >= 2 clusters in every member."""
    K = draw(st.integers(2, 4))
    L = draw(label_matrices(K=K, max_n=max_n, max_r=max_r))
    assume(all(len(set(column)) == K for column in L.T.tolist()))
    return L, K


@st.composite
def incomplete_matrices(draw, K=None, min_r=1, max_n=14, max_r=6):
    """Label matrices with missing labels: every object known once, every member twice or more."""
    L = draw(label_matrices(K=K, min_r=min_r, max_n=max_n, max_r=max_r)).copy()
    n, r = L.shape
    holes = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, r - 1)), max_size=n))
    for i, j in holes:
        if (L[i] >= 0).sum() > 1 and (L[:, j] >= 0).sum() > 2:
            L[i, j] = -1
    return canonical_members(L)


@st.composite
def _with_number(draw, matrices):
    """(L, K) with 2 <= K <= number of distinct rows; outside it nothing is computed (0.4)."""
    L = draw(matrices)
    q = len(profiles(L))
    assume(q >= 2)
    return L, draw(st.integers(2, min(q, 4)))


def ensembles(**limits):
    """(L, K) of complete labels, the members with any numbers of clusters."""
    return _with_number(label_matrices(**limits))


def incomplete_ensembles(**limits):
    """(L, K) with missing labels."""
    return _with_number(incomplete_matrices(**limits))


def member_weights(r):
    """Weights of mean one that fractions hold exactly; None for none.

    Ensembles scale weights to mean one, so that objectives of these are those of the oracles.
    """
    beyond = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75]), min_size=r // 2, max_size=r // 2)
    paired = beyond.map(lambda a: [1 - x for x in a] + [1 + x for x in a] + [1.0] * (r % 2))
    return st.one_of(st.none(), paired.flatmap(st.permutations))


def multiplicities(n):
    """How often every row is repeated."""
    return st.lists(st.integers(1, 4), min_size=n, max_size=n)
