"""The catalog in Puppet's format."""

from __future__ import annotations

from json import loads
from typing import Any

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog import json
from puppet_repl.session import Options, Outcome, Session
from tests.catalog.conftest import Catalogs


def test_whole_document(catalogs: Catalogs) -> None:
    catalogs.run("class a::b { file { '/x': } } include a::b @notify { 'virtual': }")
    document = json.document(catalogs.session.catalog)
    assert list(document) == [
        "tags",
        "name",
        "version",
        "code_id",
        "catalog_uuid",
        "catalog_format",
        "environment",
        "resources",
        "edges",
        "classes",
    ]
    assert document["name"] == "node.example.com"
    assert document["classes"] == ["settings", "a::b"]
    titles = [f"{one['type']}[{one['title']}]" for one in document["resources"]]
    assert titles == ["Stage[main]", "Class[Settings]", "Class[main]", "Class[A::B]", "File[/x]"]
    assert {"source": "Class[A::B]", "target": "File[/x]"} in document["edges"]
    assert {"a::b", "a", "b"} <= set(document["tags"])


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ("default", {"__ptype": "Default"}),
        ("/a+/", {"__ptype": "Regexp", "__pvalue": "a+"}),
        ("Sensitive('x')", "x"),
        ("[Sensitive('x')]", [{"__ptype": "Sensitive", "__pvalue": "x"}]),
        ("{1 => undef}", {"__ptype": "Hash", "__pvalue": [1, None]}),
        ("{'__ptype' => 'x'}", {"__ptype": "Hash", "__pvalue": ["__ptype", "x"]}),
        ("SemVer('1.2.3')", {"__ptype": "SemVer", "__pvalue": "1.2.3"}),
        ("Timespan(90)", {"__ptype": "Timespan", "__pvalue": "0-00:01:30.0"}),
        ("Integer[1, 2]", {"__ptype": "Pcore::IntegerType", "from": 1, "to": 2}),
        ("File['/x']", "File[/x]"),
        ("Class['a::b']", "Class[A::B]"),
    ],
)
def test_values(catalogs: Catalogs, value: str, data: Any) -> None:
    catalogs.run(f"notify {{ 'n': message => {value} }}")
    assert catalogs.shown()["Notify[n]"]["message"] == data


def test_sensitive_attribute_is_named(catalogs: Catalogs) -> None:
    catalogs.run("notify { 'n': message => Sensitive('s') }")
    resources, _ = json.contents(catalogs.session.catalog)
    assert resources[0]["sensitive_parameters"] == ["message"]


def test_secrets_are_redacted_where_people_read(catalogs: Catalogs) -> None:
    catalogs.run("notify { 'n': message => Sensitive('s3cret'), tag => 'x' }")
    catalogs.run("notify { 'm': message => {'k' => [Sensitive('s3cret')]} }")
    catalog = catalogs.session.catalog
    assert "s3cret" not in str(json.document(catalog))
    assert "Sensitive [value redacted]" in str(json.document(catalog))
    outcome = catalogs.run("notice(Notify['n']['message'])")
    assert outcome.logs == [("notice", "Sensitive [value redacted]")]


def test_a_document_is_redacted_as_a_catalog_is(catalogs: Catalogs) -> None:
    catalogs.run("notify { 'n': message => Sensitive('s3cret'), loglevel => 'err' }")
    catalogs.run("notify { 'm': message => {'k' => [Sensitive('s3cret'), 'plain']} }")
    catalogs.run("class k { } include k")
    catalog = catalogs.session.catalog
    secret = json.document(catalog, redacted=False)
    text = str(secret)
    redacted = json.redacted_document(secret)
    assert text.count("s3cret") == 2
    assert str(secret) == text, "the document itself stays as it is"
    assert redacted["resources"] == json.document(catalog)["resources"]
    assert {**redacted, "resources": []} == {**secret, "resources": []}
    shown = json.document_text(redacted)
    assert loads(shown) == redacted and shown.count("\n") > 20
    assert loads(json.document_text(redacted, is_wide=True)) == redacted
    assert "\n" not in json.document_text(redacted, is_wide=True)


@pytest.mark.parametrize(
    ("value", "word", "where"),
    [
        ("Float('1e999')", "Infinity", "in"),
        ("[1, {'a b' => [Float('-1e999')]}]", "-Infinity", "at [1]['a b'][0] in"),
        ("{Float('1e999') => 1}", "Infinity", "at [0] in"),
        ("Deferred('f', [Float('1e999')])", "Infinity", "at ['arguments'][0] in"),
        ("Sensitive(Float('1e999'))", "Infinity", "in"),
        ("$facts['nan']", "NaN", "in"),
    ],
)
def test_a_number_that_json_has_no_word_for(value: str, word: str, where: str) -> None:
    session = Session(Options(), facts={"nan": float("nan")})
    outcome = session.execute(f"notify {{ 'a': }}\nnotify {{ 'b': message => {value} }}")
    assert outcome.error is None
    with pytest.raises(PuppetError) as raised:
        json.document(session.catalog, redacted=False)
    error = raised.value
    # Puppet's Catalog#render(:rich_data_json); the number depends on the version of Ruby's library.
    assert error.message == f"Could not render to rich_data_json: 920: {word} not allowed in JSON"
    assert (error.line, error.notes) == (2, (f"it is {where} 'message' of Notify[b]",))


def test_large_numbers_are_json(catalogs: Catalogs) -> None:
    catalogs.run("notify { 'n': message => [1.0e308, -1.0e308, 1] }")
    document = json.document(catalogs.session.catalog)
    assert document["resources"][-1]["parameters"] == {"message": [1e308, -1e308, 1]}


@pytest.mark.parametrize(
    ("value", "message", "line"),
    [
        (
            "[{'a' => Sensitive(Data)}]",
            "Evaluation Error: Endless recursion detected when attempting to serialize value of "
            "class Puppet::Pops::Types::PTypeAliasType",
            2,
        ),
        ("[[File]]", 'No set of title patterns matched the title "".', None),
    ],
)
def test_an_attribute_of_which_puppet_makes_no_catalog(
    catalogs: Catalogs, value: str, message: str, line: int | None
) -> None:
    # The messages are recorded in rich_data.jsonl. A prompt takes the input: the end comes later.
    catalogs.run(f"notify {{ 'a': }}\nnotify {{ 'b': message => {value} }}")
    outcome = catalogs.session.finish_catalog(Outcome())
    assert outcome.error is not None
    assert (outcome.error.message, outcome.error.line) == (message, line)
    assert outcome.error.notes == ("it is in 'message' of Notify[b]",)
    with pytest.raises(PuppetError):
        json.document(catalogs.session.catalog)
    assert [row["title"] for row in json.added(catalogs.session.catalog)[0]] == ["a", "b"]
