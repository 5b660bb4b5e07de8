"""The bars of long work: one display, lines inside lines, notebooks, and silence."""

import sys
import threading
import types

import pytest

from consilience._utils._progress import no_bars, progress
from consilience.answer import choose_k
from consilience.consensus import Concord
from consilience.datasets import make_planted_ensemble


@pytest.fixture
def terminal(monkeypatch, capfd):
    monkeypatch.setattr("consilience._utils._progress._on_terminal", lambda: True)
    return lambda: capfd.readouterr().err


@pytest.fixture
def notebook(monkeypatch):
    """Return the texts that a notebook would show, each line with its updates."""
    lines = []

    class Shown:
        def __init__(self, text):
            self.texts = [text]
            lines.append(self.texts)

        def update(self, data, *, raw):
            assert raw
            self.texts.append(data["text/plain"])

    package, module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    package.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    module.display = lambda data, *, raw, display_id: Shown(data["text/plain"])
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    return lines


def test_work_that_cannot_be_counted_adds_lines(terminal):
    with progress("Outside", None, None), progress("Inside", 3, None) as advance:
        advance(3)
    said = terminal()
    assert "Outside" in said
    assert "Inside" in said
    assert "3/3" in said


def test_work_inside_a_counted_bar_says_nothing(terminal):
    with progress("Outside", 2, None) as advance:
        with progress("Inside", 3, None) as inner:
            inner(3)
        advance(2)
    said = terminal()
    assert "2/2" in said
    assert "Inside" not in said


def test_other_threads_say_nothing(terminal):
    def work():
        with progress("Elsewhere", 1, None) as advance:
            advance(1)

    with progress("Here", None, None):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert "Elsewhere" not in terminal()
    with progress("Afterwards", 1, None) as advance:
        advance(1)
    assert "1/1" in terminal()


def test_a_failure_ends_the_display(terminal):
    with pytest.raises(KeyError), progress("Outside", None, None), progress("Inside", 3, None):
        raise KeyError
    terminal()
    with progress("Next", 1, None) as advance:
        advance(1)
    said = terminal()
    assert "1/1" in said
    assert "Inside" not in said


def test_silence(terminal):
    with no_bars(), progress("Work", 1, None) as advance:
        advance(1)
    assert terminal() == ""


def test_file_names_are_no_markup(terminal):
    with progress("Reading [red]x[/red].csv", None, None):
        pass
    assert "[red]x[/red].csv" in terminal()


def test_lines_in_a_notebook(notebook, capfd):
    with progress("Members", 4, None) as advance:
        advance(1)
        advance(3)
    with progress("Reading", None, None):
        pass
    members, reading = notebook
    assert members[0] == f"Members [{'.' * 30}] 0/4"
    assert members[-1] == f"Members [{'#' * 30}] 4/4"
    assert reading == ["Reading ...", "Reading - done"]
    assert capfd.readouterr().err == ""
    with progress("Quiet", 1, 0):
        pass
    assert len(notebook) == 2


def test_a_terminal_of_ipython_is_no_notebook(notebook, monkeypatch):
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", types.SimpleNamespace)
    with progress("Members", 4, None):
        pass
    assert notebook == []


def test_the_panel_has_a_bar(terminal):
    members, _ = make_planted_ensemble(60, 5, 3, noise=0.2, random_state=0)
    Concord(n_clusters=3, random_state=0).fit(members)
    said = terminal()
    assert "Running consensus functions" in said
    assert "4/4" in said
    Concord(n_clusters=3, random_state=0, verbose=0).fit(members)
    assert terminal() == ""


def test_choose_k_of_labels_has_a_bar(terminal):
    members, _ = make_planted_ensemble(60, 8, 3, noise=0.2, random_state=0)
    choose_k(members, candidates=[2, 3, 4], random_state=0)
    said = terminal()
    assert "Comparing members" in said
    assert "5/5" in said
