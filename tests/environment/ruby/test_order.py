"""The order that types of modules imply is Puppet's graph, edge by edge.

tests/catalog/record_order.rb has recorded order.jsonl.gz. Its types use the same parts of Puppet as
those of public modules.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.catalog.order import order_of
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import ENGINE, needs_ruby
from tests.recorded import Case, read

pytestmark = needs_ruby

RECORDED = read(Path(__file__).with_name("order.jsonl.gz"))


def session_of(case: Case, directory: Path) -> Session:
    """Return a session that has compiled a program with the types of a case."""
    for name, text in case["files"].items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    options = Options(node="node.example.com", modulepath=(str(directory),), ruby=ENGINE)
    session = Session(options, facts={})
    outcome = session.finish_catalog(session.compile_site(case["code"]))
    assert outcome.error is None
    return session


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_the_graph_is_that_of_puppet(case: Case, tmp_path: Path) -> None:
    session = session_of(case, tmp_path)
    order = order_of(session.catalog)
    session.close()
    if "error" in case:
        (warning,) = order.warnings()
        assert warning.startswith(f"Failed to apply catalog: {case['error']} (auto")
        return
    edges = [[first, second] for first, after in order.after.items() for second in after]
    assert sorted(edges) == case["edges"]
    assert sorted(pair for pair in edges if order.after[pair[0]][pair[1]]) == case["refreshes"]
    assert bool(order.warnings()) is (case["cycles"] is not None)
