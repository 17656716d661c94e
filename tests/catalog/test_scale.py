"""Big catalogs: they are complete, hold little memory, and small inputs leave them alone."""

from __future__ import annotations

import tracemalloc
from collections.abc import Container

import pytest

from puppet_repl.catalog import json
from puppet_repl.catalog.relationships import Relationship
from tests.catalog.conftest import Catalogs

COUNT = 10_000
CODE = f"""
define thing(Integer $n, String $label = "label-${{n}}") {{
  file {{ "/srv/${{title}}": ensure => file, content => $label, require => File['/srv'] }}
}}
file {{ '/srv': ensure => directory }}
Integer[1, {COUNT}].each |$i| {{ thing {{ "t${{i}}": n => $i }} }}
"""


@pytest.mark.slow
def test_twenty_thousand_resources(catalogs: Catalogs) -> None:
    catalogs.run(CODE)
    resources, edges = json.contents(catalogs.session.catalog)
    assert len(resources) == 2 * COUNT + 1
    assert len(edges) == 2 * COUNT + 3


@pytest.mark.slow
def test_memory(catalogs: Catalogs) -> None:
    tracemalloc.start()
    catalogs.run(CODE)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400 * 1024 * 1024
    assert held < 100 * 1024 * 1024


def test_small_inputs_beside_a_big_catalog(catalogs: Catalogs) -> None:
    catalogs.run(CODE)
    for code in ("1 + 1", "notify { 'one': }", "Notify['one'] { message => 'x' }"):
        catalogs.run(code)
    catalogs.session.undo(2)
    assert len(json.contents(catalogs.session.catalog)[0]) == 2 * COUNT + 1


def test_relationships_are_looked_at_once_for_all_that_an_input_replaces(
    catalogs: Catalogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    without = Relationship.without

    def count(relationship: Relationship, sources: Container[str]) -> Relationship:
        counts.append(relationship)
        return without(relationship, sources)

    monkeypatch.setattr(Relationship, "without", count)
    code = " -> ".join(f"notify {{ '{number}': }}" for number in range(100))
    catalogs.run(code)
    catalogs.run(code)
    assert len(counts) <= 100
    assert catalogs.shown()["Notify[98]"] == {"before": ["Notify[99]"]}


def test_statements_of_an_input_leave_earlier_ones_alone(catalogs: Catalogs) -> None:
    catalogs.run('Integer[0, 100].each |$i| { notify { "${i}": } }')
    catalogs.run("Notify['0'] -> Notify['1']")
    tables = catalogs.session.catalog.tables
    kept = tables.kept["Notify", "0"]
    catalogs.run("Integer[2, 100].each |$i| { Notify['0'] -> Notify[\"${i}\"] }")
    assert len(catalogs.session.catalog.tables.kept["Notify", "0"]) == 100
    assert tables.kept["Notify", "0"] is kept
    assert len(kept) == 1
    catalogs.session.undo(1)
    catalogs.run("notify { '0': }")
    assert catalogs.shown()["Notify[0]"] == {"before": ["Notify[1]"]}
