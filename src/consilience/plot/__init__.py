"""Pictures of ensembles and consensus, as Display objects: numbers first, drawing apart."""

from consilience.plot._alluvial_display import AlluvialDisplay
from consilience.plot._choice_displays import ConsensusCDFDisplay, TrackingDisplay
from consilience.plot._consensus_bars_display import ConsensusBarsDisplay
from consilience.plot._consensus_heatmap_display import ConsensusHeatmapDisplay
from consilience.plot._enough_members_display import EnoughMembersDisplay
from consilience.plot._membership_display import MembershipDisplay
from consilience.plot._platforms_display import PlatformsDisplay
from consilience.plot._quality_displays import DiversityQualityDisplay, MemberQualityDisplay
from consilience.plot._resolution_tree_display import ResolutionTreeDisplay

__all__ = [
    "AlluvialDisplay",
    "ConsensusBarsDisplay",
    "ConsensusCDFDisplay",
    "ConsensusHeatmapDisplay",
    "DiversityQualityDisplay",
    "EnoughMembersDisplay",
    "MemberQualityDisplay",
    "MembershipDisplay",
    "PlatformsDisplay",
    "ResolutionTreeDisplay",
    "TrackingDisplay",
]
