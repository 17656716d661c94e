"""Which examples of the site a browser can run: they are run here, as a worker of a page does it.

Reads pages as JSON, each a list of examples. Writes for each example null if it gets no button,
else of which inputs the program consists that a link to the playground opens. A process of its own
runs this, in an empty directory: a browser has no files either.

An example of a block has to show what the block says, by the comparison of ``puppet-repl doctest``;
a cell of a notebook its value; and those inputs have to fail that are to fail. Those that do not
hold are left out, and then those that need them.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from typing import Any

from puppet_kernel.worker import Worker
from puppet_repl.commands import run as run_command
from puppet_repl.doctest.documents import Block
from puppet_repl.doctest.examples import examples_of
from puppet_repl.doctest.runner import Runner

FACTS = "debian-12"
NO_RUBY = ":set ruby off"
# Commands and magics are inputs of their own.
_command = re.compile(r"\s*(?::|%%)").match
# Where an error is depends on what stands above.
_place = re.compile(r"\((?:file|line): [^()]*\)")
Example = dict[str, Any]
# Inputs that are joined to a program: each the numbers of an example and of one of its inputs.
Program = list[tuple[int, int]]


@dataclass(frozen=True)
class Result:
    """What became of an input: the message of its error, its value as text."""

    error: str | None
    value: str


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
        self.ask({"type": "execute", "code": NO_RUBY, "store_history": False})

    def run(self, code: str) -> Result:
        """Run an input."""
        self.sent.clear()
        reply = self.ask({"type": "execute", "code": code})
        error = _place.sub("", reply["evalue"]) if reply["status"] == "error" else None
        values = [
            message["content"]["data"]["text/plain"]
            for message in map(json.loads, self.sent)
            if message["type"] == "execute_result"
        ]
        return Result(error, _dense(values[-1]) if values else "")


class Page:
    """The examples of a page: which of them hold, and which programs they are."""

    def __init__(self, tab: Tab, examples: list[Example]) -> None:
        self._tab = tab
        self._examples = examples
        self._results: dict[int, list[Result]] = {}

    def chosen(self) -> list[Program | None]:
        """Return for each example None if it does not hold, else its program, [] if it is none."""
        session = [number for number, each in enumerate(self._examples) if each["session"]]
        while wrong := self._wrong(session):
            session = [number for number in session if number not in wrong]
        alone = [
            number
            for number, each in enumerate(self._examples)
            if not each["session"] and not self._wrong([number])
        ]
        # The page lists those that hold, and numbers them anew.
        places = {number: place for place, number in enumerate(sorted(session + alone))}
        found: list[Program | None] = [None] * len(self._examples)
        before: Program = []
        for number in places:
            program = self._program(number, before if number in session else [])
            found[number] = [(places[each], at) for each, at in program]
            if number in session:
                before = self._joined(before, number)
        return found

    def _wrong(self, numbers: list[int]) -> set[int]:
        """Run examples in a session; return those that do not hold."""
        self._tab.begin()
        runner = Runner()
        run_command(runner.session, NO_RUBY, runner.host)
        return {number for number in numbers if not self._holds(number, runner)}

    def _holds(self, number: int, runner: Runner) -> bool:
        example = self._examples[number]
        results = [self._tab.run(code) for code in example["inputs"]]
        self._results[number] = results
        if [each.error is not None for each in results] != example["fails"]:
            return False
        if example["value"] is not None and results[-1].value != _dense(example["value"]):
            return False
        return example["block"] is None or _shows(example["block"], runner)

    def _program(self, number: int, before: Program) -> Program:
        """Return the inputs that, joined, have the result of the last one of an example.

        Those before it on its page are among them only where it needs them. Return [] where no such
        program has that result.
        """
        own = self._inputs(number)
        if not own:
            return []
        last = own[-1]
        own = [each for each in own if each == last or not self._fails(*each)]
        for program in (own, before + own) if before else (own,):
            if self._run(program) == self._results[number][last[1]]:
                return program
        return []

    def _joined(self, program: Program, number: int) -> Program:
        """Return a program and those inputs of an example that can be a part of it.

        A value that nothing uses cannot, nor can the second assignment to a variable.
        """
        for each in self._inputs(number):
            if not self._fails(*each) and self._run([*program, each], "undef").error is None:
                program = [*program, each]
        return program

    def _run(self, program: Program, end: str = "") -> Result:
        self._tab.begin()
        codes = [self._examples[number]["inputs"][at] for number, at in program]
        return self._tab.run("\n".join([*codes, end]))

    def _inputs(self, number: int) -> Program:
        inputs = self._examples[number]["inputs"]
        return [(number, at) for at, code in enumerate(inputs) if not _command(code)]

    def _fails(self, number: int, at: int) -> bool:
        return bool(self._examples[number]["fails"][at])


def _shows(block: dict[str, Any], runner: Runner) -> bool:
    """Run the examples of a block; tell whether the results that it states are there.

    Inputs that are only listed, as a transcript without outputs, state none.
    """
    examples = examples_of(Block(block["language"], 1, block["lines"]))
    are_stated = any(each.expects or each.output for each in examples)
    differences = [runner.run(each) for each in examples]
    return not are_stated or not any(differences)


def _dense(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    tab = Tab()
    pages = json.load(sys.stdin)
    json.dump({name: Page(tab, examples).chosen() for name, examples in pages.items()}, sys.stdout)
