"""The largest catalogs of real modules beside Puppet, warm and cold.

The ten largest catalogs of Debian's modules (make corpus), and of MODULES with RECORDING and FACTS
(tests/corpus/record.py) where the environment names them. Warm is one process for all: ours keeps
the code of files, Puppet is measured with a fresh environment for each catalog, and with one that
it keeps. Cold is the whole process of one catalog: ours without and with the files that an earlier
one has kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from puppet_repl.base.memory import collect_garbage
from puppet_repl.frontends.cli.batch import answer
from puppet_repl.frontends.cli.batch_sessions import Sessions
from tests.benchmarks import puppet
from tests.benchmarks.rows import WRONG, Absent, Row, Rows, with_mean
from tests.benchmarks.timing import PROGRAM, best, process_seconds
from tests.corpus.modules import (
    EQUAL,
    LINKS,
    RECORDED,
    UNPACKED,
    Requests,
    judge,
    link_modules,
)
from tests.recorded import lines, read

COMPILER = Path(__file__).parent.parent / "corpus" / "catalogs.rb"
LARGEST = 10
TIMES = 3
WARM_GOAL = 10
COLD_GOAL = 10

Case = dict[str, Any]
Request = dict[str, Any]


def catalogs() -> Rows:
    """Yield the largest catalogs of each recording that there are modules for."""
    if not (beside := puppet.version()):
        yield Absent("catalogs", puppet.NO_PUPPET)
        return
    recordings = list(_recordings())
    for recording, requests in recordings:
        name = recording.name.partition(".")[0]
        cases = _largest(recording)
        asked = {case["id"]: requests.request(case) for case in cases}
        yield from _warm(f"catalogs of {name}, warm", beside, cases, asked)
        yield from _cold(f"catalogs of {name}, cold", beside, asked)
    if not recordings:
        yield Absent("catalogs", "no modules here (make corpus, or MODULES and RECORDING)")


def puppet_times(requests: list[Request]) -> dict[str, dict[str, float]]:
    """Return the ``seconds`` and ``kept`` of Puppet by identifier; {} where there is no Puppet."""
    asked = "".join(json.dumps({**each, "times": TIMES}) + "\n" for each in requests)
    written = puppet.output(COMPILER, "0", given=asked)
    return {each["id"]: each for each in lines(written) if "seconds" in each}


def warm_seconds(request: Request, sessions: Sessions) -> float:
    """Return the CPU seconds of a request of ``batch``, after one that warms up."""

    def work() -> None:
        answer(request, sessions)
        collect_garbage(is_all=True)

    work()
    return best(work, TIMES)


def _recordings() -> Iterator[tuple[Path, Requests]]:
    if UNPACKED.is_dir():
        requests = Requests(link_modules(UNPACKED, LINKS), RECORDED / "facts")
        yield RECORDED / "debian.jsonl.gz", requests
    if "MODULES" in os.environ:
        requests = Requests(Path(os.environ["MODULES"]), Path(os.environ.get("FACTS", ".")))
        yield Path(os.environ["RECORDING"]), requests


def _largest(recording: Path) -> list[Case]:
    cases = [case for case in read(recording) if "resources" in case["answer"]]
    return sorted(cases, key=lambda case: -len(case["answer"]["resources"]))[:LARGEST]


def _warm(group: str, beside: str, cases: list[Case], asked: dict[str, Request]) -> Iterator[Row]:
    theirs = puppet_times(list(asked.values()))
    sessions = Sessions()
    fresh, kept = [], []
    for case in cases:
        request = asked[case["id"]]
        is_equal = judge(case["answer"], answer(request, sessions)).kind == EQUAL
        name = case["id"] if is_equal else case["id"] + WRONG
        row = Row(group, name, warm_seconds(request, sessions))
        seconds = theirs[case["id"]]
        fresh.append(row._replace(reference=seconds["seconds"], beside=beside, goal=WARM_GOAL))
        kept.append(row._replace(reference=seconds["kept"], beside=f"{beside}, environment kept"))
    yield from with_mean(fresh, WARM_GOAL)
    yield from with_mean(kept)


def _cold(group: str, beside: str, asked: dict[str, Request]) -> Iterator[Row]:
    compiler = puppet.command(COMPILER)
    assert compiler is not None
    without, cached = [], []
    for name, request in asked.items():
        given = json.dumps(request) + "\n"
        least = partial(_least, given=given)
        theirs = least([*compiler, "0"])
        new, kept = least([PROGRAM, "batch", "--no-cache"]), least([PROGRAM, "batch"])
        without.append(Row(group, name, new, theirs, beside, COLD_GOAL))
        cached.append(Row(f"{group}, files cached", name, kept, theirs, beside, COLD_GOAL))
    yield from with_mean(without, COLD_GOAL)
    yield from with_mean(cached, COLD_GOAL)


def _least(command: list[str], given: str) -> float:
    """Return the CPU seconds of the fastest process; one that warms up comes first."""
    return min([process_seconds(command, given) for _ in range(TIMES + 1)][1:])
