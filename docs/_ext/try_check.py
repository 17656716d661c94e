"""Which examples of the site a browser can run: they are run here, as a worker of a page does it.

Reads pages as JSON, each a list of examples. Writes for each example null if it does not run, else
``program``, of which inputs the program consists that a link to the playground opens; ``undef``,
which inputs the page says to be undef, of which a cell shows nothing; and whether all of it is
``silent``. A process of its own runs this, in an empty directory: a browser has no files either.

An example of a block has to show what the block says, by the comparison of ``puppet-repl doctest``;
a cell of a notebook its value, its texts and its error; and those inputs have to fail that are to
fail. Those that do not hold are left out, and then those that need them.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from typing import Any

from puppet_kernel.worker import Worker
from puppet_repl.frontends.commands import run as run_command
from puppet_repl.frontends.doctest.documents import Block
from puppet_repl.frontends.doctest.examples import Example as BlockExample
from puppet_repl.frontends.doctest.examples import examples_of
from puppet_repl.frontends.doctest.runner import Runner

FACTS = "debian-12"
NO_RUBY = ":set ruby off"
# Commands and magics are inputs of their own.
_command = re.compile(r"\s*(?::|%%)").match
_place = re.compile(r"\((?:file|line): [^()]*\)")
Example = dict[str, Any]
# Inputs that are joined to a program: each the numbers of an example and of one of its inputs.
Program = list[tuple[int, int]]


@dataclass(frozen=True)
class Result:
    """What became of an input: the message of its error, its values as text, what it has logged.

    It is silent where a page shows nothing.
    """

    error: str | None
    values: tuple[str, ...]
    text: str
    is_silent: bool

    @property
    def end(self) -> tuple[str | None, str]:
        """What it comes to: its error, its last value."""
        return self.error, "".join(self.values[-1:])


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
        error = without_place(reply["evalue"]) if reply["status"] == "error" else None
        shown = [(each["type"], each["content"]) for each in map(json.loads, self.sent)]
        values = [
            _dense(each["data"]["text/plain"]) for kind, each in shown if kind == "execute_result"
        ]
        text = "".join(each["text"] for kind, each in shown if kind == "stream")
        return Result(error, tuple(values), _dense(text), not shown)


class Page:
    """The examples of a page: which of them hold, and which programs they are."""

    def __init__(self, tab: Tab, examples: list[Example]) -> None:
        self._tab = tab
        self._examples = examples
        self._results: dict[int, list[Result]] = {}

    def chosen(self) -> list[dict[str, Any] | None]:
        """Return for each example None if it does not hold, else what its page has to know."""
        session = [number for number, each in enumerate(self._examples) if each["session"]]
        while wrong := self._wrong(session):
            session = [number for number in session if number not in wrong]
        alone = [
            number
            for number, each in enumerate(self._examples)
            if not each["session"] and not self._wrong([number]) and not self._is_silent(number)
        ]
        # The page lists those that hold, and numbers them anew.
        places = {number: place for place, number in enumerate(sorted(session + alone))}
        found: list[dict[str, Any] | None] = [None] * len(self._examples)
        before: Program = []
        for number in places:
            program = self._program(number, before if number in session else [])
            found[number] = {
                "program": [(places[each], at) for each, at in program],
                "undef": self._undef(number),
                "silent": self._is_silent(number),
            }
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
        if example["cell"] is not None and not _is_same(example["cell"], results[-1]):
            return False
        return example["block"] is None or _shows(example["block"], runner)

    def _undef(self, number: int) -> list[int]:
        """Return which inputs of a block show nothing, and are undef by what it says."""
        block = self._examples[number]["block"]
        stated = [each.value or each.output for each in _inputs_of(block)] if block else []
        return [
            at
            for at, (text, result) in enumerate(zip(stated, self._results[number], strict=False))
            if text == "undef" and result.is_silent
        ]

    def _is_silent(self, number: int) -> bool:
        return all(each.is_silent for each in self._results[number]) and not self._undef(number)

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
            if self._run(program).end == self._results[number][last[1]].end:
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
    examples = _inputs_of(block)
    are_stated = any(each.expects or each.output for each in examples)
    differences = [runner.run(each) for each in examples]
    return not are_stated or not any(differences)


def _inputs_of(block: dict[str, Any]) -> list[BlockExample]:
    return examples_of(Block(block["language"], 1, block["lines"]))


def _is_same(cell: dict[str, Any], result: Result) -> bool:
    """Tell whether a cell of a notebook has shown what is below it."""
    error = None if cell["error"] is None else without_place(cell["error"])
    wanted = (error, _dense(cell["value"]), _dense(cell["text"]))
    return wanted == (result.error, "".join(result.values), result.text)


def without_place(message: str) -> str:
    """Return the message of an error without where it is, which depends on what stands above."""
    return _place.sub("", message)


def _dense(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    tab = Tab()
    pages = json.load(sys.stdin)
    json.dump({name: Page(tab, examples).chosen() for name, examples in pages.items()}, sys.stdout)
