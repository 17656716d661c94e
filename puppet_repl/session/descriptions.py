"""Descriptions of values, as the methods of ``Session`` with these names give them."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.recursion import deep_calls
from puppet_repl.language.types.algebra.infer import infer, infer_set
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.text.format import code_text, plain_text
from puppet_repl.language.types.text.inferred import type_text as inferred_text
from puppet_repl.language.values.iterator import Looking
from puppet_repl.session.outcome import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

# The type of a value with more parts is not inferred.
_MAX_INFERRED = 100_000


def describe(value: Value) -> dict[str, str | None]:
    """Return the texts and the type of a value."""
    if value is NOTHING:
        value = None
    with deep_calls:
        plain: str | None
        looking = Looking(value)
        try:
            with looking:
                plain = plain_text(value)
        except PuppetError:
            plain = None
        with looking:
            program = code_text(value)
        return {"value": program, "str": plain, "type": str(infer(value))}


def type_text(value: Value) -> str:
    """Return the inferred type of a value as text."""
    with deep_calls:
        return inferred_text(value, _MAX_INFERRED)


def past_definitions(context: Context, value: Value) -> list[str]:
    """Return lines about replaced definitions."""
    with deep_calls:
        type_ = value if isinstance(value, PuppetType) else infer_set(value)
        return context.types.past_definitions(type_)
