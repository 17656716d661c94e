"""break(), next() and return(): exceptions outside the family of errors.

Whoever gives the construct its meaning catches the signal: functions that iterate catch
BreakSignal, closures NextSignal, functions and the bodies of classes and defines ReturnSignal.
One that nobody catches becomes Puppet's "from context where this is illegal" where the program
was started.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.values.protocols import Value


class Signal(Exception):
    """What the three have in common; ``name`` is the function that raised it."""

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
