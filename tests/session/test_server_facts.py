"""The facts of a server are variables where it compiles; server_facts.rb has recorded them."""

from __future__ import annotations

from pathlib import Path

import pytest

import puppet_repl
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import ENGINE, needs_ruby
from tests.recorded import Case, read

CASES = read(Path(__file__).with_name("server_facts.jsonl"))
NODE = "node.example.com"
READ = "[$serverversion, $servername, $serverip]"


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_a_catalog_is_compiled_as_by_a_server(case: Case) -> None:
    facts = case.get("facts", {})
    if case.get("local"):
        session = Session(facts=facts)
        outcome = session.execute(case["code"])
    else:
        session = Session(Options(node=NODE), facts=facts)
        outcome = session.finish_catalog(session.compile_site(case["code"]))
    if "error" in case:
        assert outcome.error is not None
        assert outcome.error.message == case["error"]
    else:
        titles = [each.title for each in session.catalog.tables.members if each.type == "Notify"]
        assert titles == case["titles"]
    assert [text for level, text in outcome.logs if level == "warning"] == case.get("warnings", [])


def test_a_session_has_them_if_it_has_a_node() -> None:
    assert Session(Options(node=NODE), facts={}).execute(READ).value == (
        "8.11.0",
        NODE,
        "127.0.0.1",
    )
    error = Session(facts={}).execute(READ).error
    assert error is not None
    assert error.message == "Evaluation Error: Unknown variable: 'serverversion'."


def test_a_session_has_them_if_it_has_a_site(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("notify { $servername: }")
    session = Session(Options(environment=tmp_path), facts={"clientcert": NODE})
    assert session.run_site() is None
    assert session.execute("$servername").value == NODE


def test_what_was_read_before_a_site_is_compiled_hides_nothing() -> None:
    code = (
        "notify { \"${server_facts['serverversion']} ${servername} ${trusted['authenticated']}\": }"
    )
    for before in ("$facts['kernel']", "$trusted", "$server_facts", f"[{READ[1:-1]}]"):
        session = Session(facts={"kernel": "Linux", "clientcert": NODE})
        session.execute(before)
        outcome = session.compile_site(code)
        assert outcome.error is None
        titles = [each.title for each in session.catalog.tables.members if each.type == "Notify"]
        assert titles == [f"8.11.0 {NODE} remote"]


def test_a_fact_of_that_name_stays_and_is_a_warning_once() -> None:
    session = Session(Options(node=NODE), facts={"serverversion": "7.0.0"})
    warning = (
        "warning",
        "The node parameter 'serverversion' for node 'node.example.com' was already set to"
        " '7.0.0'. It could not be set to '8.11.0'",
    )
    first = session.execute("$serverversion")
    assert (first.value, first.logs) == ("7.0.0", [warning])
    assert session.execute("$facts['serverversion']").logs == []


def test_the_api_has_them() -> None:
    catalog = puppet_repl.compile("notify { $serverversion: }", facts={"kernel": "Linux"})
    assert "Notify[8.11.0]" in catalog


def test_openvox_9_says_what_it_is() -> None:
    session = Session(Options(node=NODE, language="openvox-9"), facts={})
    assert session.execute("[$serverversion, $serverimplementation]").value == (
        "9.0.0",
        "openvox",
    )


@needs_ruby
def test_ruby_sees_them_behind_the_facts() -> None:
    session = Session(Options(node=NODE, ruby=ENGINE), facts={"kernel": "Linux", "zone": "a"})
    code = "inline_template('<%= scope.to_hash.keys.join(%q( )) %>')"
    names = session.execute(code).value
    assert isinstance(names, str)
    assert names.startswith("kernel zone clientcert serverversion servername serverip environment")


def test_a_refused_text_keeps_its_name() -> None:
    error = Session(facts={}).compile_site("$nix", "site.pp").error
    assert error is not None
    assert (error.file, error.line) == ("site.pp", 1)
