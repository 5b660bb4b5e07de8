"""Labelled sets: names, rows and classes, and which of them are held out.

The folder CONSILIENCE_DATA has NAME.csv.gz (last column `class`), or NAME.npz (sparse) with
NAME.labels.txt.gz; without it, those that ship with scikit-learn are used.
"""

import csv
import gzip
import os
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn import datasets
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import normalize

DENSE = [
    "iris", "wine", "glass", "ionosphere", "soybean_small", "zoo", "new_thyroid", "breast_w", "wdbc",
    "letter_AB", "letter_IJL", "digits389", "satimage_train", "segmentation", "chart",
    "mfeat_fourier", "optdigits", "pendigits", "isolet", "covertype_20k", "fashion_mnist_t10k",
]  # fmt: skip
TEXT = ["cstr", "k1a", "webkb4", "r8"]
COUNTS = ["pbmc3k", "pbmc68k_reduced"]
BUNDLED = ["iris", "wine", "breast_cancer", "digits"]
# In the folder too, but rows or columns of sets above, or the set that two of them are rows of: only if
# named by --sets.
RELATED = [
    "letter", "satimage_test", "satimage_c1c7", "breast_w_bal478_s0", "covertype_1000_s0",
    "digits389_456_s0", "letter_IJL_227_s0", "wdbc_bal424_s0", "k1a_ig1000", "webkb4_ig1000",
]  # fmt: skip

NAMES = DENSE + TEXT + COUNTS if "CONSILIENCE_DATA" in os.environ else BUNDLED
# The evidence is split: nothing is designed by looking at what is held out.
DESIGN = sorted(NAMES)[0::2]
HELD_OUT = sorted(NAMES)[1::2]


def chosen(which):
    """Return names: of "design", "held-out", "all" or "folder" (every table), or with commas between."""
    folder = Path(os.environ.get("CONSILIENCE_DATA", "."))
    tables = sorted(
        path.name.removesuffix(end)
        for end in (".csv.gz", ".npz")
        for path in folder.glob(f"*{end}")
    )
    groups = {"design": DESIGN, "held-out": HELD_OUT, "all": NAMES, "folder": tables}
    if which in groups:
        return groups[which]
    names = which.split(",")
    unknown = set(names) - {*NAMES, *RELATED, *tables}
    if unknown:
        raise SystemExit(f"--sets: no set called {', '.join(sorted(unknown))}.")
    return names


def load(name, n_rows=None, seed=0):
    """Return the features as given and the classes 0, 1, ...; at most `n_rows`, drawn by the seed."""
    X, y = _read(name)
    if n_rows is not None and len(y) > n_rows:
        rng = np.random.default_rng(seed)
        rows = np.sort(rng.choice(len(y), n_rows, replace=False))
        X, y = X[rows], y[rows]
    return X, np.unique(y, return_inverse=True)[1]


def prepare(name, X):
    """Return what k-means can see: columns standardised; words weighed by tf-idf; sparse on 50 axes."""
    if not sparse.issparse(X):
        spread = X.std(axis=0)
        return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
    is_text = name.split("_")[0] in TEXT
    if is_text:
        X = TfidfTransformer(sublinear_tf=True).fit_transform(abs(X))
    X = TruncatedSVD(min(50, X.shape[1] - 1), random_state=0).fit_transform(X)
    return normalize(X) if is_text else X


@lru_cache(maxsize=2)
def _read(name):
    if "CONSILIENCE_DATA" not in os.environ:
        return getattr(datasets, f"load_{name}")(return_X_y=True)
    folder = Path(os.environ["CONSILIENCE_DATA"])
    dense = folder / f"{name}.csv.gz"
    if dense.exists():
        with gzip.open(dense, "rt") as file:
            rows = list(csv.reader(file))[1:]
        X = np.array([row[:-1] for row in rows], dtype=float)
        return X, np.array([row[-1] for row in rows])
    X = sparse.load_npz(folder / f"{name}.npz").tocsr()
    with gzip.open(folder / f"{name}.labels.txt.gz", "rt") as file:
        return X, np.array(file.read().split("\n")[: X.shape[0]])
