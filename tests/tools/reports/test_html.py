"""Values and code as HTML."""

from __future__ import annotations

import re
from html import unescape
from time import process_time

import pytest
from markdown_it import MarkdownIt
from pygments.token import STANDARD_TYPES

from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.session import Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.html import (
    MAX_ROWS,
    code_html,
    output_html,
    table_html,
    type_layout,
    value_html,
)
from puppet_repl.tools.reports.parts import CodeCell, Table
from puppet_repl.tools.reports.tables import render_table


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def html_of(code: str, *, full: bool = False) -> str:
    outcome = Session(facts={}).execute(code)
    assert outcome.error is None
    return value_html(outcome.value, full=full)


@pytest.mark.parametrize(
    "code",
    ["1", "'<script>alert(1)</script>'", "[1, 'a', undef]", "{'a' => [true, default]}", "/a<b/"],
)
def test_the_text_is_that_of_the_value(code: str) -> None:
    html = html_of(code)
    assert text_of(html) == code
    assert "<script" not in html


def test_an_array_of_hashes_is_a_table() -> None:
    html = html_of("[{'host' => 'web01', 'port' => 80}, {'host' => '<b>'}]")
    assert [text_of(head) for head in re.findall(r"<th.*?</th>", html)] == ["host", "port"]
    cells = re.findall(r"<td.*?</td>", html)
    assert [text_of(cell) for cell in cells] == ["web01", "80", "<b>", ""]
    assert ["text-align:left" in cell for cell in cells] == [True, False, True, True]
    assert "<b>" not in html


def test_long_ones_are_folded_and_cut_unless_all_is_wanted() -> None:
    code = "Integer[1, 200].map |$n| { {'n' => $n} }"
    folded = html_of(code)
    assert folded.startswith("<details><summary>200 rows, 1 column</summary>")
    assert folded.count("<tr>") == MAX_ROWS + 1
    whole = html_of(code, full=True)
    assert "<details>" not in whole
    assert whole.count("<tr>") == 201


def test_a_secret_stays_one() -> None:
    assert "hunter2" not in html_of("[{'password' => Sensitive('hunter2')}]")


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("Integer[1, 2]", 40, "Integer[1, 2]"),
        (
            "Variant[Integer[1, 10], Enum['one', 'two']]",
            30,
            "Variant[\n  Integer[1, 10],\n  Enum['one', 'two']\n]",
        ),
        (
            "Struct[{'a' => Integer, Optional['b'] => String}]",
            30,
            "Struct[{\n  'a' => Integer,\n  Optional['b'] => String\n}]",
        ),
        ("Pattern[/[x, y]{3}/]", 5, "Pattern[\n  /[x, y]{3}/\n]"),
        ("Enum['a, [b']", 5, "Enum[\n  'a, [b'\n]"),
    ],
)
def test_a_long_type_has_a_parameter_a_line(text: str, width: int, expected: str) -> None:
    assert type_layout(text, width) == expected


def test_a_large_type_is_laid_out_quickly() -> None:
    elements = [f"'key_{number}' => Optional[Enum['a', 'b]']]" for number in range(2000)]
    start = process_time()
    lines = type_layout(f"Struct[{{{', '.join(elements)}}}]", 80).split("\n")
    assert process_time() - start < 2
    assert lines[:2] == ["Struct[{", f"  {elements[0]},"]
    assert len(lines) == 2002


def test_code_is_highlighted() -> None:
    html = code_html("$x = 'a < b'")
    assert text_of(html) == "$x = 'a < b'"
    assert '<span class="nv">$x</span>' in html
    assert '<span class="s1">&#x27;a &lt; b&#x27;</span>' in html


def test_colours_are_class_names_or_shades_that_untrusted_notebooks_keep() -> None:
    code = "[1, 'a', true, /r/, String, Notify['n'], {'k' => default}]"
    parts = [html_of(code), html_of("[{'n' => 1}]"), html_of(f"[{code}, 'x', $facts]".ljust(400))]
    host = Host(facts={})
    for command in (":help", ":history", ":set", ":resources"):
        for part in run(host.session, command, host).parts:
            if isinstance(part, Table):
                parts.append(table_html(part))
    html = output_html("".join(parts))
    assert html.startswith('<div class="highlight mathjax_ignore tex2jax_ignore" ')
    declared = re.findall(r'style="([^"]*)"', html)
    allowed = (
        r"color:#[0-9a-f]{6}|background-color:transparent|text-align:left"
        r"|padding(?:-left)?:[\dpx ]+"
        r"|font-size:\d+%|line-height:[\d.]+|word-break:normal|overflow-wrap:break-word"
    )
    styles = {style for each in declared for style in each.split(";")}
    assert [style for style in styles if not re.fullmatch(allowed, style)] == []
    short_names = set(STANDARD_TYPES.values())
    classes = " ".join(re.findall(r'class="([^"]*)"', html)).split()
    assert set(classes) - short_names == {"highlight", "mathjax_ignore", "tex2jax_ignore"}


def test_an_input_in_a_table_keeps_its_lines() -> None:
    table = Table(("", ""), [("1", CodeCell("$a = 1\n$b = 'x'"))])
    assert "1$a = 1\n$b = 'x'" in text_of(table_html(table))
    assert plain(render_table(table, 80)) == "1  $a = 1 $b = 'x'"


def test_html_has_no_blank_lines_at_which_markdown_would_end_it() -> None:
    lines = "class a {\n\n  \n  $b = 1\n\n\n}"
    html = output_html(code_html(lines))
    assert not re.search(r"\n[ \t]*\n", html)
    assert text_of(html) == lines
    rendered = MarkdownIt("commonmark").render(f"before\n\n{html}\n\nafter")
    assert html in rendered
