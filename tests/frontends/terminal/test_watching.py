"""``:watch`` in a real pseudo-terminal, and in the line mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.judge import write_files
from tests.frontends.terminal.terminal_screen import TerminalScreen


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_a_file_is_run_at_each_change(tmp_path: Path, term: str) -> None:
    write_files(tmp_path, {"m/web/manifests/init.pp": "class web { notice('one') }\n"})
    init = tmp_path / "m/web/manifests/init.pp"
    (tmp_path / "site.pp").write_text("include web\n40 + 2\n")
    options = ("--modulepath", str(tmp_path / "m"))
    with TerminalScreen(tmp_path, *options, rows=24, columns=100, TERM=term) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(f":watch {tmp_path}/site.pp\r")
        screen.wait_for("2 files watched, Ctrl-C ends")
        assert "Notice: one\n42" in screen.text
        init.write_text("class web {\n  notice('two' }\n}\n")
        screen.wait_for("init.pp changed ---")
        screen.wait_for("  2 |   notice('two' }")
        assert "Error: Syntax error at '}'" in screen.text
        init.write_text("class web { notice('three') }\n")
        screen.wait_for("Notice: three\n42")
        screen.type("\x03")
        screen.wait_for("no longer watched")
        screen.wait_for("puppet [1]>")
        screen.run("1 + 1")


def test_code_that_never_ends_is_interrupted(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=24, columns=80) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(":watch Integer[1, 1000000000].each |$x| { $x }\r")
        screen.wait_for("-- ")
        screen.read(0.5)
        screen.type("\x03")
        screen.wait_for("no longer watched")
        screen.run("1 + 1")


def test_a_program_before_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text("$a = 40\nnotice('from the file')\n$a + 1\n")
    with TerminalScreen(tmp_path, "-i", str(tmp_path / "site.pp"), rows=24, columns=80) as screen:
        screen.wait_for("puppet [2]>")
        rows = [row for row in screen.rows if row]
        assert rows[:2] == ["Notice: from the file", "41"]
        screen.run("$a + 2")
        screen.wait_for("42  Integer")
        screen.type("\x04")
        screen.child.wait()
        assert screen.child.exitstatus == 0


MODULE = {
    "m/web/manifests/init.pp": (
        "class web {\n  notify { 'n': message => \"${web::text()} ${epp('web/a.epp')}\" }\n}\n"
    ),
    "m/web/functions/text.pp": "function web::text() { 'text' }\n",
    "m/web/templates/a.epp": "template",
}
ONE_CHANGED = "catalog: resources: 1 changed"
LATER = "  notify { 'later': message => \"${web::later()} ${epp('web/later.epp')}\" }\n}\n"


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_a_class_that_is_declared_already_and_what_differs(tmp_path: Path, term: str) -> None:
    write_files(tmp_path, MODULE)
    options = ("--modulepath", str(tmp_path / "m"))
    with TerminalScreen(tmp_path, *options, rows=120, columns=100, TERM=term) as screen:
        runs = 0

        def shown_after(name: str, text: str) -> str:
            """Change a file; return what the run shows that it starts."""
            nonlocal runs
            runs += 1
            write_files(tmp_path, {f"m/web/{name}": text})
            screen.wait_until(lambda: screen.text.count("Ctrl-C ends") == runs + 1)
            return screen.text.split("changed ---")[-1].split("\n", 1)[1].split("took")[0].strip()

        def changed(old: str, new: str) -> str:
            return f"~ Notify['n']\n-   message => '{old}'\n+   message => '{new}'\n{ONE_CHANGED}"

        screen.wait_for("puppet [1]>")
        screen.run("include web")
        screen.type(":watch include web\r")
        screen.wait_for("3 files watched, Ctrl-C ends")
        assert screen.rows.count("declared Class[Web] and 1 resource (:resources)") == 1
        # The run is rolled back: nothing is there to be listed.
        assert screen.rows.count("declared Class[Web] and 1 resource") == 1

        text = "functions/text.pp"
        shown = shown_after(text, "function web::text() { 'new' }\n")
        assert shown == changed("text template", "new template")
        for wrong, message in (
            ("}", "Error: Syntax error at '}'"),
            ("fail('no')", "Function Call, no ("),
        ):
            assert message in shown_after(text, f"function web::text() {{ {wrong} }}\n")
        assert "Error: " in shown_after("templates/a.epp", "<%= $ %>")
        assert "epp(): " in shown_after(text, "function web::text() { 'last' }\n")
        shown = shown_after("templates/a.epp", "file")
        assert shown == changed("new template", "last file")
        assert shown_after("templates/a.epp", "file") == "catalog: no difference"

        init = MODULE["m/web/manifests/init.pp"].removesuffix("}\n") + LATER
        assert "Unknown function: 'web::later'" in shown_after("manifests/init.pp", init)
        later = "function web::later() { 'l' }\n"
        assert "Could not find" in shown_after("functions/later.pp", later)
        shown = shown_after("templates/later.epp", "t")
        assert shown == "+ Notify['later']\n+   message => 'l t'\ncatalog: resources: 1 added"
        screen.type("\x03")
        screen.wait_for("no longer watched")
        screen.run("Notify['n']['message']")
        screen.wait_for("'text template'")
