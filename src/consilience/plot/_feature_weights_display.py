"""Weights of features in clusters."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from consilience._utils._declare import Integer, check_parameters
from consilience.exceptions import InvalidInputError
from consilience.plot._display import Display, few_ticks, wrapped_ticks
from consilience.plot._palette import SEQUENTIAL, cluster_colours, shortened

if TYPE_CHECKING:
    from consilience._utils._types import Array

# So many cells carry their numbers.
_WRITTEN = 80
# Letters that fit below the columns.
_LABEL_CHARACTERS = 62


class FeatureWeightsDisplay(Display):
    """The weight of every feature in every cluster, as LAC, WSPA and WBPA learn them.

    Parameters
    ----------
    weights : array (K, D)
        Weights, rows summing to one.
    feature_names : sequence of str, optional
        Names of the features; default their numbers.
    cluster_names : sequence of str, optional
        Names of the clusters; default their numbers.
    max_features : int, default 20
        Most features shown: those with the largest weight in any cluster, in their own order.

    Attributes
    ----------
    features : array (d,)
        Positions of the features shown.
    hidden : array (K,)
        Weight of the features that are not shown.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn: weights, scale.

    See Also
    --------
    PosteriorDisplay : The memberships of such clusters.
    consilience.clusterers.LAC : Learns the weights.

    Notes
    -----
    A feature weighs much where it is not dispersed, in the units of the fit; a feature that is constant
    in all data weighs most everywhere.

    References
    ----------
    [alrazgan2006]_

    Examples
    --------
    >>> from consilience.plot import FeatureWeightsDisplay
    >>> display = FeatureWeightsDisplay([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]], max_features=2)
    >>> display.features.tolist(), display.hidden.tolist()
    ([0, 2], [0.2, 0.1])
    """

    def __init__(
        self,
        weights: Any,
        *,
        feature_names: Sequence[str] | None = None,
        cluster_names: Sequence[str] | None = None,
        max_features: int = 20,
    ) -> None:
        declared = {"max_features": Integer(1)}
        check_parameters("FeatureWeightsDisplay", declared, {"max_features": max_features})
        self.weights: Array = np.asarray(weights, dtype=np.float64)
        if self.weights.ndim != 2:
            raise InvalidInputError(
                "FeatureWeightsDisplay: weights must be a matrix of clusters and features; got shape "
                f"{self.weights.shape}."
            )
        n_clusters, n_features = self.weights.shape
        self.feature_names = _names(feature_names, n_features, "feature_names")
        self.cluster_names = _names(cluster_names, n_clusters, "cluster_names")
        strongest = np.argsort(-self.weights.max(axis=0), kind="stable")[:max_features]
        self.features: Array = np.sort(strongest)
        shown = np.isin(np.arange(n_features), self.features)
        self.hidden: Array = self.weights[:, ~shown].sum(axis=1)

    @classmethod
    def from_estimator(cls, estimator: Any, **options: Any) -> Self:
        """Take the weights of a fitted LAC, WSPA, WBPA, or of a ConsensusClustering that uses one."""
        inner = getattr(estimator, "consensus_", estimator)
        weights = getattr(inner, "feature_weights_", None)
        # The weights_ of consensus functions are those of members.
        if weights is None and hasattr(inner, "cluster_centers_"):
            weights = getattr(inner, "weights_", None)
        if weights is None:
            raise InvalidInputError(
                "FeatureWeightsDisplay.from_estimator needs a fitted LAC, or a WSPA or WBPA fitted to "
                f"the ensemble of a LACSweep; got {type(estimator).__name__}."
            )
        options.setdefault("feature_names", getattr(estimator, "feature_names_in_", None))
        return cls(weights, **options)

    @classmethod
    def from_ensemble(cls, ensemble: Any, member: int = 0, **options: Any) -> Self:
        """Take the weights of one member of an ensemble that has them, as LACSweep makes it."""
        table = ensemble.cluster_tables.get("feature_weights")
        if table is None or table[member] is None:
            raise InvalidInputError(
                "FeatureWeightsDisplay.from_ensemble needs an ensemble with the cluster table "
                f"'feature_weights', as LACSweep makes it; member {member} has none."
            )
        return cls(table[member], **options)

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        text = "Dark: the cluster is narrow in this feature, in the units of the fit."
        if len(self.features) < self.weights.shape[1]:
            text += f" Features not shown have up to {self.hidden.max():.0%} of a cluster's weight."
        return text

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw a row per cluster and a column per feature.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.imshow`.
        """
        ax = self._open(ax)
        shown = self.weights[:, self.features]
        top = max(1e-12, float(shown.max(initial=0.0)))
        settings = {"cmap": SEQUENTIAL, "vmin": 0.0, "vmax": top, "aspect": "auto", **kwargs}
        drawn = ax.imshow(shown, **settings)
        scale = ax.inset_axes((1.02, 0.0, 0.03, 1.0))
        self._colour_bar(drawn, scale, "Weight in the cluster")
        self.axes_ = (ax, scale)
        names = shortened([self.feature_names[feature] for feature in self.features], 18)
        places, texts = few_ticks(names, 40)
        broken = wrapped_ticks(texts, _LABEL_CHARACTERS)
        ax.set_xticks(places, broken or texts, rotation=0 if broken else 90)
        places, texts = few_ticks(shortened(self.cluster_names, 14), 25)
        ax.set_yticks(places, texts)
        for row, colour in enumerate(cluster_colours(len(shown))):
            ax.plot([-0.5], [row], marker="s", markersize=7, color=colour, clip_on=False, zorder=4)
        if shown.size <= _WRITTEN and len(self.features) <= 12:
            for (row, column), value in np.ndenumerate(shown):
                ax.text(
                    column, row, f"{value:.2f}", ha="center", va="center", fontsize=8,
                    color="white" if value > 0.6 * top else "black",
                )  # fmt: skip
        what = f"{len(self.features)} of {self.weights.shape[1]} features"
        if len(self.features) == self.weights.shape[1]:
            what = f"{len(self.features)} features"
        self._write(ax, x="Feature", y="Cluster", title=f"Weights of {what}", frame=True)
        ax.set_xlim(-0.5, len(self.features) - 0.5)
        ax.set_ylim(len(shown) - 0.5, -0.5)
        ax.tick_params(axis="y", pad=7)
        return self


def _names(given: Sequence[str] | None, number: int, what: str) -> tuple[str, ...]:
    if given is None:
        return tuple(str(place) for place in range(number))
    if len(given) != number:
        raise InvalidInputError(
            f"FeatureWeightsDisplay: {what} must hold {number} names; got {len(given)}."
        )
    return tuple(str(name) for name in given)
