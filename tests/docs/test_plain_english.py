"""The project is in plain English: what is not becomes less, and never more."""

from __future__ import annotations

import ast

import pytest

from tests.docs import plain_english
from tests.docs.plain_english import Finding, Text, findings_of, rules

SPARE = 10
"""How many findings may be gone before the allowance has to be lowered: people work in parallel."""


def test_no_part_has_more_findings_than_it_may() -> None:
    """``python -m tests.docs.plain_english PATH`` lists the findings in a file."""
    found = plain_english.findings()
    risen = plain_english.risen(plain_english.counts(found), plain_english.allowance())
    listed = [
        f"{kind} of {part}: {number}, allowed are {most}\n"
        + "\n".join(f"  {one}" for one in found if one.text[:2] == (kind, part))
        for kind, part, number, most in risen
    ]
    assert not listed, "\n".join(listed)


def test_the_allowance_falls_with_the_findings() -> None:
    present = plain_english.counts(plain_english.findings())
    left = plain_english.unused(present, plain_english.allowance())
    assert left <= SPARE, f"{left} fewer: run `python -m tests.docs.plain_english lower`"


BROKEN = [
    ("the first $ stands in the text", "stand"),
    ("arrays stand in brackets", "stand"),
    ("'x' is no name of a node", "is no"),
    ("these are no facts", "is no"),
    ("write -- behind other names, before the code", "behind"),
    ("a missing module is told in a line", "told"),
    ("facts of the node win over others", "win"),
    ("of several the later counts", "win"),
    ("the hint that stands for a stand-in", "glossary"),
    ("put it into the folder", "glossary"),
    ("fails for want of a module", "old words"),
    ("Return what is there", "what"),
    ("Where nothing can stop, code runs at full speed.", "where"),
    ("Nor has anything been forgotten since.", "inverted"),
    ("what it binds is there in those that follow", "pronouns"),
]


@pytest.mark.parametrize(("sentence", "rule"), BROKEN)
def test_a_sentence_breaks_a_rule(sentence: str, rule: str) -> None:
    assert rule in list(rules().broken(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "Return the name of the node, or None if there is none.",
        "a star stands for any characters",
        "a stand-alone program",
        "there is no such file",
        "What is a node?",
        "arrays are written in brackets",
        "the exit status of several programs",
        "it is one of those",
    ],
)
def test_a_sentence_is_plain(sentence: str) -> None:
    assert list(rules().broken(sentence)) == []


def test_each_rule_has_an_example() -> None:
    assert {rule for _, rule in BROKEN} == {*rules().instead, "pronouns"}


def _found(kind: str, text: str) -> list[str]:
    return [one.rule for one in findings_of(Text(kind, "base", "a.py", 1, text), rules())]


def test_sentences_end_at_punctuation_and_empty_lines() -> None:
    text = "Return `is no x`. Here\nit goes on; and\n\nends | in | cells"
    assert list(plain_english.sentences(text)) == [
        "Return CODE.",
        "Here it goes on;",
        "and",
        "ends",
        "in",
        "cells",
    ]


def test_code_is_no_prose() -> None:
    assert _found("docstrings", "Run ``it stands behind`` and `what is there`.") == []


def test_a_subject_may_be_too_long() -> None:
    assert _found("subjects", "base: " + "a" * 66) == []
    assert _found("subjects", "base: " + "a" * 67) == ["length"]


def test_docstrings_comments_and_messages_are_read() -> None:
    source = (
        '"""It stands here."""\n'
        "KEY = 'stands'\n"
        "TEXT = f'the {KEY} stands # there'\n"
        "def f():\n"
        '    """Return it."""\n'
    )
    strings = plain_english._strings(ast.parse(source))
    assert sorted((kind, line, text) for kind, line, _, text in strings) == [
        ("", 2, "stands"),
        ("docstrings", 1, "It stands here."),
        ("docstrings", 5, "Return it."),
        ("messages", 3, "the X stands # there"),
    ]


def test_pages_are_read_without_code_and_glossary() -> None:
    page = (
        "---\nx: it stands\n---\n# Title\n\n```\nit stands\n```\n:::{only} html\n\nIt stands.\n\n"
        "| write | not |\n|---|---|\n| return | it stands |\n\n[x](stands.md) <b>y</b>\n"
    )
    texts = list(plain_english._paragraphs(page, "docs", "docs/a.md"))
    assert [(text.line, text.text.strip()) for text in texts if text.text.strip()] == [
        (4, "# Title"),
        (11, "It stands."),
        (17, "[x]   y"),
    ]


def test_an_allowance_is_lowered_and_never_raised() -> None:
    allowed = {"docstrings": {"base": 3, "host": 2, "tools": 1}}
    present = {"docstrings": {"base": 1, "host": 4}}
    assert plain_english.lowered(present, allowed) == {"docstrings": {"base": 1, "host": 2}}
    assert plain_english.risen(present, allowed) == [("docstrings", "host", 4, 2)]
    assert plain_english.unused(present, allowed) == 3


def test_findings_are_counted_by_kind_and_part() -> None:
    found = (Finding(Text("comments", "base", "a.py", 1, ""), "stand", ""),) * 2
    assert plain_english.counts(found)["comments"] == {"base": 2}
