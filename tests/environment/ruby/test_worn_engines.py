"""A Ruby that has taken much memory ends between two inputs; the session notices nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.session import Session
from tests.environment.ruby.engine import needs_sandbox
from tests.environment.ruby.sandbox import Probe, make_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.ruby.engine import Engine

pytestmark = needs_sandbox

FILL = "x = 'a' * (150 << 20); $filled = 1; x.size"
LEGACY = "Puppet::Parser::Functions.newfunction(:probe_old, type: :rvalue) { |args| args.first }\n"


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    path = make_module(tmp_path)
    legacy = path / "probe/lib/puppet/parser/functions"
    legacy.mkdir(parents=True)
    (legacy / "probe_old.rb").write_text(LEGACY)
    return Probe(path)


def _engine(session: Session) -> Engine | None:
    started = session._context.ruby._started
    return None if started is None else started.engine


def test_the_next_input_has_another_ruby(probe: Probe) -> None:
    assert probe.session.execute("probe_old('before')").value == "before"
    assert probe.value(FILL) == 150 << 20
    worn = _engine(probe.session)
    assert worn is not None and worn.is_worn and worn.is_alive
    assert probe.value("$filled") is None
    assert not worn.is_alive
    new = _engine(probe.session)
    assert new is not None and not new.is_worn
    assert probe.session.execute("probe_old('after')").value == "after"
    assert _engine(probe.session) is new


def test_after_an_error_for_lack_of_memory(probe: Probe) -> None:
    assert probe.value("$kept = 1") == 1
    error = probe.error("x = 'a' * (140 << 20); $kept = 2; y = 'b' * (600 << 20)")
    assert "failed to allocate memory" in error
    worn = _engine(probe.session)
    assert worn is not None and worn.is_worn
    assert probe.session.execute("1 + 1").value == 2
    assert not worn.is_alive
    assert probe.value("$kept") is None


def test_an_input_keeps_its_ruby(probe: Probe) -> None:
    fill = FILL.replace("'", "\\'")
    outcome = probe.session.execute(f"probe::run('{fill}')\nprobe::run('$filled')")
    assert outcome.value == 1


def test_files_stay(probe: Probe) -> None:
    assert probe.value("File.write('/tmp/note', 'abc')") == 3
    probe.value(FILL)
    assert probe.value("File.read('/tmp/note')") == "abc"


def test_objects_of_ruby_keep_it(probe: Probe) -> None:
    kept = probe.session.execute("$thing = probe::run('Object.new')")
    assert kept.error is None
    probe.value(FILL)
    assert probe.value("$filled") == 1
    assert probe.session.execute("probe_old($thing) == $thing").value is True


def test_objects_of_a_ruby_that_has_ended_are_no_others(probe: Probe) -> None:
    probe.session.execute("$thing = probe::run('Object.new')")
    worn = _engine(probe.session)
    assert worn is not None
    worn.close()
    assert probe.session.execute("$other = probe::run('Object.new')").error is None
    error = probe.session.execute("probe_old($thing)").error
    assert error is not None
    assert "This object of Ruby is gone: its Ruby has ended" in error.message
    assert probe.session.execute("probe_old($other) == $other").value is True
