"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience._utils._features import features_checked, read_features
from consilience.generate._base import COMMON
from consilience.generate._catalogue import (
    EXTENSIONS,
    generator_named,
    generator_names,
    generators,
    is_generator_name,
)
from consilience.generate._chunked import sample
from consilience.generate._gaussian_mixtures import fit_mixture, likeliest, most_components
from consilience.generate._one_thread import one_thread
from consilience.generate._ranges import EvenRange, WholeOrRange
from consilience.generate._scaling import SCALINGS, Rows, scalings_to_try

__all__ = [
    "COMMON",
    "EXTENSIONS",
    "SCALINGS",
    "EvenRange",
    "Rows",
    "WholeOrRange",
    "features_checked",
    "fit_mixture",
    "generator_named",
    "generator_names",
    "generators",
    "is_generator_name",
    "likeliest",
    "most_components",
    "one_thread",
    "read_features",
    "sample",
    "scalings_to_try",
]
