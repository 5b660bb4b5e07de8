"""Mixture: the labels are treated as data and clustered by a mixture model or by k-means."""

from consilience.consensus.mixture._kmcf import KMCF
from consilience.consensus.mixture._multinomial_mixture import MultinomialMixture

__all__ = ["KMCF", "MultinomialMixture"]
