"""What a captured cell would have shown, for a variable: %%capture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from puppet_repl.render.values import value_text
from puppet_repl.session import NOTHING

if TYPE_CHECKING:
    from puppet_kernel.answers import Answer
    from puppet_repl.session import Outcome


class Captured:
    """The messages, the last value and the output of commands of one cell."""

    def __init__(self) -> None:
        self._logs: list[tuple[str, str]] = []
        self._output: list[str] = []
        self._has_value = False

    def take_outcome(self, outcome: Outcome) -> None:
        """Keep what code has logged, and that it is its value which ``$_`` stands for."""
        self._logs += outcome.logs
        self._has_value = outcome.value is not NOTHING

    def take_messages(self, answer: Answer) -> None:
        """Keep the text of messages, and take them from the answer."""
        for kind, content in answer.messages:
            if kind == "stream":
                self._output.append(content["text"])
            elif kind == "display_data":
                self._output.append(content["data"].get("text/plain", "") + "\n")
        answer.messages.clear()

    def assignment(self, name: str) -> str:
        """Return the Puppet code that assigns all of it to a variable, as a hash."""
        messages = ", ".join(
            f"{{'level' => {value_text(level)}, 'message' => {value_text(message)}}}"
            for level, message in self._logs
        )
        value = "$_" if self._has_value else "undef"
        output = value_text("".join(self._output))
        return f"${name} = {{'value' => {value}, 'messages' => [{messages}], 'output' => {output}}}"
