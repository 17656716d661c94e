"""TypeSets: named collections of types with a version, which may refer to other type sets."""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.language.types.model.base import Expansion, PuppetType, type_text
from puppet_repl.language.types.model.defined import DefinedType
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.quote import literal_text, quote
from puppet_repl.language.values.semver import SemVer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.types.model.object import ObjectType
    from puppet_repl.language.values.semver_range import SemVerRange

RUNTIME_AUTHORITY = "http://puppet.com/2016.1/runtime"
PCORE_URI = "http://puppet.com/2016.1/pcore"


class TypeSetReference:
    """A reference of a type set to another set; ``type_set`` is set by the lookup."""

    __slots__ = ("annotations", "authority", "name", "type_set", "version_range")

    def __init__(
        self,
        name: str,
        version_range: SemVerRange,
        authority: str | None,
        annotations: PuppetHash | None,
    ) -> None:
        self.name = name
        self.version_range = version_range
        self.authority = authority
        self.annotations = annotations
        self.type_set: TypeSetType | None = None

    def initialiser(self, owner: TypeSetContent) -> PuppetHash:
        """Return the hash that the reference can be made from."""
        entries: list[tuple[str, Any]] = []
        if self.annotations is not None:
            entries.append(("annotations", self.annotations))
        if self.authority != owner.authority:
            entries.append(("name_authority", self.authority))
        entries.append(("name", self.name))
        entries.append(("version_range", str(self.version_range.puppet_text())))
        return PuppetHash(entries)


class TypeSetContent:
    """The checked content of the initialiser hash of a type set."""

    __slots__ = (
        "annotations",
        "authority",
        "name",
        "pcore_uri",
        "pcore_version",
        "references",
        "types",
        "version",
    )

    def __init__(self, name: str | None, authority: str | None) -> None:
        self.name = name
        self.authority = authority
        self.pcore_uri: str | None = None
        self.pcore_version: SemVer | None = None
        self.version: SemVer | None = None
        # Types by their simple names; an anonymous set may have initialisers of Object types.
        self.types: PuppetHash = PuppetHash.EMPTY
        self.references: dict[str, TypeSetReference] = {}
        self.annotations: PuppetHash | None = None


class TypeSetType(DefinedType):
    """``initialise`` returns the content when it is first needed.

    ``complete`` looks up the references of the content, which may lead back to this set. ``module``
    is the name of the module whose file has the definition, '' for the environment; a set of a
    program has None. Which names are known in a module's set depends on whether the set was asked
    for first, or one of its types (``is_read_for_member``).
    """

    __slots__ = (
        "_complete",
        "_content",
        "_initialise",
        "_is_reading",
        "_is_settled",
        "_name",
        "annotations",
        "is_read_for_member",
        "module",
    )
    kind = "TypeSet"

    def __init__(
        self,
        name: str | None,
        initialise: Callable[[TypeSetType], TypeSetContent],
        complete: Callable[[TypeSetType], None] | None = None,
    ) -> None:
        super().__init__()
        self._name = name
        self._initialise = initialise
        self._complete = complete
        self._content: TypeSetContent | None = None
        self._is_reading = False
        self._is_settled = False
        self.module: str | None = None
        self.is_read_for_member = False
        # The annotations that the definition has, once they have been asked for.
        self.annotations: dict[ObjectType, object] = {}

    @property
    def is_read(self) -> bool:
        return self._content is not None

    def read_parts(self) -> tuple[PuppetType, ...]:
        if self._content is None:
            return ()
        others = [one.type_set for one in self._content.references.values() if one.type_set]
        return (*self.contained(), *others)

    def renewed(self) -> DefinedType:
        made = TypeSetType(self._name, self._initialise, self._complete)
        made.module = self.module
        made.is_read_for_member = self.is_read_for_member
        return made

    @property
    def content(self) -> TypeSetContent:
        """The content of the initialiser hash, checked."""
        if self._content is None:
            self._content = TypeSetContent(self._name, None)
            self._is_reading = True
            try:
                self._content = self._initialise(self)
                if self._complete is not None:
                    self._complete(self)
            except BaseException:
                self._content = None
                raise
            finally:
                self._is_reading = False
        return self._content

    @property
    def is_reading(self) -> bool:
        """Tell whether the content is being read, with that of the sets that it refers to."""
        return self._is_reading

    def settle_for_member(self) -> None:
        """Read the definition, if that was not done, because one of the types is asked for."""
        if self._content is None:
            self.is_read_for_member = True
            self.settled()

    def settled(self) -> PuppetType:
        if not self._is_settled and not self._is_reading:
            self._is_settled = True
            try:
                for one in self.member_types():
                    one.settled()
            except BaseException:
                self._is_settled = False
                raise
        return self

    @property
    def name(self) -> str:
        return self._name or self.content.name or ""

    @property
    def label(self) -> str:
        """``TypeSet 'name'``."""
        return f"TypeSet '{self.name}'"

    @property
    def default(self) -> PuppetType:
        return TYPE_SET

    def member_types(self) -> list[PuppetType]:
        """Return the types of the set, without those of other sets."""
        return [one for one in self.content.types.values() if isinstance(one, PuppetType)]

    def member(self, name: str) -> PuppetType | None:
        """Return the type with a simple name, in any case; None before the set was read."""
        if self._content is None:
            return None
        for known, one in self._content.types.items():
            if known.lower() == name.lower():
                found: PuppetType = one
                return found
        return None

    def find(self, name: str) -> PuppetType | None:
        """Return a type of this set, or of one it refers to: ``Alias::Type``, in any case.

        The alias alone is the other set.
        """
        own = self.member(name)
        if own is not None or self._content is None:
            return own
        first, _, rest = name.partition("::")
        for alias, reference in self._content.references.items():
            if alias.lower() == first.lower() and reference.type_set is not None:
                return reference.type_set.find(rest) if rest else reference.type_set
        return None

    def defines(self, one: PuppetType) -> bool:
        """Tell whether a type is one of this set."""
        return any(one == known for known in self.member_types())

    def name_for(self, one: PuppetType) -> str | None:
        """Return the name of a type as the definitions in this set have it."""
        for name, known in self.content.types.items():
            if one == known:
                return str(name)
        for alias, reference in self.content.references.items():
            inner = None if reference.type_set is None else reference.type_set.name_for(one)
            if inner is not None:
                return f"{alias}::{inner}"
        return None

    def parts(self) -> tuple[object, ...]:
        content = self.content
        return (content.authority, self._name or content.name, content.version)

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, TypeSetType):
            return self is other
        # A set that was made from a text does not belong to a generation of the session.
        generations = {self.generation, other.generation} - {0}
        return len(generations) < 2 and self.parts() == other.parts()

    def __hash__(self) -> int:
        return hash(self.parts())

    def contained(self) -> tuple[PuppetType, ...]:
        return tuple(self.member_types())

    def _compile(self) -> Predicate:
        return lambda value: isinstance(value, TypeSetType)

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, TypeSetType) and (self is TYPE_SET or self == other)

    def text(self, expansion: Expansion | None = None) -> str:
        content = self.content
        entries: list[tuple[str, str]] = []
        if content.annotations is not None:
            entries.append(("annotations", _deep_text(content.annotations, expansion)))
        if content.pcore_uri is not None:
            entries.append(("pcore_uri", quote(content.pcore_uri)))
        entries.append(("pcore_version", _version_text(content.pcore_version)))
        if content.authority is not None:
            entries.append(("name_authority", quote(content.authority)))
        entries.append(("name", literal_text(self._name or content.name)))
        if content.version is not None:
            entries.append(("version", _version_text(content.version)))
        if len(content.types):
            entries.append(("types", self._types_text(content.types, expansion)))
        if content.references:
            texts = [
                f"{alias} => {_deep_text(one.initialiser(content), expansion)}"
                for alias, one in content.references.items()
            ]
            entries.append(("references", "{" + ", ".join(texts) + "}"))
        return "TypeSet[{" + ", ".join([f"{key} => {one}" for key, one in entries]) + "}]"

    def _types_text(self, types: PuppetHash, expansion: Expansion | None) -> str:
        inside = Expansion(False, (), self)
        if expansion is not None:
            inside = Expansion(expansion.in_full, expansion.aliases, self)
        texts = []
        for key, one in types.items():
            if isinstance(one, PuppetType):
                texts.append(f"{key} => {one.text(inside)}")
            else:
                texts.append(f"{key} => Object[{_initialiser_text(one)}]")
        return "{" + ", ".join(texts) + "}"

    def __str__(self) -> str:
        return self.expanded_text()


def _version_text(version: SemVer | None) -> str:
    return "''" if version is None else f"'{version.puppet_text()}'"


def _deep_text(value: Any, expansion: Expansion | None) -> str:
    """Return the text of a literal in which types are spelled out."""
    if type(value) is not PuppetHash:
        return type_text(value, expansion)
    texts = [
        f"{type_text(key, expansion)} => {_deep_text(item, expansion)}"
        for key, item in value.items()
    ]
    return "{" + ", ".join(texts) + "}"


def _initialiser_text(hash_: PuppetHash) -> str:
    """Return the initialiser of an Object type that was never made."""
    texts = []
    for key, item in hash_.items():
        text = literal_text(item)
        if key in ("attributes", "functions"):
            members = [f"{quote(name)} => {_member_text(one)}" for name, one in item.items()]
            text = "{" + ", ".join(members) + "}"
        texts.append(f"{key} => {text}")
    return "{" + ", ".join(texts) + "}"


def _member_text(one: Any) -> str:
    if type(one) is not PuppetHash:
        return literal_text(one)
    texts = [
        f"{key} => {item if key == 'kind' else literal_text(item)}" for key, item in one.items()
    ]
    return "{" + ", ".join(texts) + "}"


def _default_content(_type_set: TypeSetType) -> TypeSetContent:
    content = TypeSetContent("DefaultTypeSet", RUNTIME_AUTHORITY)
    content.pcore_uri = PCORE_URI
    content.pcore_version = SemVer.parse("1.0.0")
    content.version = SemVer.parse("0.0.0")
    return content


TYPE_SET = TypeSetType("DefaultTypeSet", _default_content)
