"""References to resources and classes of a catalog."""

from __future__ import annotations

from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.types.model import issues
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.quote import literal_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.values.protocols import Value


class CatalogEntryType(PuppetType):
    """Classes and resources. No value is an instance: a reference is a type itself."""

    __slots__ = ()
    kind = "CatalogEntry"

    @property
    def default(self) -> PuppetType:
        return CATALOG_ENTRY

    def _compile(self) -> Predicate:
        return lambda value: False

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, CatalogEntryType)


class ClassType(CatalogEntryType):
    """``Class``, or the class of a name (lower case, without leading ``::``)."""

    __slots__ = ("class_name",)
    kind = "Class"

    def __init__(self, class_name: str | None = None) -> None:
        self.class_name = class_name

    @property
    def default(self) -> PuppetType:
        return CLASS

    def parts(self) -> tuple[object, ...]:
        return (self.class_name,)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [] if self.class_name is None else [self.class_name]

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, ClassType) and (
            self.class_name is None or self.class_name == other.class_name
        )

    def access(self, keys: tuple[Any, ...], context: Any) -> Any:
        """Return the classes of the given names, or values of parameters of this class."""
        if not keys:
            raise issues.arity(str(self), 1, -1, 0)
        wants_array = len(keys) > 1 or type(keys[0]) is tuple
        flat = _given(keys)
        if not flat:
            return () if wants_array else None
        if self.class_name is not None:
            found = context.catalog.resource_attribute(self, flat)
            return found if wants_array or type(found) is not tuple else found[-1]
        classes = tuple([_class_named(name, index) for index, name in enumerate(flat)])
        return classes if wants_array else classes[-1]


class ResourceType(CatalogEntryType):
    """``Resource``, ``File``, or ``File['title']``; the name of the type ignores case."""

    __slots__ = ("lower_name", "title", "type_name")
    kind = "Resource"

    def __init__(self, type_name: str | None = None, title: str | None = None) -> None:
        self.type_name = type_name
        self.title = title
        self.lower_name = None if type_name is None else type_name.lower()

    @property
    def default(self) -> PuppetType:
        return RESOURCE

    def parts(self) -> tuple[object, ...]:
        return (self.lower_name, self.title)

    def text(self, expansion: Expansion | None = None) -> str:
        if self.type_name is None:
            return "Resource"
        name = capitalize_segments(self.type_name)
        return name if self.title is None else f"{name}[{literal_text(self.title)}]"

    @property
    def puppet_label(self) -> str:
        return f"{self} Resource-Reference" if self.title is not None else f"{self}-Type"

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, ResourceType) and (
            self.lower_name is None
            or (
                self.lower_name == other.lower_name
                and (self.title is None or self.title == other.title)
            )
        )

    def entitled(self, title: str) -> ResourceType | None:
        """Return ``File['a']`` for ``File``, the usual access; None for other types."""
        if self.title is not None or self.type_name is None:
            return None
        return ResourceType(self.type_name, title)

    def access(self, keys: tuple[Any, ...], context: Any) -> Any:
        """``File['a', 'b']``, ``Resource['file', 'a']``, ``File['a']['mode']``."""
        if not keys:
            raise issues.arity(str(self), 1, -1, 0)
        name = self.type_name
        if name is None:
            if len(keys) == 1 and isinstance(keys[0], ResourceType):
                return keys[0]
            name = _type_name(keys[0])
            keys = keys[1:]
        name = capitalize_segments(name)
        if not is_reference(name):
            raise issues.illegal_reference(name, ("keys", 0))
        wants_array = len(keys) > 1 or (bool(keys) and type(keys[0]) is tuple)
        flat = _given(keys)
        if keys and not flat:
            return () if wants_array else None
        if self.title is not None:
            found = context.catalog.resource_attribute(self, flat)
            return found if wants_array or type(found) is not tuple else found[-1]
        if not flat:
            return ResourceType(name)
        shift = 1 if len(keys) != len(flat) else 0
        for index, title in enumerate(flat):
            if type(title) is not str:
                expected = "a resource title String"
                raise issues.wrong_key(self, title, expected, index + shift)
        references = tuple([ResourceType(name, title) for title in flat])
        return references if wants_array else references[-1]


def is_reference(name: str) -> bool:
    """Tell whether a text has the form of a type name."""
    return _REFERENCE.match(name) is not None


def _given(keys: tuple[Value, ...]) -> tuple[Any, ...]:
    """Return the keys without undef, arrays opened."""
    return tuple([key for key in flatten(keys) if key is not None])


def _class_named(name: Value, index: int) -> ClassType:
    if type(name) is not str:
        raise issues.illegal_class_name(name, index)
    lower = name.lower().removeprefix("::")
    if not _NAME.match(lower):
        raise issues.illegal_name(name, index)
    return ClassType(lower)


def _type_name(key: Value) -> str:
    """Return the name of a resource type from the first key of Resource[...]."""
    if isinstance(key, ResourceType):
        return key.type_name or ""
    if type(key) is str:
        return capitalize_segments(key)
    raise issues.illegal_resource(key, ("keys", 0))


def capitalize_segments(name: str) -> str:
    """``foo::bar`` as ``Foo::Bar``; a name that begins with a capital is left as it is."""
    if "A" <= name[:1] <= "Z":
        return name
    return "::".join([segment.capitalize() for segment in name.split("::")])


_NAME = LatePattern(r"(?a)(::)?[a-z_]\w*(::[a-z]\w*)*\Z")
_REFERENCE = LatePattern(r"(?a)(::)?[A-Z]\w*(::[A-Z]\w*)*\Z")
CATALOG_ENTRY = CatalogEntryType()
CLASS = ClassType()
RESOURCE = ResourceType()
