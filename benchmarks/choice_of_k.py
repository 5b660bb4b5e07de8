"""How often "auto" is right: planted Gaussian mixtures, and data without clusters.

    python benchmarks/choice_of_k.py [--planted 20] [--structureless 50] [--null 0]

The comparison with null data informs and warns, but does not decide, so that it may be left out here.
"""

import argparse
import time
import warnings

import numpy as np
from scipy.spatial.distance import pdist

from consilience import ConsensusClustering
from consilience.exceptions import ConsilienceWarning

N_SAMPLES, N_COLUMNS = 500, 10


def mixture(k, rng):
    """k spherical Gaussians, nearest centres 6 standard deviations apart, sizes up to 5 : 1."""
    centres = rng.standard_normal((k, N_COLUMNS))
    centres *= 6 / pdist(centres).min()
    share = rng.uniform(1, 5, k)
    labels = rng.choice(k, N_SAMPLES, p=share / share.sum())
    return centres[labels] + rng.standard_normal((N_SAMPLES, N_COLUMNS))


STRUCTURELESS = {
    "Gaussian": lambda rng: rng.standard_normal((N_SAMPLES, N_COLUMNS)),
    "correlated Gaussian": lambda rng: (
        rng.standard_normal((N_SAMPLES, N_COLUMNS)) @ rng.standard_normal((N_COLUMNS, N_COLUMNS))
    ),
    "uniform cube": lambda rng: rng.random((N_SAMPLES, N_COLUMNS)),
    "Student t, 5 df": lambda rng: rng.standard_t(5, (N_SAMPLES, N_COLUMNS)),
}


def answers(make, truth, seeds, n_null):
    """Return the share of right answers and what the others were."""
    found = []
    for seed in range(seeds):
        X = make(np.random.default_rng(seed))
        model = ConsensusClustering(n_members=10, n_null=n_null, random_state=seed).fit(X)
        found.append(model.n_clusters_)
    wrong = sorted(k for k in found if k != truth)
    return np.mean([k == truth for k in found]), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--planted", type=int, default=20)
    parser.add_argument("--structureless", type=int, default=50)
    parser.add_argument("--null", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    print(
        "| data | answer | right | wrong answers | seconds a fit |\n| --- | --- | --- | --- | --- |"
    )
    cases = [
        (f"mixture of {k}", lambda rng, k=k: mixture(k, rng), k, options.planted)
        for k in (2, 3, 5, 8)
    ]
    cases += [(name, make, 1, options.structureless) for name, make in STRUCTURELESS.items()]
    for name, make, truth, seeds in cases:
        start = time.perf_counter()
        right, wrong = answers(make, truth, seeds, options.null)
        seconds = (time.perf_counter() - start) / seeds
        print(
            f"| {name} | {truth} | {right:.0%} of {seeds} | {wrong or ''} | {seconds:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
