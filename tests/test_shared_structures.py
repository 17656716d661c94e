"""Values of 2^40 paths to 41 parts: each part is compared, tested, inferred and written once.

Every program runs in a child that measures its time and its memory.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys

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
# CPU seconds and MB: about five times what these programs take.
MAX_SECONDS = 25
MAX_MEMORY = 1300

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
]
TOO_BIG = [
    '"${d}"',
    '"${h}"',
    "$d",
    "$h",
    "String($d, '%#p')",
    "flatten($d)",
    "$d.stdlib::to_json",
    "inline_epp('<%= $x %>', { x => $d })",
]


def measured(code: str) -> tuple[int, str, str, float, float]:
    """Return exit code, output, errors, CPU seconds and MB of a child that evaluates a program."""
    read, write = os.pipe()
    program = (
        "import os, resource, subprocess, sys\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (60, 60))\n"
        "done = subprocess.run(sys.argv[2:])\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "os.write(int(sys.argv[1]),"
        " f'{used.ru_utime + used.ru_stime} {used.ru_maxrss / 1024}'.encode())\n"
        "sys.exit(done.returncode if done.returncode >= 0 else 99)\n"
    )
    command = [sys.executable, "-c", program, str(write)]
    command += [sys.executable, "-m", "puppet_repl", "-e", code]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=(write,)
    ) as child:
        os.close(write)
        output, errors = child.communicate(timeout=600)
    with os.fdopen(read) as pipe:
        seconds, memory = map(float, pipe.read().split())
    return child.returncode, output, errors, seconds, memory


pytestmark = pytest.mark.skipif(
    not hasattr(resource, "RLIMIT_AS") or sys.platform != "linux", reason="measures as Linux does"
)


@pytest.mark.parametrize(("code", "value"), VALUES)
def test_shared_parts_are_visited_once(code: str, value: str) -> None:
    status, output, errors, seconds, memory = measured(GRAPHS + code)
    assert (status, output.strip(), errors) == (0, value, "")
    assert seconds < MAX_SECONDS
    assert memory < MAX_MEMORY


@pytest.mark.parametrize("code", TOO_BIG)
def test_what_is_too_big_is_refused(code: str) -> None:
    status, output, errors, seconds, memory = measured(GRAPHS + code)
    assert (status, output) == (1, "")
    assert errors.startswith("Error: ")
    assert "memory" in errors.lower()
    assert "Traceback" not in errors
    assert seconds < MAX_SECONDS
    assert memory < MAX_MEMORY
