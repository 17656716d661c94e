"""Hints at what was opened and never closed; Puppet's messages stay as they are."""

from __future__ import annotations

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.values.quote import source_quote
from puppet_repl.session import Session
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import plain

END = "Syntax error at end of input"
# The text; Puppet's message; the hint; what the carets stand below if Puppet names no line.
CASES = [
    ("function f($x) { if $x {", END, "the { of line 1, column 24 is never closed", "{"),
    ("if true {\n  1\n}\nif true {\n", END, "the { of line 4, column 9 is never closed", "{"),
    ("notice(1", END, "the ( of line 1, column 7 is never closed", "("),
    ("$x = [1,\n2", END, "the [ of line 1, column 6 is never closed", "["),
    ("File <| title == 'x'", END, "the <| of line 1, column 6 is never closed", "<|"),
    ("File <<| |", "Syntax error at '|'", None, None),
    ("# (\n'(' =~ /\\(/\nf(", END, "the ( of line 3, column 2 is never closed", "("),
    ("each?", END, None, "?"),
    ("$x ?", END, "something has to follow the ? of line 1, column 4", "?"),
    ("$x =", END, "something has to follow the = of line 1, column 4", "="),
    ("if $x { } else # {", END, "something has to follow the else of line 1, column 11", "else"),
    (
        "notice(1 }",
        "Syntax error at '}'",
        "the ( of line 1, column 7 is not closed before it",
        None,
    ),
    ("[1]]", "Syntax error at ']'", "no [ is open here", None),
    ("1 +\n)", "Syntax error at ')'", "no ( is open here", None),
    ("[1 +]", "Syntax error at ']'", None, None),
    ("$x = 'abc", None, "the ' of line 1, column 6 is never closed", None),
    ('\n $x = "abc ${1} $y', None, 'the " of line 2, column 7 is never closed', None),
    ('"a ${"b} c"', None, 'the " of line 1, column 1 is never closed', None),
    (
        '$a = @("END"/tn)\n text\n',
        "Heredoc without end-tagged line",
        'the heredoc @("END"/tn) of line 1, column 6 is never closed: '
        "a line with END has to end it",
        None,
    ),
    (
        "notice(@(E))",
        "Heredoc without any following lines of text",
        "the heredoc @(E) of line 1, column 8 is never closed: a line with E has to end it",
        None,
    ),
]


def error_of(text: str) -> PuppetError:
    with pytest.raises(PuppetError) as caught:
        parse(Source(text))
    return caught.value


@pytest.mark.parametrize(("text", "message", "hint", "marked"), CASES)
def test_hints(text: str, message: str | None, hint: str | None, marked: str | None) -> None:
    error = error_of(text)
    assert message is None or error.message == message
    assert error.notes == (() if hint is None else (hint,))
    if marked is not None:
        assert error.line is None
        start, end = error.opening or (0, 0)
        assert text[start:end] == marked
        lines = plain(render_error(error)).split("\n")
        assert lines[0] == f"Error: {END}"
        carets = lines[2]
        assert lines[1][carets.index("^") : carets.rindex("^") + 1] == marked


def test_the_name_of_the_text_is_shown() -> None:
    error = Session(facts={}).execute("if true {", "cell 3").error
    assert error is not None
    assert plain(render_error(error)) == (
        "Error: Syntax error at end of input (file: cell 3)\n"
        "  1 | if true {\n"
        "    |         ^\n"
        "  hint: the { of line 1, column 9 is never closed"
    )


def test_a_string_inside_of_a_heredoc_has_no_hint_with_a_wrong_line() -> None:
    assert error_of('$a = @("E")\n ${f("x)}\nE\n').notes == ()


# The template; Puppet's message; the hint.
TEMPLATES = [
    ("a\n<% if true { %>\nb", END, "the { of line 2, column 12 is never closed"),
    ("a\n<%= $x \n", None, "the <%= of line 2, column 1 is never closed"),
    ("<% f(1) -%>\n<%- f(2)", None, "the <%- of line 2, column 1 is never closed"),
    ('<%= "<% " %><% g()', None, "the <% of line 1, column 13 is never closed"),
    ("<% $x = %>", END, "something has to follow the = of line 1, column 7"),
    ("<%= 'a %>", None, "the ' of line 1, column 5 is never closed"),
    ("<%# a", "Reaching end after opening <%# without seeing %>", None),
    ("<%= f(1} %>", "Syntax error at '}'", "the ( of line 1, column 6 is not closed before it"),
]


@pytest.mark.parametrize(("text", "message", "hint"), TEMPLATES)
def test_hints_of_templates(text: str, message: str | None, hint: str | None) -> None:
    with pytest.raises(PuppetError) as caught:
        parse(Source(text), epp=True)
    error = caught.value
    assert message is None or error.message == message
    assert error.notes == (() if hint is None else (hint,))
    session = Session(facts={})
    rendered = session.render_epp(text).error
    assert rendered is not None
    assert rendered.notes == error.notes
    called = session.execute(f"inline_epp({source_quote(text)})").error
    assert called is not None
    assert called.notes == tuple(f"in the template, {note}" for note in error.notes)
    assert error.message in called.message


def test_a_template_that_ends_too_early_is_shown_where_that_was_opened() -> None:
    error = Session(facts={}).render_epp("<% if true { %>").error
    assert error is not None
    assert plain(render_error(error)) == (
        "Error: inline_epp(): Invalid EPP: Syntax error at end of input (file: inlined-epp-text)\n"
        "  1 | <% if true { %>\n"
        "    |            ^\n"
        "  hint: the { of line 1, column 12 is never closed"
    )
