"""break(), next() and return(): exceptions outside the family of errors.

Functions that iterate catch BreakSignal; closures catch NextSignal; functions and the bodies of
classes and defines catch ReturnSignal. The session turns a signal that is not caught into Puppet's
error "from context where this is illegal".
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


class Signal(Exception):
    """The base of the three; ``name`` is the function that raised it."""

    name = ""

    def __init__(self, value: Value = None) -> None:
        super().__init__()
        self.value = value


class BreakSignal(Signal):
    """Ends an iteration."""

    name = "break"


class NextSignal(Signal):
    """Ends one call of a lambda or function with a value."""

    name = "next"


class ReturnSignal(Signal):
    """Ends the function, class or define around with a value."""

    name = "return"


class NoSuchKey(Signal):
    """Ends a function that provides data for lookup(): it has no value for the key."""

    name = "not_found"
