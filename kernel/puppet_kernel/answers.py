"""The answer to a cell: its messages in order, and its error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from puppet_kernel.outputs import bundle_of, error_content
from puppet_repl.base.defect import is_defect
from puppet_repl.base.errors import Interruption
from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.stops import stop_code, stop_message
from puppet_repl.frontends.shared.results import stop_error
from puppet_repl.session import NOTHING, Outcome, Session
from puppet_repl.tools.rendering.logs import definition_line
from puppet_repl.tools.rendering.notebook_text import notebook_log

if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

Content = dict[str, Any]
INTERRUPTED = "Interrupted"
DEFECT = "InternalError"


class Answer:
    """The messages to send in order, the payload of the reply, and the error of the cell.

    ``error`` is the content of an ``error`` message: name, message, lines. ``value`` is the value
    that ``%%capture`` keeps, or NOTHING. ``reruns`` are parts of earlier cells to be run next,
    each with an optional text to show before it.
    """

    __slots__ = ("error", "messages", "payload", "reruns", "value")

    def __init__(self, error: Content | None = None) -> None:
        self.messages: list[tuple[str, Content]] = []
        self.payload: list[Content] = []
        self.error = error
        self.reruns: list[tuple[str, str]] = []
        self.value: Value = NOTHING

    def display(self, data: dict[str, str]) -> None:
        """Add a display_data message."""
        self.messages.append(("display_data", {"data": data, "metadata": {}, "transient": {}}))

    def print(self, text: str, stream: str = "stdout") -> None:
        """Add text of a standard stream."""
        self.messages.append(("stream", {"name": stream, "text": text}))

    def show(self, outcome: Outcome, session: Session, number: int, *, quiet: bool) -> None:
        """Add the result of the cell ``number``: its error, definitions and value.

        With ``quiet`` only the error is added.
        """
        self.value = outcome.value
        if outcome.error is not None:
            self.error = error_content(outcome.error)
        if quiet or outcome.error is not None:
            return
        defined = definition_line(outcome)
        if defined is not None:
            stream, text = notebook_log(NOTE, defined)
            self.print(text, stream)
        if outcome.value is NOTHING or outcome.value is None:
            return
        data = bundle_of(outcome.value, session)
        content = {"execution_count": number, "data": data, "metadata": {}}
        self.messages.append(("execute_result", content))


def failure(name: str, message: str) -> Content:
    """Return the content of an ``error`` message without a location."""
    return {"ename": name, "evalue": message, "traceback": [f"{name}: {message}"]}


def interrupted(
    stop: KeyboardInterrupt, consequence: str, shown: tuple[str, str] | None = None
) -> Content:
    """Return the error of an interrupted cell: the position, and the consequence for the cell.

    ``shown`` are the text and the name of the input whose value was being shown; see
    ``stop_error``.
    """
    error = stop_error(stop, consequence, shown)
    content = error_content(error)
    return {**content, "ename": INTERRUPTED} if isinstance(error, Interruption) else content


def stopped(error: BaseException) -> Content:
    """Return the message for an error of Python: a limit that was reached, or a defect."""
    message = stop_message(error)
    return failure(DEFECT if is_defect(error) else stop_code(error), message)
