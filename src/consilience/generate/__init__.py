"""Generators: data in, an ensemble of clusterings out."""

from consilience.generate._base import EnsembleGenerator
from consilience.generate._categorical_columns import CategoricalColumns
from consilience.generate._clusterer_pool import ClustererPool
from consilience.generate._feature_choices import FeatureSubsets, FeatureWeightedKMeans
from consilience.generate._gaussian_mixtures import GaussianMixtures
from consilience.generate._kmeans import IntelligentKMeans, KMeansRestarts
from consilience.generate._lac_sweep import LACSweep
from consilience.generate._landmark_spectral import LandmarkSpectral
from consilience.generate._member import Member
from consilience.generate._pca_subsample import PCASubsample
from consilience.generate._random_projection import ProjectedPCA, RandomProjection
from consilience.generate._subsample import Subsample

__all__ = [
    "CategoricalColumns",
    "ClustererPool",
    "EnsembleGenerator",
    "FeatureSubsets",
    "FeatureWeightedKMeans",
    "GaussianMixtures",
    "IntelligentKMeans",
    "KMeansRestarts",
    "LACSweep",
    "LandmarkSpectral",
    "Member",
    "PCASubsample",
    "ProjectedPCA",
    "RandomProjection",
    "Subsample",
]
