"""What front ends ask of the system, as Python's audit hook tells it."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from puppet_repl.base.reach import REASON
from puppet_repl.environment.ruby.sandbox import store
from tests.environment.ruby.engine import needs_sandbox

ROOT = Path(__file__).parent.parent.parent
WATCHED = Path(__file__).parent / "watched.py"
SECRET = "words that nobody may read"
VARIABLE = "a-token-in-a-variable"
# What an interpreter reads for itself.
OF_PYTHON = tuple(
    os.path.realpath(path) for path in (sys.prefix, sys.base_prefix, str(ROOT), "/dev/null")
)
TRAPS = ("yaml.py", "regex.py", "json.py", "puppet_repl.py", "sitecustomize.py", "usercustomize.py")
SECONDS = 60


class Event(NamedTuple):
    """What was asked for: its kind, the path or name, and the step in which it was."""

    kind: str
    what: str
    step: str


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the directory of an environment beside files that are not its own."""
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("secret.txt", "secret.pp", "secret.epp", "secret.erb", "secret.yaml"):
        (outside / name).write_text(SECRET)
    directory = tmp_path / "environment"
    module = directory / "modules/m"
    for name in ("files", "templates", "manifests", "functions", "types", "lib/puppet/type"):
        (module / name).mkdir(parents=True)
    (directory / "data").mkdir()
    (directory / "manifests").mkdir()
    (directory / "manifests/site.pp").write_text("notice('the site')")
    (directory / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n  - name: a\n    path: common.yaml\n"
        "  - name: b\n    glob: '*/*.yaml'\n  - name: c\n    path: \"%{facts.level}\"\n"
    )
    (directory / "data/common.yaml").write_text("k: v\n")
    (module / "files/a").write_text("a")
    (module / "templates/a.epp").write_text("<%= 1 %>")
    (module / "manifests/init.pp").write_text("# A class.\nclass m($a = lookup('k')) { }")
    (module / "functions/f.pp").write_text("# A function.\nfunction m::f($x) { $x }")
    (module / "types/t.pp").write_text("type M::T = String")
    for link, target in (
        ("modules/away", outside),
        ("modules/m/files/link", outside / "secret.txt"),
        ("modules/m/templates/link.epp", outside / "secret.epp"),
        ("modules/m/manifests/link.pp", outside / "secret.pp"),
        ("modules/m/functions/link.pp", outside / "secret.pp"),
        ("modules/m/types/link.pp", outside / "secret.pp"),
        ("modules/m/lib/puppet/type/link.rb", outside / "secret.pp"),
        ("modules/m/metadata.json", outside / "secret.pp"),
        ("data/more", outside),
    ):
        (directory / link).symlink_to(target)
    return directory


def variables(home: Path) -> dict[str, str]:
    own = {name: str(home / name.lower()) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    cache = {"XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))}
    return {**os.environ, **own, **cache, "HOME": str(home), "TOKEN": VARIABLE, "TERM": "xterm"}


def events_of(record: Path) -> list[Event]:
    events = []
    step = ""
    for line in record.read_text().splitlines():
        kind, what = json.loads(line)
        if kind == "mark":
            step = what
        else:
            events.append(Event(kind, what, step))
    return events


def watch_session(
    place: Path,
    steps: Sequence[tuple[str, str]],
    facts: dict[str, object] | None = None,
    **options: object,
) -> tuple[list[Event], list[str]]:
    """Return what a session in a directory has asked for in steps, and what came of each."""
    record = place.parent / "record"
    record.unlink(missing_ok=True)
    request = {"options": options, "facts": facts, "steps": steps}
    done = subprocess.run(
        [sys.executable, "-P", str(WATCHED), str(record), "session"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        cwd=place,
        env={**variables(place.parent / "home"), "PYTHONPATH": str(ROOT)},
        timeout=SECONDS * 2,
    )
    assert done.returncode == 0, done.stderr
    return events_of(record), json.loads(done.stdout)


def beyond(events: Iterable[Event], *allowed: Path | str) -> list[Event]:
    """Return the events that are no reading of the interpreter's own or of allowed paths."""
    roots = [os.path.join(os.path.realpath(path), "") for path in (*OF_PYTHON, *allowed)]
    return [
        event
        for event in events
        if event.kind not in ("read", "list")
        or not (
            event.what.endswith("/statm")  # how much memory the process has
            or any(os.path.join(event.what, "").startswith(root) for root in roots)
        )
    ]


CODE = (
    "file('/etc/hostname')",
    "file('m/link')",
    "file('m/a')",
    "file('m/../../../../outside/secret.txt')",
    "file('/proc/self/environ')",
    "binary_file('/etc/hostname')",
    "find_file('/etc/hostname', 'm/link')",
    "epp('m/link')",
    "epp('m/a')",
    "epp('/etc/hostname')",
    "template('m/link.epp')",
    "template('/etc/hostname')",
    "include m",
    "include m::link",
    "include away",
    "m::link(1)",
    "m::f(1)",
    "1 =~ M::Link",
    "link { x: }",
    "lookup('k')",
    "lookup('other')",
    "loadyaml('/etc/hostname')",
    "loadjson('/etc/hostname', {})",
    "load_module_metadata('m')",
    "glob('/etc/*')",
    "glob('/*/*')",
    "glob(\"${module_directory('m')}/*/*\")",
    "generate('/bin/date')",
    "validate_cmd('a', '/bin/false %')",
    "$facts",
    "$trusted",
    "$server_facts",
    "notify { 'a': }",
)
COMMANDS = (
    ":load /etc/hostname",
    ":save /tmp/never.pp",
    ":facts use /etc/hostname.yaml",
    ":environment /etc",
    ":environment",
    ":modulepath /etc",
    ":modulepath",
    ":on /etc/hostname.yaml 1",
    ":on web01 include m",
    ":on /etc/*.yaml 1",
    ":lookup k /etc/*.yaml",
    ":diff /etc/hostname",
    ":lookup k",
    ":vars",
    ":resources",
    ":doc m",
    ":doc m::link",
    ":names functions",
    ":names types",
    ":names classes",
)
LOOKED_AT = (
    "file('/etc/hostname')\n",
    "generate('/bin/date')\n",
    "include m::",
    "include m::link",
    "include away::",
    "m::",
    "$x = M::",
    "link { x: a",
    "epp('",
    "lookup('",
    ":load /etc/",
    ":environment /etc/",
    ":facts use /etc/",
    ":on /etc/",
    ":on /etc/*.yaml f",
    ":doc m::",
)


def test_a_hermetic_session_reads_its_environment_only(place: Path) -> None:
    steps = [
        *(("execute", code) for code in CODE),
        *(("command", command) for command in COMMANDS),
        *(
            (verb, text)
            for text in (*CODE, *LOOKED_AT)
            for verb in ("complete", "inspect", "check")
        ),
    ]
    events, results = watch_session(
        place, steps, hermetic=True, environment=str(place), stdlib="9", ruby="off"
    )
    assert beyond(events, place) == []
    assert all(SECRET not in result and VARIABLE not in result for result in results)
    by_code = dict(zip(CODE, results, strict=False))
    assert by_code["file('m/a')"] == "a"
    assert by_code["epp('m/a')"] == "1"
    assert REASON in by_code["lookup('k')"]  # a pattern of its hiera.yaml leads out


@needs_sandbox
def test_so_does_its_ruby(place: Path) -> None:
    steps = [
        ("execute", "inline_template('<%= 1 + 1 %>')"),
        ("execute", "inline_template('<%= ENV.to_h %>')"),
        ("execute", "inline_template('<%= File.read(\"/etc/hostname\") %>')"),
        ("execute", "inline_template('<%= Dir.glob(\"/etc/*\") %>')"),
        ("execute", "inline_template('<%= `date` %>')"),
        ("execute", f"inline_template('<%= File.read(\"{place}/modules/m/files/link\") %>')"),
        ("execute", f"inline_template('<%= File.read(\"{place}/modules/m/files/a\") %>')"),
    ]
    options = {"hermetic": True, "environment": str(place), "stdlib": "9", "ruby": "sandbox"}
    # The first Ruby of an installation keeps its state after the start in the user's cache.
    watch_session(place, steps[:1], **options)
    events, results = watch_session(place, steps, **options)
    # The library of wasmtime is loaded, and asks what system this is.
    found = [event for event in beyond(events, place, store.root()) if event.step]
    assert found == []
    assert results[0] == "2"
    assert results[-1] == "a"
    assert all(SECRET not in result and VARIABLE not in result for result in results)


def test_only_running_code_reaches_what_it_names(place: Path) -> None:
    """Complete, inspect and check do nothing that code says, in no session."""
    verbs = ("complete", "inspect", "check")
    code = [text for text in (*CODE, *LOOKED_AT) if not text.startswith(":")]
    steps = [(verb, text) for text in code for verb in verbs]
    facts: dict[str, object] = {"level": "x"}  # those of the machine would be collected
    events, _ = watch_session(place, steps, facts, environment=str(place), stdlib="9")
    found = beyond([event for event in events if event.step], place, place.parent / "outside")
    assert found == []


def test_running_code_changes_nothing_and_starts_nothing(place: Path) -> None:
    """Without any option, code reads what it names; it writes, starts and connects to nothing."""
    (place / "modules/m/metadata.json").unlink()  # what it leads to is no JSON: no module
    events, results = watch_session(
        place,
        [("execute", code) for code in CODE],
        facts={"level": "x"},
        environment=str(place),
        stdlib="9",
        ruby="off",
    )
    assert {event.kind for event in events if event.step} <= {"read", "list"}
    by_code = dict(zip(CODE, results, strict=True))
    assert by_code["file('m/link')"] == SECRET
    assert VARIABLE in by_code["file('/proc/self/environ')"]


# Entering a directory


@pytest.fixture
def hostile(place: Path) -> Path:
    """Return a directory with everything that a program could be made to run or to read."""
    trap = "import os; open(os.path.join(os.path.dirname(__file__), 'sprung'), 'w')\n"
    for name in TRAPS:
        (place / name).write_text(trap)
    for name in ("startup.pp", "config.toml", "environment.conf", "facts.yaml", ".puppet-repl"):
        (place / name).write_text(f"notice('{SECRET}')\n")
    return place


def watch_command_line(hostile: Path, *arguments: str, text: str = "") -> tuple[list[Event], str]:
    record = hostile.parent / "record"
    done = subprocess.run(
        [sys.executable, "-P", str(WATCHED), str(record), "cli", *arguments],
        input=text,
        capture_output=True,
        text=True,
        cwd=hostile,
        env={**variables(hostile.parent / "home"), "PYTHONPATH": str(ROOT)},
        timeout=SECONDS,
    )
    return events_of(record), done.stdout + done.stderr


def in_directory(events: Iterable[Event], directory: Path) -> list[str]:
    """Return the files of a directory that were opened."""
    start = os.path.join(os.path.realpath(directory), "")
    kinds = ("read", "write", "change")
    return [event.what for event in events if event.kind in kinds and event.what.startswith(start)]


def used_of_directory(events: Sequence[Event], directory: Path) -> set[tuple[str, str]]:
    """Return what was done with files of a directory and of the one beside it that links lead to.

    Files have their names from the directory on. No program was run.
    """
    assert [event for event in events if event.kind == "program"] == []
    real = os.path.realpath(directory)
    roots = (os.path.join(real, ""), os.path.join(os.path.dirname(real), "outside", ""))
    return {
        (event.kind, os.path.relpath(event.what, real))
        for event in events
        if any(root in event.what for root in roots) and event.kind != "list"
    }


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("-e", "1 + 1"), ""),
        (("--plain",), "1 + 1\n"),
        (("batch",), '{"code": "1 + 1"}\n'),
        (("validate", "-"), "$a = 1\n"),
        (("--hermetic", "-e", "1 + 1"), ""),
    ],
)
def test_the_command_line_takes_nothing_from_the_directory(
    hostile: Path, arguments: tuple[str, ...], text: str
) -> None:
    events, shown = watch_command_line(hostile, *arguments, text=text)
    assert "2" in shown or arguments[0] == "validate"
    assert in_directory(events, hostile) == []
    assert not (hostile / "sprung").exists()
    assert SECRET not in shown


def test_the_prompt_reads_of_its_environment_where_modules_are(hostile: Path) -> None:
    record = hostile.parent / "record"
    reader, writer = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-P", str(WATCHED), str(record), "cli"],
        stdin=writer,
        stdout=writer,
        stderr=writer,
        cwd=hostile,
        env={**variables(hostile.parent / "home"), "PYTHONPATH": str(ROOT)},
    )
    os.close(writer)
    try:
        shown = _until(reader, "puppet [1]>")
        os.write(reader, b"40 + 2\r")
        shown += _until(reader, "puppet [2]>")
        os.write(reader, b"\x04")
        _until(reader, None)
        assert child.wait(SECONDS) == 0
    finally:
        child.kill()
        os.close(reader)
    assert "42" in shown
    assert SECRET not in shown
    assert used_of_directory(events_of(record), hostile) == {("read", "environment.conf")}
    assert not (hostile / "sprung").exists()


def _until(reader: int, text: str | None) -> str:
    """Return what a terminal shows up to a text, or up to its end."""
    shown = ""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and (text is None or text not in shown):
        if not select.select([reader], [], [], 1)[0]:
            continue
        try:
            part = os.read(reader, 65536)
        except OSError:  # the other side has been closed
            break
        if not part:
            break
        if b"\x1b[6n" in part:
            os.write(reader, b"\x1b[1;1R")
        shown += part.decode("utf-8", "replace")
    assert text is None or text in shown, shown
    return shown


def test_a_kernel_reads_of_its_environment_what_it_completes(hostile: Path) -> None:
    record = hostile.parent / "record"
    manager = KernelManager()
    start = [sys.executable, "-P", str(WATCHED), str(record), "kernel"]
    manager._kernel_spec = KernelSpec(argv=[*start, "-f", "{connection_file}"], language="puppet")
    environment = {**variables(hostile.parent / "home"), "PYTHONPATH": str(ROOT)}
    manager.start_kernel(cwd=str(hostile), env=environment)
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=SECONDS)
        reply = client.complete("include m::", 11, reply=True, timeout=SECONDS)
        assert reply["content"]["status"] == "ok"
        assert SECRET not in str(reply["content"])
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
    assert used_of_directory(events_of(record), hostile) == {
        ("read", "environment.conf"),
        ("read", "modules/m/manifests/init.pp"),
        ("read", "../outside/secret.pp"),  # a link among the manifests, which completion follows
    }
    assert not (hostile / "sprung").exists()
