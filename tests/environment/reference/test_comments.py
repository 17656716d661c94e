"""Comments as YARD splits them; what is expected was recorded from puppet-strings (``modules``)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.manifests import read_manifest
from puppet_repl.environment.reference.tags import READERS, TagError, make_tag, split_types


def test_lines_of_tags() -> None:
    comment = Comment("Text.\n\n@param a\n  A\n@unknown x\n\nMore.\n@return", 10)
    assert comment.text == "Text.\n\nMore."
    assert [(tag.name, tag.line) for tag in comment.tags] == [("param", 12), ("return", 17)]
    assert [(fault.rule, fault.name, fault.line) for fault in comment.faults] == [
        ("unknown-tag", "unknown", 14)
    ]
    assert not comment.is_empty
    assert Comment("").is_empty


def test_directives() -> None:
    comment = Comment(
        "@!method f(a)\n  Text.\n  @param a A\n@!puppet.type.param [x, y] p P\n@!nope"
    )
    method, parameter = comment.directives
    assert (method.subject, method.text, method.tags[0].subject) == ("f(a)", "Text.", "a")
    assert (parameter.subject, parameter.types, parameter.text) == ("p", ("x", "y"), "P")
    assert [fault.rule for fault in comment.faults] == ["unknown-directive"]


def test_overloads_hold_comments() -> None:
    (tag,) = Comment("@overload f(a, b = 1)\n  Text.\n  @param [String] a\n    A\n").tags
    assert (tag.subject, tag.text) == ("f(a, b = 1)", "Text.")
    assert [(each.name, each.subject, each.types, each.text) for each in tag.tags] == [
        ("param", "a", ("String",), "A")
    ]


@pytest.mark.parametrize("tag", ["overload", "!method", "method"])
@pytest.mark.parametrize("levels", [20, 600, 2000])
def test_comments_within_comments(tag: str, levels: int) -> None:
    """They are read as deeply as anybody nests them; what is deeper is a fault at its line."""
    start = time.perf_counter()
    comment = Comment("\n".join(" " * level + f"@{tag} f" for level in range(levels)), 1)
    assert time.perf_counter() - start < 3
    name = tag.lstrip("!")
    assert [(fault.rule, fault.name, fault.line) for fault in comment.faults] == (
        [("invalid-tag", name, 21)] if levels > 20 else []
    )


def test_faults_within_comments() -> None:
    """puppet-strings warns of them as of others."""
    text = "@overload f(a)\n  Text.\n  @nope x\n  @example\n@!method g(b)\n  @never y\n"
    assert [(fault.rule, fault.name, fault.line) for fault in Comment(text, 5).faults] == [
        ("unknown-tag", "nope", 7),
        ("invalid-tag", "example", 8),
        ("unknown-tag", "never", 10),
    ]


def test_lines_below_references() -> None:
    comment = Comment("(see a)\n\n(see b)\nText.\n@param a\n@nope", 3)
    assert (comment.raw, comment.text) == ("Text.\n@param a\n@nope", "Text.")
    assert [tag.line for tag in comment.tags] == [7]
    assert [fault.line for fault in comment.faults] == [8]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[String] a", (None, ("String",), "a")),
        ("a [String, Array<X>] b", ("a", ("String", "Array<X>"), "b")),
        ("a b", (None, None, "a b")),
        ("[Hash{A => B}] c", (None, ("Hash{A => B}",), "c")),
        ("[Enum['a,b']] c", (None, ("Enum['a,b']",), "c")),
        ("[] a", (None, None, "[] a")),
        ("a it's [x]", (None, None, "a it's [x]")),
        ("", (None, None, "")),
    ],
)
def test_types(text: str, expected: tuple[str | None, tuple[str, ...] | None, str]) -> None:
    assert split_types(text) == expected


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(READERS)), st.text("[](){}<>,=#'\" ab\n\t.é", max_size=30))
def test_any_text_makes_a_tag_or_none(name: str, text: str) -> None:
    try:
        tag = make_tag(name, text)
    except TagError:
        return
    assert tag.name == name


@settings(max_examples=200, deadline=None)
@given(st.text("@!paramoption [x]\n\t (see)", max_size=80))
def test_any_comment_is_split(text: str) -> None:
    comment = Comment(text)
    assert comment.text == comment.text.strip()
    lines = "".join(f"#{line}\n" for line in text.split("\n"))
    (entry,) = read_manifest(f"{lines}class a($x) {{ }}", "a.pp")
    assert entry.name == "a"


@pytest.mark.parametrize("text", ["@param a [x", "@param [", "@example", "  a", "'", "@x (see b)"])
def test_long_comments_take_linear_time(text: str) -> None:
    start = time.perf_counter()
    Comment(f"{text}\n" * 5000)
    Comment(text * 5000)
    assert time.perf_counter() - start < 3
