"""Compare the order of real catalogs with Puppet's own graph, edge by edge.

``python -m tests.corpus.order RECORDING --modules DIR --facts DIR`` takes the cases that Puppet
compiles from a recording of ``tests.corpus.record``, asks Puppet for the graph by which an agent
applies each (tests/catalog/record_order.rb; ``PUPPET_LIB`` names the lib directory of a Puppet
tree), and compares it with the graph here. Catalogs that an agent refuses have none.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog.order import Order, order_of
from puppet_repl.frontends.api.arguments import make_session
from tests.corpus.modules import Case, Requests, selected
from tests.recorded import lines, read

RECORDER = Path(__file__).parent.parent / "catalog" / "record_order.rb"


def graphs_of_puppet(requests: list[Case]) -> list[Case]:
    """Return the requests with the graphs of Puppet, or its errors."""
    command = ["ruby", "-I", os.environ["PUPPET_LIB"], str(RECORDER)]
    given = "".join(json.dumps(request) + "\n" for request in requests)
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, encoding="utf-8", env=environment
    )
    return lines(done.stdout)


def order_here(request: Case, ruby: str) -> Order:
    """Return the order of a catalog here. Raises PuppetError."""
    call = make_session(
        node=request["node"],
        facts=request["facts"],
        modulepath=request["modulepath"],
        environment=None,
        hiera=None,
        log=None,
        shared=None,
        options={"ruby": ruby},
    )
    with call as session:
        session.finish_catalog(session.compile_site(request["code"])).unwrap()
        return order_of(session.catalog)


def differing(wanted: Case, order: Order) -> Iterator[tuple[str, str, str]]:
    """Yield the edges that only one of both has: which, and their ends; and errors here."""
    here = {(first, second) for first, after in order.after.items() for second in after}
    there = {(first, second) for first, second in wanted["edges"]}
    yield from (("missing", *edge) for edge in sorted(there - here))
    yield from (("too many", *edge) for edge in sorted(here - there))
    if not order.cycles():
        yield from (("a warning", each, "") for each in order.warnings())


def main(arguments: list[str]) -> int:
    """Compare and report; 1 where a graph differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.order")
    parser.add_argument("recording", type=Path)
    parser.add_argument("--modules", type=Path, required=True)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--ruby", default="auto", help="auto, sandbox, system, off or a path")
    parser.add_argument("--only", help="cases whose identifier contains this")
    parser.add_argument("--count", type=int, default=300, help="how many catalogs at most")
    given = parser.parse_args(arguments)
    cases = [case for case in read(given.recording) if "resources" in case["answer"]]
    cases = selected(cases, given.only)
    cases = cases[:: max(1, len(cases) // given.count)][: given.count]
    requests = Requests(given.modules, given.facts, given.ruby)
    counts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str, str]] = Counter()
    for answer in graphs_of_puppet([requests.request(case) for case in cases]):
        if "error" in answer:
            counts["refused by an agent"] += 1
            print(f"{answer['id']}: refused: {answer['error'][:150]}")
            continue
        try:
            order = order_here(answer, given.ruby)
        except PuppetError as error:
            counts["not compiled here"] += 1
            print(f"{answer['id']}: {error}")
            continue
        found = list(differing(answer, order))
        counts["different" if found else "identical"] += 1
        counts["edges"] += len(answer["edges"])
        for kind, first, second in found:
            pairs[kind, first.partition("[")[0], second.partition("[")[0]] += 1
            print(f"{answer['id']}: {kind}: {first} -> {second}", flush=True)
    for (kind, first, second), count in pairs.most_common():
        print(f"{count:5} {kind}: {first} -> {second}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
