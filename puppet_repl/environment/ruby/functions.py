"""Functions of modules in Ruby as functions of a session.

Arguments are checked here, against the signatures that the file declares; Ruby gets the number of
the signature that fits.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.environment.ruby.templates import may_change
from puppet_repl.language.functions.registry import Function, LegacyFunction
from puppet_repl.language.functions.signatures import (
    AT_LEAST_ONE,
    BLOCK,
    OPTIONAL,
    REPEATED,
    REQUIRED,
    Dispatch,
    Parameter,
)
from puppet_repl.language.runtime.signals import NextSignal
from puppet_repl.language.types.algebra.normalize import normalize
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.model.alias import TypeAliasType
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import TupleType
from puppet_repl.language.types.model.scalar import INFINITY, IntegerType
from puppet_repl.language.types.model.wrapper import OptionalType
from puppet_repl.language.types.text.mismatch import value_mismatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.ruby.host import RubyHost
    from puppet_repl.language.functions.signatures import ParameterKind
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value

THEME = "modules"


class RubyFunction(Function):
    """A 4.x function of a module. ``path`` is its file."""

    __slots__ = ("_generation", "_host", "_methods", "_number", "may_change", "names", "path")

    def __init__(self, name: str, path: str, description: dict[str, Any], host: RubyHost) -> None:
        super().__init__(name, theme=THEME, doc="")
        self.path = path
        self._host = host
        self._number: int = description["id"]
        self._generation = host.generation
        # Whether the code may change its arguments in place; to watch them takes time.
        self.may_change = may_change(read_bytes(path).decode("utf-8", "replace"))[0]
        self.names = Names(host.context, name, description["aliases"])
        self._methods = [data["m"] for data in description["dispatches"]]
        for index, data in enumerate(description["dispatches"]):
            self.dispatches.append(RubyDispatch(data, self.names, _call(host, self, index, data)))

    @property
    def number(self) -> int:
        """The number of the function in the Ruby of now, which may have to load it again."""
        generation = self._host.generation
        if generation != self._generation:
            self._number = self._host.request("load", name=self.name, path=self.path)["id"]
            self._generation = generation
        return self._number

    def select(self, args: tuple[Value, ...], block: Closure | None) -> int:
        """Return the index of the signature that fits; raise the error if none does."""
        for tests, block_test, dispatch in self._select(len(args), block is not None):
            if all(
                type(args[at]) in classes or accepts(args[at]) for at, classes, accepts in tests
            ):
                if block is None or block_test is None or block_test(block):
                    if dispatch.explains:
                        raise RuntimeFailure(f"'{self.name}' {dispatch.implementation(*args)}")
                    return self.dispatches.index(dispatch)
        raise self.rejection(args, block)

    def check_result(self, index: int, value: Value) -> None:
        """Raise an error for a result that is not of the type that a signature declares."""
        expected = parse_type(self.dispatches[index].returns, self.names)
        if not expected.accepts_value(value):
            subject = f"value returned from function '{self._methods[index]}'"
            raise RuntimeFailure(value_mismatch(subject, expected, value))


class CallingFunction(RubyFunction):
    """A 4.x function that defines ``call`` itself: it gets all arguments, and may dispatch them."""

    __slots__ = ()

    def call(
        self, context: Context, args: tuple[Value, ...], block: Closure | None = None
    ) -> Value:
        """Return what its method ``call`` returns."""
        number = self.number
        self._host.calling_functions[number] = self
        try:
            return self._host.call(
                number, None, args, block, wants_scope=True, may_change=self.may_change
            )
        except NextSignal as signal:
            return signal.value


class RubyLegacyFunction(LegacyFunction):
    """A 3.x function of a module, which gets the scope of its caller."""

    __slots__ = ("_generation", "host", "path")

    def __init__(self, name: str, path: str, description: dict[str, Any], host: RubyHost) -> None:
        super().__init__(name, theme=THEME, doc=description["doc"] or "")
        self.path = path
        self.host = host
        self._generation = host.generation
        arity = description["arity"]
        count = arity if arity >= 0 else -arity - 1
        signature = ", ".join([f"Any $p{index}" for index in range(count)])
        if arity < 0:
            signature += (", " if signature else "") + "Any *$args"
        returns = "Any" if description["type"] == "rvalue" else "Undef"
        self.dispatch(signature, returns)(lambda values: self.run(values, host.context))

    def run(self, values: tuple[Value, ...], context: Context) -> Value:
        """Return the result for arguments as they are; Ruby counts them."""
        if self.host.generation != self._generation:
            self.host.request("load_legacy", name=self.name, path=self.path)
            self._generation = self.host.generation
        try:
            return self.host.call_legacy(self.name, values)
        except NextSignal as signal:
            return signal.value


class Names:
    """The names of types that a function may use: its own aliases, and those of the session."""

    def __init__(self, context: Context, function: str, aliases: list[list[str]]) -> None:
        self.context = context
        self.function = function
        self.types: dict[str, PuppetType] = {}
        for name, definition in aliases:
            self.types[name.lower()] = self._alias(name, definition)

    def _alias(self, name: str, definition: str) -> PuppetType:
        return TypeAliasType(name, lambda: normalize(parse_type(definition, self)))

    def lookup_type(self, name: str) -> PuppetType | None:
        """Return the type of a name, in any case of its letters."""
        return self.types.get(name.removeprefix("::").lower()) or self.context.lookup_type(name)


class RubyDispatch(Dispatch):
    """One signature, as the file declares it."""

    __slots__ = ("data", "names")

    def __init__(self, data: dict[str, Any], names: Names, implementation: Any) -> None:
        super().__init__("", data["returns"] or "Any", implementation, {}, data["mismatch"])
        self.data = data
        self.names = names

    def _prepare(self) -> None:
        data = self.data
        minimum, maximum = data["min"], data["max"]
        last = len(data["names"]) - 1
        parameters = []
        for index, (type_text, name) in enumerate(zip(data["types"], data["names"], strict=True)):
            kind: ParameterKind = REQUIRED if index < minimum else OPTIONAL
            if maximum is None and index == last:
                kind = AT_LEAST_ONE if index < minimum else REPEATED
            parameters.append(Parameter(type_text, name, kind))
        self.parameters = tuple(parameters)
        self.minimum = minimum
        self.maximum = maximum
        self.block = None
        self.block_optional = data["block_optional"]
        if data["block"] is not None:
            self.block = Parameter(data["block"], data["block_name"], BLOCK)
        if self.block is not None and not self.block.type_text.startswith("Callable"):
            self._check_block(self._resolve(self.block.type_text))
        self.wants_block = self.block is not None
        self.wants_context = False

    def _check_block(self, type_: PuppetType) -> None:
        if not type_.is_callable_kind():
            kind = f"Puppet::Pops::Types::P{type_.kind}Type"
            raise self._unusable(f"Expected PCallableType or PVariantType thereof, got {kind}")

    def _resolve(self, type_text: str) -> PuppetType:
        try:
            return parse_type(type_text, self.names)
        except PuppetError as error:
            quoted = f"'\"{type_text}\"'"
            raise self._unusable(
                f"Parsing of type string {quoted} failed with message: <{error.message}>.\n"
            ) from None

    def _unusable(self, reason: str) -> RuntimeFailure:
        """Return the error about a declaration that Puppet refuses when it loads the file."""
        return RuntimeFailure(f"Function Load Error for function '{self.names.function}': {reason}")

    @property
    def type(self) -> CallableType:
        """Return the signature as a Callable type."""
        if self._type is None:
            self.prepare()
            types = tuple([self._resolve(one.type_text) for one in self.parameters])
            block: PuppetType | None = None
            if self.block is not None:
                block = self._resolve(self.block.type_text)
                if self.block_optional:
                    block = OptionalType(block)
            high = INFINITY if self.maximum is None else self.maximum
            params = TupleType(types, IntegerType(self.minimum, high))
            self._type = CallableType(params, block, self._resolve(self.returns))
        return self._type


def _call(host: RubyHost, function: RubyFunction, index: int, data: dict[str, Any]) -> Any:
    """Return what calls one dispatch of a function in Ruby."""
    has_type = data["returns"] is not None
    wants_scope = data["scope"]

    def run(*args: Value, block: Closure | None = None) -> Value:
        try:
            value = host.call(
                function.number,
                index,
                args,
                block,
                wants_scope=wants_scope,
                may_change=function.may_change,
            )
        except NextSignal as signal:
            value = signal.value
        if has_type:
            function.check_result(index, value)
        return value

    return run
