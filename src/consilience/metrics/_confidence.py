"""Support of a labelling by the base clusters of an ensemble."""

from typing import Any

from consilience.ensemble import Ensemble
from consilience.metrics._certain_votes import THETA, certain_votes, check_theta, read_labels


def confidence(
    labels: Any, ensemble: Any, *, theta: float = THETA, adjusted: bool = False
) -> float:
    """Mean share of the votes that the objects' base clusters give to the objects' own labels.

    A base cluster c votes for label k by P_ck, the share of its objects that have label k. The votes of
    an object are the mean of the votes of its base clusters, each counted by its certainty
    w_c = exp(-E_c / (theta r)), E_c its entropy with respect to the ensemble, in bits
    (`cluster_uncertainty`). The confidence is the mean over the objects of their votes for their own
    label. It is from 0 to 1; 1 means that no base cluster is cut.

    Parameters
    ----------
    labels : vector of n labels
        Objects without a label are left out.
    ensemble : Ensemble or any input that Ensemble accepts
        Missing labels do not vote; soft members vote by their memberships; members count by their
        weights, objects by theirs.
    theta : float, default 0.4
        Larger values make the certainty decrease more slowly with the entropy; for very large values
        all base clusters count the same.
    adjusted : bool, default False
        Correct for chance: (c - e) / (1 - e), e the sum of squares of the shares of the clusters,
        which is the confidence of votes by the sizes alone. 1 for a single cluster.

    See Also
    --------
    vote_information : For labels of different ensembles, where one giant cluster has a high confidence.
    anmi : The criterion of the literature, which prefers clusters of equal size.

    Notes
    -----
    O(n r K): one count table and one sweep, and the overlaps of base clusters for their certainties.
    It compares labellings of the same objects against the same ensemble. It decreases with the number
    of clusters, so it cannot be used to choose this number.

    Examples
    --------
    >>> import numpy as np
    >>> members = np.array([[0, 0], [0, 0], [1, 1], [1, 0]])
    >>> round(confidence([0, 0, 1, 1], members), 3)
    0.872
    >>> round(confidence([0, 0, 1, 1], members, adjusted=True), 3)
    0.745
    """
    check_theta(theta)
    ensemble = Ensemble.from_labels(ensemble)
    votes = certain_votes(read_labels(labels, ensemble), ensemble, theta)
    return votes.adjusted_confidence if adjusted else votes.confidence
