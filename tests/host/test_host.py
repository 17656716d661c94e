"""What all front ends get from their host: start, settings, history, the filter of logs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog.exports_file import read_exports
from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.session import Options
from puppet_repl.tools.reports.parts import OnMachines
from tests.imports import tree_of

ROOT = Path(__file__).parent.parent.parent
COERCED = "1 + '1'"


def make_host(**overrides: object) -> Host:
    host = Host(Options(), facts={}, overrides=overrides)
    host.read_user_files()
    return host


def value(host: Host, text: str) -> object:
    outcome = host.session.execute(text)
    return outcome.value if outcome.error is None else outcome.error.message


@pytest.mark.parametrize("written", ["", 'strict = "error"\n'])
def test_the_command_line_wins_over_the_file_and_typing_over_both(
    config: Path, written: str
) -> None:
    (config / "config.toml").write_text(written)
    host = make_host(strict="off")
    assert list(host.start()) == []
    assert value(host, COERCED) == 2
    run(host.session, ":set theme puppet", host)
    assert value(host, COERCED) == 2
    run(host.session, ":set strict error", host)
    assert "automatically coerced" in str(value(host, COERCED))


def test_the_file_wins_where_the_command_line_says_nothing(config: Path) -> None:
    (config / "config.toml").write_text('strict = "off"\n')
    assert value(make_host(), COERCED) == 2


def test_without_user_files_settings_begin_as_the_options() -> None:
    host = Host(Options(strict="off"), facts={})
    assert host.settings["strict"] == "off"
    host.settings.put("pager", False)
    assert value(host, COERCED) == 2


def test_the_startup_file_runs_unnumbered(config: Path) -> None:
    (config / "startup.pp").write_text("function twice($x) { $x * 2 }")
    host = make_host()
    assert list(host.start()) == []
    assert value(host, "twice(2)") == 4
    assert host.session.count == 1


@pytest.mark.parametrize(
    "command",
    [":reset", ":node web01", ":facts rocky-9", ":node pp_role=web", ":environment {}"],
)
def test_the_startup_file_runs_again_after_a_reset(
    config: Path, tmp_path: Path, command: str
) -> None:
    (tmp_path / "manifests").mkdir()
    (config / "startup.pp").write_text("function twice($x) { $x * 2 }")
    host = make_host()
    assert list(host.start()) == []
    assert not run(host.session, command.format(tmp_path), host).failed
    assert value(host, "twice(2)") == 4
    assert host.session.count == 1


def test_other_machines_have_the_startup_file(config: Path) -> None:
    (config / "startup.pp").write_text("function family() { $facts['os']['family'] } $n = 5")
    host = make_host()
    assert list(host.start()) == []
    (part,) = run(host.session, ":on debian-12 rocky-9 family()", host).parts
    assert isinstance(part, OnMachines)
    assert [row.value for row in part.rows] == ["Debian", "RedHat"]
    assert host.session.execute('notify { "n${n}": }').error is None
    assert host.session.execute("$n + 1").value == 6
    assert not run(host.session, ":diff", host).failed


def test_a_startup_file_that_fails_is_told_again_and_is_no_failure_elsewhere(config: Path) -> None:
    (config / "startup.pp").write_text("fail('at the start')")
    host = make_host()
    assert len(list(host.start())) == 1
    assert run(host.session, ":reset", host).failed
    report = run(host.session, ":on debian-12 1", host)
    assert not report.failed and not report.is_partial


def test_problems_at_the_start_are_told_in_order_and_do_not_end_it(
    config: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "environment"
    (environment / "manifests").mkdir(parents=True)
    (environment / "manifests" / "site.pp").write_text("$a = 1\n$a + $nope")
    (config / "config.toml").write_text("nothing = 1\n")
    (config / "startup.pp").write_text("$b = 1 + $other")
    host = Host(Options(environment=str(environment)), facts={})
    host.read_user_files()
    first, second, advice, third = list(host.start())
    assert isinstance(first, str) and "there is no setting 'nothing'" in first
    assert isinstance(second, PuppetError) and "nope" in second.message
    assert isinstance(advice, str) and "the site manifests have declared nothing" in advice
    assert isinstance(third, PuppetError) and "other" in third.message
    assert value(host, "1 + 1") == 2


def test_an_unreadable_startup_file_is_a_warning(config: Path) -> None:
    (config / "startup.pp").write_bytes(b"$a = '\xff'")
    (problem,) = make_host().start()
    assert isinstance(problem, str)
    assert "cannot read" in problem and "startup.pp" in problem


def test_an_internal_error_of_the_startup_file_is_told(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (config / "startup.pp").write_text("1")
    host = make_host()

    def fail(*_: object, **__: object) -> None:
        raise LookupError("lost")

    monkeypatch.setattr(host.session, "execute", fail)
    (problem,) = host.start()
    assert "defect of puppet-repl: LookupError: lost (test_host.py:" in str(problem)


def test_logs_are_filtered_by_the_level_that_is_set() -> None:
    host = Host(facts={})
    shown: list[tuple[str, str]] = []
    host.show_logs(lambda level, message: shown.append((level, message)))
    host.session.execute("debug('a') info('b') notice('c') emerg('d')")
    host.settings.set("log_level", "err")
    host.session.execute("notice('e') err('f') crit('g')")
    assert "".join(message for _, message in shown) == "cdfg"


def test_history_is_shared_by_hosts_that_read_user_files(config: Path) -> None:
    make_host().history.add("1 + 1")
    Host(facts={}).history.add("2 + 2")
    history = make_host().history
    assert history.loaded.wait(5)
    assert history.entries == ["1 + 1"]


def test_a_host_of_a_session_keeps_it() -> None:
    host = Host(facts={})
    host.session.execute("$x = 1")
    again = Host(session=host.session)
    assert again.session is host.session
    assert again.session.execute("$x").value == 1


@pytest.mark.xdist_group("sources")
def test_no_front_end_wires_a_session_by_itself(subtests: pytest.Subtests) -> None:
    rooms = ("terminal", "cli", "doctest")
    roots = [*(ROOT / "puppet_repl" / "frontends" / room for room in rooms), ROOT / "kernel"]
    sources = [path for root in roots for path in sorted(root.rglob("*.py"))]
    assert len(sources) > 90
    for path in sources:
        with subtests.test(str(path.relative_to(ROOT))):
            calls = [node for node in ast.walk(tree_of(path)) if type(node) is ast.Call]
            called = {node.func.id for node in calls if isinstance(node.func, ast.Name)}
            assert not called & {"Session", "Settings", "History"}


@pytest.mark.parametrize("module", ["puppet_kernel.kernel", "puppet_repl.frontends.doctest"])
def test_other_front_ends_do_not_load_the_terminal(module: str) -> None:
    part = "puppet_repl.frontends.terminal"
    code = f"import sys, {module}; print([n for n in sys.modules if {part!r} in n])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_two_sessions_keep_exports_in_one_file(tmp_path: Path) -> None:
    path = str(tmp_path / "x.json")
    (tmp_path / "x.json").write_text(
        '[{"certname": "old", "type": "Notify", "title": "o", "parameters": {}}]'
    )
    first, second = (Host(Options(node=node, puppetdb=path), facts={}).session for node in "ab")

    def kept() -> list[tuple[str, str]]:
        return [(each.certname, each.title) for each in read_exports(path).resources()]

    assert first.execute("@@notify { 'of a': }").error is None
    assert second.execute("@@notify { 'of b': }").error is None
    assert kept() == [("old", "o"), ("a", "of a"), ("b", "of b")]
    assert first.execute("@@notify { 'more of a': }").error is None
    assert kept()[1:] == [("a", "of a"), ("a", "more of a"), ("b", "of b")]
    assert second.clear_exports() == 2  # a is not known to it
    assert kept() == [("a", "of a"), ("a", "more of a")]
