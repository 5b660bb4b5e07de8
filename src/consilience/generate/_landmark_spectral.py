"""Spectral clustering of a graph of rows and landmarks, again and again."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs

from consilience._utils._declare import Choice, Declaration, Integer, Optional
from consilience._utils._types import Array
from consilience.clusterers.internals import Points
from consilience.generate._base import DrawnMembers, parameters_from_fields
from consilience.generate._landmark_graph import (
    Cut,
    Neighbours,
    cut_graph,
    label_rows,
    make_landmarks,
    nearest_landmarks,
)
from consilience.generate._member import Member, without_empty
from consilience.generate._ranges import cluster_range, draw

_MOST_LANDMARKS = 1_000
# Landmarks in the pool for every landmark of a member, and neighbours kept for every link.
_POOL = 2
_KEPT = 4


@parameters_from_fields
class LandmarkSpectral(DrawnMembers):
    """Spectral clustering by landmarks: members that see curved clusters and clusters of unequal size.

    k-means sees round clusters of equal size only. Here every row is linked with its nearest landmarks,
    which are centres of a k-means with many clusters. The graph of rows and landmarks is cut spectrally,
    at a cost that is linear in the number of rows. Every member has its own random half of a pool of
    landmarks and its own number of clusters. The search for the nearest landmarks, which is most of the
    work, is done once for all members.

    A row i and a landmark l among its nearest are linked by B_il = exp(-d_il^2 / (2 s_i^2)), d_il their
    distance, s_i the mean of the row's distances, or the mean of all rows' distances. With D_x and D
    the sums of the rows of B and of W = B' D_x^-1 B, the rows are embedded by D_x^-1 B D^-1/2 V, V the
    leading eigenvectors of D^-1/2 W D^-1/2. They are scaled to length one and clustered by k-means.

    Parameters
    ----------
    n_landmarks : int or None, default None
        Landmarks of a member, p; None: a third of the rows, at most 1,000. It is raised to K + 1 if
        it is smaller, and is at most the number of rows.
    n_neighbors : int, default 5
        Landmarks that a row is linked with.
    kernel : {"local", "global"}, default "local"
        Width of the affinity: every row's own mean distance to its landmarks, or the mean over all rows.
    random_state : int, generator or None, default None
        Decides landmarks, their halves, starts and every K.

    Attributes
    ----------
    members_ : list of Member
        Labels, landmarks and centres of every member.
    landmarks_ : array (P, d)
        The pool of landmarks, in the columns as scaled.

    See Also
    --------
    KMeansRestarts : k-means members, faster, for round clusters.

    Notes
    -----
    O(n P d) for the search, P = 2 p; O(n (q^2 + q K) + p^3) for a member with q neighbours, and k-means
    on at most 20,000 embedded rows (or 200 K). Memory: 24 q bytes for every row, blocks of 4,096 rows
    otherwise. The pool has 2 p landmarks, made by 8 rounds of k-means on at most 20 p random rows; the
    4 q nearest of every row are kept. A member uses a random half of the pool and the q nearest kept
    ones among them; few rows have less than q. No label is missing. New rows are linked with
    their nearest landmarks by the same formulas and labelled by the nearest centre.

    Where the graph falls into more separate parts than a member has clusters, rounding decides which of
    them it puts together.

    Members may have fewer clusters than asked if the data have fewer distinct rows; then there is a
    `FewerClustersWarning`.

    References
    ----------
    [huang2020]_

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from consilience.generate import LandmarkSpectral
    >>> X, _ = make_moons(200, noise=0.05, random_state=0)
    >>> LandmarkSpectral(n_members=10, n_clusters=2, random_state=0).fit(X).ensemble_
    Ensemble(200 objects, 10 members, 20 base clusters)
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **DrawnMembers.parameters,
        "n_landmarks": Optional(Integer(2)),
        "n_neighbors": Integer(2),
        "kernel": Choice("local", "global"),
    }

    n_landmarks: int | None = None
    n_neighbors: int = 5
    kernel: str = "local"

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:
        points = Points.of(X)
        self._offset = points.offset
        pool = min(_POOL * self._landmarks_of_a_member(points.n_samples), points.n_samples)
        self.landmarks_ = make_landmarks(points, pool, rng)
        return self._neighbours(points)

    def _rows(self, X: Any) -> Any:
        return self._neighbours(Points.of(X, self._offset))

    def _member(
        self,
        shared: Neighbours,
        j: int,
        rng: np.random.Generator,
        previous: Member | None,  # noqa: ARG002
    ) -> Member:
        wanted = draw(cluster_range(self.n_clusters, shared.n_rows), rng, j)
        n_chosen = min(self._landmarks_of_a_member(shared.n_rows), len(self.landmarks_))
        chosen = np.sort(rng.choice(len(self.landmarks_), n_chosen, replace=False))
        cut = cut_graph(
            shared,
            self.landmarks_,
            chosen.astype(np.int32),
            n_clusters=wanted,
            n_links=self.n_neighbors,
            local=self.kernel == "local",
            rng=rng,
        )
        labels, used = without_empty(label_rows(shared, self.landmarks_, cut), len(cut.centres))
        cut = cut._replace(centres=cut.centres[used])
        arrays = {name: np.asarray(part) for name, part in cut._asdict().items()}
        return Member(labels, arrays, n_clusters=wanted)

    def _predict(self, member: Member, rows: Any) -> Array:
        parts = member.arrays
        cut = Cut(
            parts["landmarks"],
            float(parts["scale"]),
            parts["table"],
            parts["centres"],
            int(parts["n_links"]),
        )
        return label_rows(rows, self.landmarks_, cut)

    def _landmarks_of_a_member(self, n_samples: int) -> int:
        wanted = self.n_landmarks
        if wanted is None:
            wanted = min(_MOST_LANDMARKS, n_samples // 3)
        # As many clusters need as many leading vectors, and one landmark more than those.
        return min(n_samples, max(wanted, cluster_range(self.n_clusters, n_samples)[1] + 1))

    def _neighbours(self, points: Points) -> Neighbours:
        n_threads = effective_n_jobs(self.n_jobs)
        return nearest_landmarks(points, self.landmarks_, _KEPT * self.n_neighbors, n_threads)
