"""Centres of the base clusters, which generators attach to their ensembles."""

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, UnsupportedInputError


def centres_of(ensemble: Ensemble, owner: str) -> list[Array]:
    """Return the centres of every member, (K_j, d_j); raise an error if some are missing."""
    if "centres" not in ensemble.cluster_tables:
        raise UnsupportedInputError(
            f"{owner} needs the centres of the base clusters, and this ensemble has none; make it "
            "by a generator, or attach them by Ensemble.with_cluster_tables(centres=[...])."
        )
    found = []
    for j, centres in enumerate(ensemble.cluster_tables["centres"]):
        n_clusters, name = int(ensemble.n_clusters[j]), ensemble.names[j]
        if centres is None and n_clusters:
            raise UnsupportedInputError(
                f"{owner} needs the centres of every member, and {name!r} has none; give it weight "
                "0, leave it out by Ensemble.select, or attach its centres."
            )
        if centres is None:
            found.append(np.empty((0, 1)))
            continue
        if centres.ndim != 2 or not np.all(np.isfinite(centres)):
            given = f"shape {centres.shape}" if centres.ndim != 2 else "NaN or infinity among them"
            raise InvalidInputError(
                f"{owner}: the centres of member {name!r} must be finite numbers, a row of features "
                f"for each of its {n_clusters} clusters; got {given}."
            )
        found.append(centres.astype(np.float64))
    return found
