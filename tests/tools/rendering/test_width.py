"""Cells of a terminal: how many a string takes, where it is cut, and where tabs stop."""

from __future__ import annotations

import pytest

from puppet_repl.tools.rendering.width import TAB, cells, crop, display_width, expand_tabs


@pytest.mark.parametrize(
    ("text", "widths"),
    [
        ("", []),
        ("abc", [1, 1, 1]),
        ("a\x1bb", [1, 1, 1]),
        ("é", [1]),
        ("e\u0301x", [1, 0, 1]),
        ("日本", [2, 2]),
        ("a日\x1b", [1, 2, 1]),
        ("\U0001f44d\U0001f3fd!", [2, 0, 1]),
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", [2, 0, 2, 0]),
        ("\U0001f469\u200d\U0001f467", [2, 0, 0]),
        ("\u2764\ufe0f", [2, 0]),
        ("\u0085é", [0, 1]),
        ("é\r\n", [1, 1, 0]),
    ],
)
def test_cells(text: str, widths: list[int]) -> None:
    assert cells(text) == widths
    assert display_width(text) == sum(widths)


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("abcd", 1, "…"),
        ("abcd", 0, "…"),
        ("", 0, ""),
        ("日本", 4, "日本"),
        ("日本", 3, "日…"),
        ("日本", 2, "…"),
        ("日本語", 4, "日…"),
        ("日本語", 5, "日本…"),
        ("e\u0301e\u0301", 2, "e\u0301e\u0301"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("x" * 1000, 12, "x" * 11 + "…"),
        ("e" + "\u0301" * 7 + "abcd", 4, "e" + "\u0301" * 7 + "ab…"),
    ],
)
def test_crop(text: str, width: int, cut: str) -> None:
    assert crop(text, width) == cut


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("", ""),
        ("a b", "a b"),
        ("\t", "    "),
        ("a\tb", "a   b"),
        ("abcd\te", "abcd    e"),
        ("a\t\tb", "a       b"),
        ("日\tb", "日  b"),
        ("a\tbc\td", "a   bc  d"),
    ],
)
def test_tabs_stop_at_every_fourth_cell(text: str, expanded: str) -> None:
    assert TAB == 4
    assert expand_tabs(text) == expanded
