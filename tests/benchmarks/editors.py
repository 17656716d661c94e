"""The language server in a large directory, beside puppet-editor-services.

The directory is the one that CONTROL_REPOSITORY names, else Debian's modules (make corpus). The
script of puppet-editor-services is named by PUPPET_EDITOR_SERVICES; its Ruby finds Puppet and
puppet-strings by RUBYLIB. Seconds are those of the clock: an author waits for answers, and servers
have processes of their own.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.parsing import CORPUS
from tests.benchmarks.rows import Absent, Row, Rows
from tests.benchmarks.timing import PROGRAM, as_installed
from tests.frontends.language_server.client import CAPABILITIES, Message, Process

GROUP = "editors"
BESIDE = "puppet-editor-services"
TIMES = 5
LINES = (100, 1000, 5000)
# Seconds, and bytes, that the design of the server allows on a quiet machine.
LIMITS = {
    "initialize": 0.2,
    "first diagnostics": 0.5,
    "change to diagnostics, 1000 lines": 0.05,
    "change to diagnostics, 5000 lines": 0.15,
    "completion": 0.03,
    "hover": 0.02,
    "definition": 0.02,
    "references": 0.3,
    "first definition, nothing cached": 5,
    "first definition, cached": 1,
    "memory": 80e6,
}
# The sidecar processes of puppet-editor-services take some seconds.
_SECONDS_TO_LOAD = 60

# Positions in the manifest that is measured: after three letters, a function, a class.
WORD: Message = {"line": 2, "character": 5}
INCLUDE: Message = {"line": 3, "character": 4}
CLASS: Message = {"line": 3, "character": 12}

_BLOCK = """\
  file { '/etc/app/part%d.conf':
    ensure  => file,
    content => "port=${port}\\n",
    mode    => '0644',
    notify  => Service['app'],
  }
"""


class Server(NamedTuple):
    """A language server: its name, how it starts, and the methods it has no answer for."""

    name: str
    command: Sequence[str]
    absent: frozenset[str] = frozenset()


OURS = Server("puppet-repl", (PROGRAM, "language-server"))


class Editing:
    """An editor with one document of a directory."""

    def __init__(self, server: Server, directory: Path, cache: str) -> None:
        environment = as_installed() | {"XDG_CACHE_HOME": cache}
        started = time.perf_counter()
        self.process = Process(command=["env", *_assigned(environment), *server.command])
        self.document: Message = {"uri": (directory / "manifests" / "measured.pp").as_uri()}
        self.version = 0
        parameters = {
            "processId": None,
            "rootUri": directory.as_uri(),
            "workspaceFolders": [{"uri": directory.as_uri(), "name": "measured"}],
            "capabilities": CAPABILITIES,
        }
        self.ask("initialize", parameters)
        self.seconds_to_start = time.perf_counter() - started
        self.tell("initialized", {})

    def end(self) -> None:
        """End the server at once."""
        with self.process:
            pass

    def tell(self, method: str, parameters: Message) -> None:
        """Send a notification."""
        self.process.send({"method": method, "params": parameters})

    def ask(self, method: str, parameters: Message) -> Any:
        """Return the result of a request, None for an error."""
        self.process.number += 1
        number = self.process.number
        self.process.send({"id": number, "method": method, "params": parameters})
        answer = self.wait(lambda got: got.get("id") == number and "method" not in got)
        return answer.get("result")

    def wait(self, is_wanted: Callable[[Message], bool]) -> Message:
        """Return the next message of a kind; answer what the server asks with null."""
        while True:
            message = self.process.receive()
            if is_wanted(message):
                return message
            if "id" in message and "method" in message:
                items = message.get("params", {}).get("items", [])
                result = [None] * len(items) or None
                self.process.send({"id": message["id"], "result": result})

    def open(self, text: str) -> float:
        """Return the seconds until the document that is opened has diagnostics."""
        item = {"languageId": "puppet", "version": self.version, "text": text, **self.document}
        start = time.perf_counter()
        self.tell("textDocument/didOpen", {"textDocument": item})
        self._diagnosed()
        return time.perf_counter() - start

    def change(self, text: str) -> float:
        """Return the seconds until the changed document has diagnostics."""
        self.version += 1
        document = {**self.document, "version": self.version}
        changes = {"textDocument": document, "contentChanges": [{"text": text}]}
        start = time.perf_counter()
        self.tell("textDocument/didChange", changes)
        self._diagnosed()
        return time.perf_counter() - start

    def seconds(self, method: str, position: Message, **more: Any) -> float | None:
        """Return the seconds of a request about a position, None where it has no result."""
        parameters = {"textDocument": self.document, "position": position, **more}
        start = time.perf_counter()
        result = self.ask(f"textDocument/{method}", parameters)
        spent = time.perf_counter() - start
        return spent if result else None

    def seconds_to_names(self) -> float | None:
        """Return the seconds until the class of another file is found, None if it never is."""
        start = time.perf_counter()
        while time.perf_counter() - start < _SECONDS_TO_LOAD:
            if self.seconds("definition", CLASS) is not None:
                return time.perf_counter() - start
            time.sleep(0.05)
        return None

    def memory(self) -> int:
        """Return the bytes that the server and its own processes hold."""
        return sum(_resident(process) for process in _processes(self.process.process.pid))

    def _diagnosed(self) -> None:
        self.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics")


def editors() -> Rows:
    """Yield what an author waits for in a large directory."""
    directory = Path(os.environ.get("CONTROL_REPOSITORY", CORPUS))
    count, used = survey(directory)
    if not used:
        yield Absent(GROUP, "no manifests here (make corpus)")
        return
    script = os.environ.get("PUPPET_EDITOR_SERVICES")
    servers = [OURS]
    if script:
        servers.append(Server(BESIDE, ("ruby", script, "--stdio"), frozenset({"references"})))
    else:
        yield Absent(GROUP, f"no {BESIDE} here (PUPPET_EDITOR_SERVICES)")
    measured = {server.name: _measured(server, directory, used) for server in servers}
    theirs = measured.get(BESIDE, {})
    for name, ours in measured[OURS.name].items():
        unit = "bytes" if name == "memory" else "s"
        label = f"{name} ({count:,} manifests)"
        limit = LIMITS.get(name)
        yield Row(GROUP, label, ours, theirs.get(name), BESIDE, limit=limit, unit=unit)


def _measured(server: Server, directory: Path, used: str) -> dict[str, float]:
    """Return the medians of all that is measured of a server; without those it does not answer."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as cache:
        for turn in range(TIMES):
            for name, seconds in _session(server, directory, used, cache, is_first=not turn):
                if seconds is not None:
                    found.setdefault(name, []).append(seconds)
    return {name: statistics.median(all_) for name, all_ in found.items()}


def _session(
    server: Server, directory: Path, used: str, cache: str, *, is_first: bool
) -> Iterator[tuple[str, float | None]]:
    editing = Editing(server, directory, cache)
    try:
        yield "initialize", editing.seconds_to_start
        yield "first diagnostics", editing.open(manifest(LINES[0], used))
        kind = "nothing cached" if is_first else "cached"
        yield f"first definition, {kind}", editing.seconds_to_names()
        for lines in LINES:
            text = manifest(lines, used)
            editing.change(text)
            for change in range(TIMES):
                seconds = editing.change(f"{text}# {change}\n")
                yield f"change to diagnostics, {lines} lines", seconds
        editing.change(manifest(LINES[1], used))
        for _ in range(TIMES):
            yield "completion", editing.seconds("completion", WORD)
            yield "hover", editing.seconds("hover", INCLUDE)
            yield "definition", editing.seconds("definition", CLASS)
            if "references" not in server.absent:
                context = {"includeDeclaration": True}
                yield (
                    "references",
                    editing.seconds("references", CLASS, context=context),
                )
        yield "memory", editing.memory()
    finally:
        editing.end()


def manifest(lines: int, used: str) -> str:
    """Return a manifest of some lines; the third can be completed, the fourth names the class."""
    head = f"# Measured.\nclass measured (Integer $port = 80) {{\n  notice(1)\n  include {used}\n"
    blocks = (lines - 5) // _BLOCK.count("\n")
    return f"{head}{''.join(_BLOCK % number for number in range(blocks))}}}\n"


def survey(directory: Path) -> tuple[int, str]:
    """Return the number of manifests, and the class that they include most, "" for none."""
    count, uses = 0, Counter[str]()
    for path in directory.rglob("*.pp"):
        count += 1
        text = path.read_text(encoding="utf-8", errors="replace")
        uses.update(re.findall(r"^ *include +([a-z0-9_:]+)$", text, re.MULTILINE))
    return count, uses.most_common(1)[0][0] if uses else ""


def _assigned(environment: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in environment.items()]


def _processes(root: int) -> list[int]:
    """Return a process and those that it has started."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    found = [root]
    for process in found:
        found += [child for child, parent in pairs if parent == process]
    return found


def _resident(process: int) -> int:
    try:
        fields = Path(f"/proc/{process}/statm").read_text().split()
    except OSError:
        return 0  # it has ended since
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
