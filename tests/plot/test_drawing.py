"""Drawing without a screen: labels, artists, sizes, and what is left untouched."""

import subprocess
import sys
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from consilience import ConsensusClustering, Ensemble, plot
from consilience.clusterers import LAC
from consilience.consensus import IPC, WBPA
from consilience.datasets import make_planted_ensemble, make_three_gaussians
from consilience.exceptions import MissingExtraError
from consilience.generate import LACSweep


@pytest.fixture(scope="module")
def planted():
    return make_planted_ensemble(120, 12, 3, noise=0.3, missing=0.1, random_state=0)


@pytest.fixture(scope="module")
def model():
    X = make_three_gaussians(random_state=0)[0][::4]
    return ConsensusClustering((2, 4), n_members=8, random_state=0).fit(X)


@pytest.fixture(scope="module")
def displays(planted, model):
    """One of every kind."""
    ensemble, truth = planted
    X = make_three_gaussians(random_state=0)[0][::4]
    sweep = LACSweep(n_clusters=3, inverse_h=(1, 4), random_state=0).fit(X).ensemble_
    made = [
        plot.ConsensusHeatmapDisplay.from_estimator(model),
        plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, truth, kind="blocks"),
        plot.ConsensusCDFDisplay.from_estimator(model),
        plot.TrackingDisplay.from_estimator(model),
        plot.ConsensusBarsDisplay.from_estimator(model, n_items=20),
        plot.DiversityQualityDisplay.from_estimator(model),
        plot.EnoughMembersDisplay.from_ensemble(ensemble, IPC(3), n_repeats=2, random_state=0),
        plot.ParameterDisplay([1, 2], {"a": [[0.1, 0.2], [0.3, 0.4]]}, references={"b": 0.2}),
        plot.PosteriorDisplay.from_ensemble(sweep, 1),
        plot.MemberQualityDisplay.from_estimator(model),
        plot.MemberSimilarityDisplay.from_estimator(model),
        plot.AlluvialDisplay.from_estimator(model, n_members=2),
        plot.FeatureWeightsDisplay.from_ensemble(sweep, 1),
        plot.MembershipDisplay.from_estimator(model),
        plot.ResolutionTreeDisplay.from_ensemble(ensemble, levels=np.repeat([1, 2, 3, 4], 3)),
        plot.PlatformsDisplay(dict(zip("abc", ensemble.labels.T[:3], strict=True)), truth),
    ]
    return {f"{type(display).__name__}{place}": display for place, display in enumerate(made)}


def _axes():
    from matplotlib.figure import Figure

    return Figure(figsize=(6, 4), layout="constrained").subplots()


def _texts(figure):
    from matplotlib.text import Text

    return [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


def test_every_display_is_drawn_here(displays):
    assert {type(display).__name__ for display in displays.values()} == set(plot.__all__)


def test_pictures_fit_and_can_be_read(displays):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    for name, display in displays.items():
        ax = _axes()
        assert display.plot(ax=ax) is display
        assert display.ax_ is ax
        FigureCanvasAgg(ax.figure).draw()
        # In inches; nothing may stick out of the 6 x 4 of the figure.
        box = ax.figure.get_tightbbox()
        assert min(box.x0, box.y0) > -0.03, (name, box)
        assert box.x1 < 6.03, (name, box)
        assert box.y1 < 4.03, (name, box)
        assert min(text.get_fontsize() for text in _texts(ax.figure)) >= 7, name
        assert display.caption.endswith(".")


def test_axes_are_labelled(displays):
    for name, display in displays.items():
        display.plot(ax=_axes())
        shown = [panel for panel in display.axes_ if panel.axison and panel.get_xlabel()]
        labels = [label for panel in shown for label in (panel.get_xlabel(), panel.get_ylabel())]
        titles = [panel.get_title(loc="left") for panel in (display.ax_, *display.axes_)]
        assert any(titles), name
        if not name.startswith(("Posterior", "Alluvial")):
            assert any(labels), name


def test_a_figure_is_opened_and_no_setting_changed(displays):
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    before = dict(mpl.rcParams)
    display = next(iter(displays.values()))
    display.plot()
    assert plt.fignum_exists(display.figure_.number)
    assert display.figure_ is display.ax_.figure
    plt.close(display.figure_)
    assert dict(mpl.rcParams) == before


def test_options_reach_matplotlib(displays):
    display = displays["MemberQualityDisplay9"].plot(ax=_axes(), color="#112233")
    assert display.ax_.patches[0].get_facecolor()[:3] == pytest.approx(
        (0x11 / 255, 0x22 / 255, 0.2)
    )


def test_same_cluster_same_colour(model):
    from matplotlib.colors import to_hex

    from consilience.plot._palette import cluster_colours

    colours = cluster_colours(model.n_clusters_)
    bars = plot.ConsensusBarsDisplay.from_estimator(model).plot(ax=_axes())
    assert [to_hex(bar.get_facecolor()) for bar in bars.axes_[0].patches] == colours
    for display in (
        plot.MembershipDisplay.from_estimator(model),
        plot.ConsensusHeatmapDisplay.from_estimator(model),
    ):
        panel = display.plot(ax=_axes()).axes_[
            0 if isinstance(display, plot.MembershipDisplay) else 1
        ]
        image = panel.images[0]
        drawn = image.to_rgba(np.ravel(image.get_array()))
        assert [to_hex(colour) for colour in drawn] == [colours[label] for label in display.labels]


def test_numbers_of_artists(displays, model):
    heatmap = displays["ConsensusHeatmapDisplay0"].plot(ax=_axes())
    branches, _, image, _ = heatmap.axes_
    assert len(branches.collections[0].get_segments()) == len(heatmap.labels) - 1
    assert image.images[0].get_array().shape == heatmap.matrix.shape
    cdf = displays["ConsensusCDFDisplay2"].plot(ax=_axes())
    expected = [f"{k} (chosen)" if k == model.n_clusters_ else str(k) for k in (2, 3, 4)]
    assert [line.get_label() for line in cdf.axes_[0].lines] == expected
    tracking = displays["TrackingDisplay3"].plot(ax=_axes())
    assert len(tracking.ax_.get_yticks()) == 3
    assert tracking.ax_.collections[0].get_array().size == tracking.paths.size
    alluvial = displays["AlluvialDisplay11"].plot(ax=_axes())
    assert [tick.get_text() for tick in alluvial.ax_.get_xticklabels()][-1] == "consensus"
    ribbons = [len(part.get_paths()) for part in alluvial.ax_.collections]
    assert ribbons == [np.count_nonzero(flow) for flow in alluvial.flows]
    bars = displays["ConsensusBarsDisplay4"].plot(ax=_axes())
    assert len(bars.axes_[1].patches) == 2 * 20


def test_feature_weights_of_estimators():
    X = make_three_gaussians(random_state=0)[0][::4]
    lac = LAC(3, random_state=0).fit(X)
    display = plot.FeatureWeightsDisplay.from_estimator(lac).plot(ax=_axes())
    np.testing.assert_array_equal(display.weights, lac.weights_)
    assert {text.get_text() for text in display.ax_.texts} == {
        f"{w:.2f}" for w in lac.weights_.flat
    }
    ensemble = LACSweep(n_clusters=3, inverse_h=(1, 4), random_state=0).fit(X).ensemble_
    found = WBPA(3, random_state=0).fit(ensemble)
    shown = plot.FeatureWeightsDisplay.from_estimator(found)
    np.testing.assert_array_equal(shown.weights, found.feature_weights_)


def _all_of(ensemble, labels):
    yield plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, labels)
    yield plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, labels, kind="blocks")
    yield plot.ConsensusBarsDisplay.from_ensemble(ensemble, labels)
    yield plot.MembershipDisplay.from_ensemble(ensemble, labels)
    yield plot.AlluvialDisplay.from_ensemble(ensemble, labels)
    yield plot.MemberSimilarityDisplay.from_ensemble(ensemble, labels)
    yield plot.MemberQualityDisplay.from_ensemble(ensemble, consensus={"found": labels})
    yield plot.DiversityQualityDisplay.from_ensemble(ensemble)
    yield plot.TrackingDisplay({len(np.unique(labels)): labels})


@pytest.mark.parametrize(
    ("members", "labels"),
    [
        pytest.param([[0, 0, 1, 1]], [0, 0, 1, 1], id="one member"),
        pytest.param([[0, 0, 1, 1], [0, 1, 1, 1]], [0, 0, 0, 0], id="one cluster"),
        pytest.param([[0, 0, 0], [0, 0, 0]], [0, 0, 0], id="nothing to see"),
        pytest.param([[0, 1, -1, -1], [-1, -1, 0, 1]], [0, 0, 1, -1], id="members apart"),
        pytest.param([[0, 0, 1], [-1, -1, -1]], [0, 0, 1], id="silent member"),
        pytest.param([[0, 1], [1, 1]], [0, 1], id="two single objects"),
    ],
)
def test_small_and_odd_ensembles(members, labels):
    for display in _all_of(Ensemble(np.array(members).T), np.array(labels)):
        display.plot(ax=_axes()).figure_.draw_without_rendering()


def test_one_object():
    display = plot.ConsensusHeatmapDisplay.from_ensemble([[0], [0]], [0])
    assert display.plot(ax=_axes()).matrix.tolist() == [[1.0]]


def test_large_ensembles_are_sampled_or_counted():
    ensemble, truth = make_planted_ensemble(200_000, 6, 30, noise=0.2, missing=0.1, random_state=0)
    names = [f"a member with a very long name, number {number}" for number in range(6)]
    ensemble = Ensemble(ensemble.labels, names=names)
    tracemalloc.start()
    made = list(_all_of(ensemble, truth))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Some tables with a row per object, and far from 8 n^2 = 320 GB.
    assert peak < 600e6
    for display in made:
        arrays = [value for value in vars(display).values() if isinstance(value, np.ndarray)]
        assert max((array.size for array in arrays), default=0) <= 1000**2
        display.plot(ax=_axes()).figure_.draw_without_rendering()


def test_titles_say_what_was_sampled():
    ensemble, truth = make_planted_ensemble(3000, 4, 3, random_state=0)
    heatmap = plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, truth, max_samples=200)
    assert heatmap.matrix.shape == (200, 200)
    assert "200 of 3,000 objects, sampled by cluster" in heatmap.plot(ax=_axes()).ax_.get_title(
        loc="left"
    )
    members = plot.MembershipDisplay.from_ensemble(ensemble, truth, max_samples=100)
    assert members.votes.shape == (100, 4)
    assert "100 of 3,000 objects" in members.plot(ax=_axes()).axes_[2].get_title(loc="left")
    fine = make_planted_ensemble(100, 4, 2, n_base_clusters=9, random_state=0)
    display = plot.ConsensusHeatmapDisplay.from_ensemble(*fine)
    assert "members have 9 clusters on average" in display.plot(ax=_axes()).ax_.get_title(
        loc="left"
    )
    assert "Blocks are pale" in display.caption


def test_many_pairs_are_counted_in_hexagons():
    ensemble = make_planted_ensemble(60, 102, 3, noise=0.4, random_state=0).ensemble
    display = plot.DiversityQualityDisplay.from_ensemble(ensemble).plot(ax=_axes())
    assert len(display.nmi) == 102 * 101 // 2
    assert display.ax_.collections[0].get_array().sum() == len(display.nmi)


def _crossing(labels):
    boxes = [label.get_window_extent() for label in labels if label.get_text()]
    return any(one.overlaps(two) for one, two in pairwise(boxes))


def test_names_do_not_run_into_each_other():
    ensemble, truth = make_planted_ensemble(300, 8, 7, missing=0.1, random_state=0)
    words = np.array(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"])
    labels = np.char.add("customers of the northern district, ", words[truth])
    weights = np.full((4, 30), 1 / 30)
    names = [f"measurement at {word} {number}" for word in words[:3] for number in range(10)]
    tall = plot.FeatureWeightsDisplay(weights, feature_names=names, max_features=30)
    for display in [*_all_of(ensemble, labels), tall]:
        display.plot(ax=_axes()).figure_.draw_without_rendering()
        for panel in display.axes_:
            assert not _crossing(panel.get_xticklabels()), type(display)
            assert not _crossing(panel.get_yticklabels()), type(display)


def test_posteriors_of_two_and_of_many():
    rng = np.random.default_rng(0)
    two = plot.PosteriorDisplay(rng.dirichlet([1, 1], 50)).plot(ax=_axes())
    assert two.ax_.get_legend() is None
    many = plot.PosteriorDisplay(rng.dirichlet(np.ones(6), 9000), max_samples=500).plot(ax=_axes())
    assert len(many.points) == 500
    assert "500 of 9,000 objects" in many.ax_.get_title(loc="left")
    assert len(many.ax_.get_legend().get_texts()) == 6


def test_matplotlib_may_be_missing(displays, monkeypatch):
    monkeypatch.setattr("consilience._utils._optional.is_available", lambda package: False)
    for display in displays.values():
        expected = rf"{type(display).__name__} needs the package matplotlib.*consilience\[plot\]"
        with pytest.raises(MissingExtraError, match=expected):
            display.plot()


def test_numbers_need_no_matplotlib():
    code = (
        "import sys; from consilience import plot; "
        "plot.ConsensusHeatmapDisplay.from_ensemble([[0, 0, 1], [0, 1, 1]], [0, 0, 1]); "
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own interpreter


@pytest.mark.parametrize(
    "kind", ["MemberSimilarityDisplay", "MembershipDisplay", "AlluvialDisplay"]
)
def test_names_of_members_are_written_in_full(planted, kind):
    names = [f"kmeansrestarts{j}" for j in range(12)]
    members = Ensemble(planted.ensemble.labels, names=names)
    made = getattr(plot, kind)
    given = (members,) if kind == "MemberSimilarityDisplay" else (members, planted.truth)
    display = made.from_ensemble(*given).plot(ax=_axes())
    written = [
        tick.get_text().replace("\n", "")
        for ax in display.axes_
        for tick in (*ax.get_xticklabels(), *ax.get_yticklabels())
    ]
    shown = [name for name in written if name.startswith("kmea")]
    assert shown
    assert set(shown) <= set(names)


def test_at_most_twenty_clusters_are_named_on_the_axes_of_a_heatmap():
    labels = np.repeat(np.arange(45), 2)
    display = plot.ConsensusHeatmapDisplay.from_ensemble(labels[:, None], labels, kind="blocks")
    image = display.plot(ax=_axes()).axes_[-2]
    names = [str(cluster) for cluster in display.labels[::3]]
    for axis, tail in ((image.xaxis, ""), (image.yaxis, " (n = 2)")):
        assert axis.get_ticklocs().tolist() == list(range(0, 45, 3))
        assert [text.get_text() for text in axis.get_ticklabels()] == [n + tail for n in names]


@pytest.mark.parametrize(
    ("n_columns", "lines"),
    [
        (3, ["first-second-third00"]),
        (6, ["first-", "second-", "third00"]),
        (12, ["first-", "second", "-third", "00"]),
    ],
)
def test_names_of_columns_have_less_room_the_more_there_are(n_columns, lines):
    names = [f"first-second-third{j:02}" for j in range(n_columns)]
    display = plot.AlluvialDisplay({name: [0, 1, 1] for name in names}).plot(ax=_axes())
    assert display.ax_.get_xticklabels()[0].get_text() == "\n".join(lines)
