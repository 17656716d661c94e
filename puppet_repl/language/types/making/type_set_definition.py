"""TypeSets from their initialisers."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.making.object_definition import check, check_name
from puppet_repl.language.types.making.shapes import TYPE_SET_SHAPE
from puppet_repl.language.types.model import issues
from puppet_repl.language.types.model.typeset import (
    RUNTIME_AUTHORITY,
    TYPE_SET,
    TypeSetContent,
    TypeSetReference,
    TypeSetType,
)
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import no_method
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.semver_range import SemVerRange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value

_PCORE_VERSIONS = "1.x"


def type_set(
    name: str,
    initialiser: Callable[[TypeSetType], PuppetHash],
    find: Callable[[TypeSetType, str], PuppetType | None],
) -> TypeSetType:
    """Return a named TypeSet whose initialiser hash is read when it is first needed.

    ``find`` looks up the sets that it refers to.
    """
    return TypeSetType(
        name,
        lambda target: _checked(name, RUNTIME_AUTHORITY, initialiser(target)),
        lambda target: _resolve_references(target, find),
    )


def type_set_access(target: TypeSetType, keys: tuple[Value, ...], context: Value) -> PuppetType:
    """Return ``TypeSet[{...}]``; its references are never looked up."""
    keys = flatten(keys)
    if len(keys) != 1:
        raise issues.arity("TypeSet-Type", 1, None, len(keys))
    return type_set_from(keys[0])


def type_set_from(key: Any) -> PuppetType:
    """Return ``TypeSet[key]``; an array is not a list of parameters here."""
    if key is None or (type(key) in (tuple, str, PuppetHash) and len(key) == 0):
        return TYPE_SET
    if type(key) is str or type(key) is tuple or key is DEFAULT:
        check_name("TypeSet name", key)
        return TypeSetType(str(key), lambda target: TypeSetContent(str(key), None))
    if type(key) is not PuppetHash:
        raise no_method("empty?", key)
    anonymous = TypeSetType(None, lambda target: _checked(None, None, key))
    _ = anonymous.content
    return anonymous


def _checked(name: str | None, authority: str | None, init: PuppetHash) -> TypeSetContent:
    check("TypeSet initializer", TYPE_SET_SHAPE, init)
    content = TypeSetContent(name or init.get("name"), authority or init.get("name_authority"))
    content.pcore_version = _version(init["pcore_version"])
    if not SemVerRange.parse(_PCORE_VERSIONS).includes(content.pcore_version):
        raise RuntimeFailure(
            f"The pcore version for TypeSet '{content.name or ''}' is not understood by this "
            f"runtime. Expected range {_PCORE_VERSIONS}, got {content.pcore_version.puppet_text()}"
        )
    content.pcore_uri = init.get("pcore_uri")
    if init.has("version"):
        content.version = _version(init["version"])
    content.types = init.get("types", PuppetHash.EMPTY)
    content.annotations = init.get("annotations")
    _add_references(content, init.get("references", PuppetHash.EMPTY))
    return content


def _version(given: Any) -> SemVer:
    version: SemVer = SemVer.parse(given) if type(given) is str else given
    return version


def _add_references(content: TypeSetContent, references: PuppetHash) -> None:
    seen: set[tuple[str | None, str]] = set()
    for alias, spec in references.items():
        given = spec["version_range"]
        reference = TypeSetReference(
            spec["name"],
            SemVerRange.parse(given) if type(given) is str else given,
            spec.get("name_authority", content.authority),
            spec.get("annotations"),
        )
        target = (reference.authority, reference.name)
        # Puppet takes ranges for overlapping that have nothing in common.
        if target in seen:
            raise RuntimeFailure(
                f"TypeSet '{content.name or ''}' references TypeSet "
                f"'{reference.authority or ''}/{reference.name}' more than once using "
                "overlapping version ranges"
            )
        seen.add(target)
        if content.types.has(alias):
            raise RuntimeFailure(
                f"TypeSet '{content.name or ''}' references a TypeSet using alias '{alias}'. "
                "The alias collides with the name of a declared type"
            )
        content.references[alias] = reference


def _resolve_references(
    owner: TypeSetType, find: Callable[[TypeSetType, str], PuppetType | None]
) -> None:
    for reference in owner.content.references.values():
        found: PuppetType | None = None
        if reference.authority == RUNTIME_AUTHORITY:
            found = find(owner, reference.name)
        reference.type_set = _fitting(owner, reference, found)


def _fitting(
    owner: TypeSetType, reference: TypeSetReference, found: PuppetType | None
) -> TypeSetType:
    text = f"{owner.label} reference to TypeSet named '{reference.name}'"
    if found is None or (isinstance(found, TypeSetType) and found.is_reading):
        raise RuntimeFailure(f"{text} cannot be resolved")
    if not isinstance(found, TypeSetType):
        raise RuntimeFailure(f"{text} resolves to a {found.name}")
    found.settled()
    version = found.content.version
    if version is None:
        raise no_method(">=", None)
    if not reference.version_range.includes(version):
        raise RuntimeFailure(
            f"{text} resolves to an incompatible version. "
            f"Expected {reference.version_range.puppet_text()}, got {version.puppet_text()}"
        )
    return found
