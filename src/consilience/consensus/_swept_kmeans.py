"""Base class of consensus functions that run k-means on features of the rows of H."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer
from consilience._utils._types import Array
from consilience.consensus._outcome import Outcome
from consilience.consensus._start_labels import StartedFunction, StartLabels, count_known
from consilience.ensemble import Ensemble
from consilience.partition import (
    PLUS_PLUS,
    RANDOM_ROWS,
    SweptFeatures,
    lloyd,
    lloyd_from_all_starts,
)


class SweptKMeans(StartedFunction):
    """Template: a subclass defines the features."""

    kmeans_parameters: ClassVar[Mapping[str, Declaration]] = {
        "init": StartLabels(PLUS_PLUS, RANDOM_ROWS),
        "n_init": Integer(1),
        "max_iter": Integer(1),
    }
    n_init: int
    max_iter: int

    @abstractmethod
    def _features(self, ensemble: Ensemble) -> tuple[SweptFeatures, dict[str, Any]]:
        """Return the features, and fitted attributes by name."""

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        features, attributes = self._features(ensemble)
        runs = lloyd_from_all_starts(
            features,
            n_clusters,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
            init=str(self.init),
        )
        return Outcome.of_all(runs, **attributes)

    def _consensus_from(self, ensemble: Ensemble, labels: Array, n_clusters: int) -> Outcome:
        features, attributes = self._features(ensemble)
        centres = features.centres(count_known(features.H, labels, n_clusters))
        return Outcome.of_all([lloyd(features, centres, self.max_iter)], **attributes)
