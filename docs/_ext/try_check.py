"""Which examples of the site a browser can run: they are run here, as a worker of a page does it.

Reads pages as JSON, each a list of examples, and writes for each whether it does what its page
says. A process of its own runs this, in an empty directory: a browser has no files either.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from puppet_kernel.worker import Worker

FACTS = "debian-12"


class Tab:
    """What runs the examples of a page."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.worker = Worker(self.sent.append)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request."""
        reply: dict[str, Any] = json.loads(self.worker.answer(json.dumps(request)))
        return reply

    def begin(self) -> None:
        """Begin a session; a browser has no Ruby."""
        self.ask({"type": "reset", "facts": FACTS})
        self.ask({"type": "execute", "code": ":set ruby off", "store_history": False})

    def runs(self, example: dict[str, Any]) -> bool:
        """Run the inputs of an example: do those fail that are to fail, is the value the same?"""
        self.sent.clear()
        replies = [self.ask({"type": "execute", "code": code}) for code in example["inputs"]]
        if [reply["status"] == "error" for reply in replies] != example["fails"]:
            return False
        return example["value"] is None or _dense(example["value"]) == _dense(self.last_value())

    def last_value(self) -> str:
        """Return the value that was sent last, as text."""
        values = [
            message["content"]["data"]["text/plain"]
            for message in map(json.loads, self.sent)
            if message["type"] == "execute_result"
        ]
        return values[-1] if values else ""

    def page(self, examples: list[dict[str, Any]]) -> list[bool]:
        """Return which examples of a page run: those of its session in order, others alone."""
        found = {}
        self.begin()
        for number, example in enumerate(examples):
            if example["session"]:
                found[number] = self.runs(example)
        for number, example in enumerate(examples):
            if not example["session"]:
                self.begin()
                found[number] = self.runs(example)
        return [found[number] for number in range(len(examples))]


def _dense(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    tab = Tab()
    pages = json.load(sys.stdin)
    json.dump({name: tab.page(examples) for name, examples in pages.items()}, sys.stdout)
