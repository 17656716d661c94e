"""TypeSets: named collections of types with a version."""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.types.model.alias import TypeAliasType
from puppet_repl.types.model.base import PuppetType, type_text
from puppet_repl.types.model.defined import DefinedType
from puppet_repl.types.model.object import ObjectType
from puppet_repl.types.model.object_text import object_text
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.quote import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.types.model.base import Expansion, Guard, Predicate

RUNTIME_AUTHORITY = "http://puppet.com/2016.1/runtime"
PCORE_URI = "http://puppet.com/2016.1/pcore"


class TypeSetType(DefinedType):
    """``initialise`` returns the checked initialiser hash, whose types are types already."""

    __slots__ = ("_content", "_initialise", "_name")
    kind = "TypeSet"

    def __init__(self, name: str | None, initialise: Callable[[TypeSetType], PuppetHash]) -> None:
        super().__init__()
        self._name = name
        self._initialise = initialise
        self._content: PuppetHash | None = None

    @property
    def is_read(self) -> bool:
        return self._content is not None

    def read_parts(self) -> tuple[PuppetType, ...]:
        return () if self._content is None else self.contained()

    def renewed(self) -> DefinedType:
        return TypeSetType(self._name, self._initialise)

    @property
    def content(self) -> PuppetHash:
        """The initialiser hash, checked."""
        if self._content is None:
            self._content = PuppetHash.EMPTY
            try:
                self._content = self._initialise(self)
            except BaseException:
                self._content = None
                raise
        return self._content

    def settled(self) -> PuppetType:
        for one in self.types.values():
            one.settled()
        return self

    @property
    def name(self) -> str:
        found = self._name or self.content.get("name")
        return found if type(found) is str else ""

    @property
    def default(self) -> PuppetType:
        return TYPE_SET

    @property
    def types(self) -> PuppetHash:
        """The types by their simple names."""
        found: PuppetHash = self.content.get("types", PuppetHash.EMPTY)
        return found

    def member(self, name: str) -> PuppetType | None:
        """Return the type with a simple name, in any case; None before the set was read."""
        if self._content is None:
            return None
        for known, one in self.types.items():
            if known.lower() == name.lower():
                found: PuppetType = one
                return found
        return None

    def parts(self) -> tuple[object, ...]:
        return (self.name, str(self.content.get("version")), self.generation)

    def contained(self) -> tuple[PuppetType, ...]:
        return tuple(self.types.values())

    def _compile(self) -> Predicate:
        return lambda value: isinstance(value, TypeSetType)

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, TypeSetType) and (self is TYPE_SET or self == other)

    def text(self, expansion: Expansion | None = None) -> str:
        entries: list[tuple[str, str]] = []
        content = self.content
        if content.has("pcore_uri"):
            entries.append(("pcore_uri", quote(content["pcore_uri"])))
        entries.append(("pcore_version", f"'{_version_text(content['pcore_version'])}'"))
        authority = content.get("name_authority", RUNTIME_AUTHORITY)
        entries.append(("name_authority", quote(authority)))
        entries.append(("name", quote(self.name)))
        if content.get("version") is not None:
            entries.append(("version", f"'{_version_text(content['version'])}'"))
        if len(self.types):
            texts = [f"{key} => {self._member_text(one)}" for key, one in self.types.items()]
            if expansion is None:
                texts = [f"{key} => {key}" for key in self.types.keys()]
            entries.append(("types", "{" + ", ".join(texts) + "}"))
        return "TypeSet[{" + ", ".join([f"{key} => {one}" for key, one in entries]) + "}]"

    def _member_text(self, one: PuppetType) -> str:
        if isinstance(one, ObjectType):
            return object_text(one, with_name=False).replace(f"{self.name}::", "")
        return type_text(one.target() if isinstance(one, TypeAliasType) else one, None)

    def __str__(self) -> str:
        return self.expanded_text()


def _version_text(version: Any) -> str:
    return version if type(version) is str else str(version.puppet_text())


def _default_content(_type_set: TypeSetType) -> PuppetHash:
    return PuppetHash(
        [
            ("pcore_uri", PCORE_URI),
            ("pcore_version", "1.0.0"),
            ("name_authority", RUNTIME_AUTHORITY),
            ("name", "DefaultTypeSet"),
            ("version", "0.0.0"),
        ]
    )


TYPE_SET = TypeSetType("DefaultTypeSet", _default_content)
