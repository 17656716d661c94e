"""What templates and texts of a declared syntax need while they run."""

from __future__ import annotations

from puppet_repl.errors import EvaluationError
from puppet_repl.syntax.external import external_problem
from puppet_repl.syntax.validate import check_source
from puppet_repl.values.sensitive import Sensitive
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.values.protocols import Value


def render(value: Value) -> Value:
    """The text of ``<%= value %>``; a Sensitive stays one until the template is finished."""
    if type(value) is str:
        return value
    if type(value) is Sensitive:
        return value
    return to_text(value)


def join_rendered(parts: list[Any]) -> Value:
    """The whole text of a template: Sensitive if one of its parts is."""
    try:
        return "".join(parts)
    except TypeError:
        texts = [part if type(part) is str else to_text(part.value) for part in parts]
        return Sensitive("".join(texts))


def check_syntax(text: Any, syntax: str) -> Value:
    """Check a heredoc's text against its declared syntax; answers the text."""
    problem = external_problem(text, syntax, check_source)
    if problem is not None:
        message, code = problem
        error = EvaluationError(f"Invalid produced text having syntax: '{syntax}'. {message}", code)
        error.prefix = ""
        raise error
    return text
