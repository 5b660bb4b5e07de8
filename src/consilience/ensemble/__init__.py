"""Ensembles: many clusterings of the same objects, validated and immutable."""

from consilience.ensemble._encode import canonical_labels
from consilience.ensemble._ensemble import Ensemble
from consilience.ensemble._profiles import Profiles, bytes_merged
from consilience.ensemble._start import centre_table, start_from_member
from consilience.ensemble._validation import as_label_vector
from consilience.ensemble._weights import scaled_sample_weight

__all__ = [
    "Ensemble",
    "Profiles",
    "as_label_vector",
    "bytes_merged",
    "canonical_labels",
    "centre_table",
    "scaled_sample_weight",
    "start_from_member",
]
