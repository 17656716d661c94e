"""The functions of the public module puppetdbquery, answered from a file.

``record_node_queries.rb`` has recorded how the module converts queries, which queries its functions
send, and what they return for the answers.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import puppet_repl
from puppet_repl.environment.puppetdb.answers import Tables
from puppet_repl.environment.puppetdb.node_queries import parse_node_query, timestamp
from puppet_repl.environment.puppetdb.queries import QueryError
from puppet_repl.integrations.pytest.fixture import Puppet
from puppet_repl.integrations.pytest.suite import Suite
from puppet_repl.language.values.hash import from_data
from puppet_repl.language.values.python import to_python
from puppet_repl.session import Options, Session

HERE = Path(__file__).parent
ROWS = HERE / "node_rows.json"
QUERIES = json.loads((HERE / "node_queries.json").read_text("utf-8"))
CALLS = json.loads((HERE / "node_functions.json").read_text("utf-8"))
NEWER = """
Puppet::Functions.create_function('%s') do
  require 'puppetdb/connection'
  dispatch(:run) { param 'Any', :query }
end
"""
OLDER = """
Puppet::Parser::Functions.newfunction(:%s, :type => :rvalue, :arity => -2, :doc => 'ask') do |args|
  require 'puppetdb/connection'
end
"""
# Errors of Ruby inside of the module, for which there are words here.
OWN_WORDS = {
    "no implicit conversion of Integer into String": "cannot be a part of a name or of a pattern",
    "undefined method `[]' for nil:NilClass": "not asked for",
    "no implicit conversion of Array into String": "'query' has to be a String",
    "undefined method `[]' for true:TrueClass": "before the end of the path 'x'",
    'undefined method `fetch\' for "10.0.0.1":String': "'interfaces.eth0.ip.networking.hostname'",
}


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dates without a zone were recorded in UTC."""
    monkeypatch.setenv("TZ", "UTC")


def modules(root: Path, *, older: bool = False) -> tuple[str, ...]:
    """Write what declares the functions, as the module does, and return the module path."""
    for name in ("query_facts", "query_nodes", "query_resources"):
        is_older = older or name == "query_resources"
        directory = root / "puppetdbquery" / "lib" / "puppet"
        directory = directory / "parser" / "functions" if is_older else directory / "functions"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"{name}.rb").write_text((OLDER if is_older else NEWER) % name)
    return (str(root),)


def session(root: Path, *, older: bool = False, **options: Any) -> Session:
    return Session(Options(modulepath=modules(root, older=older), ruby="off", **options))


@pytest.mark.parametrize("case", QUERIES, ids=lambda case: case["query"])
def test_queries_become_the_arrays_of_the_module(case: dict[str, Any]) -> None:
    endpoint = case.get("endpoint", "nodes")
    if "error" not in case:
        assert parse_node_query(case["query"], endpoint) == case["array"]
        return
    with pytest.raises(QueryError) as failure:
        parse_node_query(case["query"], endpoint)
    assert OWN_WORDS.get(case["error"], case["error"]) in str(failure.value)


@pytest.mark.parametrize(
    "case", CALLS, ids=lambda case: f"{case['call']}{case.get('api', '')}{case['args']}"
)
def test_functions_ask_and_return_what_those_of_the_module_do(
    case: dict[str, Any], tmp_path: Path
) -> None:
    made = session(tmp_path, older="api" in case, puppetdb=str(ROWS))
    asked = []
    query_puppetdb = made._context.query_puppetdb

    def ask(context: Any, query: Any) -> Any:
        asked.append([query[1], *query[2:]])
        return query_puppetdb(context, query)

    made._context.query_puppetdb = ask
    arguments = ", ".join(f"$a{number}" for number in range(len(case["args"])))
    for number, argument in enumerate(case["args"]):
        made.assign(f"a{number}", from_data(argument))
    outcome = made.execute(f"{case['call']}({arguments})")
    assert asked == case["asked"]
    if "error" in case:
        assert outcome.error is not None
        assert OWN_WORDS.get(case["error"], case["error"]) in outcome.error.message
    else:
        assert outcome.error is None, outcome.error
        assert to_python(outcome.value) == case["result"]


def test_without_a_puppetdb_the_error_names_the_option(tmp_path: Path) -> None:
    outcome = session(tmp_path).execute("query_nodes('Class[apache]')")
    assert outcome.error is not None
    assert "this session has no PuppetDB; name a file or an address with" in outcome.error.message


def test_without_the_module_the_functions_are_unknown() -> None:
    for name in ("query_facts", "query_nodes", "query_resources"):
        outcome = Session(Options(puppetdb=str(ROWS))).execute(f"{name}('a', 'b')")
        assert outcome.error is not None
        assert f"Unknown function: '{name}'" in outcome.error.message


def test_functions_of_these_names_in_other_modules_are_left_alone(tmp_path: Path) -> None:
    made = session(tmp_path, puppetdb=str(ROWS))
    path = tmp_path / "puppetdbquery" / "lib" / "puppet" / "functions" / "query_nodes.rb"
    path.write_text("Puppet::Functions.create_function('query_nodes') do\nend\n")
    outcome = made.execute("query_nodes('web01')")
    assert outcome.error is not None
    assert "query_nodes.rb), which cannot be run here" in outcome.error.message


def test_a_file_that_becomes_the_modules_is_answered(tmp_path: Path) -> None:
    made = session(tmp_path, puppetdb=str(ROWS))
    path = tmp_path / "puppetdbquery" / "lib" / "puppet" / "functions" / "query_nodes.rb"
    text = path.read_text()
    path.write_text("Puppet::Functions.create_function('query_nodes') do\nend\n")
    assert made.execute("query_nodes('web01')").error is not None
    path.write_text(text)
    assert made.execute("query_nodes('web01')").value == ("web01.example.com",)


def test_unknown_functions_may_be_undef_where_there_is_no_puppetdb(tmp_path: Path) -> None:
    made = session(tmp_path, unknown_functions="warn")
    outcome = made.execute("query_nodes('Class[apache]')")
    assert (outcome.error, outcome.value) == (None, None)


def test_a_hermetic_session_answers_from_its_file_and_asks_no_server(tmp_path: Path) -> None:
    made = session(tmp_path, hermetic=True, puppetdb=str(ROWS))
    assert made.execute("query_nodes('web02')").value == ("web02.example.com",)
    address = "https://puppetdb.example.com:8081"
    with pytest.raises(ValueError, match="a hermetic session asks no server"):
        session(tmp_path, hermetic=True, puppetdb=address)


def test_catalogs_of_the_api_and_of_pytest(tmp_path: Path) -> None:
    modulepath = modules(tmp_path)
    code = "query_nodes('Class[apache]').each |$name| { notify { $name: } }"
    given: dict[str, Any] = {"puppetdb": str(ROWS), "ruby": "off"}
    catalog = puppet_repl.compile(code, modulepath=modulepath, facts={}, **given)
    names = {"Notify[web01.example.com]", "Notify[web02.example.com]"}
    assert names <= set(map(str, (each.ref for each in catalog)))
    (tmp_path / "own" / "manifests").mkdir(parents=True)
    suite = Suite(str(tmp_path / "own"), facts="debian-12", modulepath=modulepath)
    catalog = Puppet(suite, {}, {}).compile(code, **given)
    assert names <= set(map(str, (each.ref for each in catalog)))


def test_recorded_answers_count_before_rows(tmp_path: Path) -> None:
    path = tmp_path / "puppetdb.json"
    query = ["from", "nodes", ["extract", ["certname"], ["~", "certname", "web"]]]
    answers = {json.dumps(query): [{"certname": "recorded"}]}
    path.write_text(json.dumps({"queries": answers}))
    made = session(tmp_path / "modules", puppetdb=str(path))
    assert made.execute("query_nodes('web')").value == ("recorded",)
    outcome = made.execute("query_nodes('db')")
    assert outcome.error is not None
    assert "there are no rows of 'nodes'" in outcome.error.message


# Entities that follow from others


def test_rows_follow_from_an_inventory() -> None:
    facts = {"kernel": "Linux", "cpus": {"count": 4, "models": ["a", {"b": None}], "none": {}}}
    tables = Tables(inventory=[{"certname": "n", "environment": "e", "facts": facts}])
    assert tables["nodes"] == [{"certname": "n"}]
    shared = {"certname": "n", "environment": "e"}
    assert tables["facts"] == [{**shared, "name": key, "value": facts[key]} for key in facts]
    assert [(row["name"], row["path"], row["value"]) for row in tables["fact_contents"]] == [
        ("kernel", ["kernel"], "Linux"),
        ("cpus", ["cpus", "count"], 4),
        ("cpus", ["cpus", "models", 0], "a"),
        ("cpus", ["cpus", "models", 1, "b"], None),
    ]
    with pytest.raises(KeyError):
        tables["resources"]


def test_the_rows_of_a_file_count_before_those_that_follow() -> None:
    given = [{"certname": "a"}]
    assert Tables(nodes=given, inventory=[{"certname": "b", "facts": {}}])["nodes"] is given


# Dates: these are what chronic returns for them, with a clock that stands still


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sep 9, 2014", "2014-09-09T00:00:00Z"),
        ("9 Sep 2014", "2014-09-09T00:00:00Z"),
        ("september 9, 2014", "2014-09-09T00:00:00Z"),
        ("2014-09-09", "2014-09-09T00:00:00Z"),
        ("2014-09-09T12:30:15Z", "2014-09-09T12:30:15Z"),
        ("2014-09-09T12:30:15+02:00", "2014-09-09T10:30:15Z"),
    ],
)
def test_dates(text: str, expected: str) -> None:
    assert timestamp(text) == expected


@pytest.mark.parametrize(
    ("text", "distance"),
    [
        ("now", timedelta()),
        ("2 hours ago", timedelta(hours=-2)),
        ("an hour ago", timedelta(hours=-1)),
        ("1 hours ago", timedelta(hours=-1)),
        ("30 minutes ago", timedelta(minutes=-30)),
        ("1 min ago", timedelta(minutes=-1)),
        ("90 seconds ago", timedelta(seconds=-90)),
        ("3 days ago", timedelta(days=-3)),
        ("2 weeks ago", timedelta(weeks=-2)),
        ("2 hours before now", timedelta(hours=-2)),
        ("2 hours from now", timedelta(hours=2)),
    ],
)
def test_dates_from_now(text: str, distance: timedelta) -> None:
    before = (datetime.now(UTC) + distance).replace(microsecond=0)
    found = datetime.fromisoformat(timestamp(text))
    assert before <= found <= datetime.now(UTC) + distance


def test_other_dates_are_errors() -> None:
    for text in ("someday", "", "2 fortnights ago", "2014-13-09", "99999999999 weeks ago"):
        with pytest.raises(QueryError, match="dates are like '2 hours ago'"):
            timestamp(text)
