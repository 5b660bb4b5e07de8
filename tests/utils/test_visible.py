"""Nothing in a name can move the cursor of a terminal."""

import json

import pytest

from consilience._utils._visible import visible, visible_json

SEEN = {
    "\x1b[31mred": "\\x1b[31mred",
    "bell\x07": "bell\\x07",
    "\x9b2J": "\\x9b2J",
    "tab\there": "tab\\there",
    "\u202egnp.exe": "\\u202egnp.exe",
    "half \udc80": "half \\udc80",
    "two\nlines": "two\\nlines",
}


@pytest.mark.parametrize("text", SEEN)
def test_hidden_characters_are_written_out(text):
    assert visible(text) == SEEN[text]
    visible(text).encode()


@pytest.mark.parametrize("text", ["plain", "größe ≥ 3", "名前", "می‌خواهم"])
def test_other_text_stays(text):
    assert visible(text) == visible_json(text) == text


def test_newlines_stay_in_text_of_several_lines():
    assert visible("a\x1b\nb", several_lines=True) == "a\\x1b\nb"


@pytest.mark.parametrize("text", SEEN)
def test_json_stays_the_same(text):
    written = visible_json(json.dumps({"name": text}, ensure_ascii=False))
    assert json.loads(written) == {"name": text}
    written.encode()
    assert "\x9b" not in written
    assert "\u202e" not in written
