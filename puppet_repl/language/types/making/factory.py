"""Types by name."""

from __future__ import annotations

from puppet_repl.base.modules import import_name
from puppet_repl.language.types.data_types import DATA_TYPES
from puppet_repl.language.types.model import inference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value

_RESOURCES = frozenset(
    (
        "component",
        "exec",
        "file",
        "filebucket",
        "group",
        "node",
        "notify",
        "package",
        "resources",
        "schedule",
        "service",
        "stage",
        "tidy",
        "user",
        "whit",
    )
)
_RESOURCE = "puppet_repl.language.types.model.resource.ResourceType"
_PCORE = "puppet_repl.language.types.making.pcore.lookup_pcore"
_loaded: dict[str, PuppetType] = {}


def _infer(value: Value) -> PuppetType:
    from puppet_repl.language.types.algebra.infer import infer

    # The next question is answered without this function.
    inference.connect(infer)
    return infer(value)


inference.connect(_infer)


def lookup(name: str) -> PuppetType | None:
    """Return the type of the language with a name, in letters of any case; None without one."""
    lower = name.lower()
    if lower.startswith("::"):
        lower = lower[2:]
    known = _loaded.get(lower)
    if known is not None:
        return known
    record = DATA_TYPES.get(lower)
    if record is not None:
        loaded: PuppetType = import_name(f"puppet_repl.language.types.{record.path}")
        _loaded[lower] = loaded
        return loaded
    if lower in _RESOURCES:
        resource: PuppetType = import_name(_RESOURCE)(lower.capitalize())
        return resource
    if "::" in lower:
        described: PuppetType | None = import_name(_PCORE)(lower)
        return described
    return None
