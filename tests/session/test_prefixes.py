"""While somebody types, the text is a prefix: none may make check, complete or inspect fail."""

from __future__ import annotations

import traceback
from collections.abc import Iterator

import pytest

from puppet_repl.language.syntax.completeness import Complete, Incomplete, Invalid
from puppet_repl.session import Session
from tests import recorded

FILES = ("catalog", "epp", "evaluate", "functions", "parse", "random", "specification")
EVERY = 25
LONGEST = 400
VERDICTS = (Complete, Incomplete, Invalid)


def codes(file: str) -> Iterator[str]:
    """A sample of the cases of one file."""
    for case in recorded.suite(file)[7::EVERY]:
        if len(case["code"]) <= LONGEST:
            yield case["code"]


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session(facts={"os": {"name": "Debian"}})
    outcome = session.execute(
        "$text = 'a' $list = [1, [2]] $map = {key => {'other key' => 1}}"
        " function own(Integer $x, *$rest) { $x } type Own = Integer class cls($p = 1) { }"
        " include cls notify { 'n': }"
    )
    assert outcome.error is None, outcome.error
    return session


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_every_prefix(file: str, session: Session) -> None:
    seen = 0
    for code in codes(file):
        for end in range(len(code) + 1):
            prefix = code[:end]
            try:
                verdict = session.check(prefix)
                found = session.complete(prefix, end)
                session.inspect(prefix, end)
                session.inspect(code, end)
            except Exception:
                pytest.fail(f"{prefix!r}\n{traceback.format_exc(limit=-4)}", pytrace=False)
            assert type(verdict) in VERDICTS
            assert 0 <= found.start <= found.end, prefix
            seen += 1
    assert seen > 100


SAMPLES = [
    "class c(\n  Integer $a = 1,\n) {\n  file { '/x':\n    mode => '0644',\n  }\n}\n",
    "$x = @(END)\n  text ${y['a']}\n  | END\n",
    '$s = "a ${b.map |$c| {\n "${c}" }.join(\',\')\n} d\n e"\n',
    "[1, 2].each |$i| { notice($i) }\ncase 1 { 1: { } default: { } }\n",
]


@pytest.mark.parametrize("code", SAMPLES)
def test_no_line_is_refused_for_what_may_follow(code: str, session: Session) -> None:
    lines = code.splitlines()
    for number in range(1, len(lines)):
        text = "\n".join(lines[:number])
        assert type(session.check(text)) is not Invalid, text
    assert type(session.check(code)) is Complete
    assert type(session.check(lines[0])) is (Complete if "each" in lines[0] else Incomplete)


def test_nothing_is_evaluated(session: Session) -> None:
    session.log = pytest.fail
    before = session.count, session.names.variables()
    for code in ("notice('no')", "$list[fail('no')].", "own(notice('no'), ", "$new = 1; $ne"):
        session.check(code)
        session.complete(code, len(code))
        session.inspect(code, 2)
    session.log = None
    assert (session.count, session.names.variables()) == before
