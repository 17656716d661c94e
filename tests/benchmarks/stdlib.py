"""Calls of functions of stdlib, and of templates in Ruby."""

from __future__ import annotations

import os
from typing import Any

from puppet_repl.environment.ruby.engines import missing
from puppet_repl.frontends.cli.batch_sessions import Sessions
from puppet_repl.session import Options, Session
from tests.benchmarks import puppet
from tests.benchmarks.catalogs import puppet_times, warm_seconds
from tests.benchmarks.rows import Absent, Row, Rows, with_mean
from tests.benchmarks.timing import PROGRAM, best, process_seconds
from tests.corpus.modules import LINKS, UNPACKED, link_modules

CALLS = 10_000
LOOP = f"Integer[1, {CALLS}].each |$i| {{ %s }}"
FUNCTIONS = {
    "pick": "pick(undef, '', $i)",
    "merge": "merge({a => 1, b => 2}, {b => $i})",
    "any2array": "any2array($i)",
    "delete_undef_values": "delete_undef_values({a => undef, b => $i})",
    "to_json": "stdlib::to_json({a => [$i, 'x'], b => {c => undef}})",
    "union": "union([1, 2, 3], [3, $i])",
    "flatten, unique, join": "join(unique(flatten([[$i, 'a'], ['a', 'b']])), ',')",
}
"""Calls of functions of stdlib; $i is a number."""
TEMPLATE = "inline_template('<%= 1 + 1 %>')"


def stdlib() -> Rows:
    """Yield calls of functions of stdlib, each in a loop; the time of the loop is taken off."""
    group = f"functions of stdlib, {CALLS:,} calls"
    modulepath = _modulepath()
    if modulepath is None or not (beside := puppet.version()):
        reason = puppet.NO_PUPPET if modulepath else "no stdlib here (make corpus, or MODULES)"
        yield Absent(group, reason)
        return
    requests = {"": _request("", "$i", modulepath)}
    requests |= {name: _request(name, call, modulepath) for name, call in FUNCTIONS.items()}
    theirs = puppet_times(list(requests.values()))
    sessions = Sessions()
    ours = {name: warm_seconds(request, sessions) for name, request in requests.items()}
    yield from with_mean(
        Row(
            group,
            name,
            ours[name] - ours[""],
            theirs[name]["kept"] - theirs[""]["kept"],
            beside,
        )
        for name in FUNCTIONS
        if name in theirs  # an old stdlib does not have all of them
    )


def _request(name: str, call: str, modulepath: list[str]) -> dict[str, Any]:
    return {
        "id": name,
        "code": LOOP % call,
        "mode": "catalog",
        "facts": {"os": {}},
        "modulepath": modulepath,
        "node": "foo.example.com",
    }


def _modulepath() -> list[str] | None:
    if "MODULES" in os.environ:
        return [os.environ["MODULES"]]
    if UNPACKED.is_dir():
        return [os.fspath(link_modules(UNPACKED, LINKS).resolve())]
    return None


def templates() -> Rows:
    """Yield a process that renders one template in Ruby, and one template among many."""
    group = "templates in Ruby"
    if reason := missing():
        yield Absent(group, reason)
        return
    process = min([process_seconds([PROGRAM, "-e", TEMPLATE]) for _ in range(5)])
    yield Row(group, "a process with one", process, limit=0.6)
    session = Session(Options(), facts={})
    try:
        assert session.execute(TEMPLATE).error is None
        seconds = best(lambda: session.execute(LOOP % TEMPLATE), 1)
    finally:
        session.close()
    yield Row(group, f"one among {CALLS:,}", seconds / CALLS, limit=400e-6)
