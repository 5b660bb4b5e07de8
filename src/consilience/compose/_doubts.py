"""Doubts about clusters of data that were clustered here."""

from collections.abc import Sequence

from consilience._utils._words import plural
from consilience.compose._views import ViewChoice
from consilience.consensus import Doubt
from consilience.consensus.internals import (
    FEW_MEMBERS,
    KNOWN_TO_ONE_MEMBER,
    NO_DIVERSITY,
    NOT_SEPARATED,
    NOT_TESTED,
    OTHER_VIEWS,
)
from consilience.diagnose.internals import ALPHA, Separation

# With fewer members than this, agreement among them says little.
_FEW_MEMBERS = 5
# Other views that agree less than this with the chosen one, by mean NMI, have other clusters.
_AGREEMENT = 0.5


def doubts_about_separation(separation: Separation | None) -> list[Doubt]:
    """Say if a cluster is not separated from the rest, or if that was not tested."""
    if separation is None or separation.separated:
        return []
    if separation.separated is None:
        return [
            Doubt(
                NOT_TESTED,
                {},
                f"Whether the clusters are separated was not tested: {separation.why_not}.",
                "whether the clusters are separated was not tested",
            )
        ]
    return [
        Doubt(
            NOT_SEPARATED,
            {"p_value": separation.p_value, "needed": ALPHA},
            "Not every cluster has a border that is thinner than a cut through a cluster "
            f"(p = {separation.p_value:.2g} for the weakest; p at most {ALPHA:g} would be needed). "
            "The clusters may overlap, or they may be parts of one group that was cut.",
            "not every cluster is separated from the rest",
        )
    ]


def doubts_about_views(choice: ViewChoice, n_clusters: int) -> list[Doubt]:
    """Say if other ways to look at the data show other clusters."""
    if choice.n_compared < 2 or n_clusters == 1 or choice.chosen.agreement >= _AGREEMENT:
        return []
    agreement = choice.chosen.agreement
    others = "other way" if choice.n_compared == 2 else f"{choice.n_compared - 1} other ways"
    return [
        Doubt(
            OTHER_VIEWS,
            {"mean_nmi": agreement, "needed": _AGREEMENT, "views": choice.n_compared},
            f"The {others} to look at the data found other clusters: the mean NMI with the clusters of "
            f"the chosen view is {agreement:.2f} ({_AGREEMENT:g} or more would be agreement). What is "
            "found depends on the view of the data.",
            "other ways to look at the data show other clusters",
        )
    ]


def doubts_about_fit(of_function: Sequence[Doubt], n_members: int) -> list[Doubt]:
    """Return the doubts of the consensus function that matter here, and whether members are few.

    Parameters
    ----------
    of_function : sequence of Doubt
        What the function doubts.
    n_members : int
        Members that it combined.
    """
    # Members that were made from data and all agree are no reason for doubt about the clusters.
    left_out = {NO_DIVERSITY}
    few = []
    if n_members < _FEW_MEMBERS:
        left_out |= {KNOWN_TO_ONE_MEMBER} if n_members == 1 else set()
        few.append(
            Doubt(
                FEW_MEMBERS,
                {"members": n_members},
                f"The result is made from {plural(n_members, 'clustering')}, too few to say how sure it "
                "is; make 20 or more.",
                f"there {'is' if n_members == 1 else 'are'} only {plural(n_members, 'member')}",
            )
        )
    return [*few, *(doubt for doubt in of_function if doubt.code not in left_out)]
