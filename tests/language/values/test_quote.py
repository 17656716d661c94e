"""Strings as program text: Puppet's own quotes, and literals that read back."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from puppet_repl.language.values.quote import escape_inside, quote, source_quote
from puppet_repl.session import Session

TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from("\\'\"$\n{"), max_size=8)
SESSION = Session(facts={})


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a", "'a'"),
        ("it's", r"'it\'s'"),
        (r"it\'s", r"'it\'s'"),
        ("a\\", "'a\\'"),
        ("a\nb$", r'"a\nb\$"'),
    ],
)
def test_puppets_quotes(text: str, written: str) -> None:
    assert quote(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("❤\ufe0f", "'❤\ufe0f'"),
        ("a\u3164", '"a\\u{3164}"'),
        ("❤\U000e0100", '"❤\\u{E0100}"'),
    ],
    ids=ascii,
)
def test_a_literal_hides_nothing(text: str, written: str) -> None:
    assert source_quote(text) == written


@settings(max_examples=200, deadline=None)
@given(TEXTS)
@example("a\\")
@example("\\'\\\\'")
@example("${x}\n")
@example("\u200d\u00a0")
def test_literals_read_back(text: str) -> None:
    assert SESSION.execute(source_quote(text), record=False).value == text


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from("'\""))
@example("${x}", '"')
@example("a\\", "'")
def test_escaped_texts_continue_a_string(text: str, mark: str) -> None:
    if "\r" in text:
        return  # the lexer takes \r\n in a string for \n
    written = f"{mark}-{escape_inside(text, single=mark == chr(39))}{mark}"
    assert SESSION.execute(written, record=False).value == f"-{text}"
