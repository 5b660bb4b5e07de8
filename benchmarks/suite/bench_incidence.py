"""Verbs of H and rounds of the consensus functions, tracked over commits by asv."""

import warnings

import numpy as np

from consilience import Ensemble
from consilience.consensus import IPC, IVC, KMCF, MultinomialMixture
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import ConsilienceWarning
from consilience.metrics import ari

FUNCTIONS = {
    "IVC": IVC(10, n_init=1, max_iter=5, random_state=0),
    "IPC": IPC(10, n_init=1, max_iter=5, random_state=0),
    "KMCF": KMCF(10, n_init=1, max_iter=5, random_state=0),
    "MultinomialMixture": MultinomialMixture(10, n_init=1, max_iter=5, tol=0, random_state=0),
}


class Verbs:
    """n = 2e5, r = 50, k0 = 15, K = 10."""

    def setup(self):
        rng = np.random.default_rng(0)
        self.labels = rng.integers(0, 15, (200_000, 50), dtype=np.uint8)
        self.ensemble = Ensemble(self.labels)
        self.table = rng.random((self.ensemble.n_base_clusters, 10))
        self.whole_table = rng.integers(0, 5, self.table.shape)
        self.values = rng.random((200_000, 10))
        self.current = rng.integers(0, 10, 200_000, dtype=np.int32)
        # Kernels are compiled before the clock starts.
        for verb in (self.time_argmax, self.time_gather, self.time_scatter, self.time_gram):
            verb()

    def time_gate(self):
        Ensemble(self.labels)

    def time_argmax(self):
        self.ensemble.incidence.argmax(self.table)

    def time_argmax_of_whole_numbers(self):
        self.ensemble.incidence.argmax(self.whole_table, self.current)

    def time_argmax_with_scores(self):
        self.ensemble.incidence.argmax(self.table, self.current, want_best=True)

    def time_count(self):
        self.ensemble.incidence.count(self.current, 10)

    def time_gather(self):
        _ = self.ensemble.incidence @ self.table

    def time_scatter(self):
        _ = self.ensemble.incidence.T @ self.values

    def time_gram(self):
        self.ensemble.incidence.gram()

    def time_profiles(self):
        self.ensemble.profiles()


class Functions:
    """Time, peak memory and quality of the same fit."""

    params = sorted(FUNCTIONS)

    def setup(self, name):
        warnings.simplefilter("ignore", ConsilienceWarning)
        self.ensemble, self.truth = make_planted_ensemble(
            100_000, 50, 10, n_base_clusters=15, noise=0.3, random_state=0
        )
        self.fitted = FUNCTIONS[name].fit(self.ensemble)

    def time_fit(self, name):
        FUNCTIONS[name].fit(self.ensemble)

    def peakmem_fit(self, name):
        FUNCTIONS[name].fit(self.ensemble)

    def track_ari(self, name):  # noqa: ARG002 - asv passes the parameter
        return ari(self.fitted.labels_, self.truth)
