"""No control, bidirectional or hidden character of others reaches a terminal, whatever prints it.

The program runs in a pseudo-terminal, as a user's does; what it writes is looked at.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from puppet_repl.base.safe_text import visible_lines
from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host
from puppet_repl.session import Options

CSI = "\x9b31m"
EVIL = "\x1b]0;PWN\x07\x9b31m\u202e\u2066\u2028\x7f\ufeffX"
IN_PUPPET = "".join(f"\\u{{{ord(character):X}}}" for character in EVIL)
ITS_MARK = "\\u{9B}31m\\u{202E}\\u{2066}\\u{2028}"
COLOR = re.compile("\x1b\\[[0-9;]*m")

VALUES = (
    f'"{IN_PUPPET}"',
    f'Notify["{IN_PUPPET}"]',
    f'Enum["{IN_PUPPET}"]',
    f'Regexp("{IN_PUPPET}")',
    f'String("{IN_PUPPET}", "%p")',
    f'[{{"{IN_PUPPET}" => Pattern["{IN_PUPPET}"]}}]',
    f'Deferred("{IN_PUPPET}")',
    f'notify {{ "{IN_PUPPET}": }}',
    f'notice("{IN_PUPPET}")',
    f'fail("{IN_PUPPET}")',
    f"$x = '{EVIL}' + 1",
    f"nothing_{EVIL}()",
    f"nope() # {EVIL}",
    f'notify {{ "{IN_PUPPET}": nope => 1 }}',
    f'$d = Deferred("new", ["{IN_PUPPET}"]) $d + 1',
)
DECLARED = f"""
    # {EVIL}
    #
    # @param x {EVIL}
    function evil(String $x = '{EVIL}') {{ $x }}
    notify {{ "{IN_PUPPET}": message => Notify["{IN_PUPPET}"], tag => "a" }}
    file {{ "/{IN_PUPPET}": content => "{IN_PUPPET}" }}
    Notify["{IN_PUPPET}"] -> File["/{IN_PUPPET}"]
    $y = "{IN_PUPPET}"
"""
COMMANDS = (
    ":resources",
    ":resources notify",
    ":catalog",
    ":catalog code",
    ":catalog json",
    ":graph",
    ":graph dot",
    ":graph svg",
    ":vars",
    ":doc evil",
    ":type $y",
    ":show $y",
    ":names functions evil",
    ":why $y",
    ":diff",
    ":diff --json",
    f":help {EVIL}",
    f":doc {EVIL}",
    f":load {EVIL}.pp",
    f":set {EVIL} 1",
    f":facts a={EVIL}",
    ":facts a",
    f":cd {EVIL}",
    f":{EVIL}",
    f":lookup {EVIL}",
    f":env {EVIL}",
    f":on {EVIL} 1",
)
LINES = (
    ("-e", *VALUES[:1]),
    (f"{EVIL}.pp",),
    ("--facts", f"{EVIL}.yaml", "-e", "1"),
    ("--environment", EVIL, "-e", "1"),
    ("--modulepath", EVIL, "-e", "1"),
    ("--node", EVIL, "-e", "fail($trusted['certname'])"),
    ("--stubs", EVIL, "-e", "1"),
    ("--fact", f"a={EVIL}", "-e", "$facts['a']"),
    (f"--{EVIL}",),
    ("validate", f"{EVIL}.pp"),
    ("validate", "bad"),
    ("parse", "bad"),
    ("parse", "-e", f"'{EVIL}'"),
    ("parse", "--format", "json", "-e", f"'{EVIL}'"),
    ("doctest", f"{EVIL}.md"),
    ("reference", EVIL),
    ("reference", "module"),
    ("reference", "--format", "json", "module"),
    ("reference", "--check", "module"),
    ("reference", "--check", "--format", "github", "module"),
    ("reference", "--check", "--format", "json", "module"),
    ("doctest", "examples.md"),
    ("diff", f"{EVIL}.json", "b"),
    ("compile", f"--{EVIL}"),
    ("compile", "--format", "json", "-e", f'notify {{ "{IN_PUPPET}": }}'),
    ("compile", "--format", "code", "-e", f'notify {{ "{IN_PUPPET}": }}'),
    ("compile", "--format", "tree", "-e", f'notify {{ "{IN_PUPPET}": }}'),
    ("compile", "--format", "table", "-e", f'notify {{ "{IN_PUPPET}": }}'),
    ("compile", "--format", "graph", "-e", f'notify {{ "{IN_PUPPET}": }}'),
    ("compile", "--format", "dot", "-e", f'notify {{ "{IN_PUPPET}": }}'),
    ("compile", "--format", "svg", "-e", f'notify {{ "{IN_PUPPET}": }}'),
    ("compile", "-e", f'fail("{IN_PUPPET}")'),
    ("lookup", "--default", EVIL, "x"),
    ("lookup", "--default", EVIL, "--render-as", "s", "x"),
    ("lookup", "--default", EVIL, "--render-as", "json", "x"),
    ("lookup", "--explain", EVIL),
    ("lookup", "--render-as", EVIL, "x"),
)


def harmful(text: str) -> str:
    """Return what of a text is not to be seen, but for colours, line ends and progress bars."""
    rest = COLOR.sub("", text).replace("\r", "")
    return "".join(c for c in rest if visible_lines(c) != c)


def in_terminal(arguments: tuple[str, ...], directory: Path) -> str:
    """Return what the program writes to the terminal that it runs in."""
    main, its = pytest.importorskip("pty").openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "puppet_repl", *arguments],
        cwd=directory,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "", "HOME": str(directory)},
        stdin=subprocess.DEVNULL,
        stdout=its,
        stderr=its,
    )
    os.close(its)
    parts = []
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # Linux says so at the end
            break
        if not part:
            break
        parts.append(part)
    os.close(main)
    process.wait(60)
    return b"".join(parts).decode()


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with files whose names and contents are hostile."""
    path = tmp_path_factory.mktemp("hostile")
    name = EVIL.replace("/", "")
    (path / "bad").mkdir()
    (path / "bad" / f"{name}.pp").write_text(f"# {EVIL}\n$x = '{EVIL}' +")
    (path / "bad" / f"{name}2.pp").write_text(f"notify {{ '{EVIL}': }}")
    manifests = path / "module" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / f"{name}.pp").write_text(f"# {EVIL}\n# @{EVIL}\nclass x($a = '{EVIL}') {{ }}")
    (path / "module" / "REFERENCE.md").write_text(EVIL)
    (path / "examples.md").write_text(f"```puppet\n'{EVIL}'  # => '{EVIL}1'\n```\n")
    return path


@pytest.mark.parametrize("arguments", LINES, ids=lambda words: ascii(" ".join(words))[:60])
def test_command_lines(arguments: tuple[str, ...], directory: Path) -> None:
    written = in_terminal(arguments, directory)
    assert not harmful(written), written
    assert "X" in written or "x" in written, "it shows something"


def shown_by(*inputs: str) -> str:
    """Return what the line mode writes for inputs."""
    output = StringIO()
    mode = LineMode(Host(Options(stdlib="9")), StringIO(), output)
    for text in inputs:
        mode.handle(text)
    return output.getvalue()


@pytest.mark.parametrize("code", VALUES, ids=range(len(VALUES)))
def test_values_logs_and_errors(code: str) -> None:
    written = shown_by(code)
    assert ITS_MARK in written
    assert not harmful(written)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda text: ascii(text)[:40])
def test_commands(command: str) -> None:
    written = shown_by(DECLARED, command)
    assert written
    assert not harmful(written)


def test_the_harmful_is_found() -> None:
    harmless = f"a\r\n\x1b[31mb\x1b[0m {ITS_MARK}"
    assert not harmful(harmless)
    for character in EVIL:
        assert bool(harmful(harmless + character)) == (character not in "]0;PWN31mX")
