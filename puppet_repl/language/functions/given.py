"""Functions of Python that a session is given, in place of those that modules define."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.functions.registry import Function
from puppet_repl.language.runtime.signals import Signal
from puppet_repl.language.values.python import from_python, to_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


class GivenFunction(Function):
    """A function that a callable of Python stands for.

    It is called with arguments as ``to_python`` makes them, and a lambda of the call as ``block``.
    """

    __slots__ = ("function", "is_used")

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        super().__init__(name, theme="given", doc="")
        self.function = function
        self.is_used = False

    def call(
        self, context: Context, args: tuple[Value, ...], block: Closure | None = None
    ) -> Value:
        """Return the result as a value of Puppet; what the callable raises is its error.

        return() and break() in the lambda pass through the callable, as through any function.
        """
        self.is_used = True
        given = {} if block is None else {"block": _called_from_python(block)}
        try:
            return from_python(self.function(*map(to_python, args), **given))
        except (PuppetError, Signal, MemoryError):
            raise
        except Exception as error:
            raise RuntimeFailure(str(error) or type(error).__name__) from error


def _called_from_python(block: Closure) -> Callable[..., Any]:
    def call(*args: object) -> Any:
        return to_python(block(*map(from_python, args)))

    return call
