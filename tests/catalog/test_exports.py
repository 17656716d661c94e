"""Exported resources at the prompt: the store of a session, from one node to the next."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_repl.catalog.export_data import ExportedResource
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.session import Options, Session


def session_on(node: str, store: ExportStore | None = None, **options: Any) -> Session:
    """Return a session for a node."""
    return Session(Options(node=node, **options), facts={}, exports=store)


def run(session: Session, code: str) -> None:
    """Run code that must succeed."""
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error


def become(session: Session, node: str) -> None:
    """Do what ``:node`` does."""
    session.options.node = node
    session.reset()


def titles(session: Session) -> list[str]:
    """Return the titles of what is no longer virtual, but for classes and stages."""
    return [
        member.title
        for member in session.catalog.tables.members
        if not member.virtual and member.type not in ("Class", "Stage")
    ]


def test_what_one_node_exports_another_collects() -> None:
    session = session_on("a")
    run(session, "@@notify { 'of a': tag => 'x' }")
    become(session, "b")
    run(session, "Notify <<| tag == 'x' |>>")
    assert titles(session) == ["of a"]
    become(session, "c")
    run(session, "@@notify { 'of c': }")
    become(session, "b")
    run(session, "Notify <<| |>>")
    assert titles(session) == ["of a", "of c"]


def test_a_node_does_not_collect_what_it_exported_before() -> None:
    session = session_on("a")
    run(session, "@@notify { 'n': }")
    session.reset()
    run(session, "Notify <<| |>>")
    assert titles(session) == []


def test_a_later_catalog_replaces_an_earlier_one() -> None:
    session = session_on("a")
    run(session, "@@notify { 'old': }")
    session.reset()
    run(session, "@@notify { 'new': }")
    store = session.keep_exports()
    assert store is not None and [each.title for each in store.resources()] == ["new"]


def test_a_session_without_a_catalog_leaves_the_store_alone() -> None:
    session = session_on("a")
    run(session, "@@notify { 'n': }")
    session.reset()
    session.reset()
    store = session.keep_exports()
    assert store is not None and [each.ref for each in store.resources()] == ["Notify[n]"]


@pytest.mark.parametrize(
    "code",
    [
        "function f($x) { notify { $x: message => $x } }",
        "if false { notify { $title: * => { 'message' => $title } } }",
    ],
)
def test_code_that_never_runs_leaves_the_store_alone(code: str) -> None:
    session = session_on("a")
    run(session, "@@notify { 'n': }")
    session.reset()
    run(session, code)
    assert not session.has_catalog
    store = session.keep_exports()
    assert store is not None and [each.ref for each in store.resources()] == ["Notify[n]"]


def test_an_undone_export_is_not_kept() -> None:
    session = session_on("a")
    run(session, "@@notify { 'one': }")
    run(session, "@@notify { 'two': }")
    session.undo()
    become(session, "b")
    run(session, "Notify <<| |>>")
    assert titles(session) == ["one"]


def test_a_failed_collection_leaves_no_trace() -> None:
    session = session_on("b", ExportStore([ExportedResource("a", "Notify", "n", {})]))
    outcome = session.execute("Notify <<| |>> fail('no')")
    assert outcome.error is not None
    assert titles(session) == []
    run(session, "Notify <<| |>>")
    assert titles(session) == ["n"]


def test_collectors_go_on_in_later_inputs() -> None:
    session = session_on("b", ExportStore([ExportedResource("a", "Notify", "n", {})]))
    run(session, "Notify <<| |>>")
    run(session, "@@notify { 'own': }")
    run(session, "notify { 'other': }")
    assert titles(session) == ["n", "own", "other"]


def test_what_was_collected_may_be_declared_again_later() -> None:
    session = session_on("b", ExportStore([ExportedResource("a", "Notify", "n", {"message": "m"})]))
    run(session, "Notify <<| |>>")
    run(session, "notify { 'n': message => 'mine' }")
    run(session, "notify { 'other': }")
    run(session, "if Notify['n']['message'] != 'mine' { fail('lost') }")


def test_without_storeconfigs_there_is_no_store() -> None:
    session = session_on("a", storeconfigs=False)
    outcome = session.execute("@@notify { 'n': } Notify <<| |>>")
    assert [level for level, _ in outcome.logs] == ["warning", "warning"]
    assert titles(session) == []
    assert session.keep_exports() is None


def test_clearing() -> None:
    store = ExportStore(
        [ExportedResource(name, "Notify", f"of {name}", {}) for name in ("a", "b", "c")]
    )
    assert store.nodes() == ["a", "b", "c"]
    assert store.clear("b") == 1
    assert store.clear("nobody") == 0
    assert [each.title for each in store.resources()] == ["of a", "of c"]
    assert store.clear() == 2 and store.resources() == []


def test_queries_keep_kinds_apart() -> None:
    values = {"one": 1, "true": True, "text": "1", "list": [1], "hash": {"b": 1, "a": None}}
    store = ExportStore(
        ExportedResource("a", "Notify", name, {"message": value}) for name, value in values.items()
    )
    for query, expected in (
        ("message == 1", ["one"]),
        ("message == true", ["true"]),
        ("message == '1'", ["text"]),
        ("message != 1", ["true", "text", "list", "hash"]),
    ):
        session = session_on("b", store)
        run(session, f"Notify <<| {query} |>>")
        assert titles(session) == expected, query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("message == 'm' and title == 'a'", ["a"]),
        ("message == 'm' and message == 'n'", []),
        ("message == 'm' or title == 'c'", ["a", "b", "c"]),
        ("message == 'none' or title == 'none'", []),
        ("title == 'c' or message == 'm' and title == 'b'", ["b", "c"]),
        ("(title == 'c' or message == 'm') and title == 'b'", ["b"]),
        ("message == 'm' and tag == 'y' or title == 'd'", ["b", "d"]),
        ("tag == 'x' and tag == 'y'", ["c"]),
        ("tag == 'X'", ["a", "c"]),
        ("message != 'm' and title != 'd'", ["c"]),
        ("message != 'm'", ["c", "d"]),
        ("loglevel != 'notice'", ["a", "b", "c", "d"]),
    ],
)
def test_queries_find_what_they_find_in_a_catalog(query: str, expected: list[str]) -> None:
    """The titles are those that Puppet realizes with ``<| |>`` of the same virtual resources."""
    code = """
        @@notify { 'a': message => 'm', tag => 'x' }
        @@notify { 'b': message => 'm', tag => 'y' }
        @@notify { 'c': message => 'n', tag => ['x', 'y'] }
        @@notify { 'd': }
    """
    session = session_on("a")
    run(session, code)
    become(session, "b")
    run(session, f"Notify <<| {query} |>>")
    assert titles(session) == expected
    session = session_on("b")
    run(session, f"{code.replace('@@', '@')} Notify <| {query} |>")
    assert titles(session) == expected


def test_a_query_finds_the_collectors_type_only() -> None:
    session = session_on("a")
    run(session, "@@notify { 'n': } @@file { '/n': }")
    become(session, "b")
    run(session, "File <<| |>>")
    assert titles(session) == ["/n"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"title": "n"}, {"title": "other"}),
        ({}, {"parameters": {"message": "m"}}),
        ({"parameters": {"message": 1}}, {"parameters": {"message": True}}),
        ({}, {"tags": ("t",)}),
        ({}, {"file": "/site.pp"}),
        ({"line": 1}, {"line": 2}),
    ],
)
def test_keeping_tells_whether_anything_has_changed(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    def resource(**given: Any) -> ExportedResource:
        fields = {"certname": "a", "type": "Notify", "title": "n", "parameters": {}, **given}
        return ExportedResource(**fields)

    store = ExportStore()
    assert store.keep("a", [resource(**before)])
    assert not store.keep("a", iter([resource(**before)]))
    assert store.keep("a", iter([resource(**after)]))
    assert store.of("a") == tuple(store.resources()) != ()
    assert not store.would_change("a", [resource(**after)])
    assert store.keep("a", [])
    assert store.nodes() == []
    assert not store.keep("a", [])
    assert not store.keep("nobody", [])


def test_changes_are_told_once() -> None:
    told: list[list[str]] = []
    session = session_on("a")
    session.storeconfigs.changed = lambda store: told.append(
        [each.ref for each in store.resources()]
    )
    run(session, "@@notify { 'n': }")
    run(session, "1")
    session.keep_exports()
    assert told == [["Notify[n]"]]
    assert session.clear_exports("nobody") == 0
    assert session.clear_exports("a") == 1
    session.keep_exports()
    assert told == [["Notify[n]"], []]


def test_what_was_cleared_comes_back_when_the_catalog_exports_something_else() -> None:
    session = session_on("a")
    run(session, "@@notify { 'n': }")
    assert session.clear_exports() == 1
    store = session.keep_exports()
    assert store is not None and store.resources() == []
    run(session, "@@notify { 'o': }")
    session.keep_exports()
    assert [each.ref for each in store.resources()] == ["Notify[n]", "Notify[o]"]


def test_changes_of_one_store_go_into_another() -> None:
    def store(**exports: str) -> ExportStore:
        return ExportStore(
            ExportedResource(node, "Notify", title, {}) for node, title in exports.items()
        )

    old = store(same="s", changed="before", gone="g", here_alone="old")
    new = store(same="s", changed="after", added="a", here_alone="old")
    mine = store(same="mine", changed="before", gone="g", here_alone="newer", other="o")
    mine.take_over_changes(old, new)
    assert {each.certname: each.title for each in mine.resources()} == {
        "same": "mine",
        "changed": "after",
        "here_alone": "newer",
        "other": "o",
        "added": "a",
    }
    copy = mine.copy()
    mine.clear()
    assert copy.nodes() == ["same", "changed", "here_alone", "other", "added"]


def test_two_nodes_may_not_export_one_resource() -> None:
    store = ExportStore(ExportedResource(node, "Notify", "n", {}) for node in ("a", "b"))
    outcome = session_on("c", store).execute("Notify <<| |>>")
    assert outcome.error is not None
    assert "duplicate resource was found" in outcome.error.message
