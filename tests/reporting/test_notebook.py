"""What notebooks show: plain HTML, whole, escaped, true."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import make_blobs

from consilience import ConsensusClustering, Ensemble

BAD = "<script>alert(1)</script>"


class Reader(HTMLParser):
    """Keeps the tags, which are closed in order, and the texts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        # The notebook's own colours stay, so that dark and light ones are readable.
        assert not re.search(r'[;"]color:|background:#', text)
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open.append(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def model():
    X, _ = make_blobs(120, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    return ConsensusClustering((2, 4), n_members=8, random_state=0, verbose=0).fit(X)


def test_ensemble_shows_its_size_and_first_labels():
    names = [BAD, *(f"member {j}" for j in range(8))]
    labels = np.tile(np.arange(12) % 3, (9, 1)).T
    labels[1, 0] = -1
    page = Reader(Ensemble(labels, names=names, ids=[f"id {i}" for i in range(12)])._repr_html_())
    text = " ".join(page.texts)
    assert "script" not in page.tags
    assert BAD in text
    assert "clusters per member:  3" in text
    assert "0.9 %" in text
    assert "Cluster of the first 5 objects in the first 6 members" in text
    assert page.texts.count("missing") == 1
    # A row for the names of members, and one for every object shown.
    assert page.tags.count("tr") == 6
    assert "id 4" in text
    assert "id 5" not in text


def test_soft_and_weighted_ensembles_show_themselves():
    rng = np.random.default_rng(0)
    members = [rng.dirichlet(np.ones(3), 4) for _ in range(2)]
    soft = Ensemble.from_memberships(members, weights=[1, 2])
    page = Reader(soft._repr_html_())
    text = " ".join(page.texts)
    assert "soft members:  2" in text
    assert "weights:  1 to 2" in text
    assert page.texts[-2:] == [str(row[3].argmax()) for row in members]


def test_chunked_ensembles_show_no_labels():
    da = pytest.importorskip("dask.array")
    chunked = Ensemble.from_dask(da.from_array(np.tile([[0], [1]], (10, 3)), chunks=(5, 3)))
    page = Reader(chunked._repr_html_())
    assert "table" not in page.tags
    assert "20" in page.texts


def test_choice_shows_the_answer_and_candidates(model):
    choice = model.k_choice_
    page = Reader(choice._repr_html_())
    assert page.texts[0] == choice.headline == "3 clusters"
    assert choice.evidence in page.texts[1]
    assert page.tags.count("tr") == 1 + len(choice.table)
    assert "chosen" in page.texts
    assert f"{choice.chosen.score:.2f}" in page.texts


def test_long_choices_are_cut(model):
    row = model.k_choice_.chosen
    table = tuple(row._replace(n_clusters=k, score=0.1 * k) for k in range(2, 14))
    page = Reader(replace(model.k_choice_, n_clusters=2, table=table)._repr_html_())
    assert "The 8 best of 12 candidates" in page.texts
    assert page.tags.count("tr") == 9
    shown = [int(text) for text in page.texts if text.isdigit()]
    assert shown == list(range(6, 14))
    eight = Reader(replace(model.k_choice_, n_clusters=2, table=table[:8])._repr_html_())
    assert "Candidates" in eight.texts


def test_fitted_model_shows_its_answer_above_the_diagram(model):
    for html in (model._repr_html_(), model._repr_mimebundle_()["text/html"]):
        assert html.index("ConsensusClustering: 3 clusters") < html.index("sk-top-container")
    page = Reader(html[: html.index("<style")])
    assert model.verdict_ in page.texts
    sizes = [page.texts[place + 1] for place, text in enumerate(page.texts) if text in "012"]
    assert sizes == [str(size) for size in np.bincount(model.labels_)]


def test_model_that_is_not_fitted_shows_the_diagram_alone():
    html = ConsensusClustering(3)._repr_html_()
    assert "sk-top-container" in html
    assert "ConsensusClustering: " not in html
    with config_context(display="text"):
        assert not hasattr(ConsensusClustering(3), "_repr_html_")


def test_given_number_and_one_cluster_are_said():
    X = np.random.default_rng(0).standard_normal((40, 2))
    model = ConsensusClustering(1, n_members=4, random_state=0, verbose=0).fit(X)
    html = model._html_repr()
    page = Reader(html[: html.index("<style")])
    assert page.texts[0] == "ConsensusClustering: One cluster"
    assert "table" not in page.tags
