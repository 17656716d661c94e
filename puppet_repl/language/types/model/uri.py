"""The type of URIs, which may say what their components must be."""

from __future__ import annotations

from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.options import covers, matches
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.quote import literal_text
from puppet_repl.language.values.uri import URI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.values.protocols import Value

_DEFAULT_PORTS = {"http": 80, "https": 443}


class URIType(PuppetType):
    """URIs; ``components`` maps names of components to what they must match."""

    __slots__ = ("components",)
    kind = "URI"

    def __init__(self, components: PuppetHash | None = None) -> None:
        self.components = None if components is None or not len(components) else components

    @property
    def default(self) -> PuppetType:
        return URI_TYPE

    def generalize(self) -> PuppetType:
        return URI_TYPE

    def parts(self) -> tuple[object, ...]:
        return (None if self.components is None else hash_key(self.components),)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [] if self.components is None else [literal_text(self.components)]

    def _compile(self) -> Predicate:
        wanted = () if self.components is None else tuple(self.components.items())

        def check(value: Value) -> bool:
            return type(value) is URI and all(
                matches(getattr(value, name), option) for name, option in wanted
            )

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if not isinstance(other, URIType):
            return False
        if self.components is None:
            return True
        given = other.components or PuppetHash.EMPTY
        return covers(dict(self.components.items()), dict(given.items()))


def uri_type(value: URI) -> URIType:
    """Return the type of one URI."""
    return URIType(_components(value))


def _components(value: URI) -> PuppetHash:
    """Return the components of a URI that say something."""
    scheme = None if value.scheme is None else value.scheme.lower()
    port = value.port
    if port is not None and _DEFAULT_PORTS.get(scheme or "") == port:
        port = None
    found = {
        "scheme": scheme,
        "userinfo": value.userinfo,
        "host": (value.host or "").lower() or None,
        "port": None if port is None else str(port),
        "path": value.path or None,
        "query": value.query,
        "fragment": value.fragment,
        "opaque": value.opaque,
    }
    return PuppetHash([(name, one) for name, one in found.items() if one is not None])


URI_TYPE = URIType()
