"""combo: evidence accumulation, and voting after alignment (as many base clusters as clusters)."""

import contextlib
import io
import warnings

PACKAGE = "combo"
METHODS = {"eac": "HAC", "vote": "PluralityVoting"}
GROWTH = {"eac": 2}  # fill an n x n matrix


def eac(labels, n_clusters, **_):
    from combo.models.cluster_eac import EAC
    from sklearn.cluster import KMeans

    # It wants fitted estimators: these carry the labels, and are not fitted again.
    members = [KMeans(n_clusters) for _ in labels.T]
    for estimator, member in zip(members, labels.T, strict=True):
        estimator.labels_ = member
    estimator = EAC(members, n_clusters, linkage_method="average", pre_fitted=True)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return estimator.fit(labels).labels_


def vote(labels, n_clusters, **_):
    from combo.models.cluster_comb import clusterer_ensemble_scores

    return clusterer_ensemble_scores(labels.astype(int), labels.shape[1], n_clusters).ravel()
