"""Names of a text that has not run are completed and explained like those of the session."""

from __future__ import annotations

import pytest

from puppet_repl.session import Session
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.completion.details import explain
from puppet_repl.tools.completion.sources import complete_code
from puppet_repl.tools.editing import signatures
from puppet_repl.tools.editing.documents import Document
from puppet_repl.tools.editing.symbols import TextSymbols
from puppet_repl.tools.editing.templates import code_of
from puppet_repl.tools.inspection.lookup import inspect_code

DEFINED = """
# A web server.
# @param port where it listens
class web (Integer $port, String $owner = 'www') { $inner = 1 }
# A site of it.
define web::site (String $docroot, Optional[String] $alias = undef) { }
# Doubles a number.
function web::twice(Integer $number) >> Integer { $number * 2 }
type Web::Port = Integer[1, 65535]
"""


@pytest.fixture
def session() -> Session:
    return Session(facts={})


def split(text: str) -> tuple[str, int]:
    before, after = text.split("$0")
    return before + after, len(before)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("class { 'web': po$0 }", "port"),
        ("class { 'web': po$0", "port"),
        ("include w$0", "web"),
        ("web::site { 'a': doc$0 }", "docroot"),
        ("web::site { 'a': doc", "docroot"),
        ("web::s$0", "web::site"),
        ("$x = web::tw$0", "web::twice"),
        ("$x = Web::P$0", "Web::Port"),
        ("if true {\n  include w$0\n}", "web"),
        ("Web::Site { doc$0 }", "docroot"),
    ],
)
def test_names_of_the_text_are_offered(session: Session, typed: str, wanted: str) -> None:
    text, cursor = split(DEFINED + typed if "$0" in typed else DEFINED + typed + "$0")
    assert wanted in [item.text for item in session.complete(text, cursor).items]
    before, after = split(DEFINED + typed if "$0" in typed else DEFINED + typed + "$0")
    assert session.complete(before, after).start <= cursor


@pytest.mark.parametrize(
    ("typed", "kind", "part"),
    [
        ("include we$0b", "class", "A web server."),
        ("web::si$0te { 'a': }", "defined type", "A site of it."),
        ("web::si$0te { 'a': docroot => '/' }", "defined type", "A site of it."),
        ("web::site { 'a': doc$0root => '/' }", "attribute", ""),
        ("class { 'web': po$0rt => 1 }", "attribute", "where it listens"),
        ("web::twi$0ce(1)", "function", "Doubles a number."),
        ("$x = 1.web::twi$0ce", "function", "Doubles a number."),
        ("$x = Web::Po$0rt", "type alias", ""),
    ],
)
def test_names_of_the_text_are_explained(
    session: Session, typed: str, kind: str, part: str
) -> None:
    found = session.inspect(*split(DEFINED + typed))
    assert found is not None
    assert found.kind == kind
    assert part in found.text


def test_functions_of_the_text_have_signatures(session: Session) -> None:
    found = signatures(session, DEFINED + "$x = web::twice(")
    assert found is not None
    assert found.texts == [["Integer $number"]]


def test_the_text_is_newer_than_what_has_run(session: Session) -> None:
    session.execute("class web (Integer $old) { }")
    session.execute("function f(String $old) { }")
    text, cursor = split("class web (Integer $new) { }\nclass { 'web': $0 }")
    offered = [item.text for item in session.complete(text, cursor).items]
    assert "new" in offered
    assert "old" not in offered
    found = signatures(session, "function f(String $new) { }\nf(")
    assert found is not None
    assert found.texts == [["String $new"]]


def test_what_has_run_is_known_beside_the_text(session: Session) -> None:
    session.execute("class ran (Integer $old) { }")
    text, cursor = split(DEFINED + "include $0")
    offered = [item.text for item in session.complete(text, cursor).items]
    assert {"ran", "web"} <= set(offered)


@pytest.mark.parametrize("command", [":type class a { }\n", ":why class a { } ", "%who "])
def test_commands_define_nothing(session: Session, command: str) -> None:
    text = command + "include a"
    assert "a" not in [item.text for item in session.complete(text, len(text)).items]


@pytest.mark.parametrize("prefix", ["", "class b { }\n" * 600, ":why "])
def test_documentation_has_the_range_of_the_word_and_the_place(
    session: Session, prefix: str
) -> None:
    session.execute(DEFINED)
    text, cursor = split(f"{prefix}include we$0b")
    found = session.inspect(text, cursor)
    assert found is not None
    assert found.span == (len(text) - 3, len(text))
    assert found.location is not None
    assert found.location.source.text[found.location.start :].startswith("class web (")


def test_documentation_asked_for_by_name_has_no_range(session: Session) -> None:
    found = session.inspect(":help notice", 12)
    assert found is not None
    assert found.span is None


@pytest.mark.parametrize("line", [": ", ":help", "%time x", "  :type 1"])
def test_files_have_no_commands(session: Session, line: str) -> None:
    known = SessionSymbols(session)
    text = f"{line}\ninclude se"
    assert "notice" in [item.text for item in complete_code(known, f"{line}\nnoti").items]
    found = inspect_code(known, f"{line}\nnotice(1)", len(line) + 3)
    assert found is not None
    assert found.title == "notice"
    command = inspect_code(known, text, 2)
    assert command is None or command.kind != "command"


def test_details_are_made_on_request(session: Session) -> None:
    known = SessionSymbols(session)
    found = complete_code(known, "noti", 0)
    assert not any(item.detail for item in found.items)
    explain(known, found.items[:1])
    assert found.items[0].detail == complete_code(known, "noti").items[0].detail != ""


def test_quotes_in_the_text_of_a_template_open_nothing(session: Session) -> None:
    document = Document("a.epp", "it's <%= $facts['os']['")
    code = code_of(document)
    known = TextSymbols(Session(facts={"os": {"family": "RedHat"}}), document.tree(), len(code))
    assert "family" in [item.label for item in complete_code(known, code).items]
