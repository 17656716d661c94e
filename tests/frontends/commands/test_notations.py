"""Values as JSON, YAML and tables: the commands, and what these notations have no word for."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.notations import json_text, yaml_document
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session import Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.parts import Code, Complaint, Failure, Shown, Table
from puppet_repl.tools.reports.report import render_report

SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=8)
DATA = st.recursive(
    SCALARS | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)


@pytest.fixture
def session() -> Session:
    return Session(facts={"os": {"name": "Debian"}})


def of_python(data: object) -> object:
    if isinstance(data, list):
        return tuple(of_python(item) for item in data)
    if isinstance(data, dict):
        return PuppetHash((key, of_python(item)) for key, item in data.items())
    return data


def shown(session: Session, command: str, width: int = 80) -> str:
    return plain(render_report(run(session, command), width))


@given(DATA)
def test_json_says_what_the_data_are(data: object) -> None:
    assert json.loads(json_text(of_python(data))) == data


@given(st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(SCALARS, inner)))
def test_yaml_says_what_the_data_are(data: object) -> None:
    written = yaml_document(of_python(data))
    assert written.startswith("---") and written.endswith("\n")
    assert yaml.safe_load(written) == data


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("/a.b/", "/a.b/"),
        ("Integer[1, 2]", "Integer[1, 2]"),
        ("default", "default"),
        ("Sensitive('x')", "Sensitive [value redacted]"),
        ("{'k' => [Sensitive('x')]}", {"k": ["Sensitive [value redacted]"]}),
        ("{Sensitive('x') => 1}", {"Sensitive [value redacted]": 1}),
        ("{1 => undef, undef => 2, true => 3}", {"1": None, "": 2, "true": 3}),
        ("SemVer('1.2.3')", "1.2.3"),
        ("Timestamp('2024-01-01')", "2024-01-01T00:00:00.000000000 UTC"),
        ("Integer[1, 3].reverse_each", [3, 2, 1]),
        ("[[1, 2, 3, 4].step(2)]", [[1, 3]]),
        ("notify { 'n': }", ["Notify['n']"]),
    ],
)
def test_what_json_has_no_word_for_is_a_string(session: Session, code: str, data: object) -> None:
    value = session.execute(code).value
    assert json.loads(json_text(value)) == data


def test_yaml_keeps_keys_that_are_numbers(session: Session) -> None:
    assert shown(session, ":show yaml {1 => /x/}") == '---\n1: "/x/"'


def test_without_an_argument_it_is_the_last_value(session: Session) -> None:
    (complaint,) = run(session, ":show json").parts
    assert isinstance(complaint, Complaint)
    assert complaint.message == "there is no value yet"
    session.execute("{a => [1]}")
    assert shown(session, ":show json") == '{\n  "a": [\n    1\n  ]\n}'
    assert shown(session, ":show yaml") == "---\na:\n- 1"
    (table,) = run(session, ":show table").parts
    assert isinstance(table, Table)
    # the argument is evaluated aside
    assert shown(session, ":show json $y = 5") == "5"
    assert session.execute("$y").error is not None


def test_errors_are_those_of_the_code(session: Session) -> None:
    for command in ("json", "yaml", "table"):
        (failure,) = run(session, f":show {command} 1 / 0").parts
        assert isinstance(failure, Failure)
    (code,) = run(session, ":show json $facts['os']").parts
    assert isinstance(code, Code)
    assert code.language == "json"


RECORDS = "[{name => 'web', port => 80}, {name => 'db', tags => ['a', 'b']}]"


@pytest.mark.parametrize("width", [40, 80])
def test_an_array_of_hashes_has_a_column_for_each_key(session: Session, width: int) -> None:
    lines = shown(session, f":show table {RECORDS}", width).split("\n")
    assert [line.split() for line in lines] == [
        ["name", "port", "tags"],
        ["web", "80"],
        ["db", "['a',", "'b']"],
    ]
    assert lines[0].index("tags") == lines[2].index("['a'")


def test_tables_of_other_values(session: Session) -> None:
    assert shown(session, ":show table {x => {a => 1}, y => {a => 2}}") == "   a\nx  1\ny  2"
    assert shown(session, ":show table {x => 1, y => {a => 2}}") == (
        "Key  Value\nx    1\ny    {'a' => 2}"
    )
    assert shown(session, ":show table ['a', undef]") == "   Value\n0  a\n1  undef"
    assert shown(session, ":show table []") == "nothing in it"
    assert shown(session, ":show table [{}, {}]") == "   Value\n0  {}\n1  {}"
    assert shown(session, ":show table [Sensitive('x')]").endswith("Sensitive [value redacted]")
    (value,) = run(session, ":show table 2 + 3").parts
    assert isinstance(value, Shown)


def test_a_list_in_full_is_the_command_itself() -> None:
    session = Session()
    session.execute("user { 'u': ensure => present }")
    for command in (":show full :resources", ":show :resources", ":show full :resources u"):
        assert "u" in shown(session, command) and "present" in shown(session, command)
    assert shown(session, ":show full :resources") == shown(session, ":resources")
    # Only a list is one.
    for command in (":show full :reset", ":show full :nope", ":show json :resources"):
        (failure,) = run(session, command).parts
        assert failure.failed
    assert "u" in shown(session, ":resources")
