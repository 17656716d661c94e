"""Code that is stopped: in a pseudo-terminal, in the line mode, and in a pipe."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from prompt_toolkit.document import Document

from puppet_repl.frontends.commands import run
from puppet_repl.frontends.terminal.completer import SessionCompleter
from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from tests.frontends.terminal.pty_child import PtyChild

ROOT = Path(__file__).parents[3]
FUNCTION = "function f($count) {\n  $half = $count / 2\n  $half + 1\n}\n"


def dialogue(text: str, max_seconds: float | None = None) -> str:
    """Return what the line mode writes, prompts included."""
    output = io.StringIO()
    session = Session(Options(max_seconds=max_seconds), facts={"kernel": "Linux"})
    assert LineMode(Host(session=session), io.StringIO(text), output).run() == 0
    return output.getvalue()


def answers(text: str, max_seconds: float | None = None) -> list[str]:
    """Return what the line mode writes for each line of a dialogue behind the function."""
    written = dialogue(FUNCTION + text, max_seconds).replace("puppet [", "debug [")
    return [each.partition("]> ")[2].rstrip("\n") for each in written.split("debug [")[2:]]


# The line mode


def test_a_stop_is_shown_with_the_lines_around() -> None:
    assert answers(":break f\nf(8)\n:c\n") == [
        "breakpoint 1 at function f",
        "stopped in function f, In[1]:2 (breakpoint 1)\n"
        "   1 | function f($count) {\n"
        "=> 2 |   $half = $count / 2\n"
        "   3 |   $half + 1\n"
        "   4 | }",
        "5",
        "",
    ]


def test_expressions_and_their_errors() -> None:
    told = answers(":break f\nf(8)\n$count * 10\n$half\nnotice($count)\n[1,\n2]\n:c\n")
    assert told[2] == "80"
    assert told[3].startswith("Error: Evaluation Error: Unknown variable: 'half'.")
    assert told[4] == "Notice: 8"
    assert told[5:] == ["... [1, 2]", "5", ""]


def test_what_a_line_binds_is_told_to_be_gone() -> None:
    told = answers(":break f\nf(8)\n$half = 5\n$half\n:c\n")
    assert told[2] == "5\nbound for this line only: the code goes on with its own variables"
    assert "Unknown variable: 'half'" in told[3]
    assert told[4] == "5"


def test_breakpoints_stop_the_manifests_that_a_reset_runs(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text(
        "class web {\n  $a = 3\n  $b = $a\n}\ninclude web\n"
    )
    output = io.StringIO()
    host = Host(Options(environment=str(tmp_path)), facts={})
    LineMode(host, io.StringIO(":break web\n:reset\n:next\n$a\n:c\n"), output).run()
    shown = output.getvalue()
    assert "stopped in class web" in shown
    assert "debug [1]> 3\n" in shown
    assert shown.rstrip().endswith("debug [1]> session reset\npuppet [1]>")


def test_looking_around() -> None:
    told = answers(
        ":break 1:3\nf(8)\n:vars\n:vars cou\n:where\n:frame up\n:vars\n:frame down\n:frame\n:out\n"
    )
    table = "Name    Type     Value\n"
    assert told[2] == f"{table}$count  Integer  8\n$half   Integer  4"
    assert told[3] == f"{table}$count  Integer  8"
    assert [line.split() for line in told[4].split("\n")[1:]] == [
        ["=>", "1", "function", "f", "In[1]:3"],
        ["2", "main", "In[2]:1"],
    ]
    assert told[5] == "frame 2: main, In[2]:1\n=> 1 | f(8)"
    assert told[6] == "no variables here"
    assert told[8].startswith("frame 1: function f, In[1]:3\n   1 | function f($count) {")
    assert told[8].endswith(told[2])
    assert told[9] == "5"


def test_the_prompt_has_the_number_of_the_frame() -> None:
    written = dialogue(FUNCTION + ":break f\nf(8)\n:frame up\n:frame 1\n:c\n")
    assert [part.rpartition("\n")[2] for part in written.split("]> ")[2:7]] == [
        "puppet [2",
        "debug [1",
        "debug [2",
        "debug [1",
        "puppet [3",
    ]


def test_watched_expressions_are_shown_at_each_stop() -> None:
    told = answers(":display $half * 2\n:break f\nf(8)\n:n\n:display --delete 1\n:watch\n:c\n")
    assert told[0].split() == ["Watched", "1", "$half", "*", "2"]
    assert told[2].endswith("1  $half * 2  (Unknown variable: 'half')")
    assert told[3].endswith("   Watched    Value\n1  $half * 2  8")
    assert told[5] == "nothing is watched; :display EXPR"


def test_breakpoints_are_listed_and_deleted() -> None:
    told = answers(
        ":break f if $count > 7\n:break 1:3\n:break\nf(2)\n:c\n:break --delete 2\nf(2)\n"
    )
    assert told[:2] == ["breakpoint 1 at function f", "breakpoint 2 at In[1]:3"]
    assert [line.split() for line in told[2].split("\n")[1:]] == [
        ["1", "f", "$count", ">", "7"],
        ["2", "In[1]:3"],
    ]
    assert told[3].startswith("stopped in function f, In[1]:3 (breakpoint 2)\n")
    assert told[5:7] == ["breakpoint 2 at In[1]:3 deleted", "2"]


@pytest.mark.parametrize("ending", [":quit\n", ""])
def test_the_input_may_be_ended(ending: str) -> None:
    text = f":break f\n$kept = 1\nf($kept)\n{ending}"
    written = dialogue(FUNCTION + text)
    assert "Interrupted. In[1]:2:" in written
    assert written.endswith("puppet [3]> \n")
    rolled_back = dialogue(FUNCTION + ":break f\n[$x = 5, f(1)]\n:quit\n$x\n")
    assert "Unknown variable: 'x'" in rolled_back


def test_commands_that_change_the_session_wait() -> None:
    told = answers(":break f\nf(8)\n:reset\n:catalog\n:c\n")
    waits = "has to wait until the code that is stopped has ended"
    hint = "\n  hint: :continue goes on, :quit ends the input"
    assert told[2:5] == [f"Error: :reset {waits}{hint}", f"Error: :catalog {waits}{hint}", "5"]


def test_help_begins_with_the_commands_of_the_debugger() -> None:
    told = answers(":help\n:break f\nf(8)\n:help\n:c\n")
    assert ":load" in told[0] and ":step" not in told[0]
    assert told[3].startswith("  :break ") and ":step " in told[3]
    assert ":doc " in told[3] and ":load" not in told[3]


VALUES = [
    (":type $half", "Integer[4, 4]"),
    (":show json {'h' => $half}", '{\n  "h": 4\n}'),
    (":show yaml {'h' => $half}", "---\nh: 4"),
    (":show table {'h' => $half}", "Key  Value\nh    4"),
    (":why Integer[5] $half", "Value  Integer[5]  Why not"),
    (":why $half == 4 and $count == 8", "Compared  How  With  Result\n4         ==   4     yes\n8"),
    (":why $a = $half; $a > 4", "Compared  How  With  Result\n4         >    4     no"),
    (":type notice($half)", "Notice: 4\nUndef"),
    (":show json $_2", "2"),
    (":show 2", "2"),
    (":type $nope", "Error: Evaluation Error: Unknown variable: 'nope'."),
]


def test_commands_that_look_see_the_variables_of_the_frame() -> None:
    lines = "".join(f"{line}\n" for line, _ in VALUES)
    told = answers(f"1 + 1\n:break 1:3\n[f(8), notice('on')]\n{lines}:frame up\n:type $half\n:c\n")
    for (line, shown), found in zip(VALUES, told[3:], strict=False):
        assert found.startswith(shown), line
    assert told[-3].startswith("Error: Evaluation Error: Unknown variable: 'half'.")
    assert told[-2] == "Notice: on\n[5, undef]"


def test_what_commands_do_in_a_frame_does_not_stay() -> None:
    lines = ":why $a = 1; $a == 1\n:type notify { 'gone': }\n:why Integer $b = 1\n:resources\n$a\n"
    told = answers(f":break f\nnotify {{ 'kept': }} f(8)\n{lines}:c\n:resources\n")
    assert "$a == 1 is true" in told[2]
    assert told[5] == told[8] and "kept" in told[5] and "gone" not in told[5]
    assert told[6].startswith("Error: Evaluation Error: Unknown variable: 'a'.")


def test_what_is_looked_at_takes_nothing_from_the_input() -> None:
    host = Host(session=Session(facts={}))

    def look() -> None:
        for command in (":show 1", ":type 1", ":show json $_1", ":why 1 == 1", ":why Integer 1"):
            assert not run(host.session, command, host).failed
        host.debugger.resume("")

    host.look = look
    assert host.session.execute("1 + 1", "In[1]").error is None
    with host.stopping():
        outcome = host.session.execute("notice('on') notify { 'a': } debug::break()", "In[2]")
    assert outcome.logs == [("notice", "on")]
    assert [each["title"] for each in outcome.resources] == ["a"]


def test_a_limit_that_is_met_where_code_is_stopped_ends_nothing() -> None:
    large = "Integer[1, 60].reduce([1]) |$m, $i| { [$m, $m] }"
    told = answers(f":break f\nf(8)\n:show json {large}\n$count\n:c\n")
    assert told[2].startswith("Error: ") and "memory" in told[2]
    assert told[3:5] == ["8", "5"]


def test_steps_go_on_in_the_frame_that_is_looked_at() -> None:
    code = "".join(
        f"function {name}($n) {{\n  $m = {inner}\n  $r = $m + 1\n  $r\n}}\n"
        for name, inner in (("a", "b($n)"), ("b", "c($n)"), ("c", "$n"))
    )
    for command, place in (
        *((":out", "b, In[3]:3"), (":frame up\n:out", "a, In[2]:3"), (":frame up 2\n:out", "main")),
        *((":n", "c, In[4]:3"), (":frame up\n:n", "b, In[3]:3"), (":frame up 2\n:n", "a, In[2]:3")),
        (":frame up 2\n:s", "c, In[4]:3"),
    ):
        told = answers(f"{code}:break c\n$r = [a(1),\na(2)]\n:break --delete 1\n{command}\n:c\n")
        stopped = told[-3 if place != "main" else -2].split("\n")[0]
        assert stopped == f"stopped in function {place}" if place != "main" else "[4, 4]", command


def test_an_empty_line_repeats_a_step_of_the_same_input() -> None:
    long = "function long($a) {\n  $b = $a\n  $c = $b\n  $d = $c\n  $d\n}\n"
    told = answers(f"{long}:break long\n\nlong(1)\n:n\n\n$c\n\n:n\n\nlong(2)\n\n:s\n\n:c\n")
    stops = [each.split("\n")[0] for each in told]
    at = "stopped in function long, In[2]"
    first = [f"{at}:2 (breakpoint 1)", f"{at}:3", f"{at}:4", "1", "", f"{at}:5", "1"]
    assert stops[1:] == [
        "breakpoint 1 at function long",
        "",
        *first,
        first[0],
        "",
        *first[1:3],
        "2",
        "",
    ]


def test_a_line_that_is_no_text_ends_nothing() -> None:
    lines = io.TextIOWrapper(_Lines(f"{FUNCTION}:break f\nf(8)\n".encode(), b"\xff\n", b":c\n"))
    output = io.StringIO()
    assert LineMode(Host(session=Session(facts={})), lines, output).run() == 0
    assert "debug [1]> Error: the input is not UTF-8: invalid start byte\ndebug [1]> 5\n" in (
        output.getvalue()
    )


def test_breakpoints_of_an_input_stay_while_its_text_may_come_again() -> None:
    code = "$a = [1, 2]\n"
    told = answers(
        f"{code}:break 2:1\n:undo\n$a = 1 / 0\n:break\n{code}:c\n:undo\n$b = 1\n:break\n"
    )
    assert "1  In[2]:1" in told[4]
    assert told[5].startswith("stopped in main, In[2]:1 (breakpoint 1)")
    assert told[6:] == [
        "[1, 2]",
        "undid: $a = [1, 2]",
        "breakpoint 1 at In[2]:1 is deleted: that input has another text now\n1",
        "no breakpoints; :break NAME sets one",
        "",
    ]


def test_breakpoints_of_inputs_that_are_done_again() -> None:
    told = answers("function g() {\n  5\n}\n:break 2:2\n:undo\n:redo\n:break\ng()\n:c\n")
    assert "1  In[2]:2" in told[4]
    assert told[5].startswith("stopped in function g, In[2]:2 (breakpoint 1)")
    assert told[6] == "5"


def test_nothing_to_resume_or_to_look_at() -> None:
    told = answers(
        ":c\n:where\n:break --delete 3\n:break upcase\n:break 1:x\n:frame 4\n1 / 0\n:frame 4\n"
    )
    assert told[0].startswith("Error: no code is stopped\n")
    assert told[1].startswith("Error: no code is stopped, and the last input did not fail in one\n")
    assert told[2].startswith("Error: there is no breakpoint 3\n")
    assert told[3].startswith("Error: upcase is not written in Puppet\n")
    assert told[4] == "Error: '1:x' is neither a name nor FILE:LINE"
    assert told[7].startswith("Error: there is no frame 4\n")


def test_the_frames_of_an_error() -> None:
    told = answers("f('x')\n:where\n:frame\n:frame $count.upcase\n:frame up\n1\n:where\n")
    assert "function f  In[1]:2" in told[1]
    assert told[2].startswith("frame 1: function f, In[1]:2\n")
    assert told[2].endswith("$count  String  'x'")
    assert told[3] == "'X'"
    assert told[4].startswith("frame 2: main, In[2]:1")
    assert told[6].startswith("Error: no code is stopped")


def test_loaded_files_are_stopped_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "site.pp"
    file.write_text("$a = 1\n$b = $a + 1\n")
    told = answers(f":break {file}:2\n:load site.pp\n$a\n:c\n")
    assert told[1].startswith("stopped in main, site.pp:2 (breakpoint 1)\n")
    assert told[2] == "1"


def test_an_expression_has_the_limit_of_time_of_an_input() -> None:
    endless = "Integer[1, 999999999].each |$i| { $i }"
    told = answers(f":break f\nf(8)\n{endless}\n$count\n:c\n", max_seconds=0.5)
    assert told[2].startswith("Error: Time limit exceeded")
    assert told[3:5] == ["8", "5"]


def test_a_watched_expression_has_a_limit_of_time() -> None:
    endless = "Integer[1, 999999999].each |$i| { $i }"
    told = answers(f":display {endless}\n:break f\nf(8)\n:c\n", max_seconds=0.5)
    assert told[2].startswith("stopped in function f") and "Time limit exceeded" in told[2]
    assert told[3] == "5"


class _Lines(io.RawIOBase):
    """A stream that gives one piece for each reading, as a terminal does."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(pieces)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""

    read1 = read


class _Echo(io.StringIO):
    """Lines that are written to the output as they are read."""

    output: io.StringIO

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline()
        self.output.write(line)
        return line


def test_the_transcript_of_the_page_is_true() -> None:
    page = (ROOT / "docs" / "terminal.md").read_text(encoding="utf-8")
    section = page.partition("## Stopping and looking\n")[2]
    shown = section.partition("```text\n")[2].partition("```\n")[0]
    typed = re.findall(r"^(?:puppet \[\d+\]> |debug \[\d+\]> |\.\.\. )(.*\n)", shown, re.MULTILINE)
    lines = _Echo("".join(typed))
    lines.output = io.StringIO()
    assert LineMode(Host(facts={}), lines, lines.output).run() == 0
    assert lines.output.getvalue() == f"{shown}puppet [3]> \n"


# Pipes and single programs


def piped(text: str, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "puppet_repl", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=60, cwd=cwd, env=environment
    )


def test_a_pipe_may_stop_and_look() -> None:
    done = piped(FUNCTION + ":break f\nf(8)\n:vars\n$count + 1\n$count + 2\n:continue\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("breakpoint 1 at function f\nstopped in function f, input:2")
    assert done.stdout.endswith("$count  Integer  8\n9\n10\n5\n")


def test_an_empty_line_of_a_pipe_repeats_a_step() -> None:
    steps = ":n\n\n\n$d + 1\n\n:c\n\n:break\n"
    code = "function g($a) {\n  $b = $a\n  $c = $b\n  $d = $c\n  $e = $d\n  $e }\n"
    done = piped(f"{code}:break g\n\ng(1)\n{steps}")
    assert (done.returncode, done.stderr) == (0, "")
    stops = re.findall(r"^stopped in function g, input:(\d)", done.stdout, re.MULTILINE)
    assert stops == ["2", "3", "4", "5"]
    assert "\n2\n1\n   Place" in done.stdout


def test_a_limit_that_a_line_of_a_pipe_meets_is_not_one_of_the_code() -> None:
    large = "Integer[1, 60].reduce([1]) |$m, $i| { [$m, $m] }"
    done = piped(f"{FUNCTION}:break f\nf(8)\n:show json {large}\n$count\n:c\n")
    assert (done.returncode, done.stderr) == (
        0,
        "Error: Memory limit exceeded (see --max-memory)\n",
    )
    assert done.stdout.endswith("\n8\n5\n")


def test_a_line_of_what_runs_in_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "input").write_text(
        "$a = 1\n$b = 1\n$c = 1\n$d = 1\n"
    )  # a file of the name that it is shown with
    text = f":break f\n{FUNCTION}f(8)\n:break 4\n:c\n$half\n:c\n:load input\n"
    done = piped(text, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "\nbreakpoint 2 at input:4\nstopped in function f, input:4 (breakpoint 2)\n" in done.stdout
    )
    assert done.stdout.count("stopped") == 2


def test_a_line_of_an_earlier_input_of_a_pipe() -> None:
    done = piped(f"{FUNCTION}:break 1:3\nf(8)\n:c\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("breakpoint 1 at In[1]:3\nstopped in function f, input:3 (break")


def test_the_end_of_a_pipe_ends_the_input() -> None:
    done = piped(FUNCTION + ":break f\nf(8)\n:vars\n")
    assert done.returncode == 1
    assert done.stderr.startswith("Interrupted. (line: 2, column: ")


def test_break_where_nobody_can_look() -> None:
    warning = "Warning: debug::break() has not stopped the code: nobody can look at it here\n"
    for done in (piped("", "-e", "debug::break() 5"), piped("debug::break() 5")):
        assert (done.returncode, done.stdout, done.stderr) == (0, "5\n", warning)


def test_programs_before_a_prompt_do_not_stop(tmp_path: Path) -> None:
    warning = "Warning: debug::break() has not stopped the code: nobody can look at it here\n"
    programs = ("-i", "-e", "$a = 1", "-e", "debug::break() 7")
    done = piped("$a + 1\n[debug::break(), $a + 2]\n$a + 3\n:continue\n", *programs)
    assert (done.returncode, done.stderr) == (0, warning)
    assert done.stdout.startswith("1\n7\npuppet [3]> 2\n")
    prompt = done.stdout.index("stopped in main, In[4]:1")
    assert "debug [1]> 4\n" in done.stdout[prompt:]
    assert "Interrupted" not in done.stdout
    with PtyChild(tmp_path, *programs) as child:
        child.wait_for("nobody can look at it here")
        child.wait_for("7")
        child.wait_for("puppet [3]> ")
        child.type("\x04")
        assert child.end() == 0


# The full-screen prompt


def test_a_pseudo_terminal(tmp_path: Path) -> None:
    with PtyChild(tmp_path) as child:
        child.wait_for("puppet [1]> ")
        child.run("function f($count) { $half = $count / 2 debug::break() $half + 1 }", 2)
        child.type("f(8)\r")
        child.wait_for("stopped in function f, In[1]:1")
        child.wait_for("debug [1]> ")
        child.wait_for(":continue")
        child.type(":copy $half\r")
        child.wait_for("\x1b]52;c;NA==")
        child.wait_for("debug [1]> ")
        child.type(":type $half\r")
        child.wait_for("Integer\x1b[0m[")
        child.wait_for("debug [1]> ")
        child.type("$count + $half\r")
        child.wait_for("12")
        child.wait_for("debug [1]> ")
        child.type("$nope\r")
        child.wait_for("Unknown variable: 'nope'")
        child.wait_for("debug [1]> ")
        child.type("1 + $cou\t")
        child.wait_for("$cou")
        child.wait_for("nt")
        child.type("\r")
        child.wait_for("9")
        child.wait_for("debug [1]> ")
        child.type("'dropped'")
        child.wait_for("'dropped'")
        child.type("\x03")
        child.wait_for("debug [1]> ")
        child.type(":frame up\r")
        child.wait_for("debug [2]> ")
        child.type(":continue\r")
        child.wait_for("5")
        child.wait_for("puppet [3]> ")
        child.type("[$gone = 1, f(2)]\r")
        child.wait_for("debug [1]> ")
        child.type("\x04")
        child.wait_for("Interrupted.")
        child.wait_for("puppet [3]> ")
        child.type("$gone\r")
        child.wait_for("Unknown variable: 'gone'")
        child.wait_for("puppet [3]> ")
        child.type("\x04")
        assert child.end() == 0


def test_an_interrupted_input_can_be_looked_at(tmp_path: Path) -> None:
    with PtyChild(tmp_path) as child:
        child.wait_for("puppet [1]> ")
        child.type("[7].each |$n| { notice('runs') Integer[1, 100000000].each |$i| { } }\r")
        child.wait_for("Notice: ")
        child.type("\x03")
        child.wait_for("puppet [1]> ")
        child.type(":where\r")
        child.wait_for("lambda")
        child.wait_for("main")
        child.wait_for("puppet [1]> ")
        child.type(":frame $n + 70\r")
        child.wait_for("77")
        child.wait_for("puppet [1]> ")
        child.type("$next = 1\r")
        child.wait_for("puppet [2]> ")
        child.type(":where\r")
        child.wait_for("no code is stopped")


def test_enter_repeats_a_step(tmp_path: Path) -> None:
    with PtyChild(tmp_path) as child:
        child.wait_for("puppet [1]> ")
        child.type("[1, 2].each |$i| {\n  debug::break()\n  $a = $i\n  $b = $i\n}\x1b\r\r")
        child.wait_for("debug [1]> ")
        child.type(":next\r")
        child.wait_for("In[1]:3")
        child.wait_for("debug [1]> ")
        child.type("\r")
        child.wait_for("In[1]:4")
        child.wait_for("debug [1]> ")
        child.type(":c\r")
        child.wait_for("In[1]:2")
        child.wait_for("debug [1]> ")
        child.type(":c\r")
        child.wait_for("puppet [2]> ")


def test_variables_of_the_frame_are_completed() -> None:
    host = Host(session=Session(facts={}))
    completer = SessionCompleter(host)
    found: list[list[str]] = []

    def look() -> None:
        document = Document("1 + $co")
        event = type("Event", (), {"completion_requested": True})()
        items = completer.get_completions(document, event)
        found.append([each.text for each in items])
        host.debugger.resume("")

    host.look = look
    assert host.session.execute("$common = 1").error is None
    with host.stopping():
        host.session.execute("[5].each |$count| { debug::break() }")
    assert found[0][:2] == ["$count", "$common"]
    assert found[0][2:] == []
