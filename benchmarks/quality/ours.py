"""One fit of ConsensusClustering on a labelled set, data as given, the number of classes given."""

import warnings
from functools import cache

import numpy as np
from scipy import sparse

from consilience import ConsensusClustering

from .rivals import scored
from .sets import load
from .workers import attempt

DEFAULT = "default"


def measure_ours(name, n_rows, seed, method=DEFAULT, parameters=None):
    """Return a row of results; seconds by the clock. A fit that fails scores 0, as for the rivals."""
    warnings.simplefilter("ignore")
    warm_up()
    X, y = load(name, n_rows, seed)
    model = ConsensusClustering(
        n_clusters=int(y.max()) + 1, random_state=seed, verbose=0, **(parameters or {})
    )
    labels, seconds, note = attempt(model.fit_predict, X)
    where = {"set": name, "rows": n_rows, "seed": seed, "method": method}
    return where | scored(labels, y) | {"seconds": round(seconds, 3), "note": note}


@cache
def warm_up():
    """Load, or compile, the kernels, which is no part of a fit."""
    X = np.random.default_rng(0).standard_normal((200, 4))
    for data in (X, sparse.csr_matrix(np.abs(X).round())):
        ConsensusClustering(n_clusters=3, random_state=0, verbose=0).fit(data)
