"""Dynamically resolved calls."""

from __future__ import annotations

from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Members

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any, NoReturn

    from puppet_repl.base.errors import EvaluationIssue
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value

_NATIVE = frozenset((int, float, str, bool, tuple, PuppetHash, type(None)))


def call_method(
    context: Context,
    builtin: Callable[..., Value] | None,
    name: str,
    args: tuple[Value, ...],
    block: Closure | None = None,
) -> Value:
    """Call ``args[0].name(rest)``: a member of the first argument, or a function.

    ``builtin`` calls the built-in function of that name, or what replaces it.
    """
    if args and type(args[0]) not in _NATIVE:
        receiver = args[0]
        if isinstance(receiver, Members) and receiver.has_member(name):
            return receiver.call_member(name, args[1:], block)
    if builtin is not None:
        return builtin(context, args, block)
    return context.call_function(name, args, block)


def call_with_locals(
    context: Context,
    scope: Scope,
    variables: dict[str, Any],
    match: re.Match[str] | None,
    name: str,
    args: tuple[Value, ...],
    block: Closure | None = None,
) -> Value:
    """Call a function that may read the local variables of its caller by name."""
    local = scope.local({key: value for key, value in variables.items() if value is not UNSET})
    local.match = match
    outer = context.scope
    context.scope = local
    try:
        return context.call_function(name, args, block)
    finally:
        context.scope = outer


def in_top_scope(context: Context, function: Callable[..., Any], *args: Value) -> Value:
    """Call a user-defined function from a scope other than the top scope."""
    outer = context.scope
    context.scope = context.top
    try:
        return function(*args)
    finally:
        context.scope = outer


def raise_issue(error: EvaluationIssue) -> NoReturn:
    """Raise an error that was found when the program was compiled."""
    raise type(error)(error.message, error.code, error.blame, subject=error.subject)
