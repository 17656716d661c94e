"""Types and defaults on one line and over lines: the tokens stay what they are."""

from __future__ import annotations

import pytest

pytest.importorskip("sphinx")

from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.integrations.sphinx.code import laid_out, on_one_line
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.source import Source

LONG = """Struct[
  {
    # Options from systemd.service
    Optional['Type'] => Enum['simple', 'exec', 'forking', 'oneshot', 'dbus', 'notify', 'idle'], # x
    Optional[ExitType]=>Enum['main','cgroup'],
    /* and more */ Restart => Variant[Boolean, Integer],
  }
]"""
HEREDOC = '@("END"/L)\n    text ${x} # no comment\n    | END'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Integer", "Integer"),
        ("Pattern[ # (?i)\n /(?i:^COLUMN$)/, /x # y/ ]", "Pattern[/(?i:^COLUMN$)/, /x # y/]"),
        ('"a    b"', '"a    b"'),
        ("'a\n\n   b'", "'a\n\n   b'"),
        ('"a${b["c  d"]}  # ${e}"', '"a${b["c  d"]}  # ${e}"'),
        ("{a=>1,\n b => [1,2 , 3,],}", "{a => 1, b => [1, 2, 3]}"),
        ("$x ? { 1 => 2,\n default => 3 }", "$x ? { 1 => 2, default => 3 }"),
        ("-1", "-1"),
        ("a(1,\n  $b.c)", "a(1, $b.c)"),
        (HEREDOC, HEREDOC),
        ("'open", "'open"),
        ("", ""),
    ],
)
def test_on_one_line(text: str, expected: str) -> None:
    assert on_one_line(text) == expected


def test_long_types_have_a_line_for_each_item() -> None:
    assert laid_out(LONG).split("\n") == [
        "Struct[{",
        "  Optional['Type']   => Enum[",
        "    'simple',",
        "    'exec',",
        "    'forking',",
        "    'oneshot',",
        "    'dbus',",
        "    'notify',",
        "    'idle',",
        "  ],",
        "  Optional[ExitType] => Enum['main', 'cgroup'],",
        "  Restart            => Variant[Boolean, Integer],",
        "}]",
    ]


def test_arrows_stand_below_each_other_where_there_is_room() -> None:
    assert laid_out("{aaaa => 1, b => 'x', [c] => Optional[Integer]}", 30).split("\n") == [
        "{",
        "  aaaa => 1,",
        "  b    => 'x',",
        "  [c]  => Optional[Integer],",
        "}",
    ]


def test_keys_are_not_opened() -> None:
    text = "Struct[{ Optional[a_long_key_of_it] => Some::Namespace::Of::A::Type, b => C }]"
    assert laid_out(text, 40).split("\n") == [
        "Struct[{",
        "  Optional[a_long_key_of_it] => Some::Namespace::Of::A::Type,",
        "  b => C,",
        "}]",
    ]


def test_what_fits_stays_on_a_line() -> None:
    assert laid_out("Optional[\n  Array[String]\n]") == "Optional[Array[String]]"


def test_strings_over_lines_and_statements_are_not_laid_out() -> None:
    text = "['" + "a\n  b" * 30 + "']"
    assert laid_out(text) == text
    block = "$a.map |$x| {\n    $y = $x # why\n    $y\n  }"
    assert laid_out(block) == "$a.map |$x| {\n  $y = $x # why\n  $y\n}"


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        f"[{LONG}, {LONG}]",
        "Hash[String, " * 40 + "Integer" + "]" * 40,
        "[" * 100 + "'" + "x" * 100 + "'" + "]" * 100,
        "$f['os']['family'] ? { 'Debian' => '/etc/default/something', default => '/etc/x' }",
        "Variant[Enum['aaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbb'], Undef, Integer[0, 1000]]",
    ],
)
def test_the_tokens_are_the_same(text: str) -> None:
    """But for commas before a closing bracket."""
    assert tokens(laid_out(text)) == tokens(text)
    assert tokens(on_one_line(text)) == tokens(text)


def tokens(text: str) -> list[str]:
    lexer = Lexer(Source(text))
    lexer.run()
    texts = lexer.texts
    return [
        token
        for index, token in enumerate(texts)
        if not (token == "," and texts[index + 1 : index + 2] in (["]"], ["}"], [")"]))
    ]


LEAVES = st.sampled_from(
    [
        "Integer",
        "Some::Long::Name::Of::A::Type",
        "'a, [b'",
        '"c ${d[1]} # e"',
        "/f, (?:g)/",
        "-1",
        "$h",
    ]
)
GAPS = st.sampled_from(["", " ", "\n  ", " # it's, [\n"])


def bracketed(items: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = st.lists(st.tuples(GAPS, items, GAPS).map("".join), min_size=1, max_size=4)
    pairs = st.tuples(items, items).map(" => ".join)
    hashes = st.lists(st.tuples(GAPS, pairs, GAPS).map("".join), min_size=1, max_size=4)
    return st.one_of(
        lists.map(lambda texts: f"Variant[{','.join(texts)}]"),
        lists.map(lambda texts: f"[{','.join(texts)},]"),
        hashes.map(lambda texts: f"{{{','.join(texts)}}}"),
    )


@given(st.recursive(LEAVES, bracketed, max_leaves=12), st.integers(10, 90))
def test_the_tokens_of_any_type_are_the_same(text: str, width: int) -> None:
    expected = tokens(text)
    assert tokens(on_one_line(text)) == expected
    lines = laid_out(text, width)
    assert tokens(lines) == expected
    assert laid_out(lines, width) == lines


def test_the_time_is_no_square() -> None:
    """Hostile nesting ends in time: brackets that are nested deeply are not opened."""
    text = "Array[" * 5000 + "Integer" + "]" * 5000
    assert tokens(laid_out(text)) == tokens(text)
