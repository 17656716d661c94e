"""Compiling the catalogs of many nodes, within this process and in others."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from puppet_repl.base.stamp import TICK
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.frontends.shared import compiling
from puppet_repl.frontends.shared.compiling import Compiled, Plan, compile_node, compile_nodes
from puppet_repl.frontends.shared.fleet import Fleet
from puppet_repl.host.node_facts import NodeFacts
from puppet_repl.session import Options

# b exports more when it has collected what a exports; c shows what it sees.
CHAIN = """
case $trusted['certname'] {
  'a': { @@notify { 'of a': } }
  'b': { Notify <<| title == 'of a' |>> @@notify { 'of b': } }
  default: { Notify <<| |>> }
}
"""


def plan(code: str) -> Plan:
    return Plan(Options(), {}, code=code, format="code")


def nodes(*names: str) -> list[NodeFacts]:
    return [NodeFacts(name) for name in names]


def compiled(
    code: str, names: tuple[str, ...], store: ExportStore, fleet: Fleet | None = None
) -> dict[str, Compiled]:
    """Compile nodes; return what came of each."""
    pairs = list(compile_nodes(plan(code), nodes(*names), store, fleet))
    results = {node.name: result for node, result in pairs}
    assert len(results) == len(pairs) == len(names)
    return results


@pytest.mark.parametrize("processes", [1, 2])
def test_nodes_collect_what_others_export_in_any_order(processes: int) -> None:
    with Fleet(2, 1 << 30) as fleet:
        for names in (("c", "b", "a"), ("a", "b", "c")):
            store = ExportStore()
            results = compiled(CHAIN, names, store, fleet if processes == 2 else None)
            assert sorted(results["c"].text.split("\n\n")) == [
                "notify { 'of a': }",
                "notify { 'of b': }",
            ]
            assert sorted(each.title for each in store.resources()) == ["of a", "of b"]


def test_what_is_collected_is_in_the_order_of_the_nodes() -> None:
    code = """
    if $trusted['certname'] == 'z' { Notify <<| |>> }
    else { Integer[1, 3000].each |$i| { $x = $i } @@notify { $trusted['certname']: } }
    """
    names = ("b", "a", "d", "c", "z")
    for each in (names, tuple(reversed(names))):
        with Fleet(2, 1 << 30) as fleet:
            in_processes = compiled(code, each, ExportStore(), fleet)
        here = compiled(code, each, ExportStore())
        expected = [f"notify {{ '{name}': }}" for name in each if name != "z"]
        assert here["z"].text.split("\n\n") == expected
        assert in_processes["z"].text == here["z"].text


def test_nodes_are_compiled_again_only_if_others_export(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []

    def counting(plan: Plan, node: NodeFacts, shared: object = None) -> Compiled:
        done.append(node.name)
        return compile_node(plan, node)

    monkeypatch.setattr(compiling, "compile_node", counting)
    compiled("@@notify { 'n': } Notify <<| |>>", ("a",), ExportStore())
    assert done == ["a"]
    store = ExportStore()
    compiled(CHAIN, ("a", "c"), store)
    assert done == ["a", "a", "c", "c"]
    compiled(CHAIN, ("a", "c"), store)
    assert done == ["a", "a", "c", "c", "a", "c"]


def test_a_node_that_needs_what_another_exports() -> None:
    code = """
    if $trusted['certname'] == 'a' { @@notify { 'n': } }
    else { Notify <<| |>> notify { 'm': require => Notify['n'] } }
    """
    results = compiled(code, ("b", "a"), ExportStore())
    assert [each.error for each in results.values()] == [None, None]


REFUSED = """
if $trusted['certname'] == 'a' {
  @@notify { 'n': }
  notify { ['x', 'y']: }
  Notify['x'] -> Notify['y'] -> Notify['x']
} else { Notify <<| |>> }
"""


def test_a_refused_cycle_changes_no_other_catalog() -> None:
    """A server has stored the exports before the agent finds the cycle."""
    for checks_order in (False, True):
        made = plan(REFUSED)
        made.checks_order = checks_order
        store = ExportStore()
        results = {node.name: each for node, each in compile_nodes(made, nodes("b", "a"), store)}
        assert results["b"].text == "notify { 'n': }"
        assert [each.title for each in store.resources()] == ["n"]
        assert (results["a"].error is not None) is checks_order
        assert (results["a"].text == "") is checks_order


@pytest.mark.parametrize(
    "code", ["fail('x')", "notify { 'm': message => Float('1e999') }"], ids=["failed", "unwritable"]
)
def test_a_node_without_a_catalog_leaves_its_exports(code: str) -> None:
    store = ExportStore()
    compiled("@@notify { 'old': }", ("a",), store)
    made = Plan(Options(), {}, code=f"@@notify {{ 'new': }} {code}")
    ((_, result),) = compile_nodes(made, nodes("a"), store)
    assert result.error is not None
    assert [each.title for each in store.resources()] == ["old"]
    compiled("notify { 'other': }", ("a",), store)
    assert store.resources() == []


def test_every_node_is_told_once() -> None:
    told: list[int] = []
    results = compile_nodes(
        plan(CHAIN), nodes("c", "b", "a"), ExportStore(), done=lambda: told.append(1)
    )
    assert len(list(results)) == len(told) == 3


def test_a_defect_fails_its_node(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(compiling, "_written", broken)
    result = compile_node(plan("notify { 'n': }"), NodeFacts("a"))
    assert result.error is not None
    assert "this is a defect of puppet-repl: ZeroDivisionError" in result.error


def test_the_nodes_of_a_command_see_the_same_files(tmp_path: Path) -> None:
    manifest = tmp_path / "m" / "manifests" / "init.pp"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("class m { notify { 'one': } }")
    old = time.time() - 60
    os.utime(manifest, (old, old))
    made = Plan(Options(modulepath=(str(tmp_path),)), {}, code="include m", format="code")
    time.sleep(TICK / 1e9)  # a file that has just changed is read each time
    results = compile_nodes(made, nodes("a", "b"), ExportStore(), None)
    _, first = next(results)
    manifest.write_text("class m { notify { 'two': } }")
    _, second = next(results)
    assert first.text == second.text
    assert "notify { 'one': }" in first.text
    (_, third), *_ = compile_nodes(made, nodes("c"), ExportStore(), None)
    assert "notify { 'two': }" in third.text
