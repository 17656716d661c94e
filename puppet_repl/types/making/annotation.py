"""Annotations: instances of Object types below Annotation that are attached to values.

Instances of Object types, and types that a program defines, carry their annotations; those of
other values belong to the session. Numbers, strings and the like cannot have any.
"""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.types.making.object_definition import check
from puppet_repl.types.making.puppet_object import PuppetObject, construct
from puppet_repl.types.model.object import ObjectType
from puppet_repl.types.model.typeset import TypeSetType
from puppet_repl.values.default import DEFAULT
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.ruby import ruby_class, ruby_inspect
from puppet_repl.values.semver import SemVer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context
    from puppet_repl.values.protocols import Value

_FROZEN = (str, int, float, bool, type(None), SemVer)


def _carried(value: Value, context: Context) -> dict[ObjectType, object] | None:
    """Return the annotations that a value has, to be changed; None if it cannot have any."""
    if isinstance(value, (PuppetObject, ObjectType, TypeSetType)) and value.annotations is not None:
        return value.annotations
    if type(value) in _FROZEN or value is DEFAULT:
        return None
    # The value is kept, so that no other one gets its identity.
    return context.annotations.setdefault(id(value), (value, {}))[1]


def _declared(annotation: ObjectType, value: Value) -> PuppetHash | None:
    """Return the content that the definition of a type has for an annotation."""
    if isinstance(value, ObjectType):
        annotations = value.definition.annotations
    elif isinstance(value, TypeSetType):
        annotations = value.content.annotations
    else:
        return None
    return None if annotations is None else annotations.get(annotation)


def _base(annotation: Any) -> ObjectType:
    base = annotation.resolved()
    assert isinstance(base, ObjectType)
    return base


def _instance(base: ObjectType, content: PuppetHash) -> PuppetObject:
    check(f"{base.label} initializer", base.init_struct(), content)
    return construct(base, (content,))


def find_annotation(annotation: Any, value: Any, context: Context, block: Any = None) -> Value:
    """Return the annotation of a type that a value has; the block may say what to make it from."""
    base = _base(annotation)
    carried = _carried(value, context)
    if carried is not None and base in carried:
        return carried[base]
    content = _declared(base, value)
    if content is None and block is not None:
        content = block()
    if content is None:
        return None
    return _attached(base, value, carried, content)


def set_annotation(annotation: Any, value: Any, content: Any, context: Context) -> Value:
    """Attach an annotation made from a hash; 'clear' removes and returns the one attached."""
    base = _base(annotation)
    clears = content == "clear" and type(content) is str
    if _declared(base, value) is not None:
        action = "clear" if clears else "redefine"
        raise RuntimeFailure(
            f"attempt to {action} {base.label} annotation declared on {value.label}"
        )
    carried = _carried(value, context)
    if clears:
        return None if carried is None else carried.pop(base, None)
    return _attached(base, value, carried, content)


def _attached(
    base: ObjectType,
    value: Any,
    carried: dict[ObjectType, object] | None,
    content: PuppetHash,
) -> PuppetObject:
    instance = _instance(base, content)
    if carried is None:
        kind = "Symbol" if value is DEFAULT else ruby_class(value)
        text = ":default" if value is DEFAULT else ruby_inspect(value)
        raise RuntimeFailure(f"can't modify frozen {kind}: {text}")
    carried[base] = instance
    return instance
