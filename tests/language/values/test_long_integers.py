"""Integers of more than 64 bits, and of more digits than Python converts by default."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from puppet_repl.base.limits import MAX_DIGITS
from puppet_repl.language.values.integers import TOO_LONG
from puppet_repl.session import Options, Session

DIGITS = 6000
LONG = f"$x = Integer[1, {DIGITS}].map |$i| {{ '9' }}.join"


@pytest.fixture
def limit() -> Iterator[None]:
    """Let the test change how many digits Python converts."""
    before = sys.get_int_max_str_digits()
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.usefixtures("limit")
def test_a_session_needs_no_limit_raised_and_leaves_it() -> None:
    sys.set_int_max_str_digits(4300)
    session = Session(facts={})
    outcome = session.execute(f'{LONG} [Integer($x), "${{Integer($x)}}".length]')
    assert outcome.error is None
    assert outcome.value == (10**DIGITS - 1, DIGITS)
    assert session.describe(outcome.value)["str"] == f"[{'9' * DIGITS}, {DIGITS}]"
    assert sys.get_int_max_str_digits() == 4300
    sys.set_int_max_str_digits(0)
    session.execute("1")
    assert sys.get_int_max_str_digits() == 0


@pytest.mark.parametrize(
    "code",
    [
        "Integer($x)",
        "Integer($x, 16)",
        'Integer("0x$x")',
        "Numeric($x)",
        'Float("0x$x")',
        'SemVer("$x.0.0")',
        "fqdn_rand($x)",
        "parsejson($x)",
        "scanf($x, '%i')",
        'versioncmp("1.$x", "1.${x}9")',
        "1 + $x",
        "Timespan($x, '%S')",
    ],
)
def test_too_many_digits_are_an_error_and_none_of_the_program(code: str) -> None:
    session = Session(Options(stdlib="9"), facts={})
    session.execute(f"$x = Integer[1, {MAX_DIGITS // 80}].map |$i| {{ '{'9' * 100}' }}.join")
    outcome = session.execute(code)
    assert outcome.error is not None
    of_json = f"a number has more than {MAX_DIGITS:,} digits"
    assert outcome.error.message.endswith((TOO_LONG, of_json)), outcome.error.message


def test_each_program_takes_them() -> None:
    code = f"{LONG} Integer($x)"
    for arguments in (["-e", code], ["--facts", "rocky-9", "-e", code]):
        done = subprocess.run(
            [sys.executable, "-m", "puppet_repl", *arguments], capture_output=True, text=True
        )
        assert (done.stdout, done.stderr) == ("9" * DIGITS + "\n", "")
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "batch"],
        input=json.dumps({"id": 1, "code": code}),
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout)["value"] == "9" * DIGITS
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "parse", "-"],
        input="9" * DIGITS,
        capture_output=True,
        text=True,
    )
    assert f"got '+0x{10**DIGITS - 1:x}'" in done.stderr
