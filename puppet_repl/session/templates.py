"""Templates as inputs of their own, as ``Session.render_epp`` and ``render_erb`` say."""

from __future__ import annotations

from puppet_repl.language.compiler import render_epp as rendered
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.values.python import from_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from puppet_repl.session.execution import Execution
    from puppet_repl.session.outcome import Outcome
    from puppet_repl.session.transaction import Transaction


def render_epp(
    execution: Execution,
    text: str,
    params: Mapping[str, object] | None,
    *,
    name: str | None,
    complete: bool,
) -> Outcome:
    """Render a text as EPP."""
    context = execution.context
    parameters = None if params is None else from_python(params)

    def work(transaction: Transaction) -> None:
        context.begin_input()
        transaction.value = rendered(Source(text, name), context, parameters)
        if complete:
            context.end_input()

    return execution.run(work)


def render_erb(
    execution: Execution, text: str, params: Mapping[str, object], *, path: str | None
) -> Outcome:
    """Render a text, or the file of a path, as ERB."""
    context = execution.context

    def work(transaction: Transaction) -> None:
        context.begin_input()
        outer = context.scope
        context.scope = scope = context.top.local({})
        try:
            for name, value in params.items():
                scope.bind(name, from_python(value))
            templates = context.ruby.templates
            if path is None:
                transaction.value = templates.render_text(text) if "<%" in text else text
            else:
                transaction.value = templates.render_file(path, path)
        finally:
            context.scope = outer
        context.end_input()

    return execution.run(work)
