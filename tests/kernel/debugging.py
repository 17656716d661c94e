"""A debugger's side of the conversation with a kernel: requests, events, frames."""

from __future__ import annotations

from queue import Empty
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.messages import Message, reply_to, run

SECONDS = 20


class Debugging:
    """Requests to a kernel's debugger; ``running`` is the request of the cell that runs."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.client = client
        self._manager = manager
        self.running = ""
        self.stopped = ""

    def ask(self, command: str, **arguments: Any) -> Message:
        """Return the response to a request."""
        return self.ask_raw({"type": "request", "command": command, "arguments": arguments})

    def ask_raw(self, content: Message) -> Message:
        """Return the response to a request with any content."""
        message = self.client.session.msg("debug_request", {"seq": 1, **content})
        self.client.control_channel.send(message)
        reply = self.client.get_control_msg(timeout=SECONDS)
        assert reply["parent_header"]["msg_id"] == message["header"]["msg_id"]
        response: Message = reply["content"]
        return response

    def body(self, command: str, **arguments: Any) -> Message:
        """Return the body of the response to a request that succeeds."""
        reply = self.ask(command, **arguments)
        assert reply["success"], reply
        body: Message = reply["body"]
        return body

    def refusal(self, command: str, **arguments: Any) -> str:
        """Return why a request fails."""
        reply = self.ask(command, **arguments)
        assert reply["success"] is False, reply
        message: str = reply["message"]
        return message

    def attach(self) -> None:
        self.body("initialize")
        self.body("attach")

    def detach(self) -> None:
        self.body("disconnect")
        self.forget_published()

    def forget_published(self) -> None:
        while True:
            try:
                self.client.get_iopub_msg(timeout=0.3)
            except Empty:
                return

    # Cells

    def dump(self, code: str) -> str:
        """Return the path of a cell."""
        path: str = self.body("dumpCell", code=code)["sourcePath"]
        return path

    def stop_at(self, path: str, *lines: int | Message) -> list[Message]:
        """Set breakpoints, by line or as the protocol describes them; return what was placed."""
        asked = [{"line": each} if isinstance(each, int) else each for each in lines]
        placed: list[Message] = self.body(
            "setBreakpoints", source={"path": path}, breakpoints=asked
        )["breakpoints"]
        return placed

    def run(self, code: str) -> tuple[Message, list[Message]]:
        """Return the reply to a cell that nothing stops, and its outputs."""
        self.forget_published()
        return run(self.client, code)

    def start(self, code: str) -> None:
        """Begin to run a cell.

        If it fails the kernel does not abort what comes next: the reply to it is all that the test
        waits for, and until shortly afterwards ipykernel would abort the next cell as well.
        """
        self.running = self.client.execute(code, stop_on_error=False)

    def interrupt(self) -> None:
        """Interrupt the kernel, as a server does it."""
        self._manager.interrupt_kernel()

    def end(self) -> Message:
        """Return the content of the reply to the cell that runs."""
        content: Message = reply_to(self.client, self.running)["content"]
        return content

    # A cell that is stopped

    def wait_for_stop(self) -> Message:
        """Return the body of the next event that says that the running cell has stopped.

        Of one that was stopped before it is told first that it goes on.
        """
        wanted = ["continued", "stopped"] if self.running == self.stopped else ["stopped"]
        self.stopped = self.running
        while True:
            message = self.client.get_iopub_msg(timeout=SECONDS)
            if message["msg_type"] != "debug_event":
                continue
            if message["parent_header"]["msg_id"] == self.running:
                assert message["content"]["event"] == wanted.pop(0), message
                if wanted:
                    continue
                body: Message = message["content"]["body"]
                return body

    def frames(self) -> list[Message]:
        frames: list[Message] = self.body("stackTrace", threadId=1)["stackFrames"]
        return frames

    def places(self) -> list[tuple[str, int]]:
        """Return name and line of the frames of the stopped cell, the innermost first."""
        return [(frame["name"], frame["line"]) for frame in self.frames()]

    def next_place(self) -> tuple[str, int]:
        """Return where the cell stops next."""
        self.wait_for_stop()
        return self.places()[0]

    def scope(self, frame: int = 0, name: str = "Locals") -> list[Message]:
        """Return the rows of a scope of a frame."""
        scopes = self.body("scopes", frameId=self.frames()[frame]["id"])["scopes"]
        reference = next(each["variablesReference"] for each in scopes if each["name"] == name)
        return self.unfold(reference)

    def unfold(self, reference: int, **arguments: Any) -> list[Message]:
        rows: list[Message] = self.body("variables", variablesReference=reference, **arguments)[
            "variables"
        ]
        return rows

    def local_variables(self, frame: int = 0) -> dict[str, str]:
        """Return the values of the variables of a frame, as text."""
        return {row["name"]: row["value"] for row in self.scope(frame)}

    def evaluate(self, expression: str, frame: int = 0, **arguments: Any) -> str:
        """Return the result of an expression in a frame."""
        given = {"frameId": self.frames()[frame]["id"], **arguments}
        result: str = self.body("evaluate", expression=expression, **given)["result"]
        return result

    def is_refused(self, expression: str, frame: int = 0) -> str:
        """Return why an expression has no value in a frame."""
        return self.refusal("evaluate", expression=expression, frameId=self.frames()[frame]["id"])
