"""What the inputs of the fuzzer are given to: the ways by which source text enters the engine.

A target takes a text and raises ``Flaw`` for a result that no text may have. Any
other exception is a finding just the same.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable
from typing import Any

from pygments.lexer import Lexer

from puppet_pygments.cell import PuppetCellLexer
from puppet_pygments.console import PuppetConsoleLexer
from puppet_pygments.epp import EppLexer
from puppet_pygments.epp_hosts import HtmlEppLexer
from puppet_pygments.lexer import PuppetLexer
from puppet_repl.base.errors import PuppetError
from puppet_repl.base.recursion import deep_calls
from puppet_repl.catalog.json import document
from puppet_repl.frontends.cli import batch
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.pn import to_pn
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.session import Session
from puppet_repl.session.outcome import NOTHING, Outcome
from puppet_repl.tools.rendering.diagnostics import error_text
from puppet_repl.tools.rendering.values import render_value
from puppet_repl.tools.reports.help import documentation_markdown, documentation_text
from puppet_repl.tools.reports.html import value_html
from tests.fuzz import seeds

__all__ = ["SEEDS", "TARGETS", "Flaw", "Target", "WithSession"]

FACTS: dict[str, Any] = {
    "os": {"name": "Debian", "family": "Debian", "release": {"major": "12"}},
    "kernel": "Linux",
    "networking": {"ip": "10.0.0.1", "fqdn": "node.example.com"},
}
# A new session is made after so many inputs: what one leaves behind meets those after it.
INPUTS_OF_A_SESSION = 200
WIDTH = 80


class Flaw(AssertionError):
    """A result that no input may have."""


class Target:
    """One way into the engine; ``kind`` says what its inputs are made from."""

    kind = "programs"

    def __call__(self, text: str) -> bool:
        """Run an input; tell whether it was valid. Raises Flaw, and whatever escapes."""
        raise NotImplementedError


class WithSession(Target):
    """A target whose inputs go to one session for a while; ``earlier`` are those before."""

    def __init__(self) -> None:
        self.earlier: list[str] = []
        self._session = Session(facts=FACTS)

    def begin_anew(self) -> None:
        """Start a new session."""
        self._session.close()
        self._session = Session(facts=FACTS)
        self.earlier = []

    def __call__(self, text: str) -> bool:
        if len(self.earlier) >= INPUTS_OF_A_SESSION:
            self.begin_anew()
        valid = self.run(self._session, text)
        self.earlier.append(text)
        return valid

    def run(self, session: Session, text: str) -> bool:
        """Run an input in a session; tell whether it was valid."""
        raise NotImplementedError


def judged(outcome: Outcome, text: str) -> bool:
    """Tell whether an input had a value; show its error as the command line does."""
    if outcome.error is None:
        return True
    refused(outcome.error, text)
    return False


def refused(error: PuppetError, text: str) -> None:
    """Show an error. Raises Flaw if it stands for a defect of the interpreter."""
    sound(error.message)
    error_text(error, text=text, color=True)


def sound(message: str) -> None:
    """Raise Flaw for the message of a defect; Puppet's own begin with "Internal Error"."""
    if "internal error: " in message:
        raise Flaw(message)


class Execute(WithSession):
    """Inputs of the prompt: the value is shown as text and HTML, described and at times undone."""

    def run(self, session: Session, text: str) -> bool:
        outcome = session.execute(text)
        if not judged(outcome, text):
            return False
        if outcome.value is not NOTHING:
            # A front end allows deep calls, and numbers of any length, for its whole process.
            with deep_calls:
                render_value(outcome.value, WIDTH, full=False)
                value_html(outcome.value)
        choice = number_of(text, 20)
        if choice == 0:
            session.undo()
        elif choice == 1:
            session.describe(outcome.value)
        return True


class Catalog(Target):
    """Programs that are compiled to a catalog, with all that is checked at its end."""

    def __call__(self, text: str) -> bool:
        session = Session(facts=FACTS)
        outcome = session.execute(text)
        if not judged(outcome, text):
            return False
        outcome = session.finish_catalog(outcome)
        if not judged(outcome, text):
            return False
        with deep_calls:
            json.dumps([outcome.resources, outcome.edges, document(session.catalog, redacted=True)])
        return True


class Template(WithSession):
    """EPP templates."""

    kind = "templates"

    def run(self, session: Session, text: str) -> bool:
        parameters = (None, {}, {"a": 1, "x": [1, "2", None]})[number_of(text, 3)]
        return judged(session.render_epp(text, parameters), text)


class Parse(Target):
    """Programs that are parsed, checked and written as PN, as ``puppet-repl parse`` does."""

    def __call__(self, text: str) -> bool:
        try:
            with deep_calls:
                program = parse(Source(text))
                to_pn(program.body)
                validate(program)
        except PuppetError as error:
            refused(error, text)
            return False
        return True


class Check(WithSession):
    """Unfinished programs: does Enter run them?"""

    def run(self, session: Session, text: str) -> bool:
        return type(session.check(text)).__name__ == "Complete"


class Complete(WithSession):
    """Candidates at some position of a program; what they replace includes the position."""

    def run(self, session: Session, text: str) -> bool:
        cursor = number_of(text, len(text) + 1)
        found = session.complete(text, cursor)
        if not 0 <= found.start <= cursor <= found.end <= len(text):
            raise Flaw(f"completes {found.start}..{found.end} at {cursor}")
        return bool(found.items)


class Inspect(WithSession):
    """The documentation of what is at some position of a program."""

    def run(self, session: Session, text: str) -> bool:
        found = session.inspect(text, number_of(text, len(text) + 1))
        if found is not None:
            documentation_text(found)
            documentation_markdown(found)
        return found is not None


class Batch(Target):
    """Lines of ``puppet-repl batch``, each with an answer that can be written."""

    kind = "requests"

    def __call__(self, text: str) -> bool:
        lines = list(batch.answer_lines([text.encode("utf-8", "surrogatepass")]))
        if len(lines) != bool(text.strip()):
            raise Flaw(f"{len(lines)} answers")
        answers = [json.loads(line) for line in lines]
        for answer in answers:
            sound(answer.get("error", {}).get("message", ""))
        return not any("error" in answer for answer in answers)


class Lexing(Target):
    """Lexers of Pygments lose nothing and know where each token is."""

    def __init__(self, kind: str, lexers: Iterable[Lexer], prompt: str = "") -> None:
        self.kind = kind
        self._lexers = tuple(lexers)
        self._prompt = prompt

    def __call__(self, text: str) -> bool:
        text = self._prompt + text
        known = [self._is_known(lexer, text) for lexer in self._lexers]
        return all(known)

    def _is_known(self, lexer: Lexer, text: str) -> bool:
        position = 0
        valid = True
        for start, token, part in lexer.get_tokens_unprocessed(text):
            if start != position or not text.startswith(part, start):
                raise Flaw(f"{type(lexer).__name__}: {part!r} at {start}, expected at {position}")
            position += len(part)
            valid = valid and "Error" not in token
        if position != len(text):
            raise Flaw(f"{type(lexer).__name__}: the text from {position} on is lost")
        return valid


def number_of(text: str, count: int) -> int:
    """Return a number below ``count`` that is as good as random, and the text's own."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) % count


def _lexer(kind: type[Lexer]) -> Lexer:
    return kind(stripnl=False, ensurenl=False)


TARGETS: dict[str, Callable[[], Target]] = {
    "execute": Execute,
    "catalog": Catalog,
    "template": Template,
    "parse": Parse,
    "check": Check,
    "complete": Complete,
    "inspect": Inspect,
    "batch": Batch,
    "lexer": lambda: Lexing("programs", [_lexer(PuppetLexer)]),
    "epp-lexer": lambda: Lexing("templates", [_lexer(EppLexer), _lexer(HtmlEppLexer)]),
    "cell-lexer": lambda: Lexing("programs", [_lexer(PuppetCellLexer)]),
    "console-lexer": lambda: Lexing("programs", [_lexer(PuppetConsoleLexer)], "puppet [1]> "),
}
"""The targets, by the name that ``make fuzz TARGET=...`` has for each."""

SEEDS: dict[str, Callable[[], list[str]]] = {
    "programs": seeds.programs,
    "templates": seeds.templates,
    "requests": seeds.requests,
}
"""What the inputs of a kind are made from."""
