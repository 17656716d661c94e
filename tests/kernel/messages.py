"""Messages to a kernel and from it: the reply to a request, and what is published for it."""

from __future__ import annotations

import re
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient

Message = dict[str, Any]
ENDLESS = "Integer[1, 9223372036854775807].each |$i| { $i + 1 }"


def outputs_of(client: BlockingKernelClient, request: str) -> list[Message]:
    """All that is published for a request, to its idle; each says what request it is for."""
    found: list[Message] = []
    while True:
        message = client.get_iopub_msg(timeout=20)
        if message["msg_type"] == "iopub_welcome":
            continue
        assert message["parent_header"].get("msg_id") == request, message
        kind = message["msg_type"]
        if kind == "status":
            if message["content"]["execution_state"] == "idle":
                return found
        elif kind != "execute_input":
            found.append(message)


def wait_until_running(client: BlockingKernelClient, request: str) -> None:
    """Return when a cell runs: from here on an interrupt is meant for it."""
    while True:
        message = client.get_iopub_msg(timeout=60)
        if message["parent_header"].get("msg_id") == request:
            if message["msg_type"] == "execute_input":
                return


def reply_to(client: BlockingKernelClient, request: str) -> Message:
    while True:
        message: Message = client.get_shell_msg(timeout=20)
        if message["parent_header"]["msg_id"] == request:
            return message


def run(client: BlockingKernelClient, code: str, **options: Any) -> tuple[Message, list[Message]]:
    """Reply content and outputs of one cell."""
    request = client.execute(code, **options)
    published = outputs_of(client, request)
    content: Message = reply_to(client, request)["content"]
    return content, published


def printed(published: list[Message]) -> str:
    return "".join(m["content"]["text"] for m in published if m["msg_type"] == "stream")


def without_styles(html: str) -> str:
    """The HTML of an output without the attributes of its elements."""
    return re.sub(r"<(\w+) [^>]*>", r"<\1>", html)
