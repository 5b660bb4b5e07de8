"""Draw every picture of `consilience.plot` from real data, and write them as PNG files.

    python examples/gallery_of_plots.py folder

Needs the extra `plot` and no network: iris, wine and digits ship with scikit-learn.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from sklearn.datasets import load_digits, load_iris, load_wine

from consilience import ConsensusClustering, Ensemble, plot
from consilience.clusterers import LAC
from consilience.consensus import HBGF, IPC, WBPA, WSPA
from consilience.datasets import load_digits_ensemble, make_planted_ensemble
from consilience.generate import LACSweep, Subsample
from consilience.metrics import accuracy, error_rate


def wine() -> Iterator[tuple[str, Any]]:
    """Choose the number of clusters of wines, and judge the answer."""
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = ConsensusClustering(n_clusters=(2, 8), n_members=30, n_null=3, random_state=0).fit(X)
    yield "choice_of_k", plot.ConsensusCDFDisplay.from_estimator(model)
    yield "tracking", plot.TrackingDisplay.from_estimator(model)
    yield "heatmap_objects", plot.ConsensusHeatmapDisplay.from_estimator(model)
    yield "heatmap_blocks", plot.ConsensusHeatmapDisplay.from_estimator(model, kind="blocks")
    yield "bars", plot.ConsensusBarsDisplay.from_estimator(model)
    yield "membership", plot.MembershipDisplay.from_estimator(model)
    yield "alluvial", plot.AlluvialDisplay.from_estimator(model)
    yield (
        "alluvial_classes",
        plot.AlluvialDisplay(
            {
                "grape variety": y.map({0: "Barolo", 1: "Grignolino", 2: "Barbera"}),
                "found": model.labels_,
            }
        ),
    )
    yield (
        "similarity_named",
        plot.MemberSimilarityDisplay.from_ensemble(model.ensemble_.select(range(6)), model.labels_),
    )
    yield (
        "feature_weights",
        plot.FeatureWeightsDisplay.from_estimator(LAC(3, random_state=0).fit(X)),
    )


def iris() -> Iterator[tuple[str, Any]]:
    """Combine locally adaptive clusterings of iris for many strengths of their weights."""
    X, y = load_iris(return_X_y=True)
    names = load_iris().feature_names
    strengths = tuple(range(1, 13))
    sweep = LACSweep(n_clusters=3, inverse_h=strengths, random_state=0).fit(X).ensemble_
    found = {
        "WSPA": WSPA(3, random_state=0).fit(sweep),
        "WBPA": WBPA(3, random_state=0).fit(sweep),
    }
    yield (
        "error_against_h",
        plot.ParameterDisplay.from_ensemble(
            sweep,
            y,
            strengths,
            consensus={name: function.labels_ for name, function in found.items()},
            metric=error_rate,
            series="LAC",
            parameter="1/h",
            score="Error rate",
        ),
    )
    yield "posteriors_three", plot.PosteriorDisplay.from_ensemble(sweep, 4, labels=y)
    two = LACSweep(n_clusters=2, inverse_h=(5,), random_state=0).fit(X).ensemble_
    yield "posteriors_two", plot.PosteriorDisplay.from_ensemble(two, 0)
    yield (
        "consensus_feature_weights",
        plot.FeatureWeightsDisplay.from_estimator(found["WBPA"], feature_names=names),
    )


def digits() -> Iterator[tuple[str, Any]]:
    """Judge fifty clusterings of handwritten digits."""
    ensemble, y = load_digits_ensemble()
    labels = HBGF(10, random_state=0).fit(ensemble).labels_
    yield "heatmap_digits", plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, labels)
    yield (
        "blocks_digits",
        plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, labels, kind="blocks"),
    )
    yield "bars_digits", plot.ConsensusBarsDisplay.from_ensemble(ensemble, labels)
    yield "membership_digits", plot.MembershipDisplay.from_ensemble(ensemble, labels)
    yield "alluvial_digits", plot.AlluvialDisplay.from_ensemble(ensemble, labels, n_members=3)
    yield "diversity_quality", plot.DiversityQualityDisplay.from_ensemble(ensemble, y)
    yield (
        "member_quality",
        plot.MemberQualityDisplay.from_ensemble(
            ensemble,
            y,
            consensus={"HBGF": labels, "IPC": IPC(10, random_state=0).fit(ensemble).labels_},
            metric=accuracy,
        ),
    )
    yield "member_similarity", plot.MemberSimilarityDisplay.from_ensemble(ensemble, labels)
    yield (
        "enough_members",
        plot.EnoughMembersDisplay.from_ensemble(ensemble, IPC(10), n_repeats=5, random_state=0),
    )
    X = load_digits(return_X_y=True)[0]
    model = ConsensusClustering(10, n_members=30, random_state=0).fit(X)
    yield "posteriors_ten", plot.PosteriorDisplay.from_estimator(model, X)


def large() -> Iterator[tuple[str, Any]]:
    """Two hundred thousand objects, thirty clusters, missing labels, long names."""
    ensemble, labels = make_planted_ensemble(
        200_000, 20, 30, noise=0.2, missing=0.1, random_state=0
    )
    names = [f"a member with a long name, number {number}" for number in range(20)]
    ensemble = Ensemble(ensemble.labels, names=names)
    yield "large_heatmap", plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, labels)
    yield (
        "large_blocks",
        plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, labels, kind="blocks"),
    )
    yield "large_bars", plot.ConsensusBarsDisplay.from_ensemble(ensemble, labels)
    yield "large_membership", plot.MembershipDisplay.from_ensemble(ensemble, labels)
    yield "large_alluvial", plot.AlluvialDisplay.from_ensemble(ensemble, labels)
    many = make_planted_ensemble(500, 120, 4, noise=0.3, random_state=0).ensemble
    yield "many_pairs", plot.DiversityQualityDisplay.from_ensemble(many)
    left_out = Subsample(n_members=8, n_clusters=3, left_out="missing", random_state=0)
    members = left_out.fit(load_iris().data).ensemble_
    found = IPC(3, random_state=0).fit(members).labels_
    yield "missing_membership", plot.MembershipDisplay.from_ensemble(members, found)
    yield "missing_alluvial", plot.AlluvialDisplay.from_ensemble(members, found, n_members=2)


def draw(display: Any, path: Path) -> None:
    """Write one picture at its own size, a hundred dots to the inch."""
    figure = Figure(figsize=display.figure_size, layout="constrained")
    display.plot(figure.subplots())
    figure.savefig(path, dpi=100)


def main() -> None:
    """Draw everything and print what the pictures say."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "gallery")
    folder.mkdir(parents=True, exist_ok=True)
    for group in (wine, iris, digits, large):
        for name, display in group():
            draw(display, folder / f"{name}.png")
            print(f"{name}.png: {display.caption}")


if __name__ == "__main__":
    main()
