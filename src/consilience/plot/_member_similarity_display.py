"""Similarity of members, as a matrix and as a map."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from consilience._utils._types import Array
from consilience.diagnose.internals import member_agreement
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.plot._display import Display, few_ticks
from consilience.plot._given import parts_of
from consilience.plot._palette import ACCENT, INK, MISSING, SEQUENTIAL, in_lines
from consilience.plot._tree import Tree, average_tree

# Points of at most so many members carry their names.
_NAMED = 15


class MemberSimilarityDisplay(Display):
    """Whether members form groups, that is, several different views of the data.

    Left, the NMI of every two members, those alike side by side. Right, a map: members that are close
    are alike. Two separate groups are two different views, and their consensus is a third one that no
    member has.

    Parameters
    ----------
    similarity : array (r, r)
        From 0 to 1, symmetric; NaN where two members share no object.
    names : sequence of str
        Names of the members.
    marked : sequence of str, default ()
        Names to stand out on the map, such as that of a consensus among the members.

    Attributes
    ----------
    order : array (r,)
        Members as they are drawn in the matrix.
    positions : array (r, 2)
        Where they stand on the map.
    explained : float
        Share of the differences that the map shows.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn: matrix, scale, map.

    See Also
    --------
    consilience.diagnose.member_report : Names copies and outlying members.
    DiversityQualityDisplay : All pairs by their quality.

    Notes
    -----
    The matrix is ordered by average linkage, the map is classical scaling of 1 - similarity; members
    that share no object are put at the mean of the others for both. r x r numbers for any n.

    Examples
    --------
    >>> from consilience.plot import MemberSimilarityDisplay
    >>> members = [[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0]]
    >>> display = MemberSimilarityDisplay.from_ensemble(members)
    >>> display.similarity.round(2).tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    """

    figure_size = (8.0, 4.0)

    def __init__(
        self, similarity: Any, *, names: Sequence[str], marked: Sequence[str] = ()
    ) -> None:
        self.similarity: Array = np.asarray(similarity, dtype=np.float64)
        n_members = len(names)
        if self.similarity.shape != (n_members, n_members):
            raise InvalidInputError(
                f"MemberSimilarityDisplay: similarity must have a row and a column per name, "
                f"{n_members}; got shape {self.similarity.shape}."
            )
        self.names = tuple(names)
        self.marked = tuple(marked)
        distances = 1.0 - _filled(self.similarity)
        np.fill_diagonal(distances, 0.0)
        self.tree: Tree = average_tree(np.maximum(distances[np.triu_indices(n_members, 1)], 0.0))
        self.order: Array = self.tree.order
        self.positions, self.explained = _map(distances)

    @classmethod
    def from_ensemble(cls, ensemble: Any, labels: Any = None) -> Self:
        """Compare all members, and a consensus with them if its labels are given."""
        ensemble = Ensemble.from_labels(ensemble)
        marked: tuple[str, ...] = ()
        if labels is not None:
            # A member of weight 1; its name must be new.
            name = "consensus" + "'" * ("consensus" in ensemble.names)
            hard = (
                ensemble
                if not ensemble.is_soft
                else Ensemble(ensemble.labels, names=ensemble.names)
            )
            ensemble = hard.append([np.asarray(labels)], names=[name])
            marked = (name,)
        return cls(member_agreement(ensemble).nmi, names=ensemble.names, marked=marked)

    @classmethod
    def from_estimator(cls, estimator: Any) -> Self:
        """Compare the members of a fitted ConsensusClustering and its consensus."""
        return cls.from_ensemble(*parts_of(estimator, cls.__name__))

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        return (
            f"Close on the map: alike; it shows {self.explained:.0%} of the differences. Several "
            "islands are several views of the data, and a consensus of them a view that no member has."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the matrix and the map.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.imshow` of the matrix.
        """
        ax = self._open(ax)
        image, scale, chart = self._split(
            ax, [(0.0, 0.0, 0.42, 1.0), (0.435, 0.0, 0.022, 1.0), (0.67, 0.0, 0.33, 1.0)]
        )
        colour_map = self._colour_map(SEQUENTIAL).with_extremes(bad=MISSING)
        settings = {"cmap": colour_map, "vmin": 0.0, "vmax": 1.0, "aspect": "auto", **kwargs}
        drawn = image.imshow(self.similarity[np.ix_(self.order, self.order)], **settings)
        self._colour_bar(drawn, scale, "NMI")
        names = in_lines(self.names)
        places, shown = few_ticks([names[member] for member in self.order], 16)
        image.set_yticks(places, shown)
        image.set_xticks([])
        title = f"{len(names) - len(self.marked)} members"
        if self.marked:
            title += " and " + ", ".join(self.marked)
        self._write(image, x="The same, in the same order", title=title, frame=True)
        self._draw_map(chart, names)
        return self

    def _draw_map(self, ax: Any, names: list[str]) -> None:
        special = np.array([name in self.marked for name in self.names])
        ax.scatter(*self.positions[~special].T, s=22, color="#0072b2", alpha=0.7, linewidths=0)
        ax.scatter(*self.positions[special].T, s=60, color=ACCENT, marker="D", zorder=3)
        few = len(names) <= _NAMED
        reach = (1.45 if few else 1.15) * max(0.05, float(np.abs(self.positions).max(initial=0.0)))
        written: list[Array] = []
        # Partitions that were marked are named first; a name that would cover another one is left out.
        for member in np.argsort(~special, kind="stable"):
            place = self.positions[member]
            if not special[member] and (not few or _covered(place, written, reach)):
                continue
            written.append(place)
            behind = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 0.8}
            ax.annotate(
                names[member], place, xytext=(0, 6), textcoords="offset points",
                ha="center", fontsize=8, color=ACCENT if special[member] else INK,
                bbox=behind if special[member] else None,
            )  # fmt: skip
        ax.set_xlim(-reach, reach)
        ax.set_ylim(-reach, reach)
        self._write(
            ax,
            x="First axis (1 - NMI)",
            y="Second axis",
            title=f"Map ({self.explained:.0%} explained)",
        )


def _covered(place: Array, written: list[Array], reach: float) -> bool:
    """Say whether a name at this place would cover one that is written; in shares of the picture."""
    return any(np.all(np.abs(place - other) < [0.8 * reach, 0.14 * reach]) for other in written)


def _filled(similarity: Array) -> Array:
    """Put pairs that share nothing at the mean of the others: they tell nothing."""
    apart = ~np.eye(len(similarity), dtype=bool)
    known = similarity[apart & np.isfinite(similarity)]
    return np.where(np.isfinite(similarity), similarity, known.mean() if len(known) else 0.0)


def _map(distances: Array) -> tuple[Array, float]:
    """Classical scaling to two axes, and the share of the positive eigenvalues that they hold."""
    n_members = len(distances)
    squares = np.square(distances)
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    positive = np.maximum(values, 0.0)
    positions = np.zeros((n_members, 2))
    taken = min(2, n_members)
    axes = vectors[:, ::-1][:, :taken] * np.sqrt(positive[::-1][:taken])
    # Eigenvectors have no sign of their own: the entry of largest size shall be positive.
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(taken)])
    positions[:, :taken] = axes * np.where(signs == 0, 1.0, signs)
    total = float(positive.sum())
    share = float(positive[::-1][:taken].sum()) / total if total > 1e-12 else 1.0
    return positions, share
