"""What is known about the name at the cursor."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml

from puppet_repl.session import Options, Session
from puppet_repl.session import symbols as known
from puppet_repl.tools.editing import inspect, signatures
from puppet_repl.tools.inspection import texts
from puppet_repl.tools.inspection.lookup import name_at
from puppet_repl.tools.inspection.names import document_resource_type, documents
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.help import (
    documentation_markdown,
    documentation_text,
    render_documentation,
)

SETUP = """
$h = {'k' => {'z' => 1}}
# Doubles a number.
# Twice.
function double(Integer $x) >> Integer { $x * 2 }
# A web server.
class web(Integer $port = 80, Struct[{'a' => String}] $o = {'a' => 'b'}) { }
include web
file { '/x': ensure => file }
"""


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session(facts={"os": {"family": "Debian"}})
    assert made.execute(SETUP).error is None
    return made


@pytest.mark.parametrize(
    ("text", "title", "part"),
    [
        ("spl‸it('a', 'b')", "split", "String $pattern"),
        ("'a'.split‸(", "split", "String $pattern"),
        ("split('a', ‸", "split", "String $pattern"),
        ("dou‸ble(1)", "double", "Doubles a number. Twice."),
        ("$‸h", "$h", "{'k' => {'z' => 1}}"),
        ("$h['k‸']['z']", "$h['k']", "{'z' => 1}"),
        ("$h['k']['z‸']", "$h['k']['z']", "1"),
        ("$facts['os']['fam‸ily']", "$facts['os']['family']", "'Debian'"),
        ("$settings::ssl‸dir", "$settings::ssldir", "'$confdir/ssl'"),
        ("$settings::all_‸local", "$settings::all_local", "'log_level' => 'notice'"),
        ("$server‸version", "$serverversion", "where a node is chosen"),
        ("$environ‸ment", "$environment", "'production'"),
        ("Integ‸er[1]", "Integer", "Integer[FROM, TO]"),
        ("fil‸e('/x')", "file", "file("),
        ("Fil‸e['/x']", "File['/x']", "ensure"),
        ("include we‸b", "web", "class web(Integer $port = 80, Struct[{'a' => String}] $o"),
        ("unl‸ess true { }", "unless", "unless TEST"),
        (":wh‸y 1", ":why EXPR|CONDITION; ...|TYPE VALUE...", "case"),
        ("1 + 2\nsplit‸", "split", "pattern"),
    ],
)
def test_documentation(session: Session, text: str, title: str, part: str) -> None:
    before, _, after = text.partition("‸")
    found = session.inspect(before + after, len(before))
    assert found is not None
    assert found.title == title
    assert part in documentation_text(found)
    tag = "code" if "$" in title else "strong"
    assert f"<{tag}>{escapeHtml(title)}</{tag}>" in MarkdownIt("commonmark").render(
        documentation_markdown(found)
    )


def test_a_setting_is_documented_as_the_session_has_it() -> None:
    session = Session(Options(node="n", puppet_settings={"ssldir": "/srv/$certname"}), facts={})
    found = session.inspect("$settings::ssldir", 12)
    assert found is not None
    assert found.text == "A setting of Puppet (directory)."
    labels = [(each.label, each.text) for each in found.details]
    assert labels == [("Type", "String"), ("Value", "'/srv/n'"), ("Default", "'$confdir/ssl'")]
    assert "settings" not in session.catalog.tables.class_scopes  # a question reads nothing
    version = session.inspect("$serverversion", 5)
    assert version is not None
    assert version.details[1].text == "'8.11.0'"


@pytest.mark.parametrize(
    "text", ["‸", "1 ‸ + 2", "# spl‸it", "$nope‸", "nothing_such‸", "'te‸xt here'", "Nope‸"]
)
def test_nothing_known(session: Session, text: str) -> None:
    before, _, after = text.partition("‸")
    assert session.inspect(before + after, len(before)) is None


def test_names_at_cursors() -> None:
    assert name_at("foo::bar", 3) == "foo::bar"
    assert name_at("$a::b + 1", 2) == "$a::b"
    assert name_at("a\n:b", 4) == "b"


def test_every_word_that_is_known_is_explained() -> None:
    assert set(texts.KEYWORDS) == set(known.KEYWORDS)


LONG = """
class long (
  ### Where it listens, (or "not
  Optional[Variant[String[1], Array[String[1]]]] $address = undef,
  Pattern[/'{/] $quoted = '{#}', # it's
  /* a second
     kind */
  Hash $options = { 'a' => [1, 2], 'b' => "}" },
) inherits params { notice('{') }
class params { }
"""


def test_the_heading_of_a_class_is_without_comments_and_one_parameter_a_line() -> None:
    session = Session(facts={})
    assert session.execute(LONG).error is None
    found = session.inspect("include long", 12)
    assert found is not None
    lines = [
        "class long (",
        "  Optional[Variant[String[1], Array[String[1]]]] $address = undef,",
        "  Pattern[/'{/] $quoted = '{#}',",
        "  Hash $options = { 'a' => [1, 2], 'b' => \"}\" },",
        ") inherits params",
    ]
    assert "```puppet\n" + "\n".join(lines) + "\n```" in documentation_markdown(found)
    text = plain(render_documentation(found, 40))
    assert "    Optional[Variant[String[1],\n" in text
    assert max(map(len, text.split("\n"))) <= 50


DOCUMENTED_CLASS = r"""
# Costs $5 to $10, in `$port` or $port, and \\(x\\).
#
# @summary A server of $facts
# @param port
#   The port, `$a` or $a,
#   not <b>.
# @param names What is in $x, *all*
class web::server(Integer[1, 2] $port, Hash[String, Any] $names = { 'a' => '$b' }) { }
"""


def test_parameters_are_listed_behind_the_text_with_their_types() -> None:
    session = Session()
    assert session.execute(DOCUMENTED_CLASS, "cell 1").error is None
    found = session.inspect("include web::server", 12)
    assert found is not None
    rendered = MarkdownIt("commonmark").render(documentation_markdown(found))
    order = [
        "<strong>web::server</strong> <em>class</em>",
        '<code class="language-puppet">class web::server(',
        "<p>A server of $facts</p>",
        "<p>Costs $5 to $10, in <code>$port</code> or $port",
        "<li><code>$port</code> <code>Integer[1, 2]</code>: "
        "The port, <code>$a</code> or $a, not &lt;b&gt;.</li>",
        "<li><code>$names</code> <code>Hash[String, Any]</code>: What is in $x, <em>all</em></li>",
        "<li>Defined at: <code>cell 1:9</code></li>",
    ]
    places = [rendered.find(part) for part in order]
    assert -1 not in places, rendered
    assert places == sorted(places)
    text = documentation_text(found)
    assert "  $port       Integer[1, 2]\n              The port, $a or $a, not <b>.\n" in text
    assert "  $names      Hash[String, Any] = { 'a' => '$b' }\n              What is in" in text


SERVER = """
# @summary One virtual server.
# @param port The port to listen on, which must not be taken by another server of this machine
# @param options Everything else
# @example Two of them
#   server { 'a': port => 80 }
define server(
  Integer[1, 65535] $port = 80,
  Pattern[/\\A\\//] $root = "/var/www/${title}",
  Optional[Variant[Hash[String[1],Variant[String,Integer]],Array[String[1]],Enum['none','all']]]
    $options = undef,
) { }
"""


@pytest.mark.parametrize("width", [40, 80])
def test_each_parameter_has_a_row_with_type_default_and_text(width: int) -> None:
    session = Session(facts={})
    assert session.execute(SERVER).error is None
    found = session.inspect("server { 'x': }", 2)
    assert found is not None
    lines = plain(render_documentation(found, width)).split("\n")
    assert max(map(len, lines)) <= width
    labels = [line.split()[0] for line in lines if line.startswith("  $")]
    assert labels == ["$port", "$root", "$options"]
    words = " ".join(" ".join(lines).split())
    assert "$port Integer[1, 65535] = 80 The port to listen on, which must not be taken" in words
    assert '$root Pattern[/\\A\\//] = "/var/www/${title}" $options' in words
    assert "define server( … )" in words
    assert "Examples server { 'a': port => 80 }" in words
    assert "@" not in words
    # No name of a type is broken in the middle.
    for word in ("Variant", "Optional", "Integer", "listen", "machine"):
        assert word in words


@pytest.mark.parametrize("sign", [*"+%<", "=>", "->", "=~"])
def test_the_name_of_an_operator_is_documented_as_at_the_cursor(sign: str) -> None:
    session = Session()
    found = inspect(session, f"$a {sign} $b", 4)
    assert found is not None
    assert found.text in [each.text for each in documents(known.SessionSymbols(session), sign)]


def test_attributes_are_documented_by_their_names_alone() -> None:
    symbols = known.SessionSymbols(Session())
    (found,) = documents(symbols, "ensure")
    texts = {detail.label: detail.text for detail in found.details}
    assert texts["service"].endswith("Values: `running`, `stopped`.")
    assert "file" in texts
    (common,) = documents(symbols, "subscribe")
    assert "refresh" in common.text
    assert documents(symbols, "no_such_name") == []


def test_a_resource_type_lists_each_attribute_once_with_its_values() -> None:
    found = document_resource_type(known.SessionSymbols(Session()), "file")
    assert found is not None
    labels = [detail.label for detail in found.details]
    assert len(labels) == len(set(labels))
    assert "Properties" not in labels
    texts = {detail.label: detail.text for detail in found.details}
    assert texts["ensure"].endswith("`file`, `present`, `absent`, `directory`, `link`.")


def test_signatures_have_no_names_that_nothing_explains() -> None:
    found = signatures(Session(), "lookup('a', ")
    assert found is not None
    assert all("NameType" not in text for texts in found.texts for text in texts)
    assert found.texts[0][0] == "Variant[String, Array[String]] $name"
