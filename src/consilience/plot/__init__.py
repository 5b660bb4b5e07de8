"""Pictures of ensembles and consensus, as Display objects: numbers first, drawing apart."""

from consilience.plot._alluvial_display import AlluvialDisplay
from consilience.plot._consensus_bars_display import ConsensusBarsDisplay
from consilience.plot._consensus_cdf_display import ConsensusCDFDisplay
from consilience.plot._consensus_heatmap_display import ConsensusHeatmapDisplay
from consilience.plot._diversity_quality_display import DiversityQualityDisplay
from consilience.plot._enough_members_display import EnoughMembersDisplay
from consilience.plot._feature_weights_display import FeatureWeightsDisplay
from consilience.plot._member_quality_display import MemberQualityDisplay
from consilience.plot._member_similarity_display import MemberSimilarityDisplay
from consilience.plot._membership_display import MembershipDisplay
from consilience.plot._parameter_display import ParameterDisplay
from consilience.plot._platforms_display import PlatformsDisplay
from consilience.plot._posterior_display import PosteriorDisplay
from consilience.plot._resolution_tree_display import ResolutionTreeDisplay
from consilience.plot._tracking_display import TrackingDisplay

__all__ = [
    "AlluvialDisplay",
    "ConsensusBarsDisplay",
    "ConsensusCDFDisplay",
    "ConsensusHeatmapDisplay",
    "DiversityQualityDisplay",
    "EnoughMembersDisplay",
    "FeatureWeightsDisplay",
    "MemberQualityDisplay",
    "MemberSimilarityDisplay",
    "MembershipDisplay",
    "ParameterDisplay",
    "PlatformsDisplay",
    "PosteriorDisplay",
    "ResolutionTreeDisplay",
    "TrackingDisplay",
]
