"""``URI[...]``."""

from __future__ import annotations

from puppet_repl.language.types.making.object_definition import check
from puppet_repl.language.types.making.shapes import URI_SHAPE
from puppet_repl.language.types.model import issues
from puppet_repl.language.types.model.name_types import PCORE_URI
from puppet_repl.language.types.model.uri import URIType, uri_type
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.uri import URI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import PuppetType


def uri_access(target: URIType, keys: tuple[Any, ...], context: Any) -> PuppetType:
    """Return ``URI['http://x']`` or ``URI[{host => 'x'}]``."""
    keys = flatten(keys)
    if len(keys) != 1:
        raise issues.arity("URI-Type", 1, None, len(keys))
    if not URI_SHAPE.accepts_value(keys[0]):
        raise issues.not_a_type("URI-Type", keys[0], 0)
    if type(keys[0]) is str:
        check("URI-Type parameter", PCORE_URI.resolved(), keys[0])
        return uri_type(URI.parse(keys[0]))
    return URIType(keys[0])
