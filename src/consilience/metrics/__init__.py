"""Similarity of two labellings, and agreement of a labelling with an ensemble."""

from consilience.metrics._accuracy import accuracy
from consilience.metrics._anmi import anmi
from consilience.metrics._ari import ari
from consilience.metrics._best_member import best_member
from consilience.metrics._cluster_uncertainty import cluster_uncertainty
from consilience.metrics._compactness import compactness
from consilience.metrics._confidence import confidence
from consilience.metrics._consensus_rand import consensus_rand
from consilience.metrics._error_rate import error_rate
from consilience.metrics._evidence import evidence
from consilience.metrics._known_classes import KnownClasses
from consilience.metrics._nmi import nmi
from consilience.metrics._pairwise_ari import pairwise_ari
from consilience.metrics._pairwise_nmi import pairwise_nmi
from consilience.metrics._pairwise_rand import pairwise_rand
from consilience.metrics._purity import purity
from consilience.metrics._rand_distance import rand_distance
from consilience.metrics._snmi import snmi
from consilience.metrics._vote_information import vote_information

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
