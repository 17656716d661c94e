"""Templates of files in other languages: which lexer is for them, and what it makes of them."""

from __future__ import annotations

import pytest
from pygments.lexers import get_lexer_for_filename, guess_lexer
from pygments.token import Comment, Error, Keyword, Name, Other, String, Text, _TokenType
from pygments.util import ClassNotFound

import puppet_pygments
from puppet_pygments import EppLexer, YamlEppLexer

#: The name of a file, a template, and a token of the host language in it.
HOSTED: dict[str, tuple[str, str, tuple[_TokenType, str]]] = {
    "html": ("a.html.epp", "<p><%= $x %></p>\n", (Name.Tag, "p")),
    "htm": ("a.htm.epp", "<p><%= $x %></p>\n", (Name.Tag, "p")),
    "ini": ("a.ini.epp", "[a]\nb = <%= $x %>\n", (Keyword, "[a]")),
    "cfg": ("a.cfg.epp", "[a]\nb = <%= $x %>\n", (Keyword, "[a]")),
    "json": ("a.json.epp", '{"a": "<%= $x %>"}\n', (Name.Tag, '"a"')),
    "powershell": ("a.ps1.epp", "Get-Item <%= $x %>\n", (Name.Builtin, "Get-Item")),
    "properties": ("a.properties.epp", "a.b=<%= $x %>\n", (Name.Attribute, "a.b")),
    "shell": ("a.sh.epp", "#!/bin/sh\necho <%= $x %>\n", (Name.Builtin, "echo")),
    "systemd": ("a.service.epp", "[Unit]\nAfter=<%= $x %>\n", (Name.Attribute, "After")),
    "toml": ("a.toml.epp", 'a = "<%= $x %>" # b\n', (Comment.Single, "# b")),
    "xml": ("a.xml.epp", "<a><%= $x %></a>\n", (Name.Tag, "<a")),
    "yaml": ("a.yaml.epp", "a: <%= $x %>\n", (Name.Tag, "a")),
    "yml": ("a.yml.epp", "a: <%= $x %>\n", (Name.Tag, "a")),
    "an Apache site": ("a.conf.epp", "<Proxy *>\nA <%= $x %>\n</Proxy>\n", (Name.Tag, "<Proxy")),
    "an nginx site": (
        "a.conf.epp",
        "server {\n  listen <%= $x %>;\n}\n",
        (Keyword, "server"),
    ),
    "a unit": ("a.conf.epp", "[Unit]\nAfter=<%= $x %>\n", (Name.Attribute, "After")),
    "sections": ("a.cnf.epp", "[<%= $x %>]\nb = 1\n", (Name.Attribute, "b")),
    "keywords": ("ntp.conf.epp", "# a\nserver <%= $x %>\n", (Name.Builtin, "server")),
}


@pytest.mark.parametrize(("filename", "template", "token"), HOSTED.values(), ids=HOSTED)
def test_the_inner_extension_tells_the_host(
    filename: str, template: str, token: tuple[_TokenType, str]
) -> None:
    for lexer in (
        get_lexer_for_filename(filename),
        get_lexer_for_filename(filename, template),  # as pygmentize asks
        EppLexer(filename=f"templates/{filename}"),
    ):
        tokens = list(lexer.get_tokens(template))
        assert token in tokens
        assert (Name.Variable, "$x") in tokens
        assert "".join(value for _, value in tokens) == template
        assert {Error, Other}.isdisjoint(kind for kind, _ in tokens)


@pytest.mark.parametrize("filename", ["a.epp", "motd.epp", "a.unknown.epp", "a.b", "a", ""])
def test_other_names_tell_no_host(filename: str) -> None:
    tokens = list(EppLexer(filename=filename).get_tokens("[a] <%= $x %>\n"))
    assert (Other, "[a] ") in tokens


def test_a_configuration_file_in_no_known_language_stays_plain() -> None:
    template = "a: {\n  b: [<%= $x %>]\n}\n"
    tokens = list(get_lexer_for_filename("a.conf.epp", template).get_tokens(template))
    assert (Other, "a: {\n  b: [") in tokens
    assert list(EppLexer(host="configuration").get_tokens(template)) == tokens


def test_the_option_counts_more_than_the_name() -> None:
    tokens = list(EppLexer(host="yaml", filename="a.ini.epp").get_tokens("a: <%= $x %>\n"))
    assert (Name.Tag, "a") in tokens
    assert (String.Escape, "%%>") in list(EppLexer(host="text").get_tokens("%%> a\n"))
    assert (Text, " a\n") in list(EppLexer(host="text").get_tokens("%%> a\n"))


def test_an_unknown_host_is_an_error() -> None:
    with pytest.raises(ClassNotFound):
        EppLexer(host="nonesuch")


def test_pygments_prefers_the_lexers_with_a_host() -> None:
    """It takes the last one by the name of the class where the ratings are the same."""
    for name in puppet_pygments.LEXERS:
        lexer = getattr(puppet_pygments, name)
        if issubclass(lexer, EppLexer) and lexer is not EppLexer:
            assert lexer.__name__ > EppLexer.__name__
            assert lexer.priority > EppLexer.priority


def test_templates_are_guessed() -> None:
    assert type(guess_lexer("a <%= $x %> b\n")) is EppLexer
    assert type(guess_lexer("---\na: <%= $x %>\n")) is YamlEppLexer
