"""Simulated data and ensembles with known classes, and real data that are always installed."""

from consilience.datasets._ensembles import load_digits_ensemble, make_planted_ensemble
from consilience.datasets._simulated import (
    make_letters,
    make_subspaces,
    make_three_gaussians,
    make_two_gaussians,
)

__all__ = [
    "load_digits_ensemble",
    "make_letters",
    "make_planted_ensemble",
    "make_subspaces",
    "make_three_gaussians",
    "make_two_gaussians",
]
