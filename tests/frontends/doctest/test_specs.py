"""Sessions that are saved with their results, as tests that ``doctest`` runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.facts.facts import load_facts
from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.specs import split_results
from puppet_repl.frontends.doctest import Runner
from puppet_repl.frontends.doctest.command import main
from puppet_repl.frontends.shared.entry_run import run_entry
from puppet_repl.host.host import Host
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

INPUTS = (
    "$a = 40",
    "$a + 1",
    'class web($port) {\n  notify { "on ${port}": }\n}',
    "class { 'web': port => 80 }",
    "notice('two\n\n  lines', 1)\nwarning('w')",
    "'# => 5'",
    "'# error: x'",
    "notice('# notice: y ...')",
    "[Sensitive('x'), \"a\nb\", undef, {1 => /a/}]",
    "Error",
    "if $a == 40 { 'yes' } # => a comment",
    "else { 'no' }",
    "@(X)\n  # => text\n  | X",
    "$_1 + $_2;",
    ".abs",
    "file { '/a': require => File['/b'] }",
    "Integer[1, 2000].map |$x| { $x }",
    "notice('')",
    "function f($x) { $x * 2 }",
    "f(Integer($facts['os']['release']['major']))",
)


def answer(host: Host, text: str) -> str:
    return plain(render_report(run(host.session, text, host), 300))


@pytest.fixture
def host() -> Host:
    """Return a host with the facts that ``doctest`` has, and inputs of all kinds."""
    made = Host(facts=load_facts("debian-12"))
    made.open_prompt()
    for text in INPUTS:
        assert run_entry(made.session, text).outcome.error is None, text
    return made


def test_results_are_saved_and_hold(
    host: Host, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "web_spec.pp"
    shown = answer(host, f":save {path}")
    assert shown == (
        f"wrote 19 inputs to {path} with results, "
        f"which puppet-repl doctest --stdlib off {path} compares"
    )
    text = path.read_text()
    assert "$a + 1\n# => 41\n" in text
    assert "warning('w')\n# notice: two\n#    lines 1\n# warning: w\n" in text
    assert "# (a result of 10893 characters is not compared)" in text
    assert main(["-v", str(path)]) == 0
    assert "0 differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("right", "wrong", "code", "got"),
    [
        ("# => 41", "# => 42", "$a + 1", "41"),
        ("# warning: w", "# warning: other", "warning('w')", "warning: w"),
        ("#    lines 1", "#    lines 2", "lines', 1)", "lines 1"),
        ("# => '# => 5'", "# => 5", "'# => 5'", "'# => 5'"),
        ("$a = 40\n# => 40", "$a = 41\n# => 41", "$a + 1", "42"),
        ("$a = 40\n# => 40", "nix()\n# => 40", "nix()", "Unknown function"),
        ("# => [Class['Web']]", "# error: no class", "class { 'web'", "[Class['Web']]"),
    ],
)
def test_what_has_changed_differs(
    host: Host, tmp_path: Path, right: str, wrong: str, code: str, got: str
) -> None:
    path = tmp_path / "web_spec.pp"
    answer(host, f":save {path}")
    text = path.read_text()
    assert right in text
    changed = text.replace(right, wrong, 1)
    first, *_ = Runner().run_document(str(path), changed)
    assert code in first.code
    assert got in first.got
    assert code.split()[0] in changed.split("\n")[first.line - 1] or "\n" in first.code


def test_an_error_that_is_expected_may_be_written_by_hand(tmp_path: Path) -> None:
    text = "# A session of puppet-repl; :load runs each part as an input of its own.\n\n"
    holds = text + "# In[1]\nfail('no way')\n# error: no way\n\n# In[2]\n1 + 1\n# => 2\n"
    runner = Runner()
    assert runner.run_document("x_spec.pp", holds) == []
    assert runner.count == 2
    (difference,) = Runner().run_document("x_spec.pp", holds.replace(": no way", ": other"))
    assert difference.line == 4


def test_a_test_is_loaded_changed_and_saved_again(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "web_spec.pp"
    answer(host, f":save {path}")
    text = path.read_text()
    again = Host(facts=load_facts("debian-12"))
    again.open_prompt()
    assert "loaded" in answer(again, f":load {path}")
    again.session.execute("$b = 7")
    assert f":save! {path} overwrites it" in answer(again, f":save {path}")
    assert path.read_text() == text
    assert "overwrote" in answer(again, f":save! {path}")
    assert path.read_text() == f"{text}\n# In[20]\n$b = 7\n# => 7\n"
    assert Runner().run_document(str(path), path.read_text()) == []


def test_other_names_get_no_results(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "spec.pp"
    assert answer(host, f":save {path}") == f"wrote 19 inputs to {path}"
    text = path.read_text()
    assert "# => 41" not in text and "# notice: two" not in text


@pytest.mark.parametrize(
    ("lines", "code", "results"),
    [
        (["1", "# => 1"], 1, [("=>", "1")]),
        (["1", "# notice: a", "#    b", "# => 1", ""], 1, [("notice:", "a\nb"), ("=>", "1")]),
        (["1", "#    a", "# => 1"], 2, [("=>", "1")]),
        (["1", "# => 1", "# mine"], 3, []),
        (["# => 1"], 1, []),
        (["f()", "# error: x", "#    "], 1, [("error:", "x\n")]),
        (["1", "#=> 1"], 2, []),
    ],
)
def test_code_and_results(lines: list[str], code: int, results: list[tuple[str, str]]) -> None:
    assert split_results(lines) == (lines[:code], results)
