"""Constructors: ways to make a value, each with a signature, tried in order.

A way may be a refusal: it accepts the remaining arguments, and returns the error message for them.
"""

from __future__ import annotations

from functools import cached_property

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.model.alias import TypeAliasType
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import TupleType
from puppet_repl.language.types.model.scalar import IntegerType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value


class Way:
    """One signature, and the function that makes the value from its arguments.

    ``parameters`` are texts such as "Radix radix?": a type, a name, and ``?`` if it may be left
    out.
    """

    def __init__(self, run: Callable[..., Any], *parameters: str, is_refusal: bool = False) -> None:
        self.run = run
        self.parameters = parameters
        self.is_refusal = is_refusal


class Signature:
    """A Way with its types; what mismatch texts are made from."""

    block_name: str | None = None

    def __init__(self, way: Way, names: LocalNames) -> None:
        texts = [parameter.rpartition(" ") for parameter in way.parameters]
        required = sum(not name.endswith("?") for _, _, name in texts)
        types = tuple(parse_type(text, names) for text, _, _ in texts)
        self.type = CallableType(TupleType(types, IntegerType(required, len(texts))))
        self.parameter_names = tuple(name.rstrip("?") for _, _, name in texts)
        self._checks = [one.predicate() for one in types]
        self._required = required

    def takes(self, args: tuple[Value, ...]) -> bool:
        """Tell whether a call with these arguments fits."""
        checks = self._checks
        if not self._required <= len(args) <= len(checks):
            return False
        return all(check(arg) for check, arg in zip(checks, args, strict=False))


class LocalNames:
    """The type aliases of one constructor, as the type parser asks for them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.types: dict[str, PuppetType] = {}
        for name, text in texts.items():
            self.types[name.lower()] = self._alias(name, text)

    def _alias(self, name: str, text: str) -> PuppetType:
        from puppet_repl.language.types.algebra.normalize import normalize

        return TypeAliasType(name, lambda: normalize(parse_type(text, self)))

    def lookup_type(self, name: str) -> PuppetType | None:
        """Return the alias of that name, in any case of its letters."""
        return self.types.get(name.lower())


class Constructor:
    """All ways to make a value of one type; ``name`` is the function that messages name."""

    def __init__(self, name: str, *ways: Way, aliases: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.ways = ways
        self.aliases = aliases or {}

    @cached_property
    def _signed(self) -> list[tuple[Way, Signature]]:
        names = LocalNames(self.aliases)
        return [(way, Signature(way, names)) for way in self.ways]

    @cached_property
    def names(self) -> LocalNames:
        """The aliases, for refusals that check against one of them."""
        return LocalNames(self.aliases)

    @property
    def signatures(self) -> list[Signature]:
        """The signatures, refusals left out."""
        return [signature for way, signature in self._signed if not way.is_refusal]

    def construct(self, args: tuple[Value, ...]) -> Value:
        """Make a value by the first way that takes the arguments, or say why none does."""
        for way, signature in self._signed:
            if signature.takes(args):
                if way.is_refusal:
                    raise RuntimeFailure(f"'{self.name}' {way.run(*args)}")
                return way.run(*args)
        from puppet_repl.language.types.text.signatures import argument_at_fault, signature_mismatch

        raise RuntimeFailure(
            signature_mismatch(self.name, self.signatures, args),
            culprit=argument_at_fault(self.signatures, args),
        )


NEW_TYPE = Constructor("new_type", Way(str, "String[1] type_string"))
