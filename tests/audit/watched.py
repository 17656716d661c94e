"""Run a front end, and write down what it asks of the system: watched.py RECORD FRONT_END ...

It is to be started with ``python -P``.

Python tells an audit hook of each file, directory, program and address that code asks for. RECORD
gets a line of JSON for each: its kind, and the path that it leads to or the name of the event.

The front end ``session`` reads options and steps as JSON from the standard input, and writes what
came of each step; ``cli`` is the command line with the other arguments, ``kernel`` the kernel.
"""

from __future__ import annotations

import json
import os
import sys

_CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LISTING = ("os.listdir", "os.scandir")
_PROGRAMS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "pty.")
_NETWORK = ("socket.connect", "socket.get", "socket.send", "urllib.")
_CHANGES = (
    *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.truncate"),
    *("os.link", "os.symlink", "os.utime", "shutil."),
)


def watch(record: str) -> None:
    """Begin to write down events; it cannot be ended."""
    output = os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def note(kind: str, what: str) -> None:
        os.write(output, json.dumps([kind, what]).encode() + b"\n")

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, str | bytes) and isinstance(flags, int):
                kind = "write" if flags & _CHANGING else "read"
                note(kind, os.path.realpath(os.fsdecode(path)))
        elif event in _LISTING:
            path = arguments[0]
            if not isinstance(path, int):
                note("list", os.path.realpath(os.fsdecode(path or ".")))  # type: ignore[arg-type]
        elif event.startswith(_PROGRAMS):
            note("program", event)
        elif event.startswith(_NETWORK):
            note("network", event)
        elif event.startswith(_CHANGES):
            note("change", f"{event} {arguments[0]}")
        elif event == "puppet_repl.mark":
            note("mark", str(arguments[0]))

    sys.addaudithook(hook)


def main(arguments: list[str]) -> int:
    """Watch one front end; return its exit status."""
    record, front_end, *rest = arguments
    watch(record)
    if front_end == "session":
        run_session()
        return 0
    if front_end == "kernel":
        import runpy

        sys.argv[1:] = rest
        runpy.run_module("puppet_kernel", run_name="__main__", alter_sys=True)
        return 0
    from puppet_repl.frontends.cli import main as command_line

    return command_line(rest)


def run_session() -> None:
    """Run the steps of a session: pairs of a verb and a text."""
    from puppet_repl.frontends.commands import run
    from puppet_repl.host.host import Host
    from puppet_repl.session import Options, Session

    given = json.load(sys.stdin)
    session = Session(Options(**given["options"]), facts=given["facts"])
    host = Host(session=session)
    results = []
    for verb, text in given["steps"]:
        sys.audit("puppet_repl.mark", f"{verb} {text}")
        if verb == "execute":
            outcome = session.execute(text)
            results.append(str(outcome.error or outcome.value))
        elif verb == "command":
            results.append(repr([str(part) for part in run(session, text, host).parts]))
        elif verb == "complete":
            items = session.complete(text, len(text)).items
            results.append(" ".join(item.text for item in items))
        elif verb == "inspect":
            results.append(str(session.inspect(text, len(text)) is not None))
        else:
            results.append(type(session.check(text)).__name__)
    sys.audit("puppet_repl.mark", "end")
    session.close()
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
