"""The built-in Object types: Error, Deferred, and the root of annotations."""

from __future__ import annotations

from puppet_repl.language.types.making.factory import lookup
from puppet_repl.language.types.making.object_definition import define
from puppet_repl.language.types.making.parse import parse_literal
from puppet_repl.language.types.model.object import ObjectType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.language.types.model.base import PuppetType

_PARAMETER = "Optional[Variant[String,Regexp,Type[Enum],Type[Pattern],Type[NotUndef],Type[Undef]]]"
_ERROR = f"""{{
    type_parameters => {{ kind => {_PARAMETER}, issue_code => {_PARAMETER} }},
    attributes => {{
        msg => String[1],
        kind => {{ type => Optional[String[1]], value => undef }},
        details => {{ type => Optional[Hash[String[1], Data]], value => undef }},
        issue_code => {{ type => Optional[String[1]], value => undef }}
    }},
    functions => {{ message => Callable[[], String[1]] }}
}}"""
_DEFERRED = r"""{
    attributes => {
        name => Pattern[/\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/],
        arguments => { type => Optional[Array], value => undef }
    }
}"""


class BuiltinType(ObjectType):
    """A built-in Object type; a copy for another process is the built-in type there."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Callable[[str], PuppetType | None], tuple[str]]:
        return lookup, (str(self.object_name),)


def builtin(
    name: str, text: str, bodies: dict[str, Callable[[Any], Any]] | None = None
) -> ObjectType:
    """Return an Object type from the text of its initialiser, read when first needed."""
    return BuiltinType(name, lambda target: define(target, parse_literal(text)), bodies)


ERROR = builtin("Error", _ERROR, {"message": lambda error: error.values["msg"]})
DEFERRED = builtin("Deferred", _DEFERRED)
