"""Annotations: instances of Object types below Annotation that are attached to values.

Those that a program attaches belong to the session, so that they are rolled back with it; those
that the definition of a type has stay on the type. Numbers, strings and the like cannot have any.
"""

from __future__ import annotations

from puppet_repl.base.differences import warn_of_difference
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.making.object_definition import check
from puppet_repl.language.types.making.puppet_object import PuppetObject, construct
from puppet_repl.language.types.model.defined import DefinedType
from puppet_repl.language.types.model.object import ObjectType
from puppet_repl.language.types.model.typeset import TypeSetType
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_class, ruby_inspect
from puppet_repl.language.values.semver import SemVer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_FROZEN = (str, int, float, bool, type(None), SemVer)


def _key(value: Value) -> object:
    """Return what the session knows a value by; a type that is read again stays the same."""
    return value.identity if isinstance(value, DefinedType) else id(value)


def _attached(value: Value, context: Context) -> dict[ObjectType, object]:
    """Return the annotations that a program has attached to a value, not to be changed."""
    entry = context.annotations.get(_key(value))
    return {} if entry is None else entry[1]


def _attach(base: ObjectType, value: Any, content: PuppetHash, context: Context) -> PuppetObject:
    instance = _instance(base, content)
    if type(value) in _FROZEN or value is DEFAULT:
        kind = "Symbol" if value is DEFAULT else ruby_class(value)
        text = ":default" if value is DEFAULT else ruby_inspect(value)
        raise RuntimeFailure(f"can't modify frozen {kind}: {text}")
    context.annotations[_key(value)] = (value, {**_attached(value, context), base: instance})
    return instance


def _detach(base: ObjectType, value: Value, context: Context) -> Value:
    """Remove an annotation and return it or None."""
    attached = _attached(value, context)
    found = attached.get(base)
    if found is not None:
        rest = {one: instance for one, instance in attached.items() if one != base}
        if rest:
            context.annotations[_key(value)] = (value, rest)
        else:
            del context.annotations[_key(value)]
    return found


def _declared(annotation: ObjectType, value: Value) -> PuppetHash | None:
    """Return the content that the definition of a type has for an annotation."""
    if isinstance(value, ObjectType):
        annotations = value.definition.annotations
    elif isinstance(value, TypeSetType):
        annotations = value.content.annotations
    else:
        return None
    if annotations is None:
        warn_of_difference("annotated_type")
        return None
    content: PuppetHash | None = annotations.get(annotation)
    return content


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
    declared = _declared(base, value)
    if declared is not None:
        # An annotation equals itself alone, so each look has to return the same object.
        if base not in value.annotations:
            value.annotations[base] = _instance(base, declared)
        return value.annotations[base]
    attached = _attached(value, context)
    if base in attached:
        return attached[base]
    content = None if block is None else block()
    return None if content is None else _attach(base, value, content, context)


def set_annotation(annotation: Any, value: Any, content: Any, context: Context) -> Value:
    """Attach an annotation made from a hash; 'clear' removes and returns the one attached."""
    base = _base(annotation)
    clears = content == "clear" and type(content) is str
    if _declared(base, value) is not None:
        action = "clear" if clears else "redefine"
        raise RuntimeFailure(
            f"attempt to {action} {base.label} annotation declared on {value.label}"
        )
    if clears:
        return _detach(base, value, context)
    return _attach(base, value, content, context)
