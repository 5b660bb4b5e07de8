"""Simulated ensembles with a known answer, and real ones from data that every install has."""

from consilience.datasets._digits_ensemble import load_digits_ensemble
from consilience.datasets._planted_ensemble import make_planted_ensemble

__all__ = ["load_digits_ensemble", "make_planted_ensemble"]
