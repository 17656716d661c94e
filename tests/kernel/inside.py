"""A kernel inside of the test process: what it sends is recorded, and can be made to fail.

Messages go through the packing and unpacking of the protocol, but through no socket.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import zmq
from jupyter_client.jsonutil import json_default
from jupyter_client.session import Session as WireSession

from puppet_kernel import kernel as kernel_module
from puppet_kernel.kernel import PuppetKernel

Message = dict[str, Any]
SECONDS = 60.0
NOT_OUTPUTS = ("status", "execute_input", "execute_reply")


class RecordingSession(WireSession):
    """A session of the protocol that keeps what it is given to send.

    ``fail`` is called with the kind and the content of each message first.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.sent: list[tuple[str, Message]] = []
        self.fail: Callable[[str, Message], object] = lambda *_: None

    def send(self, stream: Any, msg_or_type: Any, content: Any = None, *_: Any, **__: Any) -> Any:
        self.fail(msg_or_type, content)
        packed = self.pack(content)
        packed.decode("utf-8")  # as a front end reads it
        self.sent.append((msg_or_type, self.unpack(packed)))
        return {"content": content}


def _packed_by_browser(content: object) -> bytes:
    return json.dumps(content, default=json_default).encode("ascii")


class InsideKernel:
    """A kernel, and the requests to it."""

    def __init__(self, kernel: PuppetKernel, wire: RecordingSession) -> None:
        self.kernel = kernel
        self.wire = wire
        # Frames of messages have identities in front of them.
        # A browser escapes what UTF-8 has no bytes for.
        self._client = WireSession(key=b"", pack=_packed_by_browser)

    def request(
        self, kind: str, content: Message, metadata: Message | None = None
    ) -> list[tuple[str, Message]]:
        """Return all that is sent for a request, to its idle."""
        self.wire.sent = []
        message = self._client.msg(kind, content, metadata=metadata)
        parts = [b"client", *self._client.serialize(message)]
        frames = [zmq.Frame(part) for part in parts]
        asyncio.run(asyncio.wait_for(self.kernel.dispatch_shell(frames), SECONDS))
        return self.wire.sent

    def run(
        self, code: str, metadata: Message | None = None, **options: Any
    ) -> tuple[Message, list[tuple[str, Message]]]:
        """Return the reply to a cell, and what was published before it."""
        # There is no loop of messages that the others could be aborted in.
        defaults = {"silent": False, "store_history": True, "stop_on_error": False}
        content = {"code": code, **defaults, **options}
        sent = self.request("execute_request", content, metadata)
        replies = [content for kind, content in sent if kind == "execute_reply"]
        assert len(replies) == 1, sent
        assert sent[-1] == ("status", {"execution_state": "idle"})
        return replies[0], [each for each in sent if each[0] not in NOT_OUTPUTS]


@contextmanager
def inside_kernel() -> Iterator[InsideKernel]:
    """Yield a kernel; the limits and the handlers of the process stay as they are."""
    handler = signal.getsignal(signal.SIGINT)
    with pytest.MonkeyPatch.context() as patch:
        # The limit of memory would be that of the tests.
        patch.setattr(kernel_module, "tune_process", lambda _: None)
        wire = RecordingSession(key=b"")
        kernel = PuppetKernel(session=wire, log=logging.getLogger(__name__))
        try:
            yield InsideKernel(kernel, wire)
        finally:
            kernel.puppet.close()
            signal.signal(signal.SIGINT, handler)
