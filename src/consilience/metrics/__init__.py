"""Similarity of two labellings, and agreement of a labelling with an ensemble."""

from consilience.metrics._compactness import compactness
from consilience.metrics._members import (
    anmi,
    best_member,
    consensus_rand,
    pairwise_ari,
    pairwise_nmi,
    pairwise_rand,
    snmi,
)
from consilience.metrics._two_labellings import (
    KnownClasses,
    accuracy,
    ari,
    error_rate,
    nmi,
    purity,
    rand_distance,
)
from consilience.metrics._votes import (
    cluster_uncertainty,
    confidence,
    evidence,
    vote_information,
)

__all__ = [
    "KnownClasses",
    "accuracy",
    "anmi",
    "ari",
    "best_member",
    "cluster_uncertainty",
    "compactness",
    "confidence",
    "consensus_rand",
    "error_rate",
    "evidence",
    "nmi",
    "pairwise_ari",
    "pairwise_nmi",
    "pairwise_rand",
    "purity",
    "rand_distance",
    "snmi",
    "vote_information",
]
