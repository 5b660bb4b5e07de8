"""Fingerprints of the labels of every consensus function, to compare two versions of the code.

    python benchmarks/labels.py before.json        # with the old code
    python benchmarks/labels.py after.json         # with the new code
    python benchmarks/labels.py --compare before.json after.json

Every function is fitted to seven ensembles with three seeds, and again for each option below.
"""

import argparse
import hashlib
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from consilience import Ensemble
from consilience.consensus._catalogue import catalogue
from consilience.datasets import load_digits_ensemble, make_planted_ensemble
from consilience.exceptions import ConsilienceError, ConsilienceWarning
from consilience.generate import LACSweep
from consilience.partition import Balanced, Spectral

SEEDS = (0, 1, 2)
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "HBGF": [{"partitioner": name} for name in ("dhillon", "balanced", "metis")]
    + [{"partitioner": Spectral(objects_only=True)}],
    "WBPA": [{"partitioner": name} for name in ("balanced", "metis")],
    "MCLA": [{"partitioner": name} for name in ("balanced", "metis")],
    "CSPA": [{"partitioner": name} for name in ("spectral", "metis")]
    + [{"partitioner": Balanced(imbalance=0.2, max_iter=20)}],
    "WSPA": [{"partitioner": name} for name in ("spectral", "metis", "linkage")],
    "HGPA": [{"edge_weight": "size"}],
    "GCA": [{"final": "kmeans"}, {"final": "linkage"}, {"divergence": "kl"}],
    "GWCA": [{"final": "kmeans"}, {"final": "linkage"}, {"divergence": "kl", "degree": 2}],
    "HAC": [{"linkage": "single"}, {"linkage": "complete"}, {"max_samples": 100}],
    "IPC": [{"refine": True}, {"criterion": "anmi"}],
    "KMCF": [{"unit_variance": True}],
    "CBGF": [{"keep_diagonal": True}],
    "IBGF": [{"keep_diagonal": True}],
}


def ensembles() -> Iterator[tuple[str, Ensemble, int]]:
    """Return ensembles that differ in kind: name, ensemble, number of clusters."""
    planted, _ = make_planted_ensemble(300, 10, 3, noise=0.3, random_state=0)
    yield "planted", planted, 3
    rng = np.random.default_rng(0)
    missing = np.where(rng.random((300, 10)) < 0.2, -1, planted.labels)
    yield "missing", Ensemble(missing), 3
    yield "weights", planted.with_weights(rng.random(10) * (np.arange(10) != 4)), 3
    yield "objects", planted.with_sample_weight(rng.integers(0, 4, 300)), 3
    digits = load_digits_ensemble()
    yield "digits", (digits[0] if isinstance(digits, tuple) else digits), 10
    many, _ = make_planted_ensemble(5000, 20, 12, noise=0.4, random_state=1)
    yield "many", many, 12
    X = np.vstack([rng.normal(size=(60, 4)) + 4 * place for place in range(3)])
    yield "soft", LACSweep(n_clusters=3, random_state=0).fit(X).ensemble_, 3


def digests() -> dict[str, str]:
    """Fit everything; a refusal is kept as its class."""
    found = {}
    for place, ensemble, n_clusters in ensembles():
        for name, kind in catalogue().items():
            for options in [{}, *OPTIONS.get(name, [])]:
                seeds = SEEDS if "random_state" in kind.parameters else SEEDS[:1]
                for seed in seeds:
                    key = f"{place} {name} {options} {seed}"
                    found[key] = digest(kind, options, ensemble, n_clusters, seed)
        print(place, len(found), flush=True)
    return found


def digest(
    kind: Any, options: dict[str, Any], ensemble: Ensemble, n_clusters: int, seed: int
) -> str:
    """Return a hash of the labels and the objective."""
    model = kind(n_clusters=n_clusters, **options)
    if "random_state" in kind.parameters:
        model.set_params(random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        try:
            model.fit(ensemble)
        except ConsilienceError as error:
            return type(error).__name__
    labels = np.asarray(model.labels_, dtype=np.int64)
    objective = getattr(model, "objective_", 0.0)
    return f"{hashlib.blake2b(labels.tobytes(), digest_size=8).hexdigest()} {objective:.9g}"


def compare(before: str, after: str) -> None:
    """Print what differs."""
    a, b = (json.loads(Path(file).read_text()) for file in (before, after))
    differing = [key for key in a if a[key].split()[0] != b.get(key, "- -").split()[0]]
    objectives = [key for key in a if a[key] != b.get(key) and key not in differing]
    print(f"{len(a)} fits before, {len(b)} after; labels differ in {len(differing)}.")
    for key in differing:
        print("  labels:", key, a[key], b.get(key))
    for key in objectives:
        print("  objective only:", key, a[key], b[key])


def main() -> None:
    """Write fingerprints, or compare two files of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--compare", action="store_true")
    given = parser.parse_args()
    if given.compare:
        compare(*given.files)
        return
    Path(given.files[0]).write_text(json.dumps(digests(), indent=1))


if __name__ == "__main__":
    main()
