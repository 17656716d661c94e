"""Clients of the language server, which hold all that it says to the protocol.

``Direct`` calls the server as a function, ``Process`` starts the program.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import converters, types

from puppet_repl.frontends.language_server.server import Server

Message = dict[str, Any]

COMMAND = (sys.executable, "-m", "puppet_repl", "language-server")

CAPABILITIES: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown"]},
    },
}
_CONVERTER = converters.get_converter()


def check(message: Message, methods: dict[object, str]) -> None:
    """Raise an error for a message that the protocol does not allow."""
    if "error" in message:
        _CONVERTER.structure(message, types.ResponseErrorMessage)
    elif "method" in message:
        kinds = types.METHOD_TO_TYPES[message["method"]]
        _CONVERTER.structure(message, kinds[0])
    else:
        kind: Any = types.METHOD_TO_TYPES[methods[message["id"]]][1]
        _CONVERTER.structure(message, kind)


class Client:
    """What a client of either kind does."""

    def __init__(self) -> None:
        self.number = 0
        self.methods: dict[object, str] = {}
        self.heard: list[Message] = []

    def send(self, message: Message) -> None:
        """Send a message to the server."""
        raise NotImplementedError

    def receive(self) -> Message:
        """Return the next message of the server."""
        raise NotImplementedError

    def request(self, method: str, parameters: Message | None = None) -> Message:
        """Return the response to a request."""
        self.number += 1
        number = self.number
        self.methods[number] = method
        self.send({"id": number, "method": method, "params": parameters or {}})
        while True:
            message = self.receive()
            check(message, self.methods)
            if message.get("id") == number and "method" not in message:
                return message
            self.heard.append(message)

    def ask(self, method: str, parameters: Message | None = None) -> Any:
        """Return the result of a request."""
        answered = self.request(method, parameters)
        assert "error" not in answered, answered
        return answered["result"]

    def tell(self, method: str, parameters: Message | None = None) -> None:
        """Send a notification."""
        self.send({"method": method, "params": parameters or {}})

    def start(
        self, directory: Path | None = None, capabilities: Message = CAPABILITIES, **given: Any
    ) -> Message:
        """Begin a session; return the capabilities of the server."""
        parameters: Message = {"processId": None, "capabilities": capabilities, **given}
        parameters["rootUri"] = None if directory is None else directory.as_uri()
        result: Message = self.ask("initialize", parameters)
        self.tell("initialized")
        return result

    def open(self, uri: str, text: str, language: str = "puppet") -> Message:
        """Open a document; return what requests name it by."""
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return {"textDocument": {"uri": uri}}

    def diagnostics(self, uri: str) -> list[Message]:
        """Return the next diagnostics that the server sends for a document."""
        while True:
            for index, message in enumerate(self.heard):
                given = message.get("params", {})
                is_wanted = message.get("method") == "textDocument/publishDiagnostics"
                if is_wanted and given["uri"] == uri:
                    del self.heard[index]
                    found: list[Message] = given["diagnostics"]
                    return found
            message = self.receive()
            check(message, self.methods)
            self.heard.append(message)

    def at(self, method: str, document: Message, line: int, character: int, **more: Any) -> Any:
        """Return the result of a request about a position."""
        position = {"line": line, "character": character}
        return self.ask(f"textDocument/{method}", {**document, "position": position, **more})


class Direct(Client):
    """A client that calls the server as a function."""

    def __init__(self) -> None:
        super().__init__()
        self.server = Server()
        self.messages: list[Message] = []

    def send(self, message: Message) -> None:
        self.messages += self.server.answer({"jsonrpc": "2.0", **message})

    def receive(self) -> Message:
        while not self.messages:
            assert self.server.has_work, "the server has nothing more to say"
            self.messages += self.server.work()
        return self.messages.pop(0)


class Process(Client):
    """A client of the program."""

    def __init__(
        self,
        *arguments: str,
        command: Sequence[str] = COMMAND,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if variables is None else {**os.environ, **variables},
        )

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def write(self, data: bytes) -> None:
        """Send bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def receive(self) -> Message:
        assert self.process.stdout is not None
        length = 0
        while header := self.process.stdout.readline().strip():
            name, _, value = header.partition(b":")
            assert name in (b"Content-Length", b"Content-Type"), header
            length = int(value) if name == b"Content-Length" else length
        message: Message = json.loads(self.process.stdout.read(length))
        return message

    def end(self) -> tuple[int, bytes]:
        """End the session; return the exit status and what the error output has."""
        self.ask("shutdown")
        self.tell("exit")
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors
