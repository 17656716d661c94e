"""Markdown of comments: rendered, it holds no element, attribute or address that is theirs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from puppet_repl.tools.rendering.markdown import (
    code_span,
    fenced,
    literal,
    safe_line,
    safe_markdown,
    with_fewer_entities,
)

HOSTILE = "<img src=x onerror=alert(1)>"


def elements(markdown: str) -> str:
    """Return the tags in what CommonMark with tables makes of a text, whatever links lead to."""
    renderer = MarkdownIt("commonmark").enable("table")
    # Its own check of addresses would hide what others make a link of.
    renderer.validateLink = lambda _: True  # type: ignore[method-assign]
    return " ".join(re.findall("<[^>]*>", renderer.render(markdown)))


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        f"a {HOSTILE} b",
        f"a `\nb ` {HOSTILE} ` c",
        f"- a `\n- {HOSTILE} `",
        f"\\` {HOSTILE} `",
        f"``` a`b\n{HOSTILE}",
        f"```\na\n``` x\n{HOSTILE}\n```\n{HOSTILE}",
        f"~~~\na\n```\n~~~\n{HOSTILE}",
        f"- a\n\n    {HOSTILE}",
        f"a\n    {HOSTILE}",
        f"> a\n    {HOSTILE}",
        f"> ```\n{HOSTILE}",
        f"| a |\n|---|\n| {HOSTILE} |",
        f"| a | b |\n|---|---|\n| ` | {HOSTILE} ` |",
        f"[a](/b`) {HOSTILE} `",
        f"[a](/b '`') {HOSTILE} `",
        "<script>alert(1)</script>",
        "<!-- x -->",
        "&lt;img src=x onerror=alert(1)&gt;",
        "<https://example.com>",
    ],
)
def test_no_html_comes_through(text: str) -> None:
    assert not re.search("<(?:img|script|!--)", elements(safe_markdown(text)))


MARKS = [
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\n\n",
    "    ",
    "- ",
    "> ",
    "\\",
    "<img>",
    "a ",
    "\t",
    "1. ",
]


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(MARKS), max_size=25))
def test_no_mixture_of_marks_makes_html(pieces: list[str]) -> None:
    assert "<img" not in elements(safe_markdown("".join(pieces)))


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x]( JavaScript:alert(1))",
        "![x](data:image/svg+xml,x)",
        "[x]\n\n[x]: javascript:alert(1)",
        "[x](vbscript:x)",
        "> [b]: javascript:x\n\n[b]",
        "- [b]: javascript:x\n\n[b]",
        "1. > [b]: javascript:x\n\n[b]",
        "[b\nc]: javascript:x\n\n[b c]",
        "[b]:\njavascript:x\n\n[b]",
        "> [b]:\n> javascript:x\n\n[b]",
        "[`b]: javascript:x//`\n\n[`b]",
        "[b\\]]: javascript:x\n\n[b\\]]",
        "[a\\](javascript:x)",
        "[a\\\\](javascript:x)",
        "[a](\njavascript:x)",
        "> [a](\n> javascript:x)",
        "[a](javascript\\:x)",
        "[a](&#106;avascript:x)",
        "[a](javascript&colon;x)",
        "[a](<javascript:x>)",
        "[a](\tjavascript:x)",
        "| a | b |\n|---|---|\n| ` | [a](javascript:x) ` |",
        "[a](/b`) [c](javascript:x) `",
    ],
)
def test_no_link_runs_anything(text: str) -> None:
    shown = elements(safe_markdown(text))
    assert not re.search('(?:href|src)="[^"]*script(?:%5C)?:', shown)
    assert not re.search('(?:href|src)="(?!http|/b)', shown)


LINK_MARKS = [
    "[b]",
    "[b](",
    "[b]:",
    "](",
    ")",
    "\\",
    "js:x",
    " ",
    "\n",
    "> ",
    "- ",
    "`",
    "'",
    "[",
    "/",
]


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(LINK_MARKS), max_size=12))
def test_no_mixture_of_marks_makes_an_address(pieces: list[str]) -> None:
    assert '="js:' not in elements(safe_markdown("".join(pieces) + "\n\n[b]"))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("[a](https://x.y/z_(w) 'title')", "https://x.y/z_(w)"),
        ("[`a`](mailto:a@b.c)", "mailto:a@b.c"),
        ("see [a](page.html#b:c).", "page.html#b:c"),
        ("[a](#b)", "#b"),
        ("[a]\n\n[a]: http://x.y", "http://x.y"),
        ("> [a]: ../page.html 'title'\n\n[a]", "../page.html"),
    ],
)
def test_links_to_pages_stay(text: str, address: str) -> None:
    assert f'href="{address}"' in elements(safe_markdown(text))


def test_what_is_no_definition_stays() -> None:
    text = "[Integer]: how many: all\nof `[a]: b c`"
    rendered = MarkdownIt("commonmark").render(safe_markdown(text))
    assert rendered == "<p>[Integer]: how many: all\nof <code>[a]: b c</code></p>\n"


def test_what_is_meant_stays() -> None:
    text = "Has `Array[Integer] & <x>` and **more**, see [it](https://x.y/z?a=1&b=2)."
    rendered = MarkdownIt("commonmark").render(safe_markdown(f"{text}\n\n- one\n- two"))
    assert "<code>Array[Integer] &amp; &lt;x&gt;</code>" in rendered
    assert "<strong>more</strong>" in rendered
    assert 'href="https://x.y/z?a=1&amp;b=2"' in rendered
    assert "<li>one</li>" in rendered


def test_code_stays_as_it_is() -> None:
    for text in ("```puppet\n$x = '<a> & b'\n```", "    $x = '<a> & b'"):
        rendered = MarkdownIt("commonmark").render(safe_markdown(text))
        assert "$x = '&lt;a&gt; &amp; b'" in rendered
        assert "<pre><code" in rendered


@pytest.mark.parametrize("code", ["a", "```\n<img>\n```", "````", "`"])
def test_code_cannot_leave_its_fence(code: str) -> None:
    assert "img" not in elements(fenced(code, "puppet"))
    assert "<code>" in elements(code_span(code))


def test_a_name_is_only_text() -> None:
    assert elements(literal(f"*a* `b` [c](http://d) {HOSTILE}")) == "<p> </p>"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("$a and $b", "<p>$a and $b</p>"),
        ("\\$a and \\\\$b and \\\\\\$c", "<p>$a and \\$b and \\$c</p>"),
        ("- $a\n- $b", "<ul>\n<li>$a</li>\n<li>$b</li>\n</ul>"),
        ("`$a` and $b", "<p><code>$a</code> and $b</p>"),
        ("`a $b", "<p>`a $b</p>"),
        ("[$a](/x/$y)", '<p><a href="/x/$y">$a</a></p>'),
        ("a\n\n    $b < $c", "<p>a</p>\n<pre><code>$b &lt; $c\n</code></pre>"),
    ],
)
def test_dollar_signs_are_none_in_markdown(text: str, shown: str) -> None:
    markdown = safe_markdown(text)
    assert MarkdownIt("commonmark").render(markdown) == shown + "\n"
    # In code they are what they are; JupyterLab looks for formulas in all else.
    outside = re.sub("```.*?```|`[^`\n]+`", "", markdown, flags=re.DOTALL)
    assert "$" not in outside
    # Editors typeset no formulas, and some show an entity as it is written.
    of_editors = with_fewer_entities(markdown)
    assert MarkdownIt("commonmark").render(of_editors) == shown + "\n"
    assert "&#36;" not in of_editors


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a & b && c", "a & b && c"),
        ("a < b <= 3", "a < b <= 3"),
        ("<b> &lt; &copy; <!-- x --> </b>", None),
    ],
)
def test_signs_that_mean_nothing_need_no_entities(text: str, shown: str | None) -> None:
    safe = safe_markdown(text)
    of_editors = with_fewer_entities(safe)
    assert of_editors == (safe if shown is None else shown)
    render = MarkdownIt("commonmark").render
    assert render(of_editors) == render(safe)


@settings(max_examples=200)
@given(st.text(alphabet="a&<>$#;3!/\\\n -"))
def test_editors_show_what_notebooks_show(text: str) -> None:
    safe = safe_markdown(text)
    render = MarkdownIt("commonmark").render
    assert render(with_fewer_entities(safe)) == render(safe)


def test_entities_in_code_stay() -> None:
    text = "`&#36;`\n\n    &#36;\n\n$x &#36;"  # the last one is text, too
    shown = with_fewer_entities(safe_markdown(text))
    assert shown == "`&#36;`\n\n```\n&#36;\n```\n\n$x &amp;#36;"


def test_code_in_a_list_is_code() -> None:
    markdown = safe_markdown("1. one\n\n       $a < 'b'\n         $c\n\n2. two\n\n   more $d")
    rendered = MarkdownIt("commonmark").render(markdown)
    assert "<pre><code>$a &lt; 'b'\n  $c\n</code></pre>\n</li>" in rendered
    assert "<p>more $d</p>" in rendered


def test_a_line_is_no_block() -> None:
    line = safe_line("``` $x = <b> ```\n# not a heading, $y")
    assert line == "``` $x = <b> ``` # not a heading, &#36;y"
    assert elements(safe_line(f"{HOSTILE} `b")) == "<p> </p>"
