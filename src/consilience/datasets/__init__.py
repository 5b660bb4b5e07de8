"""Simulated data and ensembles with known classes, and real data that are always installed."""

from consilience.datasets._control_charts import make_control_charts
from consilience.datasets._digits_ensemble import load_digits_ensemble
from consilience.datasets._letters import make_letters
from consilience.datasets._planted_ensemble import make_planted_ensemble
from consilience.datasets._subspaces import make_subspaces
from consilience.datasets._three_gaussians import make_three_gaussians
from consilience.datasets._two_gaussians import make_two_gaussians

__all__ = [
    "load_digits_ensemble",
    "make_control_charts",
    "make_letters",
    "make_planted_ensemble",
    "make_subspaces",
    "make_three_gaussians",
    "make_two_gaussians",
]
