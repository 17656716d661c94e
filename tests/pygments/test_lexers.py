"""What Pygments asks of a lexer, and how these are found beside the one that it brings."""

from __future__ import annotations

import subprocess
import sys
import time
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from pygments import cmdline
from pygments import lexers as pygments_lexers
from pygments.token import Comment, Generic, Keyword, Name, Other, String

import puppet_pygments
from puppet_pygments import (
    EppLexer,
    HtmlEppLexer,
    PuppetCellLexer,
    PuppetConsoleLexer,
    PuppetLexer,
)

MANIFEST = """class web (Integer $port = 80) {
  file { '/etc/web':
    ensure => file,
  }
}
"""
TEMPLATE = "<%- | Integer $port | -%>\nlisten <%= $port %>;\n"


ROOT = Path(__file__).parents[2]
LEXERS = [getattr(puppet_pygments, name) for name in puppet_pygments.LEXERS]


def test_the_lexers_of_the_checkout_are_tested() -> None:
    """What ``pip install .`` has put into the environment would hide those."""
    found = Path(puppet_pygments.__file__).parent
    assert found == ROOT / "lexer_pygments" / "puppet_pygments", "pip uninstall puppet-pygments"


@pytest.mark.parametrize("lexer", LEXERS)
def test_attributes(lexer: type) -> None:
    assert lexer.name
    assert lexer.url.startswith("https://")
    assert lexer.version_added
    assert all(alias == alias.lower() for alias in lexer.aliases)
    for text in ("", "x", MANIFEST, TEMPLATE, "<?php $x = 1; ?>", "$x = { a => 1 }"):
        assert 0.0 <= lexer.analyse_text(text) <= 1.0


def test_names_are_unique() -> None:
    aliases = [alias for lexer in LEXERS for alias in lexer.aliases]
    assert len(aliases) == len(set(aliases))
    brought = {
        alias for _, names, _, _ in pygments_lexers.get_all_lexers(plugins=False) for alias in names
    }
    assert set(aliases) & brought <= {"puppet"}


def test_entry_points_name_every_lexer() -> None:
    found = {
        entry.load() for entry in entry_points(group="pygments.lexers") if "puppet" in entry.value
    }
    assert found == set(LEXERS)
    assert isinstance(pygments_lexers.get_lexer_by_name("puppet8"), PuppetLexer)
    assert isinstance(pygments_lexers.get_lexer_for_filename("x.epp"), EppLexer)
    assert isinstance(pygments_lexers.get_lexer_for_filename("x.pp"), PuppetLexer)


def test_the_name_that_is_printed_means_this_lexer(capsys: pytest.CaptureFixture[str]) -> None:
    assert cmdline.main(["pygmentize", "-N", "init.pp"]) == 0
    name = capsys.readouterr().out.strip()
    assert name == "puppet8"
    assert isinstance(pygments_lexers.get_lexer_by_name(name), PuppetLexer)


def test_guessing() -> None:
    assert isinstance(pygments_lexers.guess_lexer(MANIFEST), PuppetLexer)
    assert isinstance(pygments_lexers.guess_lexer_for_filename("a.pp", MANIFEST), PuppetLexer)
    assert EppLexer.analyse_text(TEMPLATE) > 0.5
    assert EppLexer.analyse_text("<% if x %>") < 0.1
    assert PuppetConsoleLexer.analyse_text(">> $x = 1\n") > 0
    assert PuppetCellLexer.analyse_text("%%facts rocky-9\n") > 0
    assert PuppetConsoleLexer.analyse_text("puppet [1]> $x = 1\n") > 0


PUPPET = {
    "type alias": "# @summary A port\n  type Web::Port = Variant[Integer, String]\n",
    "function": "function web::port(Hash[String, Integer] $ports) >> Integer {\n  1\n}\n",
    "function without parameters": "function web::port() >> Integer {\n  1\n}\n",
    "class": "class web (\n  # the port\n  # of all\n  Integer[1, 65535] $port = 80,\n) {}\n",
    "class of a role": "class role::web {\n  include profile::base\n}\n",
    "class that inherits": "class web::vhost inherits web {\n}\n",
    "define": "define web::vhost (\n  $root,\n) {\n}\n",
    "resource": "file { '/etc/motd':\n  # what it says\n  content => 'x',\n}\n",
    "node": "node default {\n  include base\n}\n",
    "collector": "User <| title == 'x' |>\n",
    "order": "Package['x'] -> Service['x']\n",
}
OTHERS = {
    "Python": "class Foo:\n    pass\n",
    "Bash": "function a::b() {\n  local x=1\n}\n",
    "Perl": "package Foo::Bar;\nsub new { my ($class) = @_; return { a => 1 }; }\n",
    "Ruby": "class Foo\n  include Bar::Baz\n  def x = { 'a' => 1 }\nend\n",
    "C++": "class widget {\n  int x;\n};\n",
    "Haskell": "type Name = String\nclass Eq a where\n",
    "TypeScript": "type A = { b: string };\nfunction f(x: number) { return x; }\n",
    "PHP": "<?php\nfunction add($x, $y) { return $x + $y; }\n",
    "PowerShell": "function Get-It($x) {\n  $x | ForEach-Object { $_ }\n}\n",
}


@pytest.mark.parametrize("text", PUPPET.values(), ids=PUPPET)
def test_manifests_are_guessed(text: str) -> None:
    assert PuppetLexer.analyse_text(text) >= 0.8
    assert isinstance(pygments_lexers.guess_lexer(text), PuppetLexer)


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_languages_are_not_guessed(text: str) -> None:
    assert PuppetLexer.analyse_text(text) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", ["", "x { 'a': ", "class a {", "class a(", "type A::B = ", "define a( "]
)
def test_guessing_takes_no_time(start: str) -> None:
    for again in ("#", "# ", "#\n", "x { 'a': # ", "x{[", "A::", "a::", "class a ", " ", "\n"):
        begun = time.process_time()
        PuppetLexer.analyse_text(start + again * (100_000 // len(again)))
        assert time.process_time() - begun < 1, again


def test_install_replaces_the_lexer_of_pygments_in_one_process() -> None:
    code = (
        "import puppet_pygments as p; from pygments.lexers import get_lexer_by_name as g;"
        "before = type(g('puppet')); p.install(); p.install();"
        "assert before is not p.PuppetLexer; assert type(g('puppet')) is p.PuppetLexer"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_nothing_but_pygments_is_imported() -> None:
    code = (
        "import sys; import puppet_pygments.lexer, puppet_pygments.epp, puppet_pygments.console;"
        "roots = {name.partition('.')[0] for name in sys.modules};"
        "sys.exit(sorted(roots & {'puppet_repl', 'sphinx', 'prompt_toolkit'}) or None)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unknown_names() -> None:
    with pytest.raises(AttributeError):
        puppet_pygments.NoLexer  # noqa: B018 - the access is what is tested


def test_templates_of_web_pages() -> None:
    tokens = list(HtmlEppLexer().get_tokens('<p id="<%= $x[1] %>">%%></p>\n'))
    assert (Name.Tag, "p") in tokens
    assert (Name.Variable, "$x") in tokens
    assert (String.Escape, "%%>") in tokens
    assert not [token for token in tokens if token[0] is Other]


def test_templates_with_another_host() -> None:
    tokens = list(EppLexer(host="ini").get_tokens("[a]\nb = <%= $x %>\n"))
    assert (Keyword, "[a]") in tokens
    assert (Name.Variable, "$x") in tokens
    assert "".join(value for _, value in tokens) == "[a]\nb = <%= $x %>\n"


def test_transcripts() -> None:
    tokens = list(PuppetConsoleLexer().get_tokens(">> /* a\n.. b */\n'x'\n>> 1\nError: y\n  z\n"))
    assert [value for _, value in tokens[:5]] == [">> ", "/*", " a\n", ".. ", "b "]
    assert tokens[4][0] is Comment.Multiline
    assert (Generic.Output, "'x'\n") in tokens
    assert tokens[-2:] == [(Generic.Error, "Error: y\n"), (Generic.Error, "  z\n")]


@pytest.mark.parametrize(
    ("line", "command"),
    [("puppet [1]> :save! x.pp\n", ":save!"), (">> :type !true\n", ":type"), (">> :t!$x\n", ":t")],
)
def test_the_name_of_a_command_may_have_an_exclamation_mark(line: str, command: str) -> None:
    tokens = [text for _, text in PuppetConsoleLexer().get_tokens(line)]
    assert tokens[1] == command
    assert "".join(tokens) == line
