"""The subcommand ``puppet-repl debug-adapter``.

Exit status: 0 when the client has gone, 2 for wrong usage.
"""

from __future__ import annotations

import gc
import json
import sys
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread

from puppet_repl.base.recursion import allow_deep_calls
from puppet_repl.frontends.debug_adapter.adapter import Adapter
from puppet_repl.frontends.shared.framing import (
    leave,
    message_streams,
    read_bodies,
    write_message,
)
from puppet_repl.host.argument_parser import ArgumentParser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, NoReturn

    from puppet_repl.frontends.debug_adapter.arguments import Message

_PROGRAM = "puppet-repl debug-adapter"
EPILOG = """\
Editors start it and talk to it on the standard input and output, in the Debug Adapter Protocol.
It runs what the launch configuration names as puppet-repl FILE does, with your rights: a manifest,
a template in EPP, a class, or the manifests of an environment for a node.
"""


def make_parser(name: str = "debug-adapter") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    return ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Serve the debugger of an editor: breakpoints, steps, variables.",
        epilog=EPILOG,
    )


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    parser = make_parser()
    parser.parse_args(argv)
    if sys.stdin.isatty():
        parser.error("an editor starts it: it reads messages of a debugger from the standard input")
    gc.enable()  # it runs for hours, not as a program of the command line
    allow_deep_calls()
    _serve()


def _serve() -> NoReturn:
    """Serve the client at the standard input and output, then end the process."""
    with message_streams() as (reader, writer):
        # A message that the main thread wrote could be cut off by an interrupt of the program.
        waiting: SimpleQueue[Message | None] = SimpleQueue()
        writing = Thread(target=_write, args=(writer, waiting), name="writer", daemon=True)
        writing.start()
        adapter = Adapter(waiting.put, partial(leave, 0))
        # The thread may wait for input forever: it must not keep the process.
        Thread(target=_read, args=(reader, adapter), name="reader", daemon=True).start()
        adapter.run()
        waiting.put(None)
        writing.join()
        leave(0)


def _write(writer: BinaryIO, waiting: SimpleQueue[Message | None]) -> None:
    """Write messages until None arrives."""
    # If the client is gone, the thread that reads notices it.
    with suppress(OSError, ValueError):
        while (message := waiting.get()) is not None:
            write_message(writer, message)


def _read(reader: BinaryIO, adapter: Adapter) -> None:
    """Pass all messages to the adapter, then the end of the input."""
    for body in read_bodies(reader, _PROGRAM):
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            print(f"{_PROGRAM}: a message is not JSON", file=sys.stderr)
            continue
        if isinstance(message, dict):
            adapter.take(message)
    adapter.leave()
