"""Let limits of time strike at random moments: ``python -m tests.session.limited MOMENTS SEED``.

A process of its own, because a limit that comes late would hit the run of the tests. Threads do it
side by side. Each moment is one input that its limit may end; then the session has to be as before
or as after it, and the next input has to work.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from threading import Thread

from puppet_repl.base import watchdog
from puppet_repl.base.deadline import time_limit
from puppet_repl.base.errors import TimeLimitExceeded
from puppet_repl.session import Options, Session
from tests.session.session_inputs import FACTS, furnish, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

INPUTS = {
    "changes": "function old() { 'new' } type Old = String notify { 'n': } include c",
    "lambdas": "Integer[1, 300].map |$x| { [$x, 2].reduce |$a, $b| { $a + $b } }",
    "sort": "Array(Integer[1, 3000]).reverse_each.map |$x| { $x % 7 }.sort",
    "sort by code": "Array(Integer[1, 200]).sort |$a, $b| { compare($b, $a) }",
    "regex": "Integer[1, 200].map |$x| { regsubst(\"a${x}b\", '[0-9]+', 'x', 'G') }",
    "json": "parsejson(stdlib::to_json(Integer[1, 300].map |$x| { {a => $x} }))",
    "template": "inline_epp('<% Integer[1, 200].each |$x| { %><%= $x %><% } %>')",
    "iterator": "Integer[1, 2000].step(3).filter |$x| { $x % 2 == 0 }.length",
    "text": "Integer[1, 200].reduce('') |$m, $x| { \"${m}${x}\" }",
    "fails": "[1, 2].each |$x| { notice($x) } fail('no')",
}
"""What is limited: bodies in Puppet, and long calls of functions in C."""


def main(moments: int, seed: int) -> None:
    """Print how the limits of so many moments ended, and what was wrong."""
    vars(watchdog)["AGAIN"] = 0.0005
    sys.setswitchinterval(0.0002)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    threads = [
        Thread(target=_strike, args=(random.Random(seed + number), moments, counts, wrong))
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"counts": counts, "wrong": wrong[:10]}))


def _strike(chance: random.Random, moments: int, counts: Counter[str], wrong: list[str]) -> None:
    session = _furnished()
    before = state(session)
    spent = {name: _spent(_changing(code)) for name, code in INPUTS.items()}
    while sum(list(counts.values())) + len(wrong) < moments:
        name = chance.choice(list(INPUTS))
        code = _changing(INPUTS[name])
        seconds = max(spent[name] * chance.random() * 1.2, 0.0001)
        wrapped = chance.choice(_WAYS)
        try:
            ended = wrapped(session, code, seconds)
            _wait_for_late_ones()
        except TimeLimitExceeded:
            wrong.append(f"{name}: a limit came late")
            continue
        counts[ended] += 1
        session.options.max_seconds = None
        if session.count > _COUNT:
            session.undo()
        if state(session) != before:
            wrong.append(f"{name}: {ended}: {state(session)} is not {before}")
            session = _furnished()
        if session.execute("[$kept, old(), $c::v]", record=False).value != (1, "old", "old"):
            wrong.append(f"{name}: {ended}: the next input")
            session = _furnished()


_COUNT = 5


def _changing(code: str) -> str:
    """Return an input that changes the session, so that it can be undone."""
    return f"$kept = 2\n{code}"


def _furnished() -> Session:
    session = furnish(Session(Options(storeconfigs=False), facts=FACTS))
    assert session.count == _COUNT
    return session


def _spent(code: str) -> float:
    """Return how many seconds an input takes; what is imported once is imported before."""
    _furnished().execute(code)
    session = _furnished()
    began = time.monotonic()
    session.execute(code)
    return time.monotonic() - began


def _by_option(session: Session, code: str, seconds: float) -> str:
    session.options.max_seconds = seconds
    return _how(session, code)


def _nested(session: Session, code: str, seconds: float) -> str:
    session.options.max_seconds = 60
    return _around(session, code, seconds)


def _in_finally(session: Session, code: str, seconds: float) -> str:
    try:
        raise ValueError
    except ValueError:
        pass
    finally:
        ended = _around(session, code, seconds)
    return ended


def _in_generator(session: Session, code: str, seconds: float) -> str:
    return next(_around(session, code, seconds) for _ in range(1))


_WAYS: tuple[Callable[[Session, str, float], str], ...] = (
    _by_option,
    _nested,
    _in_finally,
    _in_generator,
)


def _around(session: Session, code: str, seconds: float) -> str:
    try:
        with time_limit(seconds):
            return _how(session, code)
    except TimeLimitExceeded:
        return "outside"  # between the input and the end of the block


def _how(session: Session, code: str) -> str:
    error = session.execute(code).error
    if error is None:
        return "kept"
    return "stopped" if error.code == "NO_TIME" else "failed"


def _wait_for_late_ones() -> None:
    end = time.monotonic() + 0.001
    while time.monotonic() < end:
        pass


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
