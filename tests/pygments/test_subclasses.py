"""Rules of subclasses mean what they mean in any `RegexLexer` of Pygments."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from pygments.lexer import RegexLexer, bygroups, default, inherit, this, using, words
from pygments.token import Error, Generic, Keyword, Name, Number, Punctuation, Text, Whitespace

from puppet_pygments import PuppetLexer

COMMON = [
    (r"\s+", Whitespace),
    (r"[a-z]+", Name),
    (r"[0-9]+", Number),
    (r".", Punctuation),
]


def plain(lexer: RegexLexer, match: re.Match[str]) -> Iterator[tuple[int, object, str]]:
    yield match.start(), Generic.Strong, match.group()


def with_context(lexer: RegexLexer, match: re.Match[str], ctx: object = None) -> Iterator[object]:
    yield match.start(), Generic.Emph, match.group()
    if ctx:
        ctx.pos = match.end()


#: Rules before the common ones, the flags of the class, and a text.
CASES = {
    "a flag of the class": ([(r"let", Keyword)], re.IGNORECASE, "let LET Let x"),
    "dots over lines": ([(r"<.*?>", Keyword)], re.DOTALL, "a <b\nc> d"),
    "free spacing": ([(r"l e t  # a word", Keyword)], re.VERBOSE, "let x"),
    "the starts of lines": ([(r"^#.*$", Keyword)], re.MULTILINE, "a #b\n#c\nd"),
    "a flag in a rule": ([(r"(?i)let", Keyword), (r"END", Keyword)], 0, "LET let END end"),
    "a flag in a group": ([(r"(?i:let)", Keyword)], 0, "LET let"),
    "a reference back": ([(r"(<+)(a)(>+)", Text), (r"(a)(b)\2", Keyword)], 0, "abb ab <a> abb"),
    "a name": ([(r"(?P<q>['~])\w+(?P=q)", Keyword), (r"(x)\1", Keyword)], 0, "'a' ~b~ 'c~ xx"),
    "a condition": ([(r"(<)?a(?(1)>)", Keyword)], 0, "<a> a <a"),
    "one name in two rules": ([(r"(?P<n>a)b", Keyword), (r"(?P<n>b)a", Text)], 0, "ab ba"),
    "a callback": ([(r"(?i)let", plain), (r"end", with_context)], 0, "LET a end let"),
    "callbacks together": ([(r"let", plain), (r"end", with_context)], 0, "let a end let"),
    "groups": ([(r"(a)(b)?(c)", bygroups(Keyword, Text, Name)), ("x", Text)], 0, "abc ac x"),
    "groups alone": ([(r"(a)(b)\1", bygroups(Keyword, Text))], 0, "aba x"),
    "itself": ([(r"(<)(.*)(>)", bygroups(Text, using(this), Text))], 0, "a <b 1> c"),
    "words": ([(words(("let", "end"), suffix=r"\b"), Keyword)], 0, "let lets end"),
}


@pytest.mark.parametrize(("rules", "flags", "text"), CASES.values(), ids=CASES)
def test_tokens_are_those_of_a_plain_lexer(rules: list, flags: int, text: str) -> None:
    attributes = {"flags": flags, "tokens": {"root": [*rules, *COMMON]}}
    plain_lexer = type("Plain", (RegexLexer,), attributes)()
    lexer = type("Special", (PuppetLexer,), attributes)()
    assert list(lexer.get_tokens(text)) == list(plain_lexer.get_tokens(text))


STATES = {
    "root": [(r"<", Text, "a"), (r"\[", Text, ("a", "b")), (r"x", Text, "#pop"), *COMMON[:3]],
    "a": [
        (r"<", Text, "#push"),
        (r">", Keyword, "#pop"),
        (r"!", Keyword, "#pop:2"),
        (r"=", Text, ("#pop", "b", "#push")),
        (r"-", Text, ("b", "#pop", "b")),
        (r"[a-z]", Generic.Strong),
    ],
    "b": [(r"b", Generic.Emph), (r"\]", Keyword, "#pop"), default("#pop")],
}


@pytest.mark.parametrize(
    "text", ["<a<a>a>a", "[bba>a", "<<<a!a!a", "<a=bb]b]a", "<-ba>a", "xx<\na"]
)
def test_states_change_as_in_a_plain_lexer(text: str) -> None:
    for extra in ([], [(r"(?i)q", Keyword)]):
        tokens = {name: [*extra, *rules] for name, rules in STATES.items()}
        expected = list(type("Plain", (RegexLexer,), {"tokens": tokens})().get_tokens(text))
        assert (
            list(type("Special", (PuppetLexer,), {"tokens": tokens})().get_tokens(text)) == expected
        )


class Dialect(PuppetLexer):
    """Puppet with words in pairs, in any case."""

    tokens = {"words": [(r"(?i)(\w+)-\1(?=;)", Keyword.Pseudo), inherit]}  # noqa: RUF012


def test_a_subclass_has_the_other_rules_too() -> None:
    text = "foo-Foo; $x = /a/ ? { default => present }\n"
    tokens = list(Dialect().get_tokens(text))
    assert tokens[0] == (Keyword.Pseudo, "foo-Foo")
    assert tokens[1:] == list(PuppetLexer().get_tokens(text))[1:]


def test_a_rule_that_is_wrong_is_named() -> None:
    wrong = type("Wrong", (PuppetLexer,), {"tokens": {"root": [(r"(a)\2", Error)]}})
    with pytest.raises(ValueError, match=r"uncompilable regex '\(a\)\\\\2' in state 'root'"):
        wrong()
