"""Summaries for notebooks in a browser, on light and on dark pages."""

import pytest
from sklearn.datasets import make_blobs

from consilience import ConsensusClustering, Ensemble


@pytest.fixture(scope="module")
def summaries():
    X, _ = make_blobs(120, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    model = ConsensusClustering((2, 4), n_members=8, random_state=0, verbose=0).fit(X)
    gaps = Ensemble([[0, 0, 1, 1], [0, -1, 1, 1]], names=["a", "b"])
    answer = model._repr_html_()
    # Scikit-learn's diagram below has its own scripts and colours.
    shown = (gaps._repr_html_(), model.k_choice_._repr_html_(), answer[: answer.index("<style")])
    return "<hr>".join(shown)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 420])
def test_summaries_are_readable(browser, pictures, axe, summaries, scheme, width):
    page = browser.new_page(viewport={"width": width, "height": 700})
    colours = "background:#111;color:#eee" if scheme == "dark" else "background:#fff;color:#111"
    page.set_content(
        f'<!doctype html><html lang="en"><title>notebook</title><body style="{colours}"><main>'
        f"<h1>Notebook</h1>{summaries}</main></body></html>"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=pictures / f"notebook-{scheme}-{width}.png", full_page=True)
    page.evaluate(axe)
    found = page.evaluate("axe.run().then((r) => r.violations)")
    page.close()
    assert [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found] == []
