"""Replies of Ruby that were recorded: they answer as Ruby itself does, or are not used."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from puppet_repl.environment.ruby import engines, recorded
from puppet_repl.language.compiler import cache
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import needs_sandbox
from tests.language.compiler.test_stored import damaged

pytestmark = needs_sandbox

TYPE = "m/lib/puppet/type/thing.rb"
NAMES = "m/lib/thing_names.rb"
THING = "Puppet::Type.newtype(:thing) do\n  newparam(:name)\n%s\nend\n"
COLORED = THING % "newproperty(:color)"
USE = "thing { 'x': color => 1 }"
NO_COLOR = "no parameter named 'color'"


def function(name: str, body: str) -> dict[str, str]:
    text = f"Puppet::Functions.create_function(:'m::{name}') do\n  def {name}(*args)\n{body}\n"
    return {f"m/lib/puppet/functions/m/{name}.rb": f"{text}  end\nend\n"}


class Answer(NamedTuple):
    """The value of a program, or the message of its error; its logs; whether Ruby was started."""

    result: str
    logs: list[tuple[str, str]]
    has_started: bool


class Place:
    """A directory of modules, and the records of programs that use them."""

    def __init__(self, root: Path) -> None:
        self.modules = root / "modules"
        self.cache = root / "cache"
        self.started = 0

    def write(self, files: dict[str, str]) -> None:
        write_files(self.modules, files)

    def session(self, facts: dict[str, Any] | None = None, **options: Any) -> Session:
        chosen = Options(modulepath=(str(self.modules),), ruby="sandbox", **options)
        return Session(chosen, facts=facts or {})

    def run(self, code: str, facts: dict[str, Any] | None = None, **options: Any) -> Answer:
        """Run a program as the first one of a process does."""
        before = self.started
        session = self.session(facts, **options)
        try:
            outcome = session.execute(code)
            logs = list(outcome.logs)
            result = str(outcome.value) if outcome.error is None else outcome.error.message
        finally:
            session.close()
        return Answer(result, logs, self.started > before)

    def records(self) -> list[Path]:
        return sorted(path for path in self.cache.rglob("*") if path.is_file())


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(tmp_path)
    new_sandbox = engines.new_sandbox

    def counted(*args: Any, **options: Any) -> Any:
        made.started += 1
        return new_sandbox(*args, **options)

    monkeypatch.delenv(cache.NO_CACHE)
    monkeypatch.setattr(cache, "user_cache", lambda: os.fspath(made.cache))
    monkeypatch.setattr(engines, "new_sandbox", counted)
    return made


def test_the_second_program_starts_no_ruby(place: Place) -> None:
    place.write({TYPE: COLORED, **function("big", "args[0] > 5")})
    code = f"{USE} [m::big(7), m::big(2)]"
    assert place.run(code) == ("(True, False)", [], True)
    assert place.run(code) == ("(True, False)", [], False)


def test_the_second_process_does_not_import_wasmtime(tmp_path: Path) -> None:
    write_files(tmp_path, {TYPE: COLORED})
    program = (
        "import sys\n"
        "from puppet_repl.language.compiler import cache\n"
        "from puppet_repl.session import Options, Session\n"
        f"cache.user_cache = lambda: {os.fspath(tmp_path / 'cache')!r}\n"
        f"session = Session(Options(modulepath=({os.fspath(tmp_path)!r},)), facts={{}})\n"
        f"print(session.execute({USE!r}).error, 'wasmtime' in sys.modules)\n"
        "session.close()\n"
    )
    environment = {**os.environ, cache.NO_CACHE: ""}
    said = [
        subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert said == ["None True\n", "None False\n"]


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        pytest.param("newproperty(:color)", {}, {TYPE: THING % ""}, id="the file itself"),
        pytest.param(
            "require 'thing_names'\nTHINGS.each { |name| newproperty(name) }",
            {NAMES: "THINGS = [:color]"},
            {NAMES: "THINGS = [:paint]"},
            id="a required file",
        ),
        pytest.param(
            "newproperty(:color) if File.read(File.join(__dir__, '../../thing.txt')) == 'a'",
            {"m/lib/thing.txt": "a"},
            {"m/lib/thing.txt": "b"},
            id="a file that was read",
        ),
        pytest.param(
            "require 'thing_names'\nTHINGS.each { |name| newproperty(name) }",
            {"n/lib/thing_names.rb": "THINGS = [:color]"},
            {NAMES: "THINGS = [:paint]"},
            id="a file of a module before",
        ),
        pytest.param(
            "begin\n  require 'thing_extra'\nrescue LoadError\n  newproperty(:color)\nend",
            {},
            {"m/lib/thing_extra.rb": ""},
            id="a required file that was missing",
        ),
        pytest.param(
            "newproperty(:color) unless File.exist?(File.join(__dir__, '../../thing.txt'))",
            {"m/lib/x": ""},
            {"m/lib/thing.txt": ""},
            id="a file that was missing",
        ),
    ],
)
def test_changed_files_count(
    place: Place, text: str, before: dict[str, str], after: dict[str, str]
) -> None:
    place.write({TYPE: THING % text, **before})
    answers = [place.run(USE), place.run(USE)]
    assert [answer.has_started for answer in answers] == [True, False]
    assert NO_COLOR not in answers[0].result + answers[1].result
    place.write(after)
    answers = [place.run(USE), place.run(USE)]
    assert [NO_COLOR in answer.result for answer in answers] == [True, True]
    assert [answer.has_started for answer in answers] == [True, False]


def test_a_changed_fact_counts(place: Place) -> None:
    place.write({TYPE: THING % "newproperty(:color) if Facter.value(:role) == 'paint'"})
    seen = [
        (NO_COLOR in answer.result, answer.has_started)
        for role in ("paint", "paint", "glue", "glue", "paint")
        for answer in [place.run(USE, {"role": role})]
    ]
    assert seen == [(False, True), (False, False), (True, True), (True, False), (False, True)]


@pytest.mark.parametrize(
    "body",
    [
        "rand(9) < 10",
        "Random.rand < 2",
        "[1, 2].shuffle.size == 2",
        "srand(1) && true",
        "SecureRandom.hex.size > 1",
        "Time.now.year > 2000",
        "Process.clock_gettime(Process::CLOCK_MONOTONIC) > 0",
        "Dir.glob(File.join(__dir__, '*')).size > 0",
        "File.write('/tmp/note', 'x') > 0",
        "$stdout.print('x') || true",
        "Puppet.warning('said') || true",
        "Puppet.debug('said') || true",
        "closure_scope['facts'].key?('role') || true",
        "Facter.value('role').nil?",
        "!File.exist?(File.join(__dir__, 'role'))",
    ],
)
def test_what_depends_on_anything_else_is_not_recorded(place: Place, body: str) -> None:
    place.write(function("f", body))
    answers = [place.run("m::f()") for _ in range(3)]
    assert [(answer.result, answer.has_started) for answer in answers] == [("True", True)] * 3
    assert answers[0].logs == answers[2].logs


def test_no_text_of_a_value_is_recorded(place: Place) -> None:
    place.write(function("f", "'hush-' + args[0]") | function("is_long", "args[0].size > 3"))
    assert place.run("[m::is_long('quiet'), m::f('now')]").result == "(True, 'hush-now')"
    assert place.run("[m::is_long('quiet'), m::f('now')]") == ("(True, 'hush-now')", [], True)
    kept = b"".join(path.read_bytes() for path in place.records())
    assert b"is_long" in kept
    assert b"quiet" not in kept and b"now" not in kept


def test_ruby_that_starts_later_is_in_the_same_state(place: Place) -> None:
    place.write(function("count", "($count = ($count || 0) + 1) > 1"))
    place.write(function("shown", '"#{args[0]} #{$count}"'))
    code = "[m::count(), m::count(), m::shown('x'), m::count(), m::shown('y')]"
    expected = ("(False, True, 'x 2', True, 'y 3')", [], True)
    assert [place.run(code) for _ in range(3)] == [expected] * 3


def test_replies_after_recorded_ones_are_recorded(place: Place) -> None:
    place.write(function("big", "args[0] > 5") | {TYPE: COLORED})
    place.run(f"{USE} m::big(1)")
    code = f"{USE} [m::big(1), m::big(7)]"
    assert place.run(code) == ("(False, True)", [], True)
    assert place.run(code) == ("(False, True)", [], False)


AT_LOAD = "FOUND = File.exist?(File.join(__dir__, 'sign')) unless defined?(FOUND)\n%s"
SIGN = "m/lib/puppet/functions/m/sign"


def test_no_record_follows_from_files_that_came_and_went(place: Place) -> None:
    path, text = next(iter(function("f", "FOUND").items()))
    place.write({path: AT_LOAD % text})
    assert place.run("m::f(1)").result == "False"
    session = place.session()
    assert session.execute("m::f(1)").value is False
    place.write({SIGN: ""})
    assert session.execute("m::f(2)").value is True
    session.close()
    (place.modules / SIGN).unlink()
    assert place.run("[m::f(1), m::f(2)]").result == "(False, False)"


def test_code_that_fails_when_it_is_loaded_late(place: Place) -> None:
    path, text = next(iter(function("f", "args[0] > 1").items()))
    place.write({path: AT_LOAD % f"raise 'no sign' if FOUND\n{text}"})
    place.run("m::f(1)")
    session = place.session()
    assert session.execute("m::f(1)").value is False
    place.write({SIGN: ""})
    said = [str(session.execute("m::f(2)").error) for _ in range(2)]
    assert "Ruby code that was loaded has changed since, and fails now" in said[0]
    assert "no sign" in said[1]
    session.close()


def test_the_working_directory_does_not_count(place: Place, tmp_path: Path) -> None:
    place.write({TYPE: COLORED})
    first = place.run(USE)
    gone = tmp_path / "gone"
    gone.mkdir()
    before = Path.cwd()
    os.chdir(gone)
    gone.rmdir()
    try:
        assert place.run(USE) == first._replace(has_started=False)
    finally:
        os.chdir(before)


def test_what_ruby_has_loaded_before_counts(place: Place) -> None:
    place.write(
        {
            TYPE: f"COLORS = [:color]\n{COLORED}",
            "m/lib/puppet/type/thong.rb": "Puppet::Type.newtype(:thong) do\n  newparam(:name)\n"
            "  COLORS.each { |name| newproperty(name) }\nend\n",
        }
    )
    both = f"{USE} thong {{ 'y': wrong => 1 }}"
    alone = "thong { 'y': wrong => 1 }"
    assert "no parameter named 'wrong'" in place.run(both).result
    uncached = place.run(alone, cache=False)
    assert "no parameter" not in uncached.result
    assert place.run(alone).result == uncached.result
    assert "no parameter named 'wrong'" in place.run(both).result


@pytest.mark.parametrize("options", [{"cache": False}, {"hermetic": True}])
def test_sessions_that_leave_the_cache_alone(place: Place, options: dict[str, Any]) -> None:
    place.write({TYPE: COLORED, **function("big", "args[0] > 5")})
    assert place.run("m::big(7)", **options) == ("True", [], True)
    assert place.records() == []
    place.run("m::big(7)")
    assert place.run("m::big(7)", **options) == ("True", [], True)


def test_damaged_records_are_not_used(place: Place) -> None:
    place.write({TYPE: COLORED, **function("big", "args[0] > 5")})
    code = f"{USE} m::big(7)"
    place.run(code)
    assert not place.run(code).has_started
    dice = random.Random(5)
    for path in place.records():
        path.write_bytes(damaged(path.read_bytes(), dice))
    assert place.run(code) == ("True", [], True)
    assert place.run(code) == ("True", [], False)


def test_only_the_first_requests_are_recorded(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "MAX_RECORDS", 4)
    place.write(function("big", "args[0] > 5"))
    code = "Integer[1, 9].map |$n| { m::big($n) }"
    expected = place.run(code, cache=False).result
    assert [place.run(code)[::2] for _ in range(2)] == [(expected, True)] * 2
    assert place.run("[m::big(1), m::big(2)]") == ("(False, False)", [], False)


def test_errors_of_the_code_come_from_ruby(place: Place) -> None:
    place.write(function("f", "raise Puppet::Error, 'not today'"))
    answers = [place.run("m::f()") for _ in range(2)]
    assert answers[0] == answers[1]
    assert "not today" in answers[0].result and answers[1].has_started


def test_a_lambda_that_calls_ruby_is_run_each_time(place: Place) -> None:
    body = "yield(1) == 2"
    text = (
        "Puppet::Functions.create_function(:'m::each') do\n  dispatch(:each) { block_param }\n"
        f"  def each\n    {body}\n  end\nend\n"
    )
    place.write({"m/lib/puppet/functions/m/each.rb": text, **function("next", "args[0] + 1")})
    code = "m::each() |$n| { notice($n) m::next($n) }"
    answers = [place.run(code) for _ in range(2)]
    assert answers[0] == answers[1] == ("True", answers[0].logs, True)
    assert len(answers[0].logs) == 1


def test_the_zone_counts(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write(function("early", "Time.at(0).hour < 12"))
    answers = []
    for zone in ("UTC", "UTC", "EST5", "EST5"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        answers.append(place.run("m::early()").result)
    monkeypatch.undo()
    time.tzset()
    assert answers == ["True", "True", "False", "False"]
