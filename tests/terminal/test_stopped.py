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

from puppet_repl.frontend.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.terminal.completer import SessionCompleter
from puppet_repl.terminal.line_mode import LineMode
from tests.terminal.pty_child import PtyChild

ROOT = Path(__file__).parents[2]
FUNCTION = "function f($count) {\n  $half = $count / 2\n  $half + 1\n}\n"


def dialogue(text: str, **options: object) -> str:
    """Return what the line mode writes, prompts included."""
    output = io.StringIO()
    host = Host(session=Session(Options(**options), facts={"kernel": "Linux"}))  # type: ignore[arg-type]
    assert LineMode(host, io.StringIO(text), output).run() == 0
    return output.getvalue()


def answers(text: str, **options: object) -> list[str]:
    """Return what the line mode writes for each line of a dialogue behind the function."""
    written = dialogue(FUNCTION + text, **options).replace("puppet [", "debug [")
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


def test_looking_around() -> None:
    told = answers(":break 1:3\nf(8)\n:vars\n:vars cou\n:where\n:up\n:scope\n:down\n:list\n:out\n")
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
    assert told[9] == "5"


def test_the_prompt_has_the_number_of_the_frame() -> None:
    written = dialogue(FUNCTION + ":break f\nf(8)\n:up\n:frame 1\n:c\n")
    assert [part.rpartition("\n")[2] for part in written.split("]> ")[2:7]] == [
        "puppet [2",
        "debug [1",
        "debug [2",
        "debug [1",
        "puppet [3",
    ]


def test_watched_expressions_are_shown_at_each_stop() -> None:
    told = answers(":display $half * 2\n:break f\nf(8)\n:n\n:undisplay 1\n:watch\n:c\n")
    assert told[0].split() == ["Watched", "1", "$half", "*", "2"]
    assert told[2].endswith("1  $half * 2  (Unknown variable: 'half')")
    assert told[3].endswith("   Watched    Value\n1  $half * 2  8")
    assert told[5] == "nothing is watched; :display EXPR"


def test_breakpoints_are_listed_and_deleted() -> None:
    told = answers(":break f if $count > 7\n:break 1:3\n:break\nf(2)\n:c\n:delete 2\nf(2)\n")
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
    told = answers(":break f\nf(8)\n:reset\n:type 1\n:c\n")
    hint = "\n  hint: :continue goes on, :quit ends the input"
    assert told[2:5] == [
        f"Error: :reset has to wait: code is stopped{hint}",
        f"Error: :type has to wait: code is stopped{hint}",
        "5",
    ]


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
    told = answers("$a = [1, 2]\n:break 2:1\n:undo\n:redo\n:c\n")
    assert told[3].startswith("$a = [1, 2]\nstopped in main, In[2]:1 (breakpoint 1)")
    assert told[4] == "[1, 2]"


def test_nothing_to_resume_or_to_look_at() -> None:
    told = answers(":c\n:where\n:delete 3\n:break upcase\n:break 1:x\n:frame 4\n1 / 0\n:frame 4\n")
    assert told[0].startswith("Error: no code is stopped\n")
    assert told[1].startswith("Error: no code is stopped, and the last input did not fail in one\n")
    assert told[2].startswith("Error: there is no breakpoint 3\n")
    assert told[3].startswith("Error: upcase is not written in Puppet\n")
    assert told[4] == "Error: '1:x' is neither a name nor FILE:LINE"
    assert told[7].startswith("Error: there is no frame 4\n")


def test_the_frames_of_an_error() -> None:
    told = answers("f('x')\n:where\n:scope\n:scope $count.upcase\n:up\n1\n:where\n")
    assert "function f  In[1]:2" in told[1]
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
        child.type(":up\r")
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
