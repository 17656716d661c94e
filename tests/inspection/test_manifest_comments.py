"""Comments above definitions, as puppet-strings reads them."""

from __future__ import annotations

import pytest

from puppet_repl.errors import PuppetError
from puppet_repl.inspection.manifest_comments import documented

MANIFEST = """# not this one

# @summary Serve pages
#
# Longer text:
#
# * one
#   more
#
# @param port
#   The port to listen on,
#
#   or not.
# @param kinds Which kinds
# @option kinds [String] :name its name
# @example Plain
#   class { 'web':
#     port => 8080,
#   }
# @return [Hash[String, Array[Integer]]] all of it
# @raise Web::Failed if not
# @api private
#
# Text again.
class web (
  Integer[1, 65535] $port = 80,   # here
  Array[Enum['a', 'b']] *$kinds,
) inherits web::params { }

type Web::Part = Struct[{
  name => String,
}]
function web::f >> Integer { 1 }
define web::d($x = {a => [1]}) { class inner { } }
"""


def test_definitions() -> None:
    found = [(one.kind, one.line, one.signature) for one in documented(MANIFEST)]
    assert found == [
        (
            "class",
            25,
            "web(Integer[1, 65535] $port = 80, Array[Enum['a', 'b']] *$kinds) inherits web::params",
        ),
        ("type", 30, "Web::Part = Struct[{ name => String, }]"),
        ("function", 33, "web::f() >> Integer"),
        ("define", 34, "web::d($x = {a => [1]})"),
        ("class", 34, "inner"),
    ]


def test_tags() -> None:
    web = documented(MANIFEST)[0]
    assert web.summary == "Serve pages"
    assert web.text == "Longer text:\n\n* one\n  more\n\nText again."
    assert [(tag.name, tag.subject, tag.type, tag.text) for tag in web.tags[1:]] == [
        ("param", "port", "", "The port to listen on,\n\nor not."),
        ("param", "kinds", "", "Which kinds"),
        ("option", "kinds['name']", "String", "its name"),
        ("example", "Plain", "", "class { 'web':\n  port => 8080,\n}"),
        ("return", "", "Hash[String, Array[Integer]]", "all of it"),
        ("raise", "Web::Failed", "", "if not"),
        ("api", "", "", "private"),
    ]


def test_a_definition_without_a_comment() -> None:
    (one,) = documented("class a { }\n")
    assert (one.text, one.tags, one.summary) == ("", [], "")


def test_no_manifest() -> None:
    with pytest.raises(PuppetError):
        documented("class {")


def test_a_plan() -> None:
    (one,) = documented("# @summary Roll out\nplan a::b(Integer $n = 1) { apply($n) { } }\n")
    assert (one.kind, one.signature, one.summary) == ("plan", "a::b(Integer $n = 1)", "Roll out")
