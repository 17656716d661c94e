"""Functions and lambdas as values: a compiled Python function and its signature."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.runtime import issues
from puppet_repl.language.runtime.scope import too_early
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.protocols import CallableValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from puppet_repl.language.compiler.program import SourceTree
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.syntax.ast import Node
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.callable import CallableType
    from puppet_repl.language.values.protocols import Value


class CallerFailure(RuntimeFailure):
    """A failure that is reported at the call, not in the code that raised it."""

    at_caller = True


class ParameterSpec:
    """A declared parameter; ``start`` is where Puppet reports errors about it."""

    __slots__ = ("captures_rest", "has_default", "name", "start")

    def __init__(self, name: str, has_default: bool, captures_rest: bool, start: int) -> None:
        self.name = name
        self.has_default = has_default
        self.captures_rest = captures_rest
        self.start = start


class CallableSpec:
    """The declaration of a function or lambda.

    ``name`` is 'lambda' or the function's; ``max_arity`` None means any number. ``start``, ``end``
    and ``at`` are those of its node in the ``tree`` of its text.
    """

    __slots__ = (
        "at",
        "end",
        "max_arity",
        "min_arity",
        "misplaced",
        "name",
        "parameters",
        "source",
        "start",
        "tree",
    )

    def __init__(
        self,
        name: str,
        parameters: tuple[ParameterSpec, ...],
        tree: SourceTree,
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.tree = tree
        self.source = tree.source
        self.start = start
        self.end = end
        self.at = at
        self.min_arity = 0
        self.max_arity: int | None = len(parameters)
        self.misplaced: ParameterSpec | None = None
        optional = False
        for parameter in parameters:
            if parameter.captures_rest:
                self.max_arity = None
                optional = True
            elif parameter.has_default:
                optional = True
            elif optional and self.misplaced is None:
                self.misplaced = parameter
            else:
                self.min_arity += 1

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple([parameter.name for parameter in self.parameters])

    @property
    def node(self) -> Node:
        """The node of the function or lambda; its text may be parsed again for it."""
        return self.tree.node(self.start, self.end)

    def fail_at(self, parameter: ParameterSpec, error: PuppetError) -> NoReturn:
        """Raise ``error`` at a parameter."""
        raise PuppetError(
            f"Evaluation Error: {error.message}",
            error.code,
            source=self.source,
            start=parameter.start,
        )


class Closure(CallableValue):
    """A lambda with the variables around it, or a user-defined function.

    ``function`` is the compiled Python function; it checks the types of its parameters itself.
    ``types`` returns the types of the parameters and, last, of the result.
    """

    __slots__ = ("_signature", "function", "spec", "types")
    ruby_class = "Puppet::Pops::Evaluator::Closure::Dynamic"

    def __init__(
        self,
        function: Callable[..., Any],
        spec: CallableSpec,
        types: Callable[[], tuple[PuppetType | None, ...]] | None = None,
    ) -> None:
        self.function = function
        self.spec = spec
        self.types = types
        self._signature: CallableType | None = None

    def __call__(self, *args: Value) -> Any:
        """Call with Puppet's rules for lambdas: too many arguments are dropped."""
        spec = self.spec
        count = len(args)
        if spec.misplaced is not None:
            self._reject_order(spec.misplaced)
        if count < spec.min_arity:
            if self.types is not None:
                self.types()  # errors in the types come first
            missing = spec.parameters[count]
            spec.fail_at(missing, issues.missing_required_parameter(missing.name))
        if spec.max_arity is not None and count > spec.max_arity:
            args = args[: spec.max_arity]
        return self.function(*args)

    @property
    def fast(self) -> Callable[..., Any] | None:
        """The plain function, to be called with min_arity to max_arity arguments."""
        return self.function if self.spec.misplaced is None else None

    @property
    def name(self) -> str:
        """'lambda', or the name of the function."""
        return self.spec.name

    @property
    def min_arity(self) -> int:
        """The least number of arguments."""
        return self.spec.min_arity

    @property
    def max_arity(self) -> int | None:
        """The greatest number of arguments, None without a limit."""
        return self.spec.max_arity

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return self.spec.parameter_names

    block_name: str | None = None

    @property
    def type(self) -> CallableType:
        """The Callable type, as an attribute."""
        return self.signature()

    def signature(self) -> CallableType:
        """Return the Callable type."""
        if self._signature is None:
            self._signature = self._make_signature()
        return self._signature

    def _make_signature(self) -> CallableType:
        from puppet_repl.language.runtime.signature import signature_of

        spec = self.spec
        if spec.misplaced is not None:
            self._reject_order(spec.misplaced)
        return signature_of(spec, None if self.types is None else self.types())

    def _reject_order(self, misplaced: ParameterSpec) -> NoReturn:
        """Raise the error of a mandatory parameter after optional ones, after those of types."""
        if self.types is not None:
            self.types()
        self.spec.fail_at(misplaced, issues.required_after_optional(misplaced.name))

    def reject(self, args: tuple[Value, ...]) -> NoReturn:
        """Raise the error for arguments of a wrong type; the compiled function calls this."""
        raise CallerFailure(self.mismatch(args), culprit=self.culprit(args))

    def mismatch(self, args: tuple[Value, ...], block: Closure | None = None) -> str:
        """Return the error text for the number or the types of arguments."""
        from puppet_repl.language.types.text.signatures import signature_mismatch

        while args and args[-1] is UNSET:
            args = args[:-1]
        return signature_mismatch(self.spec.name, [self], args, block)

    def culprit(self, args: tuple[Value, ...]) -> int | None:
        """Return the position of the argument that is at fault."""
        from puppet_repl.language.types.text.signatures import argument_at_fault

        while args and args[-1] is UNSET:
            args = args[:-1]
        return argument_at_fault([self], args)

    def reject_result(self, value: Value) -> NoReturn:
        """Raise the error for a result of the wrong type."""
        from puppet_repl.language.types.text.mismatch import value_mismatch

        assert self.types is not None
        expected = self.types()[-1]
        assert expected is not None
        text = value_mismatch(f"value returned from {self.spec.name}", expected, value)
        raise CallerFailure(text)


class UserFunction(Closure):
    """A function written in Puppet."""

    __slots__ = ()

    def call(self, context: Context, args: tuple[Value, ...], block: Closure | None = None) -> Any:
        """Call with Puppet's rules for functions: the number of arguments must fit."""
        spec = self.spec
        count = len(args)
        if spec.misplaced is not None:
            self._reject_order(spec.misplaced)
        if (
            block is not None
            or count < spec.min_arity
            or (spec.max_arity is not None and count > spec.max_arity)
        ):
            # The function was not entered: the innermost compiled code is the call.
            raise RuntimeFailure(self.mismatch(args, block), culprit=self.culprit(args))
        return self.function(*args)


def reject_early_read(spec: CallableSpec, current: str | None, name: str) -> NoReturn:
    """Raise the error of a default that reads a parameter without a value."""
    raise CallerFailure(too_early(spec.name, spec.parameter_names, current, name).message)


def reject_reserved(name: str) -> NoReturn:
    """Raise the error of a parameter with a reserved name."""
    raise CallerFailure(f"Attempt to assign to a reserved variable name: '{name}'")


def rest_default(value: Value) -> tuple[Any, ...]:
    """Return the default of a captures-rest parameter as an array."""
    return value if type(value) is tuple else (value,)


def wants_default(rest: tuple[Value, ...]) -> bool:
    """Tell whether a captures-rest parameter takes its default: no value, or only undef."""
    return not rest or (len(rest) == 1 and rest[0] is None)
