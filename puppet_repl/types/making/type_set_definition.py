"""TypeSets from their initialisers."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.types.making.object_definition import check, check_name
from puppet_repl.types.making.shapes import TYPE_SET_SHAPE
from puppet_repl.types.model import issues
from puppet_repl.types.model.typeset import TYPE_SET, TypeSetType
from puppet_repl.values.array import flatten
from puppet_repl.values.default import DEFAULT
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.ruby import ruby_class
from puppet_repl.values.semver import SemVer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.types.model.base import PuppetType
    from puppet_repl.values.protocols import Value


def type_set(name: str | None, initialiser: Callable[[TypeSetType], PuppetHash]) -> TypeSetType:
    """Return a TypeSet whose initialiser hash is read when it is first needed."""
    return TypeSetType(name, lambda target: _checked(name, initialiser(target)))


def type_set_access(target: TypeSetType, keys: tuple[Value, ...], context: Value) -> PuppetType:
    """Return ``TypeSet[{...}]``."""
    keys = flatten(keys)
    if len(keys) != 1:
        raise issues.arity("TypeSet-Type", 1, None, len(keys))
    key = keys[0]
    if type(key) is str or key is DEFAULT:
        check_name("TypeSet name", key)
    if type(key) is not PuppetHash:
        raise RuntimeFailure(f"undefined method `empty?' for {key}:{ruby_class(key)}")
    if not len(key):
        return TYPE_SET
    anonymous = type_set(None, lambda target: key)
    _ = anonymous.content
    return anonymous


def _checked(name: str | None, content: PuppetHash) -> PuppetHash:
    check("TypeSet initializer", TYPE_SET_SHAPE, content)
    version = content["pcore_version"]
    if type(version) is str:
        version = SemVer.parse(version)
    if version.major != 1:
        raise RuntimeFailure(
            f"The pcore version for TypeSet '{name or content.get('name')}' is not "
            f"understood by this runtime. Expected range 1.x, got {version.puppet_text()}"
        )
    types = content.get("types", PuppetHash.EMPTY)
    for alias, reference in content.get("references", PuppetHash.EMPTY).items():
        if types.has(alias):
            raise RuntimeFailure(
                f"TypeSet '{name}' references a TypeSet using alias '{alias}'. "
                "The alias collides with the name of a declared type"
            )
        raise RuntimeFailure(
            f"TypeSet '{name}' reference to TypeSet named '{reference['name']}' cannot be resolved"
        )
    return content
