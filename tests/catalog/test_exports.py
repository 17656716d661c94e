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
