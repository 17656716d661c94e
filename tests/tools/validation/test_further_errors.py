"""Syntax errors after the first one are reported if they are certainly no consequence of it."""

from __future__ import annotations

import random

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.validation.further_errors import further_errors

TEXT = """
# Two definitions, and a node.
class web (
  Integer $port = 80,
) {
  $root = '/srv/www'
  if $port == 80 {
    file { $root:
      ensure => directory,
      mode   => '0755',
    }
    -> package { 'httpd':
      ensure => installed,
    }
  } else {
    notice("port ${port}")
  }
  $facts.each |$number| {
    notify { "n${number}": }
    include web::more
  }
  case $port {
    80: {
      include web::plain
    }
    default: {
      fail('no')
    }
  }
}

define web::site (String $docroot) {
  file { $docroot: content => @(END) }
    class not_code {
    | END
  web::log { $title: level => 1 }
}

node default {
  include web
  $all = {
    'a' => 1,
    'b' => [2, 3],
  }
}
"""


def errors(text: str) -> list[tuple[str, int, int]]:
    """Return the errors of a text: their messages, lines and columns."""
    source = Source(text, "x.pp")
    try:
        parse(source)
    except PuppetError as error:
        found = [error, *further_errors(source, error, tasks=False)]
        assert all(each.source is source for each in found)
        starts = [len(text) if each.start is None else each.start for each in found]
        assert starts == sorted(starts)
        return [
            (each.message, *source.position(start))
            for each, start in zip(found, starts, strict=True)
        ]
    return []


@pytest.mark.parametrize(
    "changes",
    [
        [("'/srv/www'", "= 1"), ("$title: level", "$title; level")],
        [("'/srv/www'", "= 1"), ("include web\n", "include => web\n")],
        [("'0755'", "=> '0755'"), ("include web::more", "include web:more")],
        [("'0755'", "=> 1"), ("level =>", "level ="), ("'a' =>", "'a' = =")],
        [("fail('no')", "fail('no' =>)"), ("level =>", "level =")],
    ],
)
def test_errors_of_several_statements(changes: list[tuple[str, str]]) -> None:
    text = TEXT
    lines = []
    for old, new in changes:
        assert text.count(old) == 1
        lines.append(text.count("\n", 0, text.index(old)) + 1)
        text = text.replace(old, new)
    assert [line for _, line, _ in errors(text)] == lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'/srv/www'", "'/srv/www"),
        ("  } else {", "  else {"),
        ("node default {", "node default {{"),
        ("    | END", "    | ENDE"),
    ],
)
def test_what_may_be_a_consequence_is_not_reported(old: str, new: str) -> None:
    text = TEXT.replace(old, new).replace("'b' => [2, 3]", "'b' = [2, 3]")
    source = Source(text, "x.pp")
    with pytest.raises(PuppetError) as raised:
        parse(source)
    assert list(further_errors(source, raised.value, tasks=False)) == []


def test_one_slip_is_one_error() -> None:
    """A token that is missing, doubled or another one makes one error at most."""
    source = Source(TEXT)
    lexer = Lexer(source)
    lexer.run()
    chance = random.Random(1)
    seen = 0
    for index in range(len(lexer.kinds) - 1):
        start, end = lexer.starts[index], lexer.ends[index]
        other = chance.randrange(len(lexer.kinds) - 1)
        token = TEXT[start:end]
        for new in ("", f"{token} {token}", TEXT[lexer.starts[other] : lexer.ends[other]], "}"):
            found = errors(TEXT[:start] + new + TEXT[end:])
            assert len(found) < 2, (token, new, found)
            seen += len(found)
    assert seen > 200
