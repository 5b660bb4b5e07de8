"""Small, fast instances of every generator, and which checks cannot hold for them.

The census test proves that none is missing. An exception needs its reason.
"""

from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture

from consilience.generate import (
    CategoricalColumns,
    ClustererPool,
    FeatureSubsets,
    FeatureWeightedKMeans,
    GaussianMixtures,
    IntelligentKMeans,
    KMeansRestarts,
    LACSweep,
    LandmarkSpectral,
    PCASubsample,
    ProjectedPCA,
    RandomProjection,
    Subsample,
)

POOL = [
    KMeans(2, n_init=1),
    (AgglomerativeClustering(), {"n_clusters": [2, 3], "linkage": ["ward"]}),
    (GaussianMixture(), {"n_components": [1]}),
]

GENERATORS = {
    "CategoricalColumns": [CategoricalColumns()],
    "ClustererPool": [ClustererPool(POOL, random_state=0)],
    "FeatureSubsets": [FeatureSubsets(n_members=5, random_state=0)],
    "FeatureWeightedKMeans": [FeatureWeightedKMeans(n_members=5, random_state=0)],
    "GaussianMixtures": [
        GaussianMixtures(n_members=5, random_state=0),
        GaussianMixtures(n_members=5, n_clusters=(2, 3), covariance="diagonal", random_state=0),
    ],
    "IntelligentKMeans": [IntelligentKMeans(n_members=5, random_state=0)],
    "KMeansRestarts": [
        KMeansRestarts(n_members=5, random_state=0),
        KMeansRestarts(n_members=5, n_clusters=(2, 4), scaling="standard", random_state=0),
    ],
    "LACSweep": [LACSweep(inverse_h=(0, 1, 4), max_iter=1000, random_state=0)],
    "LandmarkSpectral": [
        # Fewer clusters than the data have separate parts: rounding decides what goes together.
        LandmarkSpectral(n_members=5, n_clusters=(4, 8), random_state=0),
        LandmarkSpectral(
            n_members=5, n_clusters=4, kernel="global", scaling="common", random_state=0
        ),
    ],
    "PCASubsample": [
        PCASubsample(n_members=5, random_state=0),
        PCASubsample(n_members=5, axes="subsample", variance_kept=0.8, random_state=0),
    ],
    "ProjectedPCA": [ProjectedPCA(n_members=5, random_state=0)],
    "RandomProjection": [
        RandomProjection(n_members=6, random_state=0),
        RandomProjection(n_members=5, n_components=(1, 2), scaling="max", random_state=0),
    ],
    "Subsample": [
        Subsample(n_members=5, random_state=0),
        Subsample(n_members=5, fraction=1.0, replace=True, random_state=0),
        Subsample(n_members=3, clusterer=DBSCAN(eps=2.0), random_state=0),
    ],
}
