"""The syntax of Ruby code and ERB templates, asked of Ruby itself. Nothing of the code runs."""

from __future__ import annotations

import json
from typing import NamedTuple

from puppet_repl.environment.ruby.engine import EngineFailure
from puppet_repl.environment.ruby.engines import missing, new_sandbox
from puppet_repl.environment.ruby.system import SystemEngine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.ruby.engine import Engine


class Problem(NamedTuple):
    """An error of Ruby's parser; lines and columns count from 1, None for an unknown column."""

    line: int
    message: str
    column: int | None


class SyntaxChecker:
    """A Ruby that is started with the first question, for the option ``ruby``.

    ``reason`` tells why there is none, once that is known.
    """

    def __init__(self, choice: str = "auto") -> None:
        self._choice = choice
        self._engine: Engine | None = None
        self.reason: str | None = "--ruby off" if choice == "off" else None

    def problems(self, text: str, *, erb: bool) -> list[Problem] | None:
        """Return the errors in Ruby code, or in a template; None without a Ruby."""
        if self._engine is None and self.reason is None:
            self._start()
        if self._engine is None:
            return None
        request = json.dumps({"do": "syntax", "begin": True, "text": text, "erb": erb})
        try:
            reply = json.loads(self._engine.converse(request, lambda question: question))
        except EngineFailure as error:
            self._engine, self.reason = None, error.message
            return None
        return [Problem(*found) for found in reply["r"]]

    def close(self) -> None:
        """End Ruby."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _start(self) -> None:
        try:
            if self._choice not in ("auto", "sandbox"):
                self._engine = SystemEngine("ruby" if self._choice == "system" else self._choice)
                return
            self.reason = missing()
            if self.reason is None:
                self._engine = new_sandbox()
        except EngineFailure as error:
            self.reason = error.message
