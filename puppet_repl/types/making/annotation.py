"""Annotations: instances of Object types below Annotation that are attached to values.

They live in the annotated value itself, and so end with it. Native values cannot carry any.
"""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.types.making.object_definition import check
from puppet_repl.types.making.puppet_object import PuppetObject, construct
from puppet_repl.types.model.object import ObjectType
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.ruby import ruby_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.values.protocols import Value


def _carried(value: Value) -> dict[ObjectType, object] | None:
    """Return the annotations that a value carries; None if it cannot carry any."""
    if isinstance(value, (PuppetObject, ObjectType)):
        return value.annotations
    return None


def _declared(annotation: ObjectType, value: Value) -> PuppetHash | None:
    """Return the content that the definition of a type has for an annotation."""
    if not isinstance(value, ObjectType) or value.definition.annotations is None:
        return None
    declared: PuppetHash | None = value.definition.annotations.get(annotation)
    return declared


def _base(annotation: Any) -> ObjectType:
    base = annotation.resolved()
    assert isinstance(base, ObjectType)
    return base


def _instance(base: ObjectType, content: PuppetHash) -> PuppetObject:
    check(f"{base.label} initializer", base.init_struct(), content)
    return construct(base, (content,))


def find_annotation(annotation: Any, value: Any, block: Any = None) -> Value:
    """Return the annotation of a type that a value has; the block may say what to make it from."""
    base = _base(annotation)
    carried = _carried(value)
    if carried is not None and base in carried:
        return carried[base]
    content = _declared(base, value)
    if content is None and block is not None:
        content = block()
    if content is None:
        return None
    return _attached(base, value, carried, content)


def set_annotation(annotation: Any, value: Any, content: Any) -> Value:
    """Attach an annotation made from a hash; 'clear' removes and returns the one attached."""
    base = _base(annotation)
    clears = content == "clear" and type(content) is str
    if _declared(base, value) is not None:
        action = "clear" if clears else "redefine"
        raise RuntimeFailure(
            f"attempt to {action} {base.label} annotation declared on {value.label}"
        )
    carried = _carried(value)
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
        shown = f'"{value}"' if type(value) is str else str(value)
        raise RuntimeFailure(f"can't modify frozen {ruby_class(value)}: {shown}")
    carried[base] = instance
    return instance
