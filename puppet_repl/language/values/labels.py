"""Puppet's labels: the words for values in messages."""

from __future__ import annotations

from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

_LABELS: dict[type, str] = {
    int: "Integer",
    float: "Float",
    str: "String",
    bool: "Boolean",
    tuple: "Array",
    PuppetHash: "Hash",
    type(None): "Undef Value",
}


def value_label(value: Value) -> str:
    """Return the label of a value, without an article."""
    label = _LABELS.get(type(value))
    if label is None:
        label = value.puppet_label if isinstance(value, PuppetValue) else "Object"
    return label
