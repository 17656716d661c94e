"""``:save`` overwrites nothing that a session has not in it, and never leaves half a file."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.files import SAVED
from puppet_repl.frontends.commands.last_definitions import with_last_definitions
from puppet_repl.host.host import Host
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session import Session
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

MANIFEST = "node default { include site }\n"


@pytest.fixture
def host() -> Host:
    """Return a host whose session has one input."""
    made = Host(session=Session(facts={}))
    made.session.execute("$a = 1")
    return made


def answer(host: Host, text: str) -> str:
    return plain(render_report(run(host.session, text, host), 300))


@pytest.mark.parametrize("name", ["s.pp", "s.ipynb"])
def test_a_session_overwrites_what_it_wrote(host: Host, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert answer(host, f":save {path}") == f"wrote 1 input to {path}"
    host.session.execute("$b = 2")
    assert answer(host, f":save {path}") == f"overwrote {path} with 2 inputs"
    assert "$b = 2" in path.read_text()
    host.session.execute("$c = 3")
    os.symlink(path, tmp_path / f"link-{name}")
    assert "overwrote" in answer(host, f":save {tmp_path}/link-{name}")
    assert "$c = 3" in path.read_text()
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".")] == []


@pytest.mark.parametrize("text", [MANIFEST, "", "# A session of puppet-repl; :load runs"])
def test_the_files_of_others_stay(host: Host, tmp_path: Path, text: str) -> None:
    path = tmp_path / "site.pp"
    path.write_text(text)
    shown = answer(host, f":save {path}")
    assert f"Error: {path} exists, and this session has not saved it" in shown
    assert f"hint: :save! {path} overwrites it" in shown
    assert path.read_text() == text
    assert answer(host, f":save! {path}") == f"overwrote {path} with 1 input"
    assert "$a = 1" in path.read_text()
    assert "overwrote" in answer(host, f":save {path}")


def test_what_another_program_has_changed_stays(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "s.pp"
    answer(host, f":save {path}")
    path.write_text(path.read_text() + "# by hand\n")
    assert f"{path} has changed since this session" in answer(host, f":save {path}")
    assert path.read_text().endswith("# by hand\n")


def test_inputs_from_before_a_reset_stay(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "s.pp"
    answer(host, f":save {path}")
    answer(host, ":reset")
    host.session.execute("$other = 1")
    assert "has inputs that the session has lost" in answer(host, f":save {path}")
    assert "$a = 1" in path.read_text()


def test_a_file_that_is_gone_is_written_again(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "s.pp"
    answer(host, f":save {path}")
    path.unlink()
    assert answer(host, f":save {path}") == f"wrote 1 input to {path}"


LINES = "$a = 40\n$b = 2\nnix(1)\n$a +\n  $b\n"


@pytest.mark.parametrize(
    ("ranges", "parts"),
    [
        ("1-2 4-5", ["42", "(lines 1-2, 4-5)"]),
        ("2", ["2\n", "(line 2)"]),
        ("1-2 4-", ["42", "(lines 1-2, 4-5)"]),
        ("3-", ["Unknown function: 'nix'", "line: 3"]),
        ("6-", ["has 5 lines"]),
        ("1-2 4-99", ["42", "(lines 1-2, 4-5)"]),
        ("3", ["Unknown function: 'nix'", "line: 3"]),
        ("1-2 4", ["Syntax error at end of input"]),
        ("6", ["has 5 lines"]),
        ("4-3", ["4-3 is not a range of lines"]),
        ("0", ["0 is not a range of lines"]),
    ],
)
def test_lines_of_a_file_are_loaded(tmp_path: Path, ranges: str, parts: list[str]) -> None:
    path = tmp_path / "lines.pp"
    path.write_text(LINES)
    host = Host(session=Session(facts={}))
    shown = answer(host, f":load {path} {ranges}")
    for part in parts:
        assert part in shown


def test_a_file_of_which_lines_were_loaded_stays(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "lines.pp"
    path.write_text(LINES)
    answer(host, f":load {path} 1-2")
    assert "has not saved it" in answer(host, f":save {path}")


def test_cells_have_no_lines_to_load(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "cells.ipynb"
    path.write_text(notebook(*CELLS))
    assert "has cells; only of a manifest" in answer(host, f":load {path} 1-2")


CELLS = [
    {"cell_type": "code", "source": "$b = 2"},
    {"cell_type": "code", "source": ["$c = 3\n", "notice($c)"]},
    {"cell_type": "code", "source": ""},
]


def notebook(*cells: dict[str, object]) -> str:
    return json.dumps({"cells": [*cells]})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.pp", "$b = 2\nnotice($b)\n"),
        ("s.pp", f"{SAVED}\n\n# In[1]\n$b = 2\n\n# In[2]\n# 1 + 1\n\n# In[3]\n# two\n\n$c = 3\n"),
        ("s.ipynb", notebook(*CELLS)),
    ],
)
def test_what_was_only_loaded_stays(host: Host, tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    answer(host, f":load {path}")
    shown = answer(host, f":save {path}")
    assert f"{path} exists, and this session has not saved it" in shown
    assert f"hint: :save! {path} overwrites it" in shown
    assert path.read_text() == text
    for number in (1, 2, 3):
        host.session.execute(f"$new{number} = 1")
        assert "overwrote" in answer(host, f":save{'!' if number == 1 else ''} {path}")
        assert f"$new{number} = 1" in path.read_text()
        answer(host, f":load {path}")  # it is still the file that the session has saved
    assert "# In[1]\n# In[1]" not in path.read_text()


@pytest.mark.parametrize("between", ["by hand", ":undo 2", ":reset"])
@pytest.mark.parametrize("name", ["s.pp", "s.ipynb"])
def test_inputs_that_a_session_lacks_stay(
    host: Host, tmp_path: Path, name: str, between: str
) -> None:
    path = tmp_path / name
    host.session.execute("$b = 2")
    answer(host, f":save {path} 1-2")
    text = path.read_text()
    if between == "by hand":
        path.write_text(f"{text}\n")
    else:
        answer(host, between)
        host.session.execute("$other = 1")
    shown = answer(host, f":save {path}")
    assert ("has changed since" if between == "by hand" else "that the session has lost") in shown
    assert f"hint: :save! {path} overwrites it" in shown
    assert path.read_text().startswith(text)
    assert "overwrote" in answer(host, f":save! {path}")


# Inputs, and the parts of the manifest that they become.
DEFINED_AGAIN = {
    "class": (["class q { }", "include q", "class q { notice(2) }"], ["class q { notice(2) }"]),
    "comment": (
        ["# old\nclass q { }\n\nnotice(1)", "# A\n# new\nclass q($a = 1) { }"],
        ["# A\n# new\nclass q($a = 1) { }\n\nnotice(1)"],
    ),
    "file": (["function f() { 1 }\n$x1 = f()\n", "function f() { 2 }\n$x2 = f()\n"], []),
    "types": (
        ["type A = Integer", "type B = A", "type A = String; $a = 1"],
        ["type A = String", "$a = 1"],
    ),
    "class and define": (["class q { }", "define q() { }"], ["define q() { }"]),
    "namespaces": (["class q { }", "function q() { 1 }", "type Q = Integer"], ["class q { }"]),
    "upper case": (["type Aa::B = Integer", "type AA::B = String"], ["type AA::B = String"]),
    "node blocks": (
        ["node a, 'b.c', /d/ { notice(1) }", "node a { }", "node default { }", "node /d/, e { }"],
        ["node 'b.c' { notice(1) }", "node a { }", "node default { }", "node /d/, e { }"],
    ),
    "default": (["node default { }", "node default { notice(2) }"], ["node default { notice(2) }"]),
    "inner": (
        ["class a { class b { } notice(1) }", "class a::b { notice(2) }"],
        ["class a {  notice(1) }", "class a::b { notice(2) }"],
    ),
    "outer": (
        ["class a { class b { class c { } define d($x) { } } }", "class a { }", "class a::b { }"],
        ["class a::b::c { }\ndefine a::b::d($x) { }", "class a { }", "class a::b { }"],
    ),
    "wide letters": (["notice('😀') class q { } notice('ä')", "class q { notice(2) }"], []),
    "a separator": (["type T = Integer", "type T = String; $z = 3"], ["type T = String", "$z = 3"]),
    "between separators": (
        ["class a { }; include a", "$q1 = 1; class a { notice(1) }; include a"],
        ["class a { notice(1) }; include a", "$q1 = 1;  include a"],
    ),
    "a separator below": (["type T = Integer", "type T = String\n; $z = 3"], ["$z = 3"]),
    "separators of inner": (
        ["class a { $x = 1; class b { }; notice($x) }", "class a::b { notice(2) }"],
        ["class a { $x = 1;  notice($x) }", "class a::b { notice(2) }"],
    ),
    "types around a class": (
        [
            *("type T = Integer", "class a { class b { } }", "class a { notice(1) }"),
            "type T = String; class a { notice(2) }",
        ],
        ["type T = String", "class a::b { }", "class a { notice(2) }"],
    ),
    "twice on a line": (
        ["class q { } class r { }", "class r { } class q { notice(1) }"],
        ["class q { notice(1) } class r { }"],
    ),
}


@pytest.mark.parametrize("case", DEFINED_AGAIN)
def test_a_manifest_has_each_definition_once(tmp_path: Path, case: str) -> None:
    inputs, parts = DEFINED_AGAIN[case]
    host = Host(session=Session(facts={}))
    for text in inputs:
        outcome = host.session.execute(text)
        assert outcome.error is None, str(outcome.error)
    path = tmp_path / "s.pp"
    assert "wrote" in answer(host, f":save {path}")
    text = path.read_text()
    for part in parts:
        assert part in text
    # A manifest is one program: Puppet refuses names that it defines twice.
    whole = Session(facts={}).execute(text)
    assert whole.error is None, f"{whole.error}\n{text}"
    again = Host(session=Session(facts={}))
    assert "Error" not in answer(again, f":load {path}")
    assert _names(again.session) == _names(host.session)


@pytest.mark.parametrize(
    "inputs",
    [
        # Without the class, 1 would be subtracted; without its line, the heredoc would not end.
        ["class q { }", "$a1 = 5 class q { } -1"],
        ["class q { }", "$a1 = @(E); class q { }\n  text\n  | E"],
        ["class q { }", "$a1 = 5 class q { } -1", "class q { $z = 1 }"],
    ],
)
def test_an_input_of_which_anything_would_be_lost_stays(inputs: list[str]) -> None:
    for text in inputs:
        parse(Source(text))
    assert with_last_definitions(inputs) == inputs


_PARTS = (
    *("class a { }", "class a { class b { } $x = 1 }", "class a::b { notice(2) }", "$q = 1"),
    *("type T = Integer", "type T = Array[String]", "function f() { 1 }", "function f() { [2] }"),
    *("node x, y { }", "node y { notice(1) }", "notice([1])", "include a", "[1].each |$n| { }"),
    *("define a::d() { }", "$h = @(E)\n  text\n  | E\n"),
)


@pytest.mark.parametrize("seed", range(150))
def test_nothing_but_replaced_definitions_is_lost(seed: int) -> None:
    random = Random(seed)
    inputs = []
    for _ in range(random.randint(2, 5)):
        parts = random.sample(_PARTS, random.randint(1, 4))
        text = "".join(part + random.choice(["; ", ";", "\n", " ", "\n;\n"]) for part in parts)
        if is_program(text):
            inputs.append(text)
    saved = with_last_definitions(inputs)
    for before, after in zip(inputs, saved, strict=True):
        assert is_program(after), (before, after)
        assert rest_of(before) == rest_of(after), (before, after)
    names = [names_in(texts) for texts in (inputs, saved)]
    assert names[0] == names[1], (inputs, saved)


def is_program(text: str) -> bool:
    try:
        parse(Source(text))
    except PuppetError:
        return False
    return True


def rest_of(text: str) -> list[str]:
    """Return the statements of an input that are no definitions."""
    program = parse(Source(text))
    body = program.body
    nodes = body.statements if isinstance(body, ast.BlockExpression) else (body,)
    return [repr(node) for node in nodes if node not in program.definitions and _is_code(node)]


def _is_code(node: ast.Node) -> bool:
    return not isinstance(node, ast.Nop)


def names_in(texts: list[str]) -> set[str]:
    """Return the names that inputs define, in lower case."""
    return {
        getattr(node, "name", "node").lower()
        for text in texts
        for node in parse(Source(text)).definitions
    }


def _names(session: Session) -> list[set[str]]:
    known = SessionSymbols(session)
    return [{*known.definitions()}, {*known.defines()}, {*known.type_aliases()}]


def test_what_stands_above_the_first_mark_is_loaded(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "s.pp"
    path.write_text(f"{SAVED}\n$b = 2\n\n# In[1]\n$c = 3\n$nix")
    shown = answer(host, f":load {path}")
    assert f"(file: {path}, line: 6, column: 1)" in shown
    path.write_text(f"{SAVED}\n$b = 3")
    answer(host, f":load {path}")
    assert host.session.execute("$b").value == 3


CELLS = """# ---
# jupyter: {}
# ---

# %% [markdown]
# Text

# %%
$b = 2

# %%
:facts rocky-9
$b = 5

# %%
%%on debian-12
$b

# %% a title
$c = $b
"""


def test_cells_are_inputs_of_their_own(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "cells.pp"
    path.write_text(CELLS)
    assert "loaded" in answer(host, f":load {path}")
    assert [text.strip().split("\n")[0] for _, text, _ in host.session.inputs] == [
        "$a = 1",
        "# ---",
        "# Text",
        "$b = 2",
        "$b = 5",
        "$c = $b",
    ]
    path.write_text(f"{CELLS}$nix\n")
    host.session.reset()
    assert f"(file: {path}, line: 21, column: 1)" in answer(host, f":load {path}")


def test_code_between_the_commands_of_a_cell_is_run(host: Host, tmp_path: Path) -> None:
    cell = (
        "$b = 2;\n:vars\n$c = {\n  'on' => $b,\n}\n%type $c\n:on debian-12 {\n  $nix\n}\n$d = $c\n"
    )
    for name, text in (
        ("cells.pp", f"# %%\n{cell}"),
        ("cells.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": cell}]})),
    ):
        path = tmp_path / name
        path.write_text(text)
        host.session.reset()
        assert "loaded" in answer(host, f":load {path}")
        assert host.session.execute("[$b, $d]").value == (2, PuppetHash([("on", 2)]))


def test_the_error_of_a_cell_that_is_cut_off_is_at_its_lines(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "cells.pp"
    path.write_text("# %%\n:facts rocky-9\n$b = 2\n\n# %%\n$c = [\n\n# %%\n$d = 3\n")
    shown = answer(host, f":load {path}")
    assert "line 6, column 6" in shown
    assert host.session.execute("$b").value == 2


def test_the_text_of_a_heredoc_is_no_mark(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "matlab.pp"
    text = "$a = @(END)\n# %% a cell\nx = 1\n| END\n# %%time\n$b = $a\n"
    path.write_text(text)
    answer(host, f":load {path}")
    assert [text for _, text, _ in host.session.inputs] == ["$a = 1", text]
    assert host.session.execute("$b").value == "# %% a cell\nx = 1\n"


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_hard_link_keeps_the_old_file(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "s.pp"
    answer(host, f":save {path}")
    os.link(path, tmp_path / "link.pp")
    host.session.execute("$b = 2")
    answer(host, f":save {path}")
    assert "$b = 2" in path.read_text()
    assert "$b = 2" not in (tmp_path / "link.pp").read_text()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_user_may_read_a_saved_session(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "s.pp"
    answer(host, f":save {path}")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    answer(host, f":save! {path}")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_without_a_blank_the_mark_belongs_to_the_name(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert answer(host, ":save!x.pp") == "wrote 1 input to !x.pp"
    assert answer(host, ":save !x.pp") == "overwrote !x.pp with 1 input"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":save!", "which file?"),
        (":save ~no-such-user/x.pp", "there is no home directory for ~no-such-user/x.pp"),
        (":save 'a\0.pp'", "the name of a file has no NUL character"),
        (":save none/x.pp", "cannot write none/x.pp: No such file or directory"),
        (":load! x.pp", "there is no command :load!"),
        (":save x.txt", "x.txt is named neither like a manifest nor like a notebook"),
        (":save! .", ". is a directory"),
        (":save! /dev/null", "/dev/null is not a regular file (a device)"),
    ],
)
def test_what_is_refused(
    host: Host, text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"Error: {message}" in answer(host, text)
    assert not list(tmp_path.iterdir())


def test_a_prefix_can_be_forced(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "s.pp"
    path.write_text(MANIFEST)
    assert "overwrote" in answer(host, f":sav! {path}")


def test_the_help_shows_the_exclamation_mark(host: Host) -> None:
    assert ":save[!] FILE" in answer(host, ":help save")
    assert ":save! overwrites any file" in answer(host, ":help save")


def test_files_complete_behind_a_forced_command(tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text(MANIFEST)
    before = f":save! {tmp_path}/si"
    found = Session(facts={}).complete(before, len(before))
    assert [item.text for item in found.items] == ["site.pp"]


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize("old", ["# by hand\n", None])
def test_a_full_disk_leaves_the_file_and_the_directory_as_they_were(
    tmp_path: Path, old: str | None
) -> None:
    path = tmp_path / "keep.pp"
    if old is not None:
        path.write_text(old)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10));"
        "from puppet_repl.host.host import Host;"
        "from puppet_repl.frontends.terminal.line_mode import LineMode;"
        "LineMode(Host(facts={}), sys.stdin, sys.stdout).run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=f"$a = 1\n:save! {path}\n",
        capture_output=True,
        text=True,
    )
    assert f"Error: cannot write {path}: File too large" in done.stdout
    assert path.exists() is (old is not None)
    assert old is None or path.read_text() == old
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    ("ranges", "shown"),
    [
        ("2-99", "lines 2-3"),
        ("3-99", "line 3"),
        ("2", "line 2"),
        ("1-2 3-7", "lines 1-2, 3"),
        ("2-2 3", "lines 2, 3"),
    ],
)
def test_the_lines_that_were_loaded_are_told(
    host: Host, tmp_path: Path, ranges: str, shown: str
) -> None:
    (tmp_path / "ld.pp").write_text("$a = 1\n$b = 2\n$c = 3\n")
    assert f"loaded {tmp_path}/ld.pp ({shown})" in answer(host, f":load {tmp_path}/ld.pp {ranges}")


@pytest.mark.parametrize(
    ("text", "saved"),
    [
        ("class q { }; 5", "class q { }\n# 5"),
        ("$b = 5; $b", "$b = 5\n# $b"),
        ("notice(1)\nclass q { }; 'mere'", "notice(1)\nclass q { }\n# 'mere'"),
        ("notice(1)\n# about it\n'mere'", "notice(1)\n# about it\n# 'mere'"),
        ("[1,\n2]", "# [1,\n# 2]"),
        ("$b = @(END); 5\n  text\n  END", "# $b = @(END); 5\n#   text\n#   END"),
    ],
)
def test_only_a_mere_value_becomes_a_comment(
    host: Host, tmp_path: Path, text: str, saved: str
) -> None:
    assert host.session.execute(text).error is None
    assert answer(host, f":save {tmp_path}/s.pp") == f"wrote 2 inputs to {tmp_path}/s.pp"
    content = (tmp_path / "s.pp").read_text()
    assert content.partition("# In[2]\n")[2] == f"{saved}\n"
    assert parse(Source(content))


def test_variables_that_puppet_refuses_to_bind_again_are_named(host: Host, tmp_path: Path) -> None:
    for text in (
        "$b = [1].map |$x| { $a2 = $x; $a2 }",
        "if true { $a = 2 } else { $a = 3 }",
        "function f() { $b = 3 }",
        "$a2 = 1; $c = $d = 4",
        "[$c, $e] = [1, 2]",
    ):
        assert host.session.execute(text).error is None
    shown = answer(host, f":save {tmp_path}/s.pp").split("\n")
    assert shown[1:] == [
        "Puppet refuses to bind a variable again: $a in In[1] and In[3]; $c in In[5] and In[6]"
    ]
    assert "refuses" not in answer(host, f":save {tmp_path}/some.pp 1-2 4-5")
    assert "refuses" not in answer(host, f":save {tmp_path}/s.ipynb")
    assert "refuses" not in answer(host, f":save {tmp_path}/s_spec.pp")
