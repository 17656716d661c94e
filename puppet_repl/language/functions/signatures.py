"""Signatures of built-in functions, written in Puppet's own notation.

``String $text, Optional[Integer] $limit?, Any *$rest, Callable[1,1] &$block?`` declares a required
parameter, an optional one, any number of further ones, and an optional block. ``+`` instead of
``*`` asks for at least one. A signature is parsed at the first call of its function; most tests
need no type at all, so that a call of ``upcase('a')`` loads no part of the type system.
"""

from __future__ import annotations

from puppet_repl.language.syntax.brackets import split_at_commas
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final, Literal

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.callable import CallableType
    from puppet_repl.language.values.protocols import Value

    ParameterKind = Literal["", "?", "*", "+", "&"]
    Implementation = Callable[..., Value]
    Test = Callable[[Value], bool]
    # Classes whose values are instances, and the test of all other values.
    ArgumentTest = tuple[frozenset[type], Test]
    BlockTest = Callable[[Closure], bool]

# Kinds of parameters, by their sign in a signature.
REQUIRED: Final = ""
OPTIONAL: Final = "?"
REPEATED: Final = "*"
AT_LEAST_ONE: Final = "+"
BLOCK: Final = "&"


class Parameter:
    """One parameter of a signature."""

    __slots__ = ("kind", "name", "type_text")

    def __init__(self, type_text: str, name: str, kind: ParameterKind) -> None:
        self.type_text = type_text
        self.name = name
        self.kind = kind

    def __str__(self) -> str:
        """Return the parameter as help and signature help show it."""
        star = REPEATED if self.kind in (REPEATED, AT_LEAST_ONE) else ""
        mark = OPTIONAL if self.kind == OPTIONAL else ""
        return f"{self.type_text} {star}${self.name}{mark}"


def parse_signature(text: str) -> tuple[tuple[Parameter, ...], Parameter | None, bool]:
    """Return the parameters, the block parameter, and whether the block is optional."""
    parameters: list[Parameter] = []
    block: Parameter | None = None
    block_optional = False
    for item in split_at_commas(text):
        type_text, _, name = item.rpartition("$")
        type_text = type_text.rstrip()
        kind: ParameterKind = REQUIRED
        if name.endswith(OPTIONAL):
            name, kind = name[:-1], OPTIONAL
        if type_text.endswith(BLOCK):
            block = Parameter(type_text[:-1].rstrip(), name, BLOCK)
            block_optional = kind == OPTIONAL
            continue
        if type_text.endswith((REPEATED, AT_LEAST_ONE)):
            kind = REPEATED if type_text.endswith(REPEATED) else AT_LEAST_ONE
            type_text = type_text[:-1].rstrip()
        parameters.append(Parameter(type_text, name, kind))
    return tuple(parameters), block, block_optional


def _is_positive_integer(value: Value) -> bool:
    return type(value) is int and value >= 1


def _is_not_accepted(value: Value) -> bool:
    return False


# Types whose test needs no type object, by their text in signatures.
_SIMPLE_TESTS: Mapping[str, ArgumentTest] = {
    "Integer[1]": (frozenset(), _is_positive_integer),
    **{
        text: (frozenset(classes), _is_not_accepted)
        for text, classes in {
            "String": (str,),
            "Integer": (int,),
            "Numeric": (int, float),
            "Boolean": (bool,),
            "Array": (tuple,),
            "Hash": (PuppetHash,),
            "Collection": (tuple, PuppetHash),
            "Undef": (type(None),),
            "Optional[Collection]": (type(None), tuple, PuppetHash),
        }.items()
    },
}

# Classes whose values are always instances; the type itself is asked about all other values.
_ACCEPTED_CLASSES: Mapping[str, frozenset[type]] = {
    "Iterable": frozenset((tuple, str, PuppetHash)),
    "Variant[Collection, String, Binary]": frozenset((tuple, str, PuppetHash)),
}


class Signature:
    """The parameters of a function and the type of its result, as they are written."""

    __slots__ = ("_prepared", "block", "block_optional", "parameters", "returns", "text")

    parameters: tuple[Parameter, ...]
    block: Parameter | None
    block_optional: bool

    def __init__(self, text: str, returns: str) -> None:
        self.text = text
        self.returns = returns
        self._prepared = False

    def prepare(self) -> None:
        """Parse the text, unless that was done before."""
        if not self._prepared:
            self._prepare()
            self._prepared = True

    def _prepare(self) -> None:
        self.parameters, self.block, self.block_optional = parse_signature(self.text)

    def parameter_texts(self) -> list[str]:
        """Return the parameters and the block as help and signature help show them."""
        self.prepare()
        texts = [str(parameter) for parameter in self.parameters]
        if self.block is not None:
            mark = OPTIONAL if self.block_optional else ""
            texts.append(f"{self.block.type_text} {BLOCK}${self.block.name}{mark}")
        return texts


class Dispatch(Signature):
    """One signature of a function, with the Python callable that implements it.

    With ``explains`` set, the arguments that fit are wrong, and the callable returns the text of
    the error. ``wants_context`` and ``wants_block`` tell whether the callable also takes these
    keywords. Without a ``maximum`` (None) any number of arguments fits.
    """

    __slots__ = (
        "_type",
        "aliases",
        "explains",
        "implementation",
        "maximum",
        "minimum",
        "wants_block",
        "wants_context",
    )

    minimum: int
    maximum: int | None
    wants_block: bool
    wants_context: bool

    def __init__(
        self,
        text: str,
        returns: str,
        implementation: Implementation,
        aliases: Mapping[str, str],
        explains: bool,
    ) -> None:
        super().__init__(text, returns)
        self.implementation = implementation
        self.aliases = aliases
        self.explains = explains
        self._type: CallableType | None = None

    def _prepare(self) -> None:
        super()._prepare()
        self.minimum = sum(
            1 for parameter in self.parameters if parameter.kind in (REQUIRED, AT_LEAST_ONE)
        )
        repeated = any(parameter.kind in (REPEATED, AT_LEAST_ONE) for parameter in self.parameters)
        self.maximum = None if repeated else len(self.parameters)
        code = self.implementation.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.wants_context = "context" in names
        self.wants_block = self.block is not None

    def accepts_shape(self, count: int, has_block: bool) -> bool:
        """Tell whether this many arguments, with or without a block, can fit at all."""
        if count < self.minimum or (self.maximum is not None and count > self.maximum):
            return False
        if has_block:
            return self.block is not None
        return self.block is None or self.block_optional

    def tests(self, count: int) -> tuple[tuple[int, frozenset[type], Test], ...]:
        """Return the tests of ``count`` arguments, each with the index of its argument.

        Values of the classes of a test are instances; the callable tests all others.
        """
        tests: list[tuple[int, frozenset[type], Test]] = []
        last = len(self.parameters) - 1
        for index in range(count):
            parameter = self.parameters[min(index, last)]
            test = self._test(parameter.type_text)
            if test is not None:
                tests.append((index, *test))
        return tuple(tests)

    def block_test(self) -> BlockTest | None:
        """Return the test of the block; numbers of parameters are compared without any types."""
        if self.block is None or self.block.type_text == "Callable":
            return None
        text = self.block.type_text.replace(" ", "")
        bounds = text[len("Callable[") : -1].split(",")
        if len(bounds) == 2 and all(bound.isdigit() for bound in bounds):
            low, high = int(bounds[0]), int(bounds[1])

            def takes(block: Closure) -> bool:
                maximum = block.max_arity
                return block.min_arity <= low and (maximum is None or maximum >= high)

            return takes
        accepted: PuppetType | None = None

        def fits(block: Closure) -> bool:
            nonlocal accepted
            if accepted is None:
                accepted = self._resolve(text)
            return accepted.accepts_type(block.signature())

        return fits

    def _test(self, type_text: str) -> ArgumentTest | None:
        if type_text == "Any":
            return None
        simple = _SIMPLE_TESTS.get(type_text)
        if simple is not None:
            return simple
        return _ACCEPTED_CLASSES.get(type_text, frozenset()), self._type_test(type_text)

    def _type_test(self, type_text: str) -> Test:
        """Return a test whose type is constructed for the first value that is tested."""
        accepts: Test | None = None

        def test(value: Value) -> bool:
            nonlocal accepts
            if accepts is None:
                accepts = self._resolve(type_text).predicate()
            return accepts(value)

        return test

    def _resolve(self, type_text: str) -> PuppetType:
        from puppet_repl.language.functions.aliases import parse_local_type

        return parse_local_type(type_text, self.aliases)

    @property
    def type(self) -> CallableType:
        """Return the signature as a Callable type, for the texts of errors."""
        if self._type is None:
            from puppet_repl.language.functions.aliases import callable_type

            self._type = callable_type(self)
        return self._type

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Return the names in the order of the parameters, without the block."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def block_name(self) -> str | None:
        """Return the name of the block parameter, None without one."""
        return self.block.name if self.block is not None else None
