"""The programs of the directory beside it, beside Puppet and beside Python written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from puppet_repl.session import Session
from tests.benchmarks import puppet
from tests.benchmarks.by_hand import PROGRAMS
from tests.benchmarks.rows import Absent, Row, Rows, with_mean
from tests.benchmarks.timing import best_of_each

HERE = Path(__file__).parent
GROUP = "programs"
LARGER = "larger programs"
"""Those that do several things, as manifests of a site do."""
BY_HAND = "Python by hand"
TIMES = 5
PROGRAM_GOAL = 20
MEAN_GOAL = 60


def programs() -> Rows:
    """Yield the programs beside Puppet, and the small ones beside Python."""
    paths = sorted((HERE / "programs").glob("*.pp"))
    ours, hand = {}, []
    for path in paths:
        works: list[Callable[[], object]] = [partial(_run, path.read_text())]
        works += [PROGRAMS[path.stem]] if path.stem in PROGRAMS else []
        ours[path.stem], *its = best_of_each(works, TIMES)
        hand += [Row(GROUP, path.stem, ours[path.stem], seconds, BY_HAND) for seconds in its]
    beside = puppet.version()
    if beside is None:
        yield Absent(GROUP, puppet.NO_PUPPET)
    else:
        larger = sorted((HERE / "programs" / "larger").glob("*.pp"))
        answer = puppet.output(HERE / "reference.rb", *map(str, paths + larger))
        theirs = json.loads(answer.splitlines()[-1])
        rows = [Row(GROUP, name, ours[name], theirs[name], beside, PROGRAM_GOAL) for name in ours]
        yield from with_mean(rows, MEAN_GOAL)
        for path in larger:
            [seconds] = best_of_each([partial(_run, path.read_text())], TIMES)
            yield Row(LARGER, path.stem, seconds, theirs[path.stem], beside, PROGRAM_GOAL)
    yield from with_mean(hand)


def _run(text: str) -> None:
    outcome = Session(facts={}).execute(text)
    if outcome.error is not None:
        raise outcome.error
