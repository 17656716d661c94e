"""Attributes, functions and type parameters of Object types."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.model.base import UNDEF, PuppetType, type_text
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import TupleType, exactly
from puppet_repl.language.types.model.wrapper import OptionalType, VariantType
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash, hash_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import Expansion

CONSTANT = "constant"
DERIVED = "derived"
GIVEN_OR_DERIVED = "given_or_derived"


class Member:
    """What an attribute and a function have in common. ``container`` is the Object type."""

    feature = "member"

    def __init__(self, name: str, container: Any, spec: PuppetHash) -> None:
        self.name = name
        self.container = container
        self.type: PuppetType = spec.get("type", UNDEF)
        self.override: bool = spec.get("override", False)
        self.final: bool = spec.get("final", False)
        self.annotations: PuppetHash | None = spec.get("annotations")

    @property
    def label(self) -> str:
        """``attribute X[a]``."""
        return f"{self.feature} {self.container.label}[{self.name}]"

    @property
    def is_constant(self) -> bool:
        """Tell whether all instances share one value."""
        return False

    @property
    def signatures(self) -> tuple[CallableType, ...]:
        """How the member is called with a dot: without arguments."""
        return (CallableType(TupleType((), exactly(0))),)

    def parts(self) -> tuple[object, ...]:
        """Return what tells two members apart."""
        return (self.name, self.type, self.override, self.final)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.parts() == other.parts()

    def __hash__(self) -> int:
        return hash((self.name, self.type))

    def entries(self) -> list[tuple[str, Any]]:
        """Return the initialiser, which may be ``type`` alone."""
        entries: list[tuple[str, Any]] = [("type", self.type)]
        if self.final:
            entries.append(("final", True))
        if self.override:
            entries.append(("override", True))
        if self.annotations is not None:
            entries.append(("annotations", self.annotations))
        return entries

    def text(self, expansion: Expansion | None) -> str:
        """Return the program text of the initialiser."""
        entries = self.entries()
        if len(entries) == 1 and entries[0][1] is not None:
            return type_text(entries[0][1], expansion)
        return "{" + ", ".join([self._entry_text(*entry, expansion) for entry in entries]) + "}"

    def _entry_text(self, key: str, item: Any, expansion: Expansion | None) -> str:
        return f"{key} => {item if key == 'kind' else type_text(item, expansion)}"

    def checked_override(self, inherited: dict[str, Member]) -> Member:
        """Return the member itself; raise if it must not override the inherited member."""
        parent = inherited.get(self.name)
        if parent is None:
            if self.override:
                raise RuntimeFailure(
                    f"expected {self.label} to override an inherited {self.feature}, "
                    f"but no such {self.feature} was found"
                )
            return self
        attempt = f"{self.label} attempts to override"
        if type(self) is not type(parent):
            raise RuntimeFailure(f"{attempt} {parent.label}")
        if parent.final and not (parent.is_constant and self.is_constant):
            raise RuntimeFailure(f"{attempt} final {parent.label}")
        if not self.override:
            raise RuntimeFailure(f"{attempt} {parent.label} without having override => true")
        if not parent.type.accepts_type(self.type):
            raise RuntimeFailure(f"{attempt} {parent.label} with a type that does not match")
        return self


class Attribute(Member):
    """``value`` is UNSET for an attribute that must be given."""

    feature = "attribute"

    def __init__(self, name: str, container: Any, spec: PuppetHash) -> None:
        super().__init__(name, container, spec)
        if name in ("__ptype", "__pvalue"):
            raise RuntimeFailure(f"The attribute '{name}' is reserved and cannot be used")
        self.kind: str | None = spec.get("kind")
        if self.kind == CONSTANT:
            if spec.has("final") and not self.final:
                raise RuntimeFailure(
                    f"{self.label} of kind 'constant' cannot be combined with final => false"
                )
            self.final = True
        self.value: Any = spec.get("value", UNSET)
        if self.value is UNSET:
            if self.kind == CONSTANT:
                raise RuntimeFailure(f"{self.label} of kind 'constant' requires a value")
        elif self.kind in (DERIVED, GIVEN_OR_DERIVED):
            raise RuntimeFailure(
                f"{self.label} of kind '{self.kind}' cannot be combined with an attribute value"
            )

    @property
    def is_constant(self) -> bool:
        return self.kind == CONSTANT

    @property
    def has_value(self) -> bool:
        """Tell whether the attribute may be left out."""
        return self.value is not UNSET

    def parts(self) -> tuple[object, ...]:
        return (*super().parts(), self.kind, hash_key(self.value))

    def entries(self) -> list[tuple[str, Any]]:
        entries = super().entries()
        if self.kind is not None:
            if self.kind == CONSTANT:
                entries = [one for one in entries if one[0] != "final"]
            entries.append(("kind", self.kind))
        if self.has_value:
            entries.append(("value", self.value))
        return entries


class TypeParameter(Attribute):
    """A parameter of the Object type; its type is always Optional."""

    feature = "type_parameter"

    def entries(self) -> list[tuple[str, Any]]:
        shown: list[tuple[str, Any]] = []
        for key, item in super().entries():
            if key == "type" and isinstance(item, OptionalType):
                shown.append((key, item.type))
            elif key != "value" or item is not None:
                shown.append((key, item))
        return shown

    def _entry_text(self, key: str, item: Any, expansion: Expansion | None) -> str:
        return f"'{key}' => {type_text(item, expansion)}"


class ObjectFunction(Member):
    """A function of instances. Puppet code can declare it, but not give it a body."""

    feature = "function"

    @property
    def signatures(self) -> tuple[CallableType, ...]:
        """The Callable types of the type: one, or several of a Variant, also through an alias."""
        kind = self.type.resolved()
        types = kind.types if isinstance(kind, VariantType) else (kind,)
        return tuple([one for one in types if isinstance(one, CallableType)]) or (CallableType(),)
