"""Resources that the value of an input refers to, as the code that declares them."""

from __future__ import annotations

from puppet_repl.catalog.puppet_code import code_of, is_reference, referred_to
from puppet_repl.session.symbols import SessionSymbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session


def referred_code(session: Session, value: Value, limit: int) -> list[str]:
    """Return the code of at most ``limit`` resources that a reference, or an array, stands for."""
    if not is_reference(value):
        return []
    resources = referred_to(value, SessionSymbols(session).resources())
    return [code_of(resource) for resource in resources[:limit]]
