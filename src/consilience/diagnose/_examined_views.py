"""The views of a sample of the objects, how far they agree, and with which clusters they end."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs

from consilience._utils._config import thread_count
from consilience._utils._progress import say_nothing
from consilience._utils._types import Array
from consilience.diagnose._k_evidence import Agreement, agreement_of
from consilience.diagnose._k_views import KView, ScaledRows, make_views, scaled_rows
from consilience.diagnose._merged_views import MergedViews
from consilience.diagnose._null_agreement import NullAgreement
from consilience.generate import EnsembleGenerator

# Largest p-value at which a cluster counts as separated.
ALPHA = 0.01
# Clusters from which merging begins.
_FINEST = 40
# Of few objects: clusters of five, up to so many.
_FINEST_OF_FEW = 20
# Clusters must be separated more strictly on a plane, where any cut runs through few objects. To count
# the views that end with more than one, they may be separated less strictly in space, where
# structureless data are hardly ever cut. Clusters that only one scaling shows must be separated more
# strictly too. Factors of alpha, and how many axes of equal variance make a space.
_ON_A_PLANE, _IN_SPACE, _IN_ONE_SCALING = 0.3, 5.0, 0.3
_SPACE = 3.0
# A level above this would be no test.
_LOOSEST = 0.5
# Up to so many axes curved clusters and cuts at the same places are common. There a mixture is no
# evidence, views must agree better, and the number is at most the largest number of separated clusters.
_PLANE = 2.0
# Below so many axes objects are nearly on a line, where valleys alone decide.
_LINE = 1.5


class Settings(NamedTuple):
    """What was requested."""

    candidates: tuple[int, ...]
    given: bool
    scaling: str | None
    generator: EnsembleGenerator | None
    alpha: float
    random_state: int
    n_jobs: int | None
    verbose: int | None


class ExaminedViews:
    """The views of one sample of the objects, how far they agree, and the clusters they end with."""

    def __init__(self, X: Any, rows: Array, settings: Settings) -> None:
        self.X, self.rows, self.settings = X, rows, settings
        self.n_rows = len(rows)
        self.left_out: list[str] = []
        self._by_scaling: dict[str, dict[int, Agreement]] = {}
        self._nulls: dict[str, NullAgreement] = {}

    @property
    def _n_threads(self) -> int:
        n_jobs = self.settings.n_jobs
        return thread_count() if n_jobs is None else effective_n_jobs(n_jobs)

    def examine(self, advance: Callable[[int], None]) -> None:
        """Make the views, compare them, and merge their clusters."""
        self._scaled = scaled_rows(self.X, self.settings.scaling)
        self.views, self.left_out = self._views(self._scaled, advance)
        self.agreements = self._agreements(self.views)
        self.ends = MergedViews(
            self.views,
            self._finest(self.n_rows),
            {self.settings.alpha, self._level, self._level_of_one, self._level_of_scaling},
            self._n_threads,
        )
        advance(1)

    def _views(
        self, scaled: list[ScaledRows], advance: Callable[[int], None] = say_nothing
    ) -> tuple[list[KView], list[str]]:
        """Make the views of data in several scalings; say which were left out."""
        n_rows = scaled[0].rows.shape[0]
        most = max(
            4, min(_FINEST, int(np.sqrt(n_rows))), min(self.settings.candidates[-1], n_rows // 5)
        )
        return make_views(
            scaled,
            generator=self.settings.generator,
            most=most,
            finest=self._finest(n_rows),
            candidates=self.settings.candidates,
            random_state=self.settings.random_state,
            n_threads=self._n_threads,
            advance=advance,
        )

    def _finest(self, n_rows: int) -> int:
        """Return the clusters from which merging begins."""
        most = max(_FINEST, int(1.5 * self.settings.candidates[-1]))
        return max(3, min(most, max(n_rows // 10, min(n_rows // 5, _FINEST_OF_FEW))))

    def _agreements(self, views: list[KView]) -> dict[int, Agreement]:
        found = (agreement_of(views, k) for k in self.settings.candidates)
        return {one.n_clusters: one for one in found if one is not None}

    def _agreements_of(self, scaling: str | None) -> dict[int, Agreement]:
        """Return how far the views of one scaling, or of all, agree on every number."""
        if scaling is None:
            return self.agreements
        if scaling not in self._by_scaling:
            places = [p for p, view in enumerate(self.views) if view.scaling == scaling]
            found = self._agreements([self.views[place] for place in places])
            self._by_scaling[scaling] = {
                k: one._replace(best=places[one.best]) for k, one in found.items()
            }
        return self._by_scaling[scaling]

    def _null(self, scaled: ScaledRows) -> NullAgreement:
        """Return how far the views of one scaling agree on data without clusters."""
        if scaled.name not in self._nulls:
            self._nulls[scaled.name] = self._null_inside(scaled, None)
        return self._nulls[scaled.name]

    def _null_inside(self, scaled: ScaledRows, clusters: Array | None) -> NullAgreement:
        """Return how far the views of one scaling agree on data without clusters inside given ones."""
        return NullAgreement(
            scaled,
            lambda rows: self._agreements(self._views([rows])[0]),
            np.random.default_rng(self.settings.random_state),
            fill_valleys=self._n_axes >= _LINE,
            verbose=self.settings.verbose,
            clusters=clusters,
        )

    @cached_property
    def _n_axes(self) -> float:
        """Return how many axes of equal variance have the variances of the data."""
        graph = self.views[0].graph
        assert graph is not None  # noqa: S101 - the views of data have graphs
        rows = graph.rows
        variance = np.linalg.eigvalsh(np.atleast_2d(np.cov(rows, rowvar=False)))
        return float(variance.sum() ** 2 / max(float(np.square(variance).sum()), 1e-300))

    @property
    def _on_a_plane(self) -> bool:
        return self._n_axes <= _PLANE

    @property
    def _in_space(self) -> bool:
        return self._n_axes >= _SPACE

    @property
    def _level(self) -> float:
        """Return the p-value at which clusters are separated."""
        return self.settings.alpha * (1.0 if self._in_space else _ON_A_PLANE)

    @property
    def _level_of_scaling(self) -> float:
        """Return the p-value at which clusters that one scaling shows are separated."""
        return self.settings.alpha * _IN_ONE_SCALING

    @property
    def _level_of_one(self) -> float:
        """Return the p-value at which clusters of a view are evidence for more than one."""
        if not self._in_space:
            return self._level
        return max(self._level, min(_IN_SPACE * self.settings.alpha, _LOOSEST))
