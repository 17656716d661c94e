"""Read messages, answer them one after another, and check documents in between.

A thread reads the input and notes which requests are cancelled: these are not computed, unless they
have begun. Everything else is done in the main thread. Messages are answered in the order in which
they came; only then are changed documents checked, one after another. What the worker answers comes
in the same queue, so nothing waits for it.
"""

from __future__ import annotations

import gc
from queue import Empty, SimpleQueue
from threading import Thread

from puppet_repl.frontends.language_server.jobs import Said
from puppet_repl.frontends.language_server.server import Server
from puppet_repl.frontends.language_server.wire import RequestError, error_response, message_in
from puppet_repl.frontends.shared.framing import (
    leave,
    message_streams,
    read_bodies,
    write_message,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, NoReturn, TypeAlias

    from puppet_repl.frontends.language_server.wire import Message

    # A message, an error instead of one, what the worker says, or the end of the input.
    Arrived: TypeAlias = Message | RequestError | Said | None

# Seconds between two looks at the client's process.
_PATIENCE = 3
BAD_END = 1
"""The exit status without ``shutdown`` before the end, as the protocol demands."""


class Loop:
    """The messages of one client: from ``reader`` to ``writer``."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO, server: Server) -> None:
        self._reader = reader
        self._writer = writer
        self.server = server
        self._arrived: SimpleQueue[Arrived] = server.inbox

    def run(self) -> int:
        """Serve until the client says ``exit`` or is gone; return the exit status."""
        # The thread may wait for input forever: it must not keep the process.
        Thread(target=self._read, name="reader", daemon=True).start()
        server = self.server
        server.send = lambda message: self._write([message])
        try:
            while server.status is None:
                has_work = server.has_work
                try:
                    left = server.jobs.seconds_left
                    patience = _PATIENCE if left is None else min(left, _PATIENCE)
                    arrived = self._arrived.get(block=not has_work, timeout=patience)
                except Empty:
                    if has_work:
                        self._write(server.work())
                    elif server.is_abandoned:
                        return BAD_END
                    self._write(server.check_jobs())
                    continue
                if arrived is None:
                    return BAD_END
                if isinstance(arrived, Said):
                    self._write(server.hear(arrived))
                elif isinstance(arrived, RequestError):
                    self._write([error_response(None, arrived)])
                else:
                    self._write(server.answer(arrived))
        except OSError:  # the client is gone
            return BAD_END
        finally:
            server.jobs.close()
        return server.status

    def _write(self, messages: list[Message]) -> None:
        for message in messages:
            write_message(self._writer, message)

    def _read(self) -> None:
        """Put all messages of the input into the queue, then None."""
        for body in read_bodies(self._reader, "puppet-repl language-server"):
            try:
                message = message_in(body)
            except RequestError as error:
                self._arrived.put(error)
                continue
            self.server.note(message)
            self._arrived.put(message)
        self._arrived.put(None)


def serve() -> NoReturn:
    """Serve the client at the standard input and output; end the process with its status."""
    # Trees have many nodes and no circles: Python would look for these again and again.
    gc.set_threshold(100_000, 20, 100)
    with message_streams() as (reader, writer):
        leave(Loop(reader, writer, Server()).run())
