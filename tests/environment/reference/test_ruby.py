"""Ruby as far as declarations need it: tokens, statements, comments, and text that is none."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.environment.reference.ruby.comments import parse_ruby
from puppet_repl.environment.reference.ruby.files import read_ruby
from puppet_repl.environment.reference.ruby.nodes import Node
from puppet_repl.environment.reference.ruby.tokens import RubyError, tokens_of

TOKENS = [
    ("a /b", "ident operator ident"),
    ("a /b/", "ident regexp"),
    ("a / b", "ident operator ident"),
    ("x = /b\\/#{1 / 2}/i", "ident operator regexp"),
    ("a % b", "ident operator ident"),
    ("a %w[b c]", "ident words"),
    ("a << b", "ident operator ident"),
    ("p <<-E\n x\n E\n1", "ident heredoc line end number"),
    ("p <<~'E', <<-F\n #{\nE\n y\n  F\n1", "ident heredoc operator heredoc line end number"),
    ("class << self", "keyword operator keyword"),
    ("a ? 'b' : 'c'", "ident operator string operator string"),
    ("a ?b : c", "ident character operator ident"),
    ("a.b? ? :c : :d", "ident operator ident operator symbol operator symbol"),
    ("{a: 1, 'b': 2, c => :d}", "operator label number operator label number operator"
     " ident operator symbol operator"),
    ("f(a ? b : c, d: 1)", "ident operator ident operator ident operator ident operator"
     " label number operator"),
    ("%q{a {b} c}", "percent"),
    ("%(a (b) #{')'} c)", "percent"),
    ("\"a #{b(\"}\") { |x| x }} c\"", "string"),
    ("?a", "character"),
    ("def /(x)", "keyword operator operator ident operator"),
    ("x.class", "ident operator ident"),
    ("a::B", "ident operator const"),
    (":\"a b\"", "quoted symbol"),
    (":[]=", "symbol"),
    ("$1 $stdout @a @@b", "variable variable variable variable"),
    ("1..2", "number operator number"),
    ("1.5e3.to_s", "number operator ident"),
    ("`ls`", "command"),
    ("if a then b end", "keyword ident keyword ident keyword"),
    ("a = b # c", "ident operator ident comment"),
    ("=begin\nx\n=end\na", "comment line end ident"),
    ("a\n__END__\n<<E", "ident line end"),
    ("a \\\n  b", "ident ident"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kinds"), TOKENS)
def test_tokens(text: str, kinds: str) -> None:
    assert " ".join(token.kind for token in tokens_of(text)[:-1]) == kinds


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\n'b", 2, "the text up to ' has no end"),
        ("\n\"a #{b\"\n", 2, "the text up to \" has no end"),
        ("p <<-E\n x\n", 1, "the heredoc E has no end"),
        ("=begin\nx", 1, "an end is missing"),
        ("\n=begin\nx", 2, "the comment from =begin has no end"),
        ("def a\n  b do\nend", 1, "an end is missing"),
        ("f(1", 1, "a ) is missing"),
        ("a\nend", 2, "unexpected end"),
        ("a\ndef", 2, "a method has no name"),
        ("def self.", 1, "a method has no name"),
        ("a b,", 1, "an argument is missing"),
        ("[" * 1000, 1, "the code is nested too deeply"),
        ("(" * 1000, 1, "the code is nested too deeply"),
        ("-" * 1000 + "1", 1, "the code is nested too deeply"),
        ("a = " * 1000 + "1", 1, "the code is nested too deeply"),
        ("\"#{" * 1000, 1, "strings are nested too deeply"),
    ],
)  # fmt: skip
def test_what_is_no_ruby(text: str, line: int, message: str) -> None:
    with pytest.raises(RubyError) as caught:
        parse_ruby(text)
    assert (caught.value.line, caught.value.message) == (line, message)


def calls(node: Node) -> list[tuple[str, int, bool]]:
    return [(each.name, len(each.arguments), each.block is not None) for each in node.parts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", ("a", 0, False)),
        ("a b, c do end", ("a", 2, True)),
        ("a(b, c: 1, d: 2) { |x| x }", ("a", 2, True)),
        ("a b { c } do end", ("a", 1, True)),
        ("a :b, :c => [1, 2],\n  d: e", ("a", 2, False)),
        ("a.b.c(1)\n  .d 2", ("d", 1, False)),
        ("A::B.c(:d) do |e, (f, g)|\n h\nend", ("c", 1, True)),
        ("a(1,)", ("a", 0, False)),
        ("a [1]", ("a", 1, False)),
        ("a *b, &c", ("a", 2, False)),
        ("a -1", ("a", 1, False)),
        ("a <<-E, 2\n x\nE", ("a", 2, False)),
    ],
)
def test_calls(text: str, expected: tuple[str, int, bool]) -> None:
    assert calls(parse_ruby(text)) == [expected]


@pytest.mark.parametrize(
    "text",
    ["a[1]", "a + b", "a = b", "a if b", "a || b c", "a ? b : c", "if a then b end", "a and b"],
)
def test_no_calls(text: str) -> None:
    assert [node.kind for node in parse_ruby(text).parts] != ["call"]


# What Ripper of Ruby 3.1 makes of ``a -c`` and the like: an argument or an operand.
ENDS = {"[": "]", "(": ")", "->": " { }", "?": " : d"}
BEFORE_ARGUMENTS = ("->", "!", "~", "(", "[")
OPERATORS = (
    *("=~", "!~", "<", ">", "<=", ">=", "<=>", "..", "...", "==", "!=", "===", ">>", "|", "^"),
    *("&&", "||", "=", "+=", "-", "*", "&", "**", "+", "<<", "%", "/", "?", "and", "or", "if"),
    *("unless", "while", "rescue"),
)


@pytest.mark.parametrize("head", ["a", "a.b"])
def test_what_begins_an_argument(head: str) -> None:
    for before in (*BEFORE_ARGUMENTS, *(f"{each} " for each in BEFORE_ARGUMENTS)):
        text = f"{head} {before}c{ENDS.get(before.strip(), '')}"
        assert [len(node.arguments) for node in parse_ruby(text).parts] == [1], text
    for before in ("-", "*", "&", "**", "+", "::C + ", ":"):
        text = f"{head} {before}c"
        assert [len(node.arguments) for node in parse_ruby(text).parts] == [1], text
    for operator in OPERATORS:
        node, *others = parse_ruby(f"{head} {operator} c{ENDS.get(operator, '')}").parts
        assert (others, node.arguments) == ([], []), operator
    for operator in ("=~", "!~", "<", "<=>", "..", "==", ">>", "|", "^", "&&", "=", "+="):
        node, *others = parse_ruby(f"{head} {operator}c").parts
        assert (others, node.arguments) == ([], []), operator


def test_a_constant_after_colons_is_a_name_or_a_call() -> None:
    """What is called needs parentheses directly after it, as in Ruby."""
    found = [parse_ruby(text).parts[0] for text in ("A::B", "A::B (c)", "A::B(c)", "a.B")]
    assert [(node.kind, node.name) for node in found] == [
        ("name", ""),
        ("name", ""),
        ("call", "B"),
        ("call", "B"),
    ]


def test_control_flow() -> None:
    text = """
    while a do b end
    until c; d; end
    for e in f do g end
    begin h rescue I => j ensure k end while l
    case m when 1, 2 then n else o end
    return p if q rescue r
    def s = t
    def u(v, w = {}, *x, y: 1, **z, &b) a end
    def self.a=(b) c end
    d = if e then f else g end
    h { |i; j| k } unless l
    m = ->(n, o = 1) { p }
    q do r end.s do t end
    yield(1) { 2 }
    super.a do b end
    return c.d do e end
    """
    assert len(parse_ruby(text).parts) == 16


def comments(text: str) -> dict[str, str | None]:
    return {each.name: each.comment for each in parse_ruby(text).walk() if each.kind == "call"}


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("# x\na", "x"),
        ("# x\n#  y\n\na", "x\n y"),
        ("# x\n\n\na", None),
        ("# x\n\n# y\na", "y"),
        ("a # x", "x"),
        ("# x\na # y", "x"),
        ("# frozen_string_literal: true\na", None),
        ("# frozen_string_literal: true\n# x\na", "x"),
        ("#!/usr/bin/ruby\n# x\na", "x"),
        ("## x\na", "x"),
        ("# x\n#-\na", None),
        ("# x\n#\n# y\n  # z\na", "z"),
        ("=begin\nx\n=end\na", "x\n"),
    ],
)
def test_comments(text: str, comment: str | None) -> None:
    assert comments(text) == {"a": comment}


MODULES = Path(__file__).parent / "modules"


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", [str(path.relative_to(MODULES)) for path in sorted(MODULES.rglob("*.rb"))]
)
def test_files_that_stop_anywhere_are_read_or_refused(file: str) -> None:
    """As they are while somebody types them, or when only a part of them was written."""
    text = (MODULES / file).read_text(encoding="utf-8", errors="replace")
    for length in range(len(text) + 1):
        with suppress(RubyError):
            read_ruby(f"# newtype\n{text[:length]}", file)


FRAGMENTS = (
    *("def a", "end", "do |x|", "{", "}", "(", ")", "[", "]", "'", '"', "`", "/", "%w[", "%q("),
    *("?", "<<-E", "<<~'F'", "\nE\n", "\nF\n", "#{", "#", "\n", " ", ";", ",", ":", "::", "."),
    *("=>", "=", "a", "B", ":c", "d:", "1", "@e", "$f", "if", "unless", "while"),
    *("case", "when", "class", "&"),
    *("newparam(", "Puppet::Type.newtype(:x)", "desc", "=begin\n", "\n=end", "__END__", "\\", "*"),
    *("Puppet::Functions.create_function(:f)", "dispatch :f", "interface", "é", "\0", "\r\n", "|"),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join) | st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        tokens = tokens_of(text)
    except RubyError:
        return
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    try:
        read_ruby(f"{text}\n# newtype", "x.rb")
    except RubyError:
        return


@pytest.mark.parametrize(
    "text",
    [
        "a /",
        "a ? b : c, ",
        "d: 1, ",
        "# x\n",
        "'a' ",
        "a.b",
        "[1]",
        "if a\nend\n",
        "<<-E\nE\n",
        "a { } ",
        "\n",
        "newparam(:a) { desc 'x' }\n",
        "a + ",
        "x ?",
        "%w[a] ",
    ],
)
def test_long_texts_take_linear_time(text: str) -> None:
    """Thirty thousand characters are read in a second or two, whatever they are."""
    long = "newtype\n" + text * (30_000 // len(text))
    start = time.perf_counter()
    with suppress(RubyError):
        read_ruby(long, "x.rb")
    assert time.perf_counter() - start < 5


def test_long_comments_take_linear_time() -> None:
    line = "# " + "x" * 60 + "\n"

    def seconds(lines: int) -> float:
        start = time.process_time()
        assert comments(line * lines + "a")["a"] is not None
        return time.process_time() - start

    # Four times as long: sixteen times as much time where each line costs as much as all others.
    assert min(seconds(60_000) for _ in range(2)) < 8 * min(seconds(15_000) for _ in range(3))
