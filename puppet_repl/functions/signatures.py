"""Signatures of built-in functions, written in Puppet's own notation.

``String $text, Optional[Integer] $limit?, Any *$rest, Callable[1,1] &$block?`` declares a required
parameter, one that may be left out, any number of further ones, and a block. ``+`` instead of
``*`` asks for at least one. The texts are taken apart at the first call of a function; most tests
need no type at all, so that a call of ``upcase('a')`` loads no part of the type system.
"""

from __future__ import annotations

from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from puppet_repl.types.model.base import PuppetType
    from puppet_repl.types.model.callable import CallableType

    Test = Callable[[Any], bool]


class Parameter:
    """One parameter: ``kind`` is '' (required), '?' (optional), '*', '+' (repeated) or '&'."""

    __slots__ = ("kind", "name", "type_text")

    def __init__(self, type_text: str, name: str, kind: str) -> None:
        self.type_text = type_text
        self.name = name
        self.kind = kind


def parse_signature(text: str) -> tuple[tuple[Parameter, ...], Parameter | None, bool]:
    """The parameters, the block parameter, and whether the block may be left out."""
    parameters: list[Parameter] = []
    block: Parameter | None = None
    block_optional = False
    for item in _split(text):
        type_text, _, name = item.rpartition("$")
        type_text = type_text.rstrip()
        kind = ""
        if name.endswith("?"):
            name, kind = name[:-1], "?"
        if type_text.endswith(("*", "+", "&")):
            marker = type_text[-1]
            type_text = type_text[:-1].rstrip()
            if marker == "&":
                block, block_optional = Parameter(type_text, name, "&"), kind == "?"
                continue
            kind = marker
        parameters.append(Parameter(type_text, name, kind))
    return tuple(parameters), block, block_optional


def _split(text: str) -> list[str]:
    """Cut at the commas that are outside of all brackets."""
    items: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        if character in "[{(":
            depth += 1
        elif character in "]})":
            depth -= 1
        elif character == "," and depth == 0:
            items.append(text[start:position].strip())
            start = position + 1
    last = text[start:].strip()
    return [*items, last] if last else items


def _is_string(value: Any) -> bool:
    return type(value) is str


def _is_integer(value: Any) -> bool:
    return type(value) is int


def _is_numeric(value: Any) -> bool:
    return type(value) is int or type(value) is float


def _is_boolean(value: Any) -> bool:
    return type(value) is bool


def _is_array(value: Any) -> bool:
    return type(value) is tuple


def _is_hash(value: Any) -> bool:
    return type(value) is PuppetHash


def _is_collection(value: Any) -> bool:
    return type(value) is tuple or type(value) is PuppetHash


def _is_undef(value: Any) -> bool:
    return value is None


def _is_optional_collection(value: Any) -> bool:
    return value is None or type(value) is tuple or type(value) is PuppetHash


def _is_positive_integer(value: Any) -> bool:
    return type(value) is int and value >= 1


# The type texts whose test is plain enough to be written by hand.
_SIMPLE_TESTS: Mapping[str, Test] = {
    "String": _is_string,
    "Integer": _is_integer,
    "Numeric": _is_numeric,
    "Boolean": _is_boolean,
    "Array": _is_array,
    "Hash": _is_hash,
    "Collection": _is_collection,
    "Undef": _is_undef,
    "Optional[Collection]": _is_optional_collection,
    "Integer[1]": _is_positive_integer,
}

# Values of these kinds are instances for certain; the type itself is asked about all others.
_ACCEPTED_KINDS: Mapping[str, frozenset[type]] = {
    "Iterable": frozenset((tuple, str, PuppetHash)),
    "Variant[Collection, String, Binary]": frozenset((tuple, str, PuppetHash)),
}


class Dispatch:
    """One signature of a function, with the Python callable that answers it.

    A dispatch with ``explains`` set never answers a call: when it is the first that fits, its
    callable makes the text of the error.
    """

    __slots__ = (
        "_prepared",
        "_type",
        "aliases",
        "block",
        "block_optional",
        "explains",
        "implementation",
        "maximum",
        "minimum",
        "mode",
        "parameters",
        "returns",
        "text",
    )

    parameters: tuple[Parameter, ...]
    block: Parameter | None
    block_optional: bool
    minimum: int
    maximum: int | None
    mode: int

    def __init__(
        self,
        text: str,
        returns: str,
        implementation: Callable[..., Any],
        aliases: Mapping[str, str],
        explains: bool,
    ) -> None:
        self.text = text
        self.returns = returns
        self.implementation = implementation
        self.aliases = aliases
        self.explains = explains
        self._prepared = False
        self._type: CallableType | None = None

    def prepare(self) -> None:
        """Take the signature apart (once)."""
        if self._prepared:
            return
        self.parameters, self.block, self.block_optional = parse_signature(self.text)
        self.minimum = sum(1 for parameter in self.parameters if parameter.kind in ("", "+"))
        repeated = any(parameter.kind in ("*", "+") for parameter in self.parameters)
        self.maximum = None if repeated else len(self.parameters)
        code = self.implementation.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.mode = ("context" in names) + 2 * (self.block is not None)
        self._prepared = True

    def accepts_shape(self, count: int, has_block: bool) -> bool:
        """Whether this many arguments, with or without a block, can fit at all."""
        if count < self.minimum or (self.maximum is not None and count > self.maximum):
            return False
        if has_block:
            return self.block is not None
        return self.block is None or self.block_optional

    def tests(self, count: int) -> tuple[tuple[int, Test], ...]:
        """The tests that the arguments of a call with ``count`` of them have to pass."""
        tests: list[tuple[int, Test]] = []
        last = len(self.parameters) - 1
        for index in range(count):
            parameter = self.parameters[min(index, last)]
            test = self._test(parameter.type_text)
            if test is not None:
                tests.append((index, test))
        return tuple(tests)

    def block_test(self) -> Test | None:
        """The test of the block: counts of parameters are compared without making types."""
        if self.block is None or self.block.type_text == "Callable":
            return None
        text = self.block.type_text.replace(" ", "")
        bounds = text[len("Callable[") : -1].split(",")
        if len(bounds) == 2 and all(bound.isdigit() for bound in bounds):
            low, high = int(bounds[0]), int(bounds[1])

            def takes(block: Any) -> bool:
                maximum = block.max_arity
                return bool(block.min_arity <= low and (maximum is None or maximum >= high))

            return takes
        return self._lazy_test(
            lambda: self._resolve(text).accepts_type, lambda block: block.signature()
        )

    def _test(self, type_text: str) -> Test | None:
        if type_text == "Any":
            return None
        simple = _SIMPLE_TESTS.get(type_text)
        if simple is not None:
            return simple
        general = self._lazy_test(lambda: self._resolve(type_text).predicate())
        kinds = _ACCEPTED_KINDS.get(type_text)
        if kinds is None:
            return general
        return lambda value: type(value) in kinds or general(value)

    def _lazy_test(
        self, make: Callable[[], Test], view: Callable[[Any], Any] | None = None
    ) -> Test:
        """A test whose type is made when the first value gets to it."""
        made: Test | None = None

        def test(value: Any) -> bool:
            nonlocal made
            if made is None:
                made = make()
            return made(value if view is None else view(value))

        return test

    def _resolve(self, type_text: str) -> PuppetType:
        from puppet_repl.functions.aliases import parse_local_type

        return parse_local_type(type_text, self.aliases)

    @property
    def type(self) -> CallableType:
        """The signature as a Callable type, for the texts of errors."""
        if self._type is None:
            from puppet_repl.functions.aliases import callable_type

            self._type = callable_type(self)
        return self._type

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names in the order of the parameters, without the block."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def block_name(self) -> str | None:
        """The name of the block parameter, where there is one."""
        return self.block.name if self.block is not None else None
