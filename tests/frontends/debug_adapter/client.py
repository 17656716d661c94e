"""A client of the debug adapter, which holds all that it says to the protocol's schema."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from jsonschema import Draft202012Validator

Message = dict[str, Any]

COMMAND = (sys.executable, "-m", "puppet_repl", "debug-adapter")
SECONDS = 60
_PLACE = ("_vendored", "pydevd", "_pydevd_bundle", "_debug_adapter", "debugProtocol.json")


def _schema() -> Message:
    """Return the schema of the protocol: debugpy, which ipykernel needs, has it."""
    found = find_spec("debugpy")
    assert found is not None and found.origin is not None
    text = Path(found.origin).parent.joinpath(*_PLACE).read_text(encoding="utf-8")
    schema: Message = json.loads(text)
    return schema


SCHEMA = _schema()
_VALIDATORS: dict[str, Draft202012Validator] = {}


def _kind(message: Message) -> str:
    """Return the name of a message in the schema."""
    name = message.get("event") or message.get("command") or ""
    if message["type"] == "response" and not message["success"]:
        return "ErrorResponse" if message.get("body") else "Response"
    return f"{name[:1].upper()}{name[1:]}{message['type'].capitalize()}"


def check(message: Message) -> None:
    """Raise an error for a message that the protocol does not allow."""
    kind = _kind(message)
    assert kind in SCHEMA["definitions"], message
    if kind not in _VALIDATORS:
        wanted = {"$ref": f"#/definitions/{kind}", "definitions": SCHEMA["definitions"]}
        _VALIDATORS[kind] = Draft202012Validator(wanted)
    _VALIDATORS[kind].validate(message)


class Client:
    """A process of the adapter, and its client."""

    def __init__(self, *, directory: Path | None = None, environment: Any = None) -> None:
        self.number = 0
        self.last = 0
        self.events: list[Message] = []
        self._arrived: SimpleQueue[Message | None] = SimpleQueue()
        self._responses: dict[int, Message] = {}
        self.process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=environment,
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = int(line.removeprefix(b"Content-Length: "))
            assert stream.readline() == b"\r\n"
            self._arrived.put(json.loads(stream.read(length)))
        self._arrived.put(None)

    # Messages

    def send(self, command: str, arguments: Any = None) -> int:
        """Send a request; return its number."""
        self.number += 1
        request = {"seq": self.number, "type": "request", "command": command}
        if arguments is not None:
            request["arguments"] = arguments
        self.write(json.dumps(request).encode())
        return self.number

    def write(self, body: bytes) -> None:
        """Write a message as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> Message | None:
        """Return the next message, None at the end."""
        message = self._arrived.get(timeout=SECONDS)
        if message is not None:
            assert message["seq"] == self.last + 1
            self.last = message["seq"]
            check(message)
        return message

    def response(self, number: int) -> Message:
        """Return the response to a request."""
        while number not in self._responses:
            message = self.receive()
            assert message is not None, self._errors()
            if message["type"] == "event":
                self.events.append(message)
            else:
                self._responses[message["request_seq"]] = message
        return self._responses.pop(number)

    def ask(self, command: str, **arguments: Any) -> Message:
        """Return the body of the response to a request that succeeds."""
        answered = self.response(self.send(command, arguments))
        assert answered["success"], answered
        body: Message = answered.get("body", {})
        return body

    def refusal(self, command: str, arguments: Any = None, **given: Any) -> str:
        """Return why a request fails."""
        answered = self.response(self.send(command, arguments or given))
        assert answered["success"] is False, answered
        message: str = answered["message"]
        return message

    def event(self, name: str) -> Message:
        """Return the body of the next event of a name; earlier events stay."""
        seen = 0
        while True:
            for number, each in enumerate(self.events[seen:], seen):
                if each["event"] == name:
                    del self.events[number]
                    body: Message = each.get("body", {})
                    return body
            seen = len(self.events)
            message = self.receive()
            assert message is not None, (name, self._errors())
            if message["type"] == "event":
                self.events.append(message)
            else:
                self._responses[message["request_seq"]] = message

    # A session

    def start(self, launch: Message, **initialize: Any) -> Message:
        """Begin a session with breakpoints to come; return the capabilities."""
        capabilities = self.ask("initialize", adapterID="puppet-repl", **initialize)
        self.ask("launch", **launch)
        self.event("initialized")
        return capabilities

    def run(self) -> None:
        """Begin to run."""
        self.ask("configurationDone")

    def break_at(self, path: Path, *lines: int | Message) -> list[Message]:
        """Set breakpoints, by line or as the protocol describes them; return what was placed."""
        asked = [{"line": each} if isinstance(each, int) else each for each in lines]
        body = self.ask("setBreakpoints", source={"path": str(path)}, breakpoints=asked)
        placed: list[Message] = body["breakpoints"]
        return placed

    def stop(self, reason: str = "breakpoint") -> list[Message]:
        """Return the frames of the next stop, which has this reason."""
        told = self.event("stopped")
        assert told["reason"] == reason, told
        frames: list[Message] = self.ask("stackTrace", threadId=1)["stackFrames"]
        return frames

    def place(self, reason: str = "breakpoint") -> tuple[str, int]:
        """Return name and line of the innermost frame of the next stop."""
        frame = self.stop(reason)[0]
        return frame["name"], frame["line"]

    def scopes(self, frame: Message) -> dict[str, int]:
        """Return the references of the scopes of a frame."""
        scopes = self.ask("scopes", frameId=frame["id"])["scopes"]
        return {each["name"]: each["variablesReference"] for each in scopes}

    def rows(self, reference: int, **arguments: Any) -> dict[str, Message]:
        """Return the rows that a reference unfolds into, by name."""
        rows = self.ask("variables", variablesReference=reference, **arguments)["variables"]
        return {each["name"]: each for each in rows}

    def evaluate(self, frame: Message, text: str, **arguments: Any) -> str:
        """Return the result of an expression in a frame."""
        result: str = self.ask("evaluate", expression=text, frameId=frame["id"], **arguments)[
            "result"
        ]
        return result

    def end(self) -> tuple[int, str, str]:
        """Wait for the end of the program; return its status and its outputs without places."""
        status: int = self.event("exited")["exitCode"]
        self.event("terminated")
        return status, self.printed("stdout"), self.printed("stderr")

    def printed(self, category: str) -> str:
        """Return the output of a category so far."""
        found = [each["body"] for each in self.events if each["event"] == "output"]
        return "".join(each["output"] for each in found if each["category"] == category)

    def leave(self) -> tuple[int, str]:
        """Disconnect; return the status of the process and its error output."""
        self.ask("disconnect")
        while self.receive() is not None:
            pass
        return self.process.wait(SECONDS), self._errors()

    def _errors(self) -> str:
        """Return the error output of the process, which has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()
