"""Helpers of compiled templates, and of heredocs with a declared syntax."""

from __future__ import annotations

from functools import partial

from puppet_repl.base.errors import EvaluationIssue
from puppet_repl.language.syntax.external import external_problem
from puppet_repl.language.syntax.validate import check_source
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


def render(value: Value) -> Value:
    """Return the text of ``<%= value %>``; a Sensitive stays one until the template ends."""
    if type(value) is str:
        return value
    if type(value) is Sensitive:
        return value
    return to_text(value)


def join_rendered(parts: list[Any]) -> Value:
    """Join the parts of a template: the result is Sensitive if any part is."""
    try:
        return "".join(parts)
    except TypeError:
        texts = [part if type(part) is str else to_text(part.value) for part in parts]
        return Sensitive("".join(texts))


def check_syntax(context: Context, text: Any, syntax: str) -> Value:
    """Check a heredoc's text against its declared syntax, and return it."""
    check = partial(check_source, language=context.options.language)
    problem = external_problem(text, syntax, check)
    if problem is not None:
        message, code = problem
        message = f"Invalid produced text having syntax: '{syntax}'. {message}"
        error = EvaluationIssue(message, code, blame="text")
        error.prefix = ""
        raise error
    return text
