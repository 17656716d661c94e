"""Lookups of keys in the data, and their explanations: ``Session.lookup`` and ``explain``."""

from __future__ import annotations

from puppet_repl.base.recursion import deep_calls
from puppet_repl.environment.hiera.data_lookup import look_up
from puppet_repl.environment.hiera.explanation import Explainer
from puppet_repl.language.compiler import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.hiera.explanation import Explanation
    from puppet_repl.session.execution import Execution
    from puppet_repl.session.outcome import Outcome

    Key = str | tuple[str, ...]


def lookup(
    execution: Execution,
    key: Key,
    chosen: dict[str, object],
    explainer: Explainer | None = None,
) -> Outcome:
    """Return the value of a key; ``chosen`` are ``merge``, ``type`` and ``default``."""
    context = execution.context
    transaction = execution.transaction()
    try:
        with deep_calls, transaction, execution.deadline():
            attach(context)
            context.begin_input()
            transaction.value = look_up(context, key, chosen, explainer)
        return transaction.outcome
    finally:
        transaction.roll_back()


def explain(
    execution: Execution,
    key: Key,
    chosen: dict[str, object],
    *,
    options_only: bool,
) -> tuple[Outcome, Explanation]:
    """Look a key up; return also an explanation."""
    explainer = Explainer(options_only=options_only)
    outcome = lookup(execution, key, chosen, explainer)
    return outcome, explainer.explanation(key, outcome.error)
