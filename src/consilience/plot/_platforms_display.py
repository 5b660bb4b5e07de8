"""Clusters of every platform against the consensus."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.metrics import nmi
from consilience.plot._display import Display
from consilience.plot._given import overlap_table, read_clusters
from consilience.plot._palette import INK, SEQUENTIAL, shortened

_MOST_ROWS = 15


class PlatformTable(NamedTuple):
    """One platform.

    counts     (K_p, K) samples in every pair of a cluster of the platform and one of the consensus
    names      of the clusters of the platform
    n_samples  samples that it labels
    agreement  NMI with the consensus
    """

    counts: Array
    names: tuple[str, ...]
    n_samples: int
    agreement: float


class PlatformsDisplay(Display):
    """A panel per platform: which consensus clusters its clusters hold.

    Parameters
    ----------
    platforms : mapping of str -> vector of n labels
        One clustering per platform; -1 = the platform does not have the sample.
    labels : vector of n labels
        The consensus.

    Attributes
    ----------
    tables : dict of str -> PlatformTable
        Counts behind every panel; clusters are sorted by the consensus cluster they hold most of.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    AlluvialDisplay : Flows between labellings.
    MembershipDisplay : All members at once.

    Examples
    --------
    >>> from consilience.plot import PlatformsDisplay
    >>> display = PlatformsDisplay({"rna": [0, 0, 1, 1], "dna": ["a", "b", "b", -1]}, [0, 0, 1, 1])
    >>> display.tables["dna"].counts.tolist()
    [[1, 0], [1, 1]]
    """

    figure_size = (8.0, 3.6)

    def __init__(self, platforms: Mapping[str, Any], labels: Any) -> None:
        if not len(platforms):
            raise InvalidInputError("PlatformsDisplay: platforms is empty; at least one is needed.")
        owner = "PlatformsDisplay"
        consensus = read_clusters(labels, len(labels), owner)
        self.names = consensus.names
        self.n_samples = len(consensus.labels)
        self.tables: dict[str, PlatformTable] = {}
        for platform, given in platforms.items():
            own = read_clusters(_filled(given), self.n_samples, f"{owner}: platform {platform!r}")
            counts = overlap_table(own.labels, consensus.labels)
            order = np.lexsort((-counts.max(axis=1), counts.argmax(axis=1)))
            self.tables[str(platform)] = PlatformTable(
                counts[order],
                tuple(own.names[row] for row in order),
                int(np.count_nonzero(own.labels >= 0)),
                nmi(own.labels, consensus.labels),
            )

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        return (
            "A row is a cluster of the platform, a column a cluster of the consensus; colours are "
            "shares of the row. One dark cell per row means that the platform agrees. Rows of few "
            "samples look as sure as rows of many; the numbers are samples."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw a panel per platform.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `imshow`.
        """
        ax = self._open(ax)
        n_panels = len(self.tables)
        width = 0.94 / n_panels
        places = [(0.05 + i * width, 0.02, 0.72 * width, 0.83) for i in range(n_panels)]
        panels = self._split(ax, places)
        for panel, (platform, table) in zip(panels, self.tables.items(), strict=True):
            self._draw(panel, platform, table, kwargs)
        title = f"{n_panels} platforms against the consensus of {self.n_samples:,} samples"
        self._write(ax, title=title, frame=True)
        return self

    def _draw(
        self, panel: Any, platform: str, table: PlatformTable, options: dict[str, Any]
    ) -> None:
        counts = table.counts[:_MOST_ROWS]
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        settings = {"cmap": self._colour_map(SEQUENTIAL), "vmin": 0, "vmax": 1, "aspect": "auto"}
        panel.imshow(shares, **{**settings, **options})
        if counts.size <= 48:
            for (row, column), count in np.ndenumerate(counts):
                dark = shares[row, column] > 0.55
                self._name(
                    panel, column, row, str(count), color="white" if dark else INK, fontsize=7
                )
        panel.set_yticks(range(len(counts)), shortened(table.names[:_MOST_ROWS], 7))
        panel.set_xticks(range(len(self.names)), shortened(self.names, 4))
        name = shortened([platform], 12)[0]
        self._write(panel, x="consensus", frame=True)
        panel.set_title(
            f"{name}\n{table.n_samples:,} samples, NMI {table.agreement:.2f}",
            fontsize=7.5, color=INK, loc="left",
        )  # fmt: skip
        panel.tick_params(length=0, labelsize=7)
        panel.spines[:].set_visible(False)


def _filled(labels: Any) -> Any:
    """Return labels with -1 among text as missing."""
    values = list(labels)
    if any(isinstance(value, str) for value in values):
        return [value if isinstance(value, str) else None for value in values]
    return labels
