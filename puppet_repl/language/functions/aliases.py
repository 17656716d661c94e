"""Types from the source text of signatures, parsed when a call or an error first needs them."""

from __future__ import annotations

from puppet_repl.language.types.making.constructor import LocalNames
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import TupleType
from puppet_repl.language.types.model.scalar import INFINITY, IntegerType
from puppet_repl.language.types.model.wrapper import OptionalType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from puppet_repl.language.functions.signatures import Dispatch
    from puppet_repl.language.types.model.base import PuppetType


def parse_local_type(text: str, aliases: Mapping[str, str]) -> PuppetType:
    """Parse a type that may refer to the aliases of the function."""
    return parse_type(text, LocalNames(aliases))


def callable_type(dispatch: Dispatch) -> CallableType:
    """Return the signature of a dispatch as a Callable type."""
    context = LocalNames(dispatch.aliases)
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
