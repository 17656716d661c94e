"""Programs that mean no good end in an error or a value, soon, and the session goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.values import regex
from puppet_repl.session import Session

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

FACTS: dict[str, Any] = {"os": {"name": "Debian"}}
TOO_DEEP = "stack level too deep"
TOO_BIG = "outside of Puppet Integer max range, got '+0x8000000000000000'"
WIDE = "width too big"


@pytest.fixture(scope="module")
def session() -> Session:
    """One session for all programs: each has to leave it usable for the next."""
    return Session(facts=FACTS)


def ends(session: Session, code: str) -> PuppetError | None:
    """The error of a program, after making sure that the session still works."""
    started = time.process_time()
    try:
        outcome = session.execute(code)
    except RecursionError:
        pytest.fail("RecursionError", pytrace=False)  # its traceback would take minutes to print
    assert time.process_time() - started < 20
    follow = session.execute("function next_one($x) { $x + 1 } [1, 2].map |$x| { next_one($x) }")
    assert follow.value == (2, 3)
    return outcome.error


ENDLESS = [
    ("function f() { f() } f()", TOO_DEEP),
    ("function f($x) { 1 + f($x) } f(1)", TOO_DEEP),
    ("function f() { g() } function g() { f() } f()", TOO_DEEP),
    ("function f($x = f()) { $x } f()", TOO_DEEP),
    ("function f(*$x) { f(*$x, 1) } f()", TOO_DEEP),
    ("function f() { [1].each |$x| { f() } } f()", TOO_DEEP),
    ("function f() { {a => 1}.map |$k, $v| { with($k) |$y| { f() } } } f()", TOO_DEEP),
    ("function f() { [3, 1, 2].sort |$a, $b| { f() } } f()", TOO_DEEP),
    ('function f() { "${f()}" } f()', TOO_DEEP),
    ("function f() { if f() { 1 } } f()", TOO_DEEP),
    ("function f() { case f() { 1: { 1 } default: { 2 } } } f()", TOO_DEEP),
    ("function f() { inline_epp('<%= f() %>') } f()", "too deep"),
    ("function f() { call('f') } f()", TOO_DEEP),
    ("type A = A 1 =~ A", "Type alias 'A' cannot be resolved to a real type"),
    ("type A = Variant[A, B] type B = Variant[A, B] 1 =~ A", "cannot be resolved to a real type"),
    ("class a inherits b { } class b inherits a { } include a", TOO_DEEP),
    ("class a { class { 'a': } } include a", "Duplicate declaration: Class[A]"),
    (
        "define d() { d { \"${title}x\": } } d { 'a': }",
        "Somehow looped more than 1000 times while evaluating host catalog",
    ),
]


@pytest.mark.parametrize(("code", "message"), ENDLESS)
def test_recursion_without_end(code: str, message: str, session: Session) -> None:
    error = ends(session, code)
    assert error is not None
    assert message in error.message


RECURSIVE = [
    ("type A = Array[A] $x = [[[]], []] $x =~ A", True),
    ("type A = Array[A] $x = [[[1]], []] $x =~ A", False),
    ("type A = Optional[A] undef =~ A", True),
    ("type Tree = Hash[String, Variant[Integer, Tree]] $x = {'a' => {'b' => 1}} $x =~ Tree", True),
    (
        "type Tree = Hash[String, Variant[Integer, Tree]] $x = {'a' => {'b' => 'c'}} $x =~ Tree",
        False,
    ),
    ("class a { include b } class b { include a } include a defined(Class['b'])", True),
]


@pytest.mark.parametrize(("code", "value"), RECURSIVE)
def test_recursion_that_ends(code: str, value: object, session: Session) -> None:
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    assert outcome.value is value


DEEP_VALUES = [
    "$deep =~ A",
    "$deep == $deep",
    "$deep == $other",
    '"${deep}"',
    "notice($deep)",
    "type($deep)",
    "flatten($deep)",
    "String($deep, '%#p')",
    "{$deep => 1}[$other]",
    "unique([$deep, $other])",
    "[$deep].sort",
    "$deep in [$other]",
    "to_json_or_so($deep)",
    "$deep.tree_each.map |$x| { 1 }",
    "assert_type(A, $deep)",
    "with($deep) |A $x| { 1 }",
    "notify { 'n': message => $deep }",
    "case $other { $deep: { 1 } default: { 2 } }",
    "Deferred('f', [$deep])",
]


@pytest.mark.parametrize("code", DEEP_VALUES)
def test_values_nested_5000_deep(code: str, session: Session) -> None:
    def nested(name: str) -> str:
        return f"${name} = Integer[1, 5000].reduce([]) |$m, $i| {{ [$m] }}\n"

    error = ends(session, f"type A = Array[A]\n{nested('deep')}{nested('other')}{code}")
    if error is not None:
        assert "internal error" not in error.message


NESTED_TEXTS = {
    "arrays": "[" * 20_000 + "]" * 20_000,
    "brackets": "(" * 5_000 + "1" + ")" * 5_000,
    "hashes": "$x = " + "{a => " * 3_000 + "1" + "}" * 3_000,
    "blocks": "if true {" * 5_000 + "}" * 5_000,
    "lambdas": "[1].each |$x| {" * 500 + "}" * 500,
    "texts": '$x = "' + '${"' * 2_000 + "a" + '"}' * 2_000 + '"',
    "types": "$x = " + "Array[" * 3_000 + "Any" + "]" * 3_000,
    "selectors": "$x = " + "1 ? { default => " * 3_000 + "1" + "}" * 3_000,
    "minus": "$x = " + "- " * 20_000 + "1",
    "not": "$x = " + "!" * 6_000 + "true",
    "sum": "$x = 1" + " + 1" * 50_000,
    "brackets after": "$x = []" + " $x" + "[0]" * 20_000,
    "calls": "$x = 'a'" + ".upcase" * 5_000,
    "arrows": "notify { 'a': }" + " -> Notify['a']" * 5_000,
    "assignments": "".join(f"$a{i} = " for i in range(5_000)) + "1",
    "unclosed": "[" * 50_000,
    "unclosed texts": '"${' * 5_000,
    "comment": "/*" * 50_000,
    "heredoc": "@(END" * 500,
}


@pytest.mark.parametrize("name", NESTED_TEXTS)
def test_texts_nested_without_end(name: str, session: Session) -> None:
    text = NESTED_TEXTS[name]
    error = ends(session, text)
    assert error is not None
    assert "internal error" not in error.message
    try:
        session.check(text)
        session.complete(text, len(text))
        session.inspect(text, len(text) // 2)
    except RecursionError:
        # Its own traceback would take minutes to print.
        pytest.fail("RecursionError", pytrace=False)


NUMBERS = [
    ("9223372036854775807 + 1", TOO_BIG),
    ("-9223372036854775807 - 2", "outside of Puppet Integer min range, got '-0x8000000000000001'"),
    ("4611686018427387904 * 2", TOO_BIG),
    ("1 << 63", TOO_BIG),
    ("1 << 1000000000", "outside of Puppet Integer max range"),
    ("[1, 2].reduce(9223372036854775807) |$m, $x| { $m + $x }", TOO_BIG),
    ("function f(Integer $x) { $x + 1 } f(9223372036854775807)", TOO_BIG),
    ("99999999999999999999", "A Literal Integer resulted in a value outside of Puppet Integer max"),
    ("1e308 * 10", "The result of the * expression is Infinity"),
    ("1 / 0", "Division by 0"),
    ("1 % 0", "Division by 0"),
    ("Array(Integer[1, 10000000000])", "too large"),
    ("Array(Integer[0, 9223372036854775807])", "too large"),
    ("slice(Integer[0, 9223372036854775807], 2)", "too large"),
    ("unique(Integer[0, 9223372036854775807])", "too large"),
    ("sprintf('%1000000000d', 1)", WIDE),
    ("sprintf('%-1000000000s', 'a')", WIDE),
    ("sprintf('%.1000000000f', 1.0)", WIDE),
    ("sprintf('%*d', 1000000000, 1)", WIDE),
    ("String(1, '%1000000000d')", WIDE),
]


@pytest.mark.parametrize(("code", "message"), NUMBERS)
def test_numbers_and_widths_out_of_range(code: str, message: str, session: Session) -> None:
    error = ends(session, code)
    assert error is not None
    assert message in error.message


def test_widths_of_arrays_and_hashes_mean_nothing_in_one_line(session: Session) -> None:
    assert session.execute("String([1], '%1000000000a')").value == "[1]"
    outcome = session.execute("String({a => 1}, {Hash => {format => '%1000000000h'}})")
    assert outcome.value == "{'a' => 1}"


ENORMOUS_RANGES = [
    ("Integer[0, 9223372036854775807].any |$x| { $x > 5 }", True),
    ("Integer[1, 9223372036854775807].map |$x| { break() }", ()),
    ("Integer[1, 9223372036854775807].step(4611686018427387904).map |$x| { $x }.length", 2),
    ("1 >> 1000000000", 0),
    ("9223372036854775807 in Integer[1, 9223372036854775807]", False),
    ("-9223372036854775807 % -1", 0),
]


@pytest.mark.parametrize(("code", "value"), ENORMOUS_RANGES)
def test_ranges_are_not_built(code: str, value: object, session: Session) -> None:
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    assert outcome.value == value
    assert type(outcome.value) is type(value)


PATTERNS = [
    "'{a}!' =~ /^(a+)+$/",
    "'{a}!' =~ /^(a|aa)+$/",
    "'{a}!' =~ /^(a*)*b$/",
    "regsubst('{a}!', '^(a|a)*$', 'x', 'G')",
    "split('{a}!', '(a|a?)+$')",
    "'{a}!'.match(/(a|a)*$b/)",
    "case '{a}!' {{ /^(a|aa)+$/: {{ 1 }} default: {{ 2 }} }}",
    "'{a}!' =~ Pattern[/^(a|aa)+$/]",
]


@pytest.mark.parametrize("code", PATTERNS)
def test_patterns_that_backtrack_without_end(
    code: str, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regex, "TIME_LIMIT", 0.2)
    error = ends(session, code.format(a="a" * 48))
    if error is not None:
        assert "was stopped after" in error.message


# Memory

GREEDY = [
    'Integer[1, 40000000].map |$x| { "a${x}" }',
    "Integer[1, 40].reduce('xxxxxxxx') |$m, $i| { \"${m}${m}\" }",
    "Integer[1, 40].reduce([1, 2, 3]) |$m, $i| { $m + $m }",
    "Integer[1, 40].reduce([1, 2, 3]) |$m, $i| { [$m, $m] }",
    "$a = Integer[1, 40].reduce([1, 2, 3]) |$m, $i| { [$m, $m] } notice($a)",
    "$a = Integer[1, 40].reduce([1, 2, 3]) |$m, $i| { [$m, $m] } flatten($a)",
    'Integer[1, 40000000].each |$i| { notify { "n${i}": } }',
    "Integer[1, 40000000].filter |$i| { true }",
    "Integer[1, 40000000].map |$i| { {$i => [$i]} }",
    "Integer[1, 40000000].reverse_each.map |$i| { $i }",
]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit counts the memory of Linux")
@pytest.mark.parametrize("code", GREEDY)
def test_memory_has_a_limit(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "--max-memory", "64M", "-e", code],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    first = done.stderr.splitlines()[0]
    assert first.startswith("Error: ")
    assert "memory" in first
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the limit counts the memory of Linux")
def test_a_session_goes_on_after_it_ran_out_of_memory() -> None:
    program = f"""
from puppet_repl.base.memory import tune_process
from puppet_repl.catalog import json
from puppet_repl.session import Session
session = Session(facts={{}})
session.execute("$kept = 1 notify {{ 'kept': }}")
tune_process(64 << 20)
for code in {GREEDY!r}:
    outcome = session.execute(code)
    if outcome.error is not None:
        assert "memory" in outcome.error.message, outcome.error
    else:
        session.replace_inputs(1, "'none'")
    del outcome
    look = "Integer[1, 100000].map |$x| {{ $x + $kept }}.length"
    again = session.execute(look, record=False)
    assert again.value == 100000, again.error
    assert [one["title"] for one in json.contents(session.catalog)[0]] == ["kept"]
print("well")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.returncode) == ("well\n", 0), done.stderr[-2000:]


# Interrupts


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize(
    "code",
    [
        "Integer[1, 1000000000].each |$x| { $x }",
        "function f($x) { if $x == 0 { 0 } else { f($x - 1) } } while_true()",
        'Integer[1, 1000000000].map |$x| { [$x, md5("${x}")] }',
        'Integer[1, 1000000000].each |$x| { notify { "n${x}": } }',
    ],
)
def test_ctrl_c_ends_the_process_quietly(code: str) -> None:
    code = code.replace("while_true()", "Integer[1, 1000000000].each |$x| { f(500) }")
    randomly = random.Random(code)
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-m", "puppet_repl", "-e", f"notice('started') {code}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            assert process.stderr is not None
            assert process.stderr.readline() == "Notice: started\n"
            time.sleep(randomly.random() * 0.1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit counts the memory of Linux")
@pytest.mark.parametrize(
    "arguments",
    [
        ("-e", "1"),
        ("compile",),
        ("diff", "a", "b"),
        ("lookup", "key", "--default", "x", "--compile"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_the_memory_of_facts_counts(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    # The facts keep 40 MB, and the code would take 120 MB more.
    (tmp_path / "facts.json").write_text(json.dumps({"big": "x" * (40 << 20)}))
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text('notice("${big}${big}${big}".length())')
    described = ("--environment", ".", "--facts", "facts.json", "--max-memory")
    for limit in ("128M", "256M"):
        done = subprocess.run(
            [sys.executable, "-m", "puppet_repl", *arguments, *described, limit],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert ("failed to allocate memory" in done.stderr) is (limit == "128M"), done.stderr
        assert "Traceback" not in done.stderr
