"""The page: one file, whole, escaped, the same from JSON."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import consilience
from consilience.consensus import IPC
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import InvalidInputError
from consilience.reporting import Report
from consilience.reporting._charts import round_values

BAD = "</script><script>alert('x')</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def hostile():
    """Everything that can be named has a name that would be an attack."""
    ensemble, truth = make_planted_ensemble(60, 4, 3, noise=0.3, random_state=0)
    ensemble = consilience.Ensemble(
        list(ensemble.labels.T),
        names=[f"{j}{BAD}" for j in range(4)],
        ids=[f"{i}{BAD}" for i in range(60)],
    )
    return consilience.report(
        ensemble,
        labels=np.array([f"{k}{BAD}" for k in range(3)])[truth],
        X=np.random.default_rng(0).standard_normal((60, 2)),
        feature_names=[BAD, "<b>bold</b>"],
        title=BAD,
        command=BAD,
    )


class Tags(HTMLParser):
    """Counts tags, and keeps what would load something."""

    def __init__(self):
        super().__init__()
        self.tags, self.links, self.ids, self.handlers = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href"):
                self.links.append(value)
            if name == "id":
                self.ids.append(value)
            if name.startswith("on") or name == "style":
                self.handlers.append(name)


def parsed(page):
    parser = Tags()
    parser.feed(page)
    return parser


def test_everything_from_the_data_is_text(hostile):
    parser = parsed(hostile.html)
    assert parser.tags.count("script") == 2
    assert not {"img", "b", "iframe", "object"} & set(parser.tags)
    assert parser.handlers == []
    assert "alert(&#39;x&#39;)" in hostile.html
    assert "<script>alert" not in hostile.html


def test_nothing_is_loaded_and_the_policy_says_so(hostile):
    parser = parsed(hostile.html)
    assert all(link.startswith("#") or link == "data:," for link in parser.links)
    assert len(parser.ids) == len(set(parser.ids))
    assert {link[1:] for link in parser.links if link.startswith("#")} <= set(parser.ids)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', hostile.html)[1]
    assert "default-src &#39;none&#39;" in policy
    assert "unsafe" not in policy
    assert "http://" not in hostile.html
    assert "https://" not in hostile.html


def test_page_is_made_of_the_summary_alone(hostile):
    again = Report(json.loads(hostile.to_json()))
    assert again.html == hostile.html
    assert again.summary == hostile.summary


def test_notebook_frame_is_closed(hostile):
    frame = hostile._repr_html_()
    parser = parsed(frame)
    assert parser.tags == ["iframe"]
    assert 'sandbox="allow-scripts"' in frame


def test_file_appears_whole_and_is_not_overwritten(hostile, tmp_path):
    path = tmp_path / "report.html"
    ensemble = consilience.Ensemble([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]])
    function = IPC(n_clusters=2, random_state=0).fit(ensemble)
    made = consilience.report(function, path, ensemble=ensemble)
    assert path.read_text(encoding="utf-8") == made.html
    with pytest.raises(InvalidInputError, match="exists already"):
        consilience.report(function, path, ensemble=ensemble)
    assert path.read_text(encoding="utf-8") == made.html
    consilience.report(function, path, ensemble=ensemble, title="Other", overwrite=True)
    assert "<h1>Other</h1>" in path.read_text(encoding="utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert repr(made).startswith("Report('Consensus clustering': 2 clusters")


@pytest.mark.parametrize("largest", [0.0, 0.003, 0.3, 7, 730, 10**6])
def test_axes_end_at_round_numbers(largest):
    first, *values = round_values(largest)
    assert first == 0 <= largest <= values[-1]
    assert len(values) <= 6
    assert largest <= 1e-3 or values[-1] <= 3 * largest


@pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning")
@pytest.mark.parametrize("rows", [np.random.default_rng(0).random((8, 3)), np.ones((40, 3))])
def test_one_cluster_has_a_page(rows):
    model = consilience.ConsensusClustering(n_members=5, random_state=0, verbose=0).fit(rows)
    page = consilience.report(model, X=rows).html
    assert model.k_choice_.headline in page
