"""The net under the front ends: a defect is one line, an interrupt is enough, whatever they do.

The processes that are interrupted are children; only these get signals.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host
from puppet_repl.session import Options

pytestmark = pytest.mark.untraced


ENDLESS = "Integer[1, 9223372036854775807].each |$i| { $x = $i }"
FIB = "function f($n) { if $n < 2 { 1 } else { f($n - 1) + f($n - 2) } }"
DAG = "Integer[1, 40].reduce([1]) |$m, $i| { [$m, $m] }"

# A child in which a function of the program is broken.
BROKEN = """
import sys
import {module} as module
def broken(*_, **__):
    1 / 0
module.{name} = broken
sys.argv = ["puppet-repl", *{arguments!r}]
from puppet_repl.frontends.cli import main_of_process
sys.exit(main_of_process())
"""


def run(code: str, debug: bool = False, text: str = "") -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "PUPPET_REPL_DEBUG"}
    if debug:
        environment["PUPPET_REPL_DEBUG"] = "1"
    return subprocess.run(
        [sys.executable, "-c", code],
        input=text,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("module", "name", "arguments", "status"),
    [
        ("puppet_repl.session.execution", "compile_program", ["-e", "1"], 1),
        ("puppet_repl.frontends.cli.program", "value_text", ["-e", "1"], 1),
        ("puppet_repl.frontends.cli.invocation", "host_of", ["--node", "a", "-e", "1"], 1),
        ("puppet_repl.frontends.cli.program", "value_text", ["-"], 1),
        ("puppet_repl.frontends.cli.validate", "findings_of", ["validate"], 2),
        ("puppet_repl.frontends.cli.parse", "checked", ["parse"], 2),
        ("puppet_repl.frontends.cli.compile", "_planned", ["compile", "-e", "1"], 2),
        ("puppet_repl.frontends.cli.compile", "compile_nodes", ["compile", "-e", "1"], 2),
        ("puppet_repl.frontends.shared.compiling", "document", ["compile", "-e", "1"], 1),
        ("puppet_repl.frontends.cli.diff", "make_parser", ["diff"], 2),
        ("puppet_repl.frontends.cli.lookup", "host_of", ["lookup", "a"], 1),
        ("puppet_repl.frontends.cli.ruby", "make_parser", ["ruby", "status"], 1),
        ("puppet_repl.frontends.cli.shell_completion", "make_parser", ["completion", "bash"], 1),
        ("puppet_repl.frontends.doctest.command", "make_parser", ["doctest"], 2),
        ("puppet_kernel.install", "make_parser", ["kernel", "install"], 1),
        ("puppet_repl.frontends.cli.batch", "tune_process", ["batch"], 1),
        ("puppet_repl.frontends.cli.arguments", "make_parser", ["--version"], 1),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_defect_is_one_line(module: str, name: str, arguments: list[str], status: int) -> None:
    code = BROKEN.format(module=module, name=name, arguments=arguments)
    process = run(code, text="1")
    assert process.returncode == status, process.stderr
    assert "this is a defect of puppet-repl: ZeroDivisionError" in process.stderr
    assert process.stderr.count("\n") == 1 and "Traceback" not in process.stderr


def test_the_traceback_of_a_defect_is_there_on_demand() -> None:
    code = BROKEN.format(
        module="puppet_repl.frontends.cli.program", name="value_text", arguments=["-e", "1"]
    )
    process = run(code, debug=True)
    assert process.returncode == 1
    assert "Traceback (most recent call last)" in process.stderr
    assert "this is a defect of puppet-repl: ZeroDivisionError" in process.stderr


@pytest.mark.parametrize("arguments", [["-e", "1"], ["lookup", "a"], ["validate"]])
def test_a_lack_of_memory_outside_of_code_is_one_line(arguments: list[str]) -> None:
    module = {"-e": "program", "lookup": "lookup", "validate": "validate"}[arguments[0]]
    name = {"-e": "value_text", "lookup": "host_of", "validate": "findings_of"}[arguments[0]]
    code = BROKEN.format(
        module=f"puppet_repl.frontends.cli.{module}", name=name, arguments=arguments
    )
    process = run(code.replace("1 / 0", "raise MemoryError"), text="1")
    assert process.returncode == (2 if arguments == ["validate"] else 1)
    assert process.stderr == "Error: Memory limit exceeded (see --max-memory)\n"


# The line mode


def dialogue(host: Host, text: str) -> str:
    output = io.StringIO()
    assert LineMode(host, io.StringIO(text), output).run() == 0
    return output.getvalue()


@pytest.mark.parametrize(
    "name",
    [
        "puppet_repl.frontends.terminal.line_mode.wants_more",
        "puppet_repl.frontends.terminal.line_mode.is_command",
        "puppet_repl.frontends.shared.entry_display.render_outcome",
        "puppet_repl.host.history.History.add",
    ],
)
@pytest.mark.parametrize("error", [ValueError("lost"), KeyboardInterrupt()], ids=["defect", "stop"])
def test_the_line_mode_goes_on(
    name: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(facts={})
    with monkeypatch.context() as patch:
        failed = []

        def fail_once(*_: object, **__: object) -> None:
            patch.undo()
            failed.append(error)
            raise error

        patch.setattr(name, fail_once)
        shown = dialogue(host, "1\n2 + 2\n")
    assert failed == [error]
    assert "> 4\n" in shown
    if isinstance(error, ValueError):
        assert "Error: this is a defect of puppet-repl: ValueError: lost" in shown


@pytest.mark.parametrize("command", [":show", ":type $d"])
def test_a_value_too_large_to_be_shown_meets_the_limit_of_memory(command: str) -> None:
    shown = dialogue(Host(facts={}), f"$d = {DAG};\n$d\n{command}\n2 + 2\n")
    assert "Error: Memory limit exceeded (see --max-memory)\n" in shown
    assert "defect" not in shown
    assert "> 4\n" in shown


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "Memory limit exceeded (see --max-memory)"),
        (RecursionError("too deep"), "The value is nested too deeply"),
    ],
    ids=["memory", "depth"],
)
def test_limits_are_told_alike_everywhere(
    error: Exception, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    host = Host(facts={})
    monkeypatch.setattr("puppet_repl.frontends.shared.entry_display.render_outcome", fail)
    assert f"Error: {message}\n" in dialogue(host, "1\n")
    kind = type(error).__name__
    for module, name in (("program", "value_text"), ("invocation", "host_of")):
        arguments = ["--node", "a", "-e", "1"]
        code = BROKEN.format(
            module=f"puppet_repl.frontends.cli.{module}", name=name, arguments=arguments
        )
        process = run(code.replace("1 / 0", f"raise {kind}"), debug=True)
        assert (process.returncode, process.stderr) == (1, f"Error: {message}\n")


@pytest.mark.parametrize("error", [ValueError("lost"), KeyboardInterrupt()], ids=["defect", "stop"])
def test_what_comes_before_the_first_input_does_not_keep_the_prompt_from_opening(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    host = Host(Options(environment=str(tmp_path)), facts={})

    def fail() -> None:
        raise error

    monkeypatch.setattr(host.session, "run_site", fail)
    shown = dialogue(host, "2 + 2\n")
    assert "the manifests of the environment: " in shown and "> 4\n" in shown


# Interrupts, of children only


def interrupted(arguments: list[str], ready: str = "", text: str = "") -> tuple[int, str]:
    """Run a command line and interrupt it once; return its exit status and what it has written.

    The interrupt comes when standard error says ``ready``.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "puppet_repl", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None and process.stderr is not None
    with process:
        process.stdin.write(text)
        process.stdin.flush()
        shown = ""
        while ready not in shown:
            line = process.stderr.readline()
            assert line, shown
            shown += line
        time.sleep(0.05)  # it has gone on meanwhile
        process.send_signal(signal.SIGINT)
        try:
            _, rest = process.communicate(timeout=60)
        finally:
            process.kill()
    return process.returncode, shown + rest


@pytest.mark.parametrize(
    "arguments",
    [
        ["-e", f"notice('ready') {ENDLESS}"],
        ["--node", "a", "-e", f"notice('ready') {ENDLESS}"],
        ["-e", "$x = Array(Integer[1, 3000000]) notice('ready') $x"],
        ["-e", "notice('ready') 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /^(a|aa)+$/"],
        ["-e", f"{FIB} notice('ready') [1].map |$x| {{ f(60) }}"],
        ["-e", f"notice('ready') inline_epp('<% {ENDLESS} %>')"],
        ["-e", f"notice('ready') $x = {DAG} $y = {DAG} $x == $y and \"${{x}}\" == ''"],
    ],
    ids=["loop", "options", "shown", "regex", "deep", "epp", "equality"],
)
def test_one_interrupt_ends_a_program(arguments: list[str]) -> None:
    status, shown = interrupted(arguments, "ready")
    assert status == 130, shown
    assert "Traceback" not in shown and "defect" not in shown


def test_one_interrupt_ends_batch() -> None:
    request = {"code": f"notice('x') {ENDLESS}", "max_seconds": 60}
    first = {"code": "1", "mode": "eval"}
    process = subprocess.Popen(
        [sys.executable, "-m", "puppet_repl", "batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(first) + "\n" + json.dumps(request) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["value"] == "1"
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, "", "")


# A child that is interrupted while it imports a module.
IMPORTING = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["puppet-repl", *{arguments!r}]
from puppet_repl.frontends.cli import main_of_process
sys.exit(main_of_process())
"""


@pytest.mark.parametrize(
    ("module", "arguments", "status"),
    [
        # At the start the system ends the process, which a shell tells as 130 too.
        ("puppet_repl.frontends.cli.command_line", ["-e", "1"], -signal.SIGINT),
        ("puppet_repl.frontends.cli.program", ["-e", "1"], -signal.SIGINT),
        ("puppet_repl.session", ["-e", "1"], -signal.SIGINT),
        ("puppet_repl.frontends.cli.arguments", ["--help"], -signal.SIGINT),
        ("puppet_repl.frontends.cli.batch", ["batch"], -signal.SIGINT),
        ("puppet_repl.language.functions.access", ["-e", "{a => 1}.keys"], 130),
        ("puppet_repl.language.values.quote", ["-e", "{a => 1}"], 130),
        ("puppet_repl.tools.rendering.diagnostics", ["-e", "fail('x')"], 130),
    ],
)
def test_an_interrupt_of_an_import(module: str, arguments: list[str], status: int) -> None:
    process = run(IMPORTING.format(module=module, arguments=arguments))
    assert process.returncode == status, process.stderr
    assert "Traceback" not in process.stderr and process.stdout == ""


def test_interrupts_that_the_caller_ignores_stay_ignored() -> None:
    code = IMPORTING.format(module="puppet_repl.session", arguments=["-e", "1"])
    process = run(code.replace("class Finder", "signal.signal(2, signal.SIG_IGN)\nclass Finder"))
    assert (process.returncode, process.stdout, process.stderr) == (0, "1\n", "")
