"""The consensus of platforms, and the agreement of every platform with it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.answer import KChoice
from consilience.ensemble import Ensemble
from consilience.metrics import nmi
from consilience.plot import PlatformsDisplay


class PlatformRow(NamedTuple):
    """One platform.

    platform   its name
    n_members  its clusterings
    n_samples  samples that it labels
    weight     the summed weight of its members, as a share of all
    agreement  mean NMI of its members with the consensus, on its samples
    """

    platform: str
    n_members: int
    n_samples: int
    weight: float
    agreement: float


@dataclass(frozen=True, eq=False)
class PlatformConsensus:
    """One clustering of all samples of all platforms.

    Attributes
    ----------
    ids : array (n,)
        The samples, in the order of their first appearance.
    labels : array (n,) of int32
        The consensus.
    confidence : array (n,)
        Share of the votes for the sample's own cluster, by the weights of the members.
    n_platforms : array (n,)
        Platforms that know the sample.
    ensemble : Ensemble
        All members, with the weights that were used.
    owners : tuple of str
        The platform of every member.
    choice : KChoice or None
        How the number of clusters was chosen, if it was.
    """

    ids: Array
    labels: Array
    confidence: Array
    n_platforms: Array
    ensemble: Ensemble
    owners: tuple[str, ...]
    choice: KChoice | None = None

    @property
    def n_clusters(self) -> int:
        """Return K."""
        return int(self.labels.max()) + 1

    @property
    def platforms(self) -> tuple[str, ...]:
        """Return the names of the platforms."""
        return tuple(dict.fromkeys(self.owners))

    @property
    def table(self) -> tuple[PlatformRow, ...]:
        """Return the members, samples, weight and agreement of every platform."""
        total = self.ensemble.weights.sum()
        rows = []
        for platform in self.platforms:
            members = self.members_of(platform)
            known = np.any(self.ensemble.labels[:, members] >= 0, axis=1)
            agreement = [nmi(self.ensemble.labels[:, j], self.labels) for j in members]
            rows.append(
                PlatformRow(
                    platform,
                    len(members),
                    int(np.count_nonzero(known)),
                    float(self.ensemble.weights[members].sum() / total),
                    float(np.mean(agreement)),
                )
            )
        return tuple(rows)

    @property
    def sentence(self) -> str:
        """Say what was found, and which platform agrees least."""
        everywhere = int(np.count_nonzero(self.n_platforms == len(self.platforms)))
        rows = sorted(self.table, key=lambda row: row.agreement)
        agreement = (
            f"{rows[0].platform} agrees least (NMI {rows[0].agreement:.2f})"
            if rows[0].agreement < rows[-1].agreement
            else f"all platforms agree with it alike (NMI {rows[0].agreement:.2f})"
        )
        sizes = ", ".join(f"{size:,}" for size in np.sort(np.bincount(self.labels))[::-1])
        text = (
            f"{self.n_clusters} clusters of {sizes} samples from {len(self.platforms)} platforms; "
            f"{everywhere:,} of {len(self.labels):,} samples are on all platforms; mean confidence "
            f"{np.nanmean(self.confidence):.2f}; {agreement}."
        )
        return text if self.choice is None else f"{text} {self.choice.sentence}"

    def members_of(self, platform: str) -> list[int]:
        """Return the positions of the members of a platform."""
        return [j for j, owner in enumerate(self.owners) if owner == platform]

    def display(self) -> PlatformsDisplay:
        """Return a picture with a panel per platform: its clusters against the consensus.

        Of several clusterings of a platform, the one is shown that is most like the consensus.
        """
        shown = {}
        for platform in self.platforms:
            members = self.members_of(platform)
            alike = [nmi(self.ensemble.labels[:, j], self.labels) for j in members]
            shown[platform] = self.ensemble.labels[:, members[int(np.argmax(alike))]]
        return PlatformsDisplay(shown, self.labels)
