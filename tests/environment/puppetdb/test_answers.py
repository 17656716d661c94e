"""``puppetdb_query`` and collectors are answered from a file, by the rules of PuppetDB's API.

https://help.puppet.com/pdb/8/topics/ast.htm and https://help.puppet.com/pdb/8/topics/pql.htm
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.puppetdb.queries import compiled
from puppet_repl.session import Options, Session

WEB, DB = "web01.example.com", "db01.example.com"
CONTENT = {
    "queries": {
        "reports[count()] { }": [{"count": 7}],
        '["from", "packages"]': [{"package_name": "vim"}],
    },
    "nodes": [
        {"certname": WEB, "deactivated": None, "report_environment": "production", "noop": 1},
        {"certname": DB, "deactivated": "2024-01-01T00:00:00Z", "report_environment": "test"},
    ],
    "inventory": [
        {"certname": WEB, "facts": {"os": {"family": "Debian"}, "ips": ["10.0.0.1"], "cpus": 4}},
        {"certname": DB, "facts": {"os": {"family": "RedHat"}, "ips": ["10.0.0.2"], "cpus": 16}},
    ],
    "facts": [
        {"certname": WEB, "name": "is_virtual", "value": True},
        {"certname": DB, "name": "is_virtual", "value": 1},
    ],
    "fact_contents": [{"certname": WEB, "path": ["net", "eth0", "mac"], "value": "aa"}],
    "resources": [
        {
            "certname": DB,
            "type": "Notify",
            "title": "of db",
            "tags": ["notify", "base"],
            "exported": True,
            "parameters": {"message": "hello"},
        },
        {
            "certname": WEB,
            "type": "Class",
            "title": "Apache",
            "tags": ["class", "apache"],
            "exported": False,
            "parameters": {"port": 80},
        },
    ],
}
# Queries and the names of the nodes in their answers.
FOUND: list[tuple[Any, list[str]]] = [
    ("nodes { }", [WEB, DB]),
    ("nodes[certname] { }", [WEB, DB]),
    ('nodes[certname] { certname = "web01.example.com" }', [WEB]),
    ("nodes[certname] { certname ~ '^db' }", [DB]),
    ("nodes[certname] { !(certname ~ '^db') }", [WEB]),
    ("nodes[certname] { deactivated is null }", [WEB]),
    ("nodes[certname] { deactivated is not null }", [DB]),
    ("nodes[certname] { deactivated > '2023-06-01T00:00:00Z' }", [DB]),
    ("nodes[certname] { certname in ['db01.example.com', 'other'] }", [DB]),
    ("nodes[certname] { certname in facts[certname] { value = true } }", [WEB]),
    ("nodes[certname] { certname in facts[certname] { value = 1 } }", [DB]),
    ("nodes { resources { type = 'Class' and title = 'Apache' } }", [WEB]),
    ("nodes { order by certname }", [DB, WEB]),
    ("nodes[certname] { order by certname desc limit 1 }", [WEB]),
    ("nodes[certname] { limit 1 offset 1 }", [DB]),
    ("nodes { certname ~ 'web' and noop = 2 or report_environment = 'test' }", [DB]),
    ("nodes { certname ~ 'db' and (noop = 1 or report_environment = 'test') }", [DB]),
    ("inventory[certname] { facts.os.family = 'Debian' }", [WEB]),
    ("inventory[certname] { facts.\"os\".family = 'Debian' }", [WEB]),
    ("inventory[certname] { facts.ips[0] = '10.0.0.2' }", [DB]),
    ("inventory[certname] { facts.cpus >= 5 and facts.cpus < 17 }", [DB]),
    ("inventory[certname] { facts.missing = 'x' }", []),
    ('inventory[certname] { facts.match("^c.*") > 5 }', [DB]),
    ('inventory[certname] { facts.match("o.").match("fam.+") = \'Debian\' }', [WEB]),
    ("inventory[certname] { facts.match(\"ip.\")[0] ~ '2$' }", [DB]),
    ("inventory[certname] { facts.os.match(\"fam\") = 'Debian' }", []),
    ("resources[certname] { parameters.port = 80 }", [WEB]),
    ("resources[certname] { tag = 'apache' }", [WEB]),
    ("fact_contents[certname] { path ~> ['net', 'eth.*', 'mac'] }", [WEB]),
    (["from", "nodes", ["=", "certname", WEB]], [WEB]),
    (["from", "nodes", ["=", ["node", "active"], True]], [WEB, DB]),
    (["from", "nodes", ["extract", ["certname"], ["not", ["=", "certname", WEB]]]], [DB]),
    (
        [
            "from",
            "nodes",
            ["in", "certname", ["extract", "certname", ["select_facts", ["=", "value", True]]]],
        ],
        [WEB],
    ),
    (["from", "resources", ["=", ["parameter", "message"], "hello"]], [DB]),
    (["from", "nodes", ["order_by", [["certname", "asc"]]]], [DB, WEB]),
]
REFUSED = [
    ("events { }", "there are no rows of 'events'"),
    ("nodes { certnme = 'x' }", "no row has the field 'certnme'"),
    ("nodes { certname = ", "not PQL: the query is not complete"),
    ("nodes { certname == 'x' }", "not PQL: unexpected '='"),
    ("nodes { } x", "not PQL: unexpected 'x'"),
    ("nodes { group by certname }", "'group by' needs columns in front of the braces"),
    ("nodes[certname, count()] { }", "the column 'certname' has to be in 'group by'"),
    ("nodes[certname] { group by noop }", "the column 'certname' has to be in 'group by'"),
    ("nodes[median(noop)] { }", "the function 'median' is not understood"),
    ("nodes[max()] { }", "the function 'max' needs the name of a column"),
    ("nodes[avg(certname)] { }", "avg(certname) needs numbers"),
    ("nodes[max(nop)] { }", "no row has the field 'nop'"),
    ("nodes[count()] { group by certnme }", "no row has the field 'certnme'"),
    (["from", "nodes", ["extract", "certname", ["group_by"]]], "'group_by' is followed by names"),
    (["from", "nodes", ["extract", [["function"]]]], "the column ['function'] is not understood"),
    ('inventory { facts.match("(") = 1 }', "the regular expression '(' is not understood"),
    ('inventory[facts.match("a")] { }', "match() in the field 'facts.match(\"a\")' is not"),
    ("inventory { facts.match('a') = 1 }", "not PQL: unexpected '('"),
    ("nodes { certname ~ '(' }", "the regular expression '(' is not understood"),
    *[
        (f"nodes {{ certname ~ '{text}' }}", f"the regular expression {text!r} is not understood: ")
        for text in (
            *(
                "[[:alpha:]]",
                "[[.a.]]",
                "[[=a=]]",
                "[a--b]",
                "[a&&b]",
                "(?P<n>a)",
                "(?#a)",
                "(?s)a",
            ),
            *("(?>a)", "a*+", "a{2}+", "a{,2}", "a{2,", "a**", "***=a", "a{2}{3}", "[a", "[a[b]"),
        )
    ],
    *[
        (["from", "nodes", ["~", "certname", text]], "is not understood: ")
        for text in (
            *(
                r"\mweb",
                r"web\M",
                r"\yweb",
                r"\Yweb",
                r"\bweb",
                r"\Bweb",
                r"\x41",
                r"\0",
                r"(a)\11",
            ),
            *(r"\e", r"\cA", r"[\b]", r"[\D]", r"\u12", r"\N{DIGIT ONE}", "a\\"),
        )
    ],
    ('nodes { limit "1" }', "'limit' is a whole number from 0, not '1'"),
    ("nodes { limit 1.5 }", "'limit' is a whole number from 0, not 1.5"),
    ("nodes { limit [1] }", "'limit' is a whole number from 0, not [1]"),
    ("nodes { limit true }", "'limit' is a whole number from 0, not True"),
    ("nodes { limit -1 }", "'limit' is a whole number from 0, not -1"),
    ("nodes { offset -1 }", "'offset' is a whole number from 0, not -1"),
    ("nodes { order by certnme }", "no row has the field 'certnme'"),
    (["from", "nodes", ["order_by", 5]], "'order_by' is an array of fields, not 5"),
    (["from", "nodes", ["order_by", [["certname"]]]], "['certname'] is not a field to order by"),
    (["from", "nodes", ["order_by", [["certname", "up"]]]], "'up'] is not a field to order by"),
    (["from", "nodes", ["order_by", [["certname", ["x"]]]]], "is not a field to order by"),
    (["from", "nodes", [["certname"]]], "[['certname']] is not a filter"),
    (["from", "nodes", ["in", "certname", ["array", 5]]], "5 is not an array"),
    (["from", "nodes", ["in", [], ["array", []]]], "is not what a field can be in"),
    (["from", "nodes", ["extract", 5]], "'extract' is followed by columns, not by 5"),
    (["from", "nodes", ["extract"]], "'extract' is followed by columns, not by []"),
    (["from", "resources", ["=", ["parameter", ["x"]], 1]], "['x']] is not understood"),
    (["from", "resources", ["in", ["parameter", ["x"]], ["array", [1]]]], "no row has the field"),
    (["from", "nodes", ["null?", "certname", 5]], "the operator 'null?' with 5 is not understood"),
    (["from", "nodes", [">", "certname", [1]]], "the operator '>' with [1] is not understood"),
    (["from", "nodes", ["~", "certname", [1]]], "[1] is not a regular expression"),
    (["from", "fact_contents", ["~>", "path", "a"]], "the operator '~>' with 'a' is not"),
    (["from", "nodes", ["and"]], "'and' with 0 operands is not understood"),
    (["nodes"], 'the query does not begin with "from" and an entity'),
    (["from", "nodes", ["near", "certname", 1]], "the operator 'near' is not understood"),
    (["from", "nodes", ["extract", "certname", ["=", "noop", 1], ["group_by", "x"]]], "field 'x'"),
    (["from", "nodes", ["extract", "certname", ["=", "noop", 1], 2]], "and nothing else"),
]


@pytest.mark.parametrize(
    ("expression", "text", "is_found"),
    [
        ("^web", "web01", True),
        (r"^web\d+\.", "web01.example.com", True),
        ("com$", "example.com", True),
        ("com$", "example.com\n", False),  # PostgreSQL's $ is not before a last newline
        ("a.b", "a\nb", True),  # PostgreSQL's dot finds newlines
        ("a{2}b{1,}c{0,1}?", "aabb", True),
        ("a{b", "a{b", True),
        ("(?i)WEB", "web", True),
        ("(?:a|b)(?=c)", "bc", True),
        ("(?<!a)b", "ab", False),
        (r"(a)\1", "aa", True),
        (r"[]a]+[^]b][\d.-]", "]c-", True),
        (r"[$]\$\[\]", "$$[]", True),
        (r"\u0041\Z", "A", True),
    ],
)
def test_regular_expressions(expression: str, text: str, is_found: bool) -> None:
    assert (compiled(expression).search(text) is not None) is is_found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "puppetdb.json"
    path.write_text(json.dumps(CONTENT))
    return path


def answered(path: Path, query: Any) -> Any:
    """Return the answer to a query as a program sees it, or its error."""
    with_value = Session(Options(puppetdb=path, stdlib="9"), facts={})
    with_value.assign("query", _value(query))
    outcome = with_value.execute("puppetdb_query($query).to_json")
    if outcome.error is not None:
        return outcome.error.message
    return json.loads(str(outcome.value))


def _value(query: Any) -> Any:
    return tuple(map(_value, query)) if isinstance(query, list) else query


@pytest.mark.parametrize(("query", "names"), FOUND, ids=str)
def test_rows_are_found(path: Path, query: Any, names: list[str]) -> None:
    assert [row["certname"] for row in answered(path, query)] == names


@pytest.mark.parametrize(("query", "reason"), REFUSED, ids=str)
def test_what_is_not_understood_is_an_error(path: Path, query: Any, reason: str) -> None:
    message = answered(path, query)
    assert reason in message
    assert message.endswith("; add the answer to 'queries'")


def test_whole_answers_of_queries(path: Path) -> None:
    assert answered(path, "reports[count()]\n  {  }") == [{"count": 7}]
    assert answered(path, ["from", "packages"]) == [{"package_name": "vim"}]
    assert answered(path, "nodes[count()] { certname ~ 'web' }") == [{"count": 1}]


def test_columns(path: Path) -> None:
    rows = answered(path, "nodes[certname, noop] { order by certname }")
    assert rows == [{"certname": DB, "noop": None}, {"certname": WEB, "noop": 1}]


def test_without_a_puppetdb(tmp_path: Path) -> None:
    error = Session(Options(), facts={}).execute("puppetdb_query('nodes { }')").error
    assert error is not None
    assert "this session has no PuppetDB; name a file or an address with puppetdb" in error.message
    path = tmp_path / "typo.json"
    said = answered(path, "nodes { }")
    assert f"{path} does not exist: there are no answers to queries" in said
    path.write_text('{"nodes": [1]}')
    assert f"{path}: row 1 of 'nodes' must be an object" in answered(path, "nodes { }")


def test_a_changed_file_is_read_again(path: Path) -> None:
    os.utime(path, (1, 1))
    session = Session(Options(puppetdb=path), facts={})
    code = "puppetdb_query('nodes { }').size"
    assert [session.execute(code).value for _ in "12"] == [2, 2]
    path.write_text(json.dumps({"nodes": []}))
    assert session.execute("puppetdb_query('nodes { }').size").value == 0


def test_exported_resources_of_the_file_are_collected(path: Path) -> None:
    session = Session(Options(puppetdb=path, node="c.example.com"), facts={})
    session.execute("Notify <<| tag == 'base' |>>").unwrap()
    assert session.execute("Notify['of db']['message']").value == "hello"


def test_a_function_of_the_user_replaces_it(path: Path) -> None:
    session = Session(Options(puppetdb=path), facts={})
    code = "function puppetdb_query($query) { 'mine' } puppetdb_query('nodes { }')"
    assert session.execute(code).value == "mine"


# Groups and functions: rows by the rules of SQL, in which null does not count

COUNTED = {
    "packages": [
        {"certname": WEB, "name": "vim", "size": 2, "version": "9"},
        {"certname": DB, "name": "vim", "size": 5, "version": "8"},
        {"certname": DB, "name": "zsh", "size": None, "version": None},
    ]
}
GROUPS: list[tuple[Any, list[dict[str, Any]]]] = [
    ("packages[count()] { }", [{"count": 3}]),
    ("packages[count()] { limit 1 }", [{"count": 3}]),
    ("packages[count()] { name = 'none' }", [{"count": 0}]),
    ("packages[count(size)] { }", [{"count": 2}]),
    ("packages[avg(size), sum(size)] { }", [{"avg": 3.5, "sum": 7}]),
    ("packages[min(size), max(version)] { }", [{"min": 2, "max": "9"}]),
    ("packages[max(size)] { name = 'zsh' }", [{"max": None}]),
    (
        "packages[name, count()] { group by name }",
        [{"name": "vim", "count": 2}, {"name": "zsh", "count": 1}],
    ),
    (
        "packages[count(), name] { certname ~ 'db' group by name order by name desc limit 1 }",
        [{"count": 1, "name": "zsh"}],
    ),
    ("packages[name] { group by name }", [{"name": "vim"}, {"name": "zsh"}]),
    (
        "packages[name, version, max(size)] { group by name, version order by version }",
        [
            {"name": "vim", "version": "8", "max": 5},
            {"name": "vim", "version": "9", "max": 2},
            {"name": "zsh", "version": None, "max": None},
        ],
    ),
    ("packages[count()] { name = 'none' group by name }", []),
    (
        ["from", "packages", ["extract", [["function", "count"], "name"], ["group_by", "name"]]],
        [{"count": 2, "name": "vim"}, {"count": 1, "name": "zsh"}],
    ),
]


@pytest.mark.parametrize(("query", "expected"), GROUPS, ids=lambda each: str(each)[:60])
def test_groups_and_functions(tmp_path: Path, query: Any, expected: list[dict[str, Any]]) -> None:
    path = tmp_path / "puppetdb.json"
    path.write_text(json.dumps(COUNTED))
    assert answered(path, query) == expected
