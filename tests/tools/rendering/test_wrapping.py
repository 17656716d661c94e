"""Wrapping, and excerpts: lines fit, nothing is lost, and what differs never looks the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.base.safe_text import visible_lines
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.width import display_width
from puppet_repl.tools.rendering.wrapping import (
    distinct_excerpts,
    hard_wrapped,
    wrapped,
    wrapped_text,
)
from puppet_repl.tools.reports.html import table_html
from puppet_repl.tools.reports.parts import Table, ValueCell
from puppet_repl.tools.reports.tables import render_table


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three", 20, ["one two three"]),
        ("one two three", 8, ["one two", "three"]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 6, ["one", "two", "three"]),
        ("/etc/puppetlabs/code", 12, ["/etc/", "puppetlabs/", "code"]),
        ("web-frontend-01.example.com", 18, ["web-frontend-01.", "example.com"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("日本語日本語", 5, ["日本", "語日", "本語"]),
        ("first\n\nthird line", 6, ["first", "", "third", "line"]),
        ("  one two", 6, ["  one", "two"]),
        ("", 5, [""]),
    ],
)
def test_lines_end_at_words_and_parts(text: str, width: int, rows: list[str]) -> None:
    assert [plain(row) for row in wrapped([("dim", text)], width)] == rows


def test_lines_that_go_on_are_indented() -> None:
    assert [plain(row) for row in wrapped([("", "one two three")], 9, "    ")] == [
        "one two",
        "    three",
    ]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(st.characters(codec="ascii", exclude_characters="\n")), st.integers(1, 30))
def test_lines_fit_and_lose_nothing_but_blanks(text: str, width: int) -> None:
    for wrap in (wrapped, hard_wrapped):
        rows = [plain(row) for row in wrap([("", text[:7]), ("dim", text[7:])], width)]
        assert all(display_width(row) <= width for row in rows)
        assert "".join(rows).replace(" ", "") == visible_lines(text).replace(" ", "")


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.text("ab", max_size=90), max_size=6), st.integers(0, 12))
def test_excerpts_of_different_texts_differ(ends: list[str], room: int) -> None:
    texts = ["x" * 40 + end[:45] + "y" * 60 + end[45:] for end in ends]
    shown = [plain(each) for each in distinct_excerpts([[("", text)] for text in texts], room)]
    assert len(set(shown)) == len(set(texts))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.text("ab /-", min_size=1, max_size=30), min_size=1, max_size=5, unique=True))
def test_cells_that_are_whole_never_look_the_same(values: list[str]) -> None:
    rows = [(f"{number}", ValueCell(value)) for number, value in enumerate(values)]
    shown = plain(render_table(Table(("N", "Value"), rows, whole=(1,)), 18)).split("\n")[1:]
    assert all(display_width(line) <= 18 for line in shown)
    cells: list[list[str]] = []
    for line in shown:
        if line[:1].isdigit():
            cells.append([])
        cells[-1].append(line[3:].rstrip())
    assert len({tuple(cell) for cell in cells}) == len(values)


def test_html_shows_what_differs_far_behind() -> None:
    values = ["x" * 900 + end + "z" * 900 for end in ("one", "two")]
    for whole, count in (((), 0), ((0,), 1)):
        html = table_html(Table(("V",), [(ValueCell(value),) for value in values], whole=whole))
        assert html.count("one") == html.count("two") == count


@pytest.mark.parametrize("width", [30, 40, 80])
def test_messages_end_their_lines_at_words(width: int) -> None:
    text = (
        "Error: Evaluation Error: The value 'abc' cannot be converted to Numeric.\n"
        "  1 | 1 + 'abc'\n    |     ^^^^^\n"
        "  hint: + adds numbers; strings in double quotes interpolate"
    )
    shown = plain(wrapped_text([("", text)], width))
    assert max(map(len, shown.split("\n"))) <= width
    assert shown.split() == text.split()
    assert "\n  1 | 1 + 'abc'\n    |     ^^^^^\n  hint: +" in shown
    behind = shown[shown.index("  hint:") :].split("\n")[1:]
    assert all(line.startswith("    ") for line in behind)
