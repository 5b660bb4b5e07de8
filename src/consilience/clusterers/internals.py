"""Names for use by other parts of the library. Not for users: they may change without notice."""

from consilience.clusterers._lac import (
    adapt,
    feature_weights,
    nearest_centre,
    posteriors,
    well_scattered,
)
from consilience.clusterers._lloyd import (
    Points,
    Run,
    inertia,
    lloyd,
    nearest,
    random_rows,
    spread_rows,
)

__all__ = [
    "Points",
    "Run",
    "adapt",
    "feature_weights",
    "inertia",
    "lloyd",
    "nearest",
    "nearest_centre",
    "posteriors",
    "random_rows",
    "spread_rows",
    "well_scattered",
]
