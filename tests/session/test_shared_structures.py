"""Values of 2^40 paths to 41 parts: each part is compared, tested, inferred and written once.

The programs run in two children, which measure the time of each and the memory of all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import NamedTuple

import pytest

GRAPHS = """
$d = Integer[1, 40].reduce([1]) |$m, $i| { [$m, $m] }
$e = Integer[1, 40].reduce([1]) |$m, $i| { [$m, $m] }
$h = Integer[1, 40].reduce({ a => 1 }) |$m, $i| { { a => $m, b => $m } }
$g = Integer[1, 40].reduce({ a => 1 }) |$m, $i| { { a => $m, b => $m } }
"""
WIDE = "Integer[1, 8].reduce(1) |$m, $i| { Integer[1, 1000].map |$j| { $m } }"
OBJECTS = """
$t = Object[{ name => 'Pair', attributes => { a => Any, b => Any } }]
$o = Integer[1, 40].reduce($t.new(1, 1)) |$m, $i| { $t.new($m, $m) }
$p = Integer[1, 40].reduce($t.new(1, 1)) |$m, $i| { $t.new($m, $m) }
"""
TYPES = "Integer[1, 40].reduce(Integer) |$m, $i| { Tuple[$m, $m] }"
# CPU seconds of a program and MB of a child: several times what they take.
MAX_SECONDS = 25
MAX_MEMORY = 700

VALUES = [
    ("$d == $e", "true"),
    ("$d == $d", "true"),
    ("$d != $e", "false"),
    ("$h == $g", "true"),
    ("$d == $h", "false"),
    ("$d in [$e]", "true"),
    ("unique([$d, $e]).length", "1"),
    ("unique([$h, $g]).length", "1"),
    ("$x = { $d => 1 } $x[$e]", "1"),
    ("[$d] - [$e]", "[]"),
    ("$d =~ Data", "true"),
    ("$h =~ Data", "true"),
    ("$d =~ RichData", "true"),
    ("$h =~ Hash[String, Data]", "true"),
    ("type A = Variant[Integer, Array[A]] $d =~ A", "true"),
    ("type A = Variant[String, Array[A]] $d =~ A", "false"),
    ("$d =~ type($e)", "true"),
    ("type($d) == type($e)", "true"),
    ("$h =~ type($g)", "true"),
    ("case $d { $e: { 1 } default: { 2 } }", "1"),
    ("function f(Data $x) { 1 } f($d)", "1"),
    ("Sensitive($d) == Sensitive($e)", "true"),
    (f"[{TYPES}] == [{TYPES}]", "true"),
    (f"{TYPES} <= {TYPES}", "true"),
    (f"$d =~ {TYPES}", "false"),
    (f"$x = {WIDE} $y = {WIDE} [$x == $y, $x =~ Data]", "[true, true]"),
    (f"{OBJECTS} $o == $p", "true"),
    ("notify { 'a': message => $d }", "[Notify['a']]"),
    ("$d ? { $e => 1, default => 2 }", "1"),
    ("case $h { $g: { 1 } default: { 2 } }", "1"),
    ("$x = { $d => $d } $y = { $e => $e } $x == $y", "true"),
    ("deep_merge($h, $g) == $g", "true"),
    ("upcase($d).length", "2"),
    ("upcase($h).length", "2"),
    ("join(Integer[1, 40].reduce(['']) |$m, $i| { [$m, $m] })", "''"),
    ("call(Deferred('length', [[Deferred('length', [$d]), $d]]))", "2"),
    ("ensure_resource(notify, a, { message => $d }) notify { b: }", "[Notify['b']]"),
    (
        "[1, 2].each |$i| { ensure_resource(notify, a, { message => [$d, $e][$i - 1] }) }",
        "[1, 2]",
    ),
    ("$d.tree_each.any |$part| { $part[1] == 1 }", "true"),
    ("[type($h)] == [type($g)]", "true"),
]
TOO_BIG = [
    '"${d}"',
    '"${h}"',
    "notice($d)",
    "notice($h)",
    "fail($d)",
    "sprintf('%s', $d)",
    "[$d, $e].max",
    "type($d)",
    "$x = { $d => $d } $x",
    "stdlib::to_yaml($d)",
    "stdlib::to_json_pretty($h)",
    "$d",
    "$h",
    "String($d, '%#p')",
    "flatten($d)",
    "$d.stdlib::to_json",
    "inline_epp('<%= $x %>', { x => $d })",
    "type($h)",
    "sprintf('%p', $d)",
    "join($d)",
    "join([$d], ',')",
    "[$d, $e].sort",
    "Integer[1, 40].reduce({ 1 => 1 }) |$m, $i| { { $m => $m } }",
    '$k = Integer[1, 40].reduce({ 1 => 1 }) |$m, $i| { { $m => $m } } "${k}"',
    "unique([type($d)])",
    "unique([type($h), type($g)])",
    "Array($d.tree_each)",
    "Array($h.tree_each)",
    "$d.tree_each.reverse_each",
    "stdlib::nested_values($h)",
    "stdlib::to_python($d)",
    "shellquote($d)",
    "stdlib::fqdn_rand_string(10, 'abc', $d)",
    "type A = Variant[String, Array[A]] function f(A $x) { 1 } f($d)",
    "type A = Variant[String, Struct[{ a => A, b => A }]] assert_type(A, $h)",
    "type A = Variant[String, Hash[String, A]] class k(A $x) { } class { k: x => $h }",
]


MISMATCHES = [
    (
        "with($d) |Array[Array[Array[Array[Array[Array[String]]]]]] $x| { 1 }",
        "parameter 'x' index 1 index 1 index 1 index 1 index 1 index 1 expects a String value, "
        "got Tuple",
    ),
]
CHILD = """
import json, re, resource, sys, time
from pathlib import Path
from puppet_repl.base.memory import tune_process
from puppet_repl.tools.rendering.values import value_text
from puppet_repl.session import Options, Session

resource.setrlimit(resource.RLIMIT_CPU, (300, 300))
tune_process(2 << 30)
for code in json.loads(sys.argv[1]):
    session = Session(Options(stdlib="9"), facts={})
    start = time.process_time()
    text, error = "", None
    try:
        outcome = session.execute(code)
        if outcome.error is not None:
            error = outcome.error.message
        else:
            text = value_text(outcome.value)
    except MemoryError:
        error = "memory"
    spent = time.process_time() - start
    # ru_maxrss is at least what the process that started this one had.
    status = Path("/proc/self/status").read_text()
    memory = int(re.search(r"VmHWM:\\s+([0-9]+) kB", status)[1]) / 1024
    print(json.dumps([code, [text, error, spent, memory]]), flush=True)
"""


class Result(NamedTuple):
    """What came of a program: CPU seconds of it, and the highest MB of its process so far."""

    text: str
    error: str | None
    seconds: float
    memory: float


Results = dict[str, Result]


def results(codes: list[str]) -> Results:
    """Return the result of each program, in sessions of one child."""
    programs = [GRAPHS + code for code in codes]
    child = subprocess.run(
        [sys.executable, "-c", CHILD, json.dumps(programs)],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert child.stderr == ""
    lines = map(json.loads, child.stdout.splitlines())
    return {code.removeprefix(GRAPHS): Result(*rest) for code, rest in lines}


@pytest.fixture(scope="module")
def answered() -> Results:
    """The results of all programs that have one."""
    return results([code for code, _ in VALUES])


@pytest.fixture(scope="module")
def refused() -> Results:
    """The results of all programs that end in an error."""
    return results([*TOO_BIG, *[code for code, _ in MISMATCHES]])


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="measures as Linux does"),
    pytest.mark.untraced,
]


@pytest.mark.parametrize(("code", "value"), VALUES)
def test_shared_parts_are_visited_once(code: str, value: str, answered: Results) -> None:
    assert code in answered, "the child was stopped at this program, or before"
    result = answered[code]
    assert (result.text, result.error) == (value, None)
    assert result.seconds < MAX_SECONDS
    assert result.memory < MAX_MEMORY


@pytest.mark.parametrize("code", TOO_BIG)
def test_what_is_too_big_is_refused(code: str, refused: Results) -> None:
    assert code in refused, "the child was stopped at this program, or before"
    result = refused[code]
    assert result.text == ""
    assert result.error is not None
    assert "memory" in result.error or "too large" in result.error or "would be" in result.error
    assert result.seconds < MAX_SECONDS
    assert result.memory < MAX_MEMORY


@pytest.mark.parametrize(("code", "message"), MISMATCHES)
def test_mismatches_of_shared_parts_are_told(code: str, message: str, refused: Results) -> None:
    assert code in refused, "the child was stopped at this program, or before"
    result = refused[code]
    assert result.error is not None
    assert message in result.error
    assert result.seconds < MAX_SECONDS
