"""The type texts of signatures made into types, when a call or an error first needs them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from puppet_repl.functions.signatures import Dispatch
    from puppet_repl.types.base import PuppetType
    from puppet_repl.types.callable import CallableType


class LocalTypes:
    """The type aliases of one function; offered to the type parser as its context.

    Each name is one alias object, so that an alias may be recursive.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        from puppet_repl.types.alias import TypeAliasType

        self.types: dict[str, PuppetType] = {}
        for name, text in texts.items():

            def resolve(text: str = text) -> PuppetType:
                from puppet_repl.types.parse import parse_type

                return parse_type(text, self)

            self.types[name.lower()] = TypeAliasType(name, resolve)

    def lookup_type(self, name: str) -> PuppetType | None:
        """The alias of that name, in any case of its letters."""
        return self.types.get(name.lower())


def parse_local_type(text: str, aliases: Mapping[str, str]) -> PuppetType:
    """A type from its text, where the aliases of the function are known."""
    from puppet_repl.types.parse import parse_type

    return parse_type(text, LocalTypes(aliases))


def callable_type(dispatch: Dispatch) -> CallableType:
    """The signature of a dispatch as a Callable type."""
    from puppet_repl.types.callable import CallableType
    from puppet_repl.types.collection import TupleType
    from puppet_repl.types.parse import parse_type
    from puppet_repl.types.scalar import INFINITY, IntegerType
    from puppet_repl.types.wrapper import OptionalType

    context = LocalTypes(dispatch.aliases)
    types = tuple(parse_type(parameter.type_text, context) for parameter in dispatch.parameters)
    block: PuppetType | None = None
    if dispatch.block is not None:
        block = parse_type(dispatch.block.type_text, context)
        if dispatch.block_optional:
            block = OptionalType(block)
    returns = parse_type(dispatch.returns, context)
    high = INFINITY if dispatch.maximum is None else dispatch.maximum
    params = TupleType(types, IntegerType(dispatch.minimum, high))
    return CallableType(params, block, returns)
