"""The diversity and the quality of the members, pair by pair."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.diagnose._member_agreement import member_agreement, truth_agreement
from consilience.ensemble import Ensemble


@dataclass(frozen=True, eq=False)
class DiversityQuality:
    """The cloud of pairs of members, and its means.

    pairs           (p, 2) positions of the two members
    nmi             (p,) NMI between them; smaller is more diverse
    quality         (p,) mean quality of the two
    member_quality  (r,) quality of every member; NaN where it cannot be had
    mean_nmi        mean over the pairs; NaN if there is none
    mean_quality    mean over the members
    with_truth      whether quality is NMI with the truth rather than with the other members
    names           names of the members
    """

    pairs: Array
    nmi: Array
    quality: Array
    member_quality: Array
    mean_nmi: float
    mean_quality: float
    with_truth: bool
    names: tuple[str, ...]

    def __str__(self) -> str:
        what = "the truth" if self.with_truth else "the other members"
        return (
            f"{len(self.names)} members agree with {what} at a mean NMI of {self.mean_quality:.3f} and "
            f"pair by pair at {self.mean_nmi:.3f} (smaller is more diverse)."
        )


def diversity_quality(ensemble: Any, truth: Any = None) -> DiversityQuality:
    """Compute the similarity and the mean quality of every pair of members.

    A consensus can only be better than its members if they are good and make different errors. The
    cloud of pairs shows both at once: to the right is better, further down is more diverse.

    Parameters
    ----------
    ensemble : Ensemble or array-like of labels
        The members.
    truth : vector of n labels, optional
        Known classes. Quality of a member is its NMI with them; without them, its mean NMI with the
        other members.

    Returns
    -------
    DiversityQuality
        Pairs, their NMI and mean quality, and the means.

    See Also
    --------
    select_members : Choose members by both.
    compare_functions : What consensus functions make of such ensembles.

    Notes
    -----
    O(n r^2). Pairs are compared on the objects that both label, and those that share none are left out.
    Without a truth the members that a member is compared with count by their weight and by the objects
    shared. Members of weight 0 and members without labels form no pairs. Soft members are taken by
    their most likely labels. NMI is not corrected for chance and grows with the number of clusters.

    References
    ----------
    [fern2004]_, table 4

    Examples
    --------
    >>> from consilience.diagnose import diversity_quality
    >>> members = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]]
    >>> cloud = diversity_quality(members, truth=[0, 0, 1, 1])
    >>> cloud.nmi.tolist(), cloud.quality.tolist()
    ([1.0, 0.0, 0.0], [1.0, 0.5, 0.5])
    """
    ensemble = Ensemble.from_labels(ensemble)
    agreement = member_agreement(ensemble)
    quality = agreement.quality if truth is None else truth_agreement(ensemble, truth)
    first, second = np.triu_indices(ensemble.n_members, 1)
    nmi, mean = agreement.nmi[first, second], (quality[first] + quality[second]) / 2
    counted = agreement.counted[first] & agreement.counted[second]
    used = counted & np.isfinite(nmi) & np.isfinite(mean)
    judged = agreement.counted & np.isfinite(quality)
    return DiversityQuality(
        pairs=np.column_stack([first, second])[used],
        nmi=nmi[used],
        quality=mean[used],
        member_quality=quality,
        mean_nmi=float(nmi[used].mean()) if used.any() else np.nan,
        mean_quality=float(quality[judged].mean()) if judged.any() else np.nan,
        with_truth=truth is not None,
        names=ensemble.names,
    )
