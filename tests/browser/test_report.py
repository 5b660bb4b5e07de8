"""The report as people meet it: opened from a file, in Chromium."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import consilience
from consilience.datasets import make_planted_ensemble

BAD = "<script>document.title = 'taken'</script>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write one page with a choice of k, one of labels alone, and pages of 2, 10 and 26 clusters."""
    folder = tmp_path_factory.mktemp("report")
    centres = [[0, 0, 0], [7, 0, 2], [0, 8, 4], [7, 7, 0]]
    X, _ = make_blobs([160, 120, 80, 40], centers=centres, cluster_std=1.6, random_state=0)
    model = consilience.ConsensusClustering((2, 6), n_members=20, random_state=0, verbose=0).fit(X)
    names = [BAD, "height", "weight"]
    consilience.report(model, folder / "chosen.html", X=X, feature_names=names, title="Four groups")
    ensemble, truth = make_planted_ensemble(500, 8, 5, noise=0.45, missing=0.1, random_state=0)
    labels = np.array(["north", "south", "east", "west", BAD])[truth]
    ids = np.array([f"customer {i} {BAD}" for i in range(500)])
    consilience.report(ensemble, folder / "labels.html", labels=labels, ids=ids, title="Labels")
    names = [f"a_member_with_a_long_name_{j}" for j in range(7)]
    for k in (2, 10, 26):
        ensemble, truth = make_planted_ensemble(900, 7, k, noise=0.15, random_state=0)
        members = ensemble.labels.copy()
        members[:3] = -1
        rng = np.random.default_rng(0)
        X = rng.uniform(-9, 9, (k, 5))[truth] + rng.standard_normal((900, 5))
        members = consilience.Ensemble(members, names=names)
        title = f"a_rather_long_name_of_a_file_with_{k}_clusters.parquet"
        path = folder / f"{k}.html"
        consilience.report(members, path, labels=truth, X=X, truth=truth, title=title)
    return folder


@pytest.fixture
def visit(browser, folder):
    """Open a page; when the test ends, nothing may have been asked for or complained of."""
    opened, troubles, asked = [], [], []

    def open_page(name, **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        page = context.new_page()
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((folder / name).as_uri())
        opened.append(context)
        return page

    yield open_page
    for context in opened:
        context.close()
    assert troubles == []
    assert all(url.startswith((folder.as_uri(), "data:")) for url in asked)


def heat(page):
    return page.evaluate("document.getElementById('heat').toDataURL()")


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.parametrize("name", ["chosen", "labels", "2", "10", "26"])
def test_page_opens_quietly_and_fits(visit, pictures, name):
    page = visit(f"{name}.html", color_scheme="light")
    seen = set()
    for width, scheme in itertools.product((1280, 420), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        seen.add((scheme, background(page)))
        page.screenshot(path=pictures / f"report-{name}-{scheme}-{width}.png", full_page=True)
    assert len(seen) == 2, "one background for light, another for dark"


def test_slider_changes_the_picture(visit):
    page = visit("chosen.html")
    slider = page.get_by_label("Number of clusters to look at")
    before, table = heat(page), page.locator("#blocks").inner_text()
    assert page.locator("#k-shown").inner_text() == "4 (the answer)"
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#k-shown").inner_text() == "3"
    assert slider.get_attribute("aria-valuetext") == "3 clusters"
    assert page.locator("#k-sentence").inner_text().startswith("3 clusters:")
    assert heat(page) != before
    assert page.locator("#blocks tbody tr").count() == 3
    assert page.locator("tr.now").get_attribute("data-k") == "3"
    assert page.locator(".curve.now").get_attribute("data-k") == "3"
    page.keyboard.press("ArrowRight")
    assert heat(page) == before
    assert page.locator("#blocks").inner_text() == table


def test_pairs_are_read_by_mouse_and_by_keys(visit):
    page = visit("labels.html")
    value = page.locator("#heat-value")
    box = page.locator("#heat").bounding_box()
    page.locator("#heat").hover(position={"x": box["width"] * 0.6, "y": box["height"] * 0.8})
    assert "together in" in value.inner_text()
    page.locator("#heat").focus()
    page.keyboard.press("Shift+ArrowDown")
    told = value.inner_text()
    page.keyboard.press("ArrowRight")
    assert value.inner_text() != told
    assert BAD in value.inner_text()


def test_colours_follow_the_system_and_the_button(visit):
    page = visit("chosen.html", color_scheme="dark")
    dark, picture = background(page), heat(page)
    page.get_by_role("button", name="Light colours").click()
    assert background(page) == "rgb(255, 255, 255)" != dark
    assert heat(page) != picture
    page.get_by_role("button", name="Dark colours").press("Enter")
    assert background(page) == dark
    page.emulate_media(color_scheme="light")
    assert background(page) == dark  # the button has the last word


def test_everything_can_be_reached_by_keys(visit):
    page = visit("chosen.html")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"theme", "k", "heat", "map-votes", "map-features", "copy", "SUMMARY", "A"} <= reached


def test_paper_is_light_and_unfolded(visit):
    page = visit("chosen.html", color_scheme="dark")
    dark = heat(page)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    assert background(page) == "rgb(255, 255, 255)"
    assert page.locator("details:not([open])").count() == 0
    assert not page.locator("#theme").is_visible()
    assert heat(page) != dark
    page.emulate_media(media="screen", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert heat(page) == dark


@pytest.mark.parametrize("name", ["chosen", "2", "26"])
def test_paper_holds_everything(visit, pictures, name):
    """A4 with margins of 14 mm is 688 pixels wide."""
    page = visit(f"{name}.html", viewport={"width": 688, "height": 1000})
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    beyond = page.evaluate(
        """() => [...document.querySelectorAll("table, svg, canvas, p, pre, li, dl")]
        .filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
        .map((part) => part.outerHTML.slice(0, 80))"""
    )
    assert beyond == []
    assert page.pdf(path=pictures / f"report-{name}.pdf", format="A4")


@pytest.mark.parametrize("kind", ["votes", "features"])
def test_objects_are_read_by_mouse_touch_and_keys(visit, kind):
    page = visit("10.html", has_touch=True)
    drawing, value = page.locator(f"#map-{kind}"), page.locator(f"#map-{kind}-value")
    asked = value.inner_text()
    assert asked.startswith("Point at an object")
    # The object that lies farthest from its neighbours is hit without doubt.
    x, y, told = page.evaluate(
        """(kind) => {
        const { map } = JSON.parse(document.getElementById("data").textContent);
        const { places } = map.maps.find((one) => one.kind === kind);
        const far = places.map(([a, b], i) => Math.min(
          ...places.map(([c, d], j) => (i === j ? 1e9 : Math.hypot(a - c, b - d)))));
        const alone = far.indexOf(Math.max(...far));
        const [a, b] = places[alone];
        const how = `confidence ${map.confidence[alone].toFixed(2)}`;
        const told = `${map.ids[alone]}: cluster ${map.names[map.clusters[alone]]}, ${how}`;
        const drawing = document.getElementById(`map-${kind}`).getBoundingClientRect();
        return [a / 4800 * drawing.width, b / 4000 * drawing.height, told]}""",
        kind,
    )
    drawing.hover(position={"x": x, "y": y})
    assert value.inner_text() == told
    assert drawing.locator(".spot.shown").count() == 1
    drawing.focus()
    read = set()
    for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
        read.add(value.inner_text())
    assert len(read) > 2
    page.locator("#theme").focus()
    assert value.inner_text() == asked
    drawing.tap(position={"x": x, "y": y})
    assert value.inner_text() == told


def test_unknown_confidence_is_said_and_grey(visit):
    page = visit("10.html")
    said = page.evaluate(
        """() => {
        const { map } = JSON.parse(document.getElementById("data").textContent);
        const drawing = document.getElementById("map-features");
        const [x, y] = map.maps[1].places[map.confidence.indexOf(null)];
        const box = drawing.getBoundingClientRect();
        drawing.dispatchEvent(new PointerEvent("pointermove", {
          clientX: box.left + (x / 4800) * box.width, clientY: box.top + (y / 4000) * box.height }));
        return document.getElementById("map-features-value").textContent}"""
    )
    assert said.endswith("confidence not known")
    assert page.locator("#map-votes .unknown").count() == 1


def test_colours_of_24_clusters_differ(visit):
    colours = visit("26.html").evaluate(
        """() => [...document.querySelectorAll("#clusters tbody .swatch path")].map((path) => {
        const style = getComputedStyle(path);
        return style.stroke === "none" ? style.fill : style.stroke})"""
    )
    assert len(set(colours[:24])) == 24


def test_names_stay_text(visit):
    page = visit("chosen.html")
    assert page.get_by_text(BAD).first.is_visible()
    assert page.title() == "Four groups"


def test_page_works_inside_a_notebook(browser, folder):
    ensemble, truth = make_planted_ensemble(80, 5, 3, noise=0.2, random_state=0)
    report = consilience.report(ensemble, labels=truth)
    troubles = []
    page = browser.new_page()
    page.on("console", lambda message: troubles.append(message.text))
    page.set_content(f"<!doctype html><title>notebook</title>{report._repr_html_()}")
    inside = page.frame_locator("iframe")
    assert inside.get_by_role("heading", level=1).inner_text() == "Consensus clustering"
    inside.get_by_role("button", name="Dark colours").click()
    assert inside.get_by_role("button", name="Light colours").is_visible()
    page.close()
    assert troubles == []


def test_policy_of_the_page_forbids_requests(browser, folder):
    page = browser.new_page()
    page.goto((folder / "labels.html").as_uri())
    blocked = page.evaluate(
        """() => new Promise((done) => {
        document.addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective));
        document.body.append(Object.assign(new Image(), {src: "https://example.org/a.png"}))})"""
    )
    page.close()
    assert blocked == "img-src"


@pytest.mark.parametrize("name", ["chosen", "labels", "26"])
def test_axe_finds_nothing(visit, axe, name):
    page = visit(f"{name}.html", bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach((part) => part.open = true)")
    page.evaluate(axe)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("axe.run().then((r) => r.violations)")
        broken = [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found]
        assert broken == [], scheme
