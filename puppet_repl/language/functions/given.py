"""Functions of Python that a session is given, in place of those that modules define."""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.functions.registry import Function
from puppet_repl.language.functions.signatures import (
    AT_LEAST_ONE,
    OPTIONAL,
    REPEATED,
    REQUIRED,
    Dispatch,
)
from puppet_repl.language.runtime.option_values import DECLARED_NAME, check_function_name
from puppet_repl.language.runtime.signals import Signal
from puppet_repl.language.types.text.mismatch import unresolved_reference
from puppet_repl.language.values.python import from_python, to_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

    Callee = TypeVar("Callee", bound=Callable[..., Any])

# The signatures that ``function`` has declared are an attribute of the callable, like its name.
_SIGNATURES = "puppet_signatures"
_PARAMETER = re.compile(r"[a-z_]\w*", re.ASCII)


def function(name: str, *signatures: str) -> Callable[[Callee], Callee]:
    """Declare a function of Puppet that the decorated function of Python implements.

    ``name`` is its name in Puppet: ``total``, ``shop::total``. ``signatures`` are its parameters in
    Puppet's notation: ``"Array[Integer] $prices, String $unit?"`` with ``?`` after an optional
    parameter, ``*`` before one that captures the rest, and ``Callable[1, 1] &$block`` for a lambda.
    A call must match one of them; without any they are not checked.

    The decorator returns the function of Python unchanged. Only sessions that get it by the option
    ``functions`` know it: ``compile(code, functions=[total])``. It is called with arguments as
    ``to_python`` makes them, and a lambda as the keyword argument ``block``. Raises ValueError for
    a name that no function can have, and for a signature that is not valid; TypeError without a
    name, and for a callable that takes no attributes, such as a built-in one.
    """
    if not isinstance(name, str):
        raise TypeError(f"function needs a name, as in @puppet.function('total'), not {name!r}")
    check_function_name(name)
    for signature in signatures:
        _check_signature(signature)

    def declare(implementation: Callee) -> Callee:
        try:
            setattr(implementation, DECLARED_NAME, name.removeprefix("::"))
            setattr(implementation, _SIGNATURES, signatures)
        except AttributeError:
            raise TypeError(
                f"{implementation!r} cannot be declared: it takes no attributes"
            ) from None
        return implementation

    return declare


def _check_signature(signature: str) -> None:
    """Raise ValueError for a signature that no call can match."""
    try:
        dispatch = Dispatch(signature, "Any", _check_signature, {}, explains=False)
        dispatch.prepare()
        unknown = unresolved_reference(dispatch.type)
    except PuppetError as error:
        raise ValueError(f"the signature {signature!r} is not valid: {error}") from None
    if unknown is not None:
        raise ValueError(f"the signature {signature!r} names an unknown type: {unknown}")
    before: str = REQUIRED
    for parameter in dispatch.parameters:
        is_required = parameter.kind in (REQUIRED, AT_LEAST_ONE)
        if before in (REPEATED, AT_LEAST_ONE) or (before == OPTIONAL and is_required):
            raise ValueError(
                f"the signature {signature!r}: '${parameter.name}' cannot follow a parameter "
                "that is optional or captures the rest"
            )
        before = parameter.kind
    for name in (*dispatch.parameter_names, dispatch.block_name or "block"):
        if _PARAMETER.fullmatch(name) is None:
            raise ValueError(f"the signature {signature!r} is not valid at '${name}'")


class GivenFunction(Function):
    """A function that a callable of Python stands for.

    It is called with arguments as ``to_python`` makes them, and a lambda of the call as ``block``.
    """

    __slots__ = ("function", "is_used")

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        super().__init__(name, theme="given", doc=getattr(function, "__doc__", None) or "")
        self.function = function
        self.is_used = False
        for signature in getattr(function, _SIGNATURES, ()):
            self.dispatch(signature)(self._run)

    def call(
        self, context: Context, args: tuple[Value, ...], block: Closure | None = None
    ) -> Value:
        """Return the result as a value of Puppet; what the callable raises is its error.

        return() and break() in the lambda pass through the callable, as through any function.
        """
        self.is_used = True
        if self.dispatches:
            return super().call(context, args, block)
        return self._run(*args, block=block)

    def _run(self, *args: Value, block: Closure | None = None) -> Value:
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
