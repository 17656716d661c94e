"""The order of a catalog is Puppet's graph, edge by edge, and so is what is said of cycles in it.

record_order.rb has recorded order.jsonl.gz. Cases with mounts had the module mount_core on their
modulepath: Puppet alone has no mounts.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

import puppet_repl as puppet
from puppet_repl.catalog.order import Order, order_of
from puppet_repl.session import Options, Session
from tests.recorded import Case, read

RECORDED = read(Path(__file__).with_name("order.jsonl.gz"))
# What the message of an agent ends with is about a file that it writes.
ADVICE = (
    "\\nTry the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"
)


def order_here(case: Case) -> Order:
    """Return the order of a compiled program."""
    session = Session(Options(node="node.example.com"), facts=case.get("facts", {}))
    outcome = session.finish_catalog(session.compile_site(case["code"]))
    assert outcome.error is None
    return order_of(session.catalog)


def said(case: Case) -> list[str]:
    """Return what an agent says about cycles; where it is a backslash and an n, a line ends."""
    message: str | None = case["cycles"]
    if message is None:
        return []
    assert message.endswith(ADVICE)
    return [message.removesuffix(ADVICE).replace("\\n", "\n")]


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_the_graph_is_that_of_puppet(case: Case) -> None:
    order = order_here(case)
    edges = [[first, second] for first, after in order.after.items() for second in after]
    assert sorted(edges) == case["edges"]
    assert sorted(pair for pair in edges if order.after[pair[0]][pair[1]]) == case["refreshes"]
    assert order.warnings() == said(case)


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_what_comes_before_what_follows_from_the_graph(case: Case) -> None:
    after: dict[str, set[str]] = {}
    for first, second in case["edges"]:
        after.setdefault(first, set()).add(second)
    made = puppet.compile(case["code"], node="node.example.com", facts={})
    for first in made:
        reached = _reached(after, _point("Completed", first))
        found = {each.ref for each in made if made.before(first, each)}
        assert found == {each.ref for each in made if _point("Admissible", each) in reached}


def _point(side: str, resource: puppet.Resource) -> str:
    if resource.type not in ("Class", "D", "Site", "Stage"):
        return resource.ref
    return f"Whit[{side}_{resource.ref[0].lower()}{resource.ref[1:]}]"


def _reached(after: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = after.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def test_an_order_takes_no_more_than_its_resources() -> None:
    session = Session(Options(node="node.example.com"), facts={})
    code = """Integer[1, 1500].each |$i| {
        group { "g$i": gid => $i }
        user { "u$i": gid => $i }
        mount { "/m$i": }
        file { ["/m$i/a", "/m$i/b"]: }
    }"""
    assert session.finish_catalog(session.compile_site(code)).error is None
    began = process_time()
    order = order_of(session.catalog)
    assert process_time() - began < 2
    assert order.is_before("Group[g1500]", "User[u1500]")
    assert order.is_before("Mount[/m1500]", "File[/m1500/b]")


def test_cycles_in_the_api() -> None:
    logged: list[tuple[str, str]] = []
    made = puppet.compile(
        "notify { 'a': require => Stage['main'] }",
        facts={},
        log=lambda level, text: logged.append((level, text)),
    )
    way = ["Notify[a]", "Class[Main]", "Stage[main]", "Notify[a]"]
    assert made.cycles == [way]
    assert made.warnings == [f"Found 1 dependency cycle:\n({' => '.join(way)})"]
    assert logged == [("warning", made.warnings[0])]
    assert puppet.compile("notify { 'a': }", facts={}).cycles == []


def test_later_inputs_do_not_change_an_order() -> None:
    session = Session(facts={})
    session.execute("notify { 'a': } notify { 'b': }")
    order = order_of(session.catalog)
    session.execute("Notify['a'] -> Notify['b']")
    assert not order.is_before("Notify[a]", "Notify[b]")
    assert order_of(session.catalog).is_before("Notify[a]", "Notify[b]")


def test_what_is_virtual_is_in_no_order() -> None:
    session = Session(facts={})
    assert session.execute("@notify { 'b': } notify { 'a': require => Notify['b'] }").error is None
    assert "Notify[b]" not in order_of(session.catalog).after
