"""Drawing without a screen: labels, artists, sizes, and what is left untouched."""

import subprocess
import sys
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from consilience import ConsensusClustering, Ensemble, plot
from consilience.answer import choose_k
from consilience.consensus import IPC
from consilience.datasets import make_planted_ensemble, make_three_gaussians
from consilience.exceptions import MissingExtraError


@pytest.fixture(scope="module")
def planted():
    return make_planted_ensemble(120, 12, 3, noise=0.3, missing=0.1, random_state=0)


@pytest.fixture(scope="module")
def model():
    X = make_three_gaussians(random_state=0)[0][::4]
    return ConsensusClustering((2, 4), n_members=8, random_state=0).fit(X)


@pytest.fixture(scope="module")
def displays(planted, model):
    """One of every kind, by its name; the heat map of blocks under "blocks"."""
    ensemble, truth = planted
    made = [
        plot.ConsensusHeatmapDisplay.from_estimator(model),
        plot.ConsensusCDFDisplay.from_estimator(model),
        plot.TrackingDisplay.from_estimator(model),
        plot.ConsensusBarsDisplay.from_estimator(model, n_items=20),
        plot.DiversityQualityDisplay.from_estimator(model),
        plot.EnoughMembersDisplay.from_ensemble(ensemble, IPC(3), n_repeats=2, random_state=0),
        plot.MemberQualityDisplay.from_estimator(model),
        plot.AlluvialDisplay.from_estimator(model, n_members=2),
        plot.MembershipDisplay.from_estimator(model),
        plot.ResolutionTreeDisplay.from_ensemble(ensemble, levels=np.repeat([1, 2, 3, 4], 3)),
        plot.PlatformsDisplay(dict(zip("abc", ensemble.labels.T[:3], strict=True)), truth),
    ]
    blocks = plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, truth, kind="blocks")
    return {type(display).__name__: display for display in made} | {"blocks": blocks}


def _axes():
    from matplotlib.figure import Figure

    return Figure(figsize=(6, 4), layout="constrained").subplots()


def _texts(figure):
    from matplotlib.text import Text

    return [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


def test_pictures_fit_and_can_be_read(displays):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    assert set(displays) == {*plot.__all__, "blocks"}
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
        panels = [panel for panel in (ax, *display.axes_) if panel.axison]
        assert any(panel.get_xlabel() or panel.get_ylabel() for panel in panels), name
        assert any(_title(panel) for panel in (ax, *display.axes_)), name


def _title(panel):
    return panel.get_title(loc="left")


def test_a_figure_is_opened_options_are_passed_and_no_setting_is_changed(displays):
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    before = dict(mpl.rcParams)
    display = displays["MemberQualityDisplay"].plot(color="#336699")
    assert display.ax_.patches[0].get_facecolor()[:3] == pytest.approx((0.2, 0.4, 0.6))
    assert plt.fignum_exists(display.figure_.number)
    assert display.figure_ is display.ax_.figure
    plt.close(display.figure_)
    assert dict(mpl.rcParams) == before


def test_same_cluster_same_colour(model):
    from matplotlib.colors import to_hex

    from consilience.plot._palette import cluster_colours

    colours = cluster_colours(model.n_clusters_)
    bars = plot.ConsensusBarsDisplay.from_estimator(model).plot(ax=_axes())
    assert [to_hex(bar.get_facecolor()) for bar in bars.axes_[0].patches] == colours
    for kind, panel in ((plot.MembershipDisplay, 0), (plot.ConsensusHeatmapDisplay, 1)):
        display = kind.from_estimator(model)
        image = display.plot(ax=_axes()).axes_[panel].images[0]
        drawn = image.to_rgba(np.ravel(image.get_array()))
        assert [to_hex(colour) for colour in drawn] == [colours[label] for label in display.labels]


def test_numbers_of_artists(displays, model):
    heatmap = displays["ConsensusHeatmapDisplay"].plot(ax=_axes())
    assert len(heatmap.axes_[0].collections[0].get_segments()) == len(heatmap.labels) - 1
    cdf = displays["ConsensusCDFDisplay"].plot(ax=_axes())
    expected = [f"{k} (chosen)" if k == model.n_clusters_ else str(k) for k in (2, 3, 4)]
    assert [line.get_label() for line in cdf.axes_[0].lines] == expected
    tracking = displays["TrackingDisplay"].plot(ax=_axes())
    assert tracking.ax_.collections[0].get_array().shape == tracking.paths.T.shape
    alluvial = displays["AlluvialDisplay"].plot(ax=_axes())
    assert [tick.get_text() for tick in alluvial.ax_.get_xticklabels()][-1] == "consensus"
    ribbons = [len(part.get_paths()) for part in alluvial.ax_.collections]
    assert ribbons == [np.count_nonzero(flow) for flow in alluvial.flows]
    bars = displays["ConsensusBarsDisplay"].plot(ax=_axes())
    assert len(bars.axes_[1].patches) == 2 * 20


def test_a_choice_is_drawn():
    X = make_three_gaussians(random_state=0)[0][::9]
    choice = choose_k(X, candidates=[2, 3], random_state=0)
    assert len(plot.ConsensusCDFDisplay(choice).plot(ax=_axes()).axes_) == 2
    tracking = plot.TrackingDisplay.from_choice(choice, n_samples=900).plot(ax=_axes())
    assert "100 of 900 objects" in _title(tracking.ax_)


def _all_of(ensemble, labels):
    yield plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, labels)
    yield plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, labels, kind="blocks")
    yield plot.ConsensusBarsDisplay.from_ensemble(ensemble, labels)
    yield plot.MembershipDisplay.from_ensemble(ensemble, labels)
    yield plot.AlluvialDisplay.from_ensemble(ensemble, labels)
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
        pytest.param([[0], [0]], [0], id="one object"),
    ],
)
def test_small_and_odd_ensembles(members, labels):
    for display in _all_of(Ensemble(np.array(members).T), np.array(labels)):
        display.plot(ax=_axes()).figure_.draw_without_rendering()


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
    assert "200 of 3,000 objects" in _title(heatmap.plot(ax=_axes()).ax_)
    members = plot.MembershipDisplay.from_ensemble(ensemble, truth, max_samples=100)
    assert members.votes.shape == (100, 4)
    assert "100 of 3,000 objects" in _title(members.plot(ax=_axes()).axes_[2])
    fine = make_planted_ensemble(100, 4, 2, n_base_clusters=9, random_state=0)
    display = plot.ConsensusHeatmapDisplay.from_ensemble(*fine)
    assert "members have 9 clusters" in _title(display.plot(ax=_axes()).ax_)
    assert "Blocks are pale" in display.caption


def test_many_pairs_are_counted_in_hexagons():
    ensemble = make_planted_ensemble(60, 102, 3, noise=0.4, random_state=0).ensemble
    display = plot.DiversityQualityDisplay.from_ensemble(ensemble).plot(ax=_axes())
    assert display.ax_.collections[0].get_array().sum() == 102 * 101 // 2


def _crossing(labels):
    boxes = [label.get_window_extent() for label in labels if label.get_text()]
    return any(one.overlaps(two) for one, two in pairwise(boxes))


def test_names_do_not_run_into_each_other():
    ensemble, truth = make_planted_ensemble(300, 8, 7, missing=0.1, random_state=0)
    words = np.array(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"])
    labels = np.char.add("customers of the northern district, ", words[truth])
    for display in _all_of(ensemble, labels):
        display.plot(ax=_axes()).figure_.draw_without_rendering()
        for panel in display.axes_:
            assert not _crossing(panel.get_xticklabels()), type(display)
            assert not _crossing(panel.get_yticklabels()), type(display)


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


def test_names_of_members_are_written_in_full_and_those_of_clusters_shortened(planted):
    names = [f"kmeansrestarts{j}" for j in range(12)]
    members = Ensemble(planted.ensemble.labels, names=names)
    labels = np.array(["a cluster of a very long name", "b", "c"])[planted.truth]
    for kind in (plot.MembershipDisplay, plot.AlluvialDisplay):
        axes = kind.from_ensemble(members, labels).plot(ax=_axes()).axes_
        across = {tick.get_text().replace("\n", "") for ax in axes for tick in ax.get_xticklabels()}
        assert across & set(names)
        assert not {name for name in across - set(names) if name.startswith("kmea")}
        if kind is plot.MembershipDisplay:
            down = {tick.get_text() for ax in axes for tick in ax.get_yticklabels()}
            assert "a clus… name" in down


def test_at_most_twenty_clusters_are_named_on_the_axes_of_a_heatmap():
    labels = np.repeat(np.arange(45), 2)
    display = plot.ConsensusHeatmapDisplay.from_ensemble(labels[:, None], labels, kind="blocks")
    image = display.plot(ax=_axes()).axes_[-2]
    for axis, tail in ((image.xaxis, ""), (image.yaxis, " (n = 2)")):
        names = [f"{cluster}{tail}" for cluster in display.labels[::3]]
        assert [text.get_text() for text in axis.get_ticklabels()] == names


def test_names_of_columns_have_less_room_the_more_there_are():
    for n_columns, lines in ((3, "first-second-third00"), (12, "first-\nsecond\n-third\n00")):
        names = [f"first-second-third{j:02}" for j in range(n_columns)]
        display = plot.AlluvialDisplay({name: [0, 1, 1] for name in names}).plot(ax=_axes())
        assert display.ax_.get_xticklabels()[0].get_text() == lines
