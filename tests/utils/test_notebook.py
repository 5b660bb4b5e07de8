"""Tables that a notebook shows."""

import re

from consilience._utils._notebook import Table, notebook_summary


def test_the_first_column_is_on_the_left_and_numbers_on_the_right():
    table = Table("Sizes", ["cluster", "size", "share"], [["a", "3", "0.6"], ["b", "2", "0.4"]])
    shown = notebook_summary("Two clusters", [], table=table)
    cells = re.findall(
        r"<(t[hd])( scope=.(?:row|col).)?[^>]*text-align:(left|right)[^>]*>(\w+)", shown
    )
    assert [(kind, side) for kind, _, side, text in cells] == [
        ("th", "left"),
        ("th", "right"),
        ("th", "right"),
        *[("th", "left"), ("td", "right"), ("td", "right")] * 2,
    ]
