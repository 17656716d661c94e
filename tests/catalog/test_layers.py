"""Inputs as layers: later ones may declare again, failed ones leave no trace, undo goes back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from puppet_repl.catalog import json
from tests.catalog.conftest import Catalogs


def test_class_changed_and_included_again(catalogs: Catalogs) -> None:
    catalogs.run("class c { notify { 'old': } } include c")
    catalogs.run("include c")
    assert list(catalogs.shown()) == ["Class[C]", "Notify[old]"]
    catalogs.run("class c { notify { 'new': } }")
    assert list(catalogs.shown()) == ["Class[C]", "Notify[old]"]
    catalogs.run("include c")
    assert list(catalogs.shown()) == ["Class[C]", "Notify[new]"]


def test_class_declared_like_a_resource_again(catalogs: Catalogs) -> None:
    catalogs.run("class c($x) { notify { 'n': message => $x } } class { 'c': x => 1 }")
    catalogs.run("class { 'c': x => 2 }")
    assert catalogs.shown() == {"Class[C]": {"x": 2}, "Notify[n]": {"message": 2}}
    catalogs.run("notice($c::x)")


def test_a_class_that_is_changed_stays_in_what_contains_it(catalogs: Catalogs) -> None:
    catalogs.run("class outer { contain inner } class inner { notify { 'old': } } include outer")
    catalogs.run("class inner { notify { 'new': } } include inner")
    _, edges = json.contents(catalogs.session.catalog)
    for source, target in (("Outer", "Class[Inner]"), ("Inner", "Notify[new]")):
        assert {"source": f"Class[{source}]", "target": target} in edges


def test_resource_declared_in_two_inputs(catalogs: Catalogs) -> None:
    catalogs.run("file { '/a': mode => '1' }")
    catalogs.run("file { '/a': mode => '2' }")
    assert catalogs.shown() == {"File[/a]": {"mode": "2"}}


def test_alias_moves_to_the_newer(catalogs: Catalogs) -> None:
    catalogs.run("file { 'one': path => '/a' }")
    catalogs.run("file { '/a': }")
    assert list(catalogs.shown()) == ["File[/a]"]


def test_twice_in_one_input_is_refused(catalogs: Catalogs) -> None:
    catalogs.run("notify { 'a': message => 'kept' }")
    message = catalogs.refused("notify { 'a': } notify { 'a': }")
    assert "Duplicate declaration: Notify[a] is already declared at (line: 1)" in message
    assert catalogs.shown() == {"Notify[a]": {"message": "kept"}}


def test_a_session_that_binds_once_refuses_across_inputs(make: Callable[..., Catalogs]) -> None:
    catalogs = make(bind_once=True)
    catalogs.run("notify { 'a': }")
    assert "Duplicate declaration" in catalogs.refused("notify { 'a': }")
    catalogs.run("class c { }")
    assert "already defined" in catalogs.refused("class c { }")
    assert "for overriding" in catalogs.refused("Notify['never'] { message => 'x' }")
    assert "Failed to realize" in catalogs.refused("realize Notify['never']")


@pytest.mark.parametrize(
    "code",
    [
        "notify { 'b': } fail('stop')",
        "Notify['a'] { message => 'x' } fail('stop')",
        "Notify <| |> { message => 'x' } notify { 'b': } notify { 'c': nope => 1 }",
        "notify { 'b': require => Notify['nope'] }",
        "notify { 'a': message => 'again' } fail('stop')",
        "class c { notify { 'in c': } } include c fail('stop')",
        "define d() { fail('late') } d { 'x': }",
        "Notify { message => 'dflt' } notify { 'b': } fail('stop')",
        "tag('top') fail('stop')",
        "@notify { 'v': } realize Notify['v'] Notify['a'] -> Notify['v'] fail('stop')",
    ],
)
def test_failed_input_leaves_no_trace(catalogs: Catalogs, code: str) -> None:
    catalogs.run("notify { 'a': } class k { notify { 'k': } } include k")
    before = json.contents(catalogs.session.catalog)
    catalogs.refused(code)
    assert json.contents(catalogs.session.catalog) == before
    catalogs.run("notify { 'after': }")
    assert catalogs.shown()["Notify[after]"] == {}


def test_undo_goes_back_over_several_inputs(catalogs: Catalogs) -> None:
    states = []
    for code in (
        "notify { 'a': message => 1 }",
        "notify { 'a': message => 2 } notify { 'b': }",
        "Notify['b'] { message => 'o' } Notify['a'] -> Notify['b']",
        "class c { notify { 'c': } } include c",
    ):
        catalogs.run(code)
        states.append(catalogs.shown())
    catalogs.session.undo()
    assert catalogs.shown() == states[2]
    catalogs.session.undo(2)
    assert catalogs.shown() == states[0]
    catalogs.run("notify { 'b': }")
    assert list(catalogs.shown()) == ["Notify[a]", "Notify[b]"]


def test_collector_meets_later_resources(catalogs: Catalogs) -> None:
    catalogs.run("Notify <| tag == 'x' |> { message => 'collected' }")
    catalogs.run("@notify { 'a': tag => 'x' }")
    assert catalogs.shown()["Notify[a]"]["message"] == "collected"


def test_chain_with_collector_meets_later_resources(catalogs: Catalogs) -> None:
    catalogs.run("notify { 'a': } Notify <| title == 'a' |> -> Exec <| |>")
    catalogs.run("exec { '/bin/x': }")
    catalogs.run("exec { '/bin/y': }")
    assert catalogs.shown()["Notify[a]"] == {"before": ["Exec[/bin/x]", "Exec[/bin/y]"]}


def test_override_may_come_an_input_early(catalogs: Catalogs) -> None:
    catalogs.run("Notify['a'] { message => 'early' }")
    catalogs.run("notify { 'a': }")
    assert catalogs.shown() == {"Notify[a]": {"message": "early"}}


def test_defaults_are_replaced_by_later_inputs(catalogs: Catalogs) -> None:
    catalogs.run("Notify { message => 'one' } notify { 'a': }")
    catalogs.run("Notify { message => 'two' } notify { 'b': }")
    assert catalogs.shown() == {
        "Notify[a]": {"message": "one"},
        "Notify[b]": {"message": "two"},
    }


def test_define_redefined_and_instance_declared_again(catalogs: Catalogs) -> None:
    catalogs.run("define d() { notify { \"old ${title}\": } } d { 't': }")
    catalogs.run("define d() { notify { \"new ${title}\": } } d { 't': }")
    assert list(catalogs.shown()) == ["D[t]", "Notify[new t]"]


def test_two_sessions_share_nothing(make: Callable[..., Catalogs]) -> None:
    one, other = make(), make()
    one.run("class c { } include c notify { 'a': }")
    other.run("notify { 'b': }")
    assert list(other.shown()) == ["Notify[b]"]
    assert "Could not find class ::c" in other.refused("include c")


def test_node_block_applies_where_the_node_is_named(make: Callable[..., Catalogs]) -> None:
    code = r"""
      node /^web(\d+)/ { notify { "web ${1}": } }
      node 'db.example.com' { notify { 'db': } }
      node default { notify { 'other': } }
    """
    for node, title in (
        ("web12.example.com", "web 12"),
        ("DB.example.com", "db"),
        ("x.example.com", "other"),
    ):
        catalogs = make(node=node)
        catalogs.run(code)
        assert f"Notify[{title}]" in catalogs.shown()


def test_a_later_node_block_is_one_more_that_may_apply(make: Callable[..., Catalogs]) -> None:
    catalogs = make(node="web01")
    notes: list[str] = []
    catalogs.session.log = lambda level, text: notes.append(f"{level}: {text}")
    catalogs.run("node db { } node /^x/, 'y' { }")
    catalogs.run("node web01 { notify { 'a': } }")
    catalogs.run("node default { notify { 'b': } }")
    catalogs.run("$a = 1")
    assert notes == [
        "note: node db, /^x/, 'y' do not apply to web01",
        "note: node web01 applies to web01",
        "note: node default does not apply to web01: node web01 does",
    ]
    assert "Notify[a]" in catalogs.shown()
    assert "Notify[b]" not in catalogs.shown()


def test_collected_resources_declared_again_are_related_anew(catalogs: Catalogs) -> None:
    catalogs.run("notify { ['a', 'b', 'c']: } Notify <| title != 'c' |> -> Notify['c']")
    catalogs.run("notify { ['a', 'b']: }")
    assert catalogs.shown() == {
        "Notify[c]": {},
        "Notify[a]": {"before": ["Notify[c]"]},
        "Notify[b]": {"before": ["Notify[c]"]},
    }
    catalogs.session.undo(1)
    assert catalogs.shown()["Notify[a]"] == {"before": ["Notify[c]"]}


def test_relationships_of_a_class_go_with_it_but_for_the_new_ones(catalogs: Catalogs) -> None:
    catalogs.run("notify { ['a', 'b', 'c']: } class k { Notify <| title == 'a' |> -> Notify['b'] }")
    catalogs.run("include k")
    assert catalogs.shown()["Notify[a]"] == {"before": ["Notify[b]"]}
    catalogs.run("class k { Notify <| title == 'a' |> -> Notify['c'] } include k")
    catalogs.run("notify { 'a': }")
    assert catalogs.shown()["Notify[a]"] == {"before": ["Notify[c]"]}


def test_a_relationship_that_waits_is_noted_once(make: Callable[..., Catalogs]) -> None:
    catalogs = make(references="warn")
    for _ in range(3):
        catalogs.run("Notify['a'] -> Notify['b'] Notify['a'] ~> Notify['b']")
    assert len(catalogs.session.catalog.tables.relationships) == 2
    catalogs.run("notify { ['a', 'b']: }")
    shown = catalogs.shown()["Notify[a]"]
    assert shown == {"before": ["Notify[b]"], "notify": ["Notify[b]"]}
    assert catalogs.session.catalog.tables.relationships == ()


def test_a_relationship_stated_twice_in_one_program_is_written_twice(
    catalogs: Catalogs,
) -> None:
    catalogs.run("Notify['a'] -> Notify['b'] Notify['a'] -> Notify['b'] notify { ['a', 'b']: }")
    assert catalogs.shown()["Notify[a]"] == {"before": ["Notify[b]", "Notify[b]"]}
