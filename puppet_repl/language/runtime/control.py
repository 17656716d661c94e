"""What compiled code needs for control flow, splats, assignment and match variables."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.runtime import issues
from puppet_repl.language.runtime.scope import RESERVED, find_qualified
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Elements
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


def unfold(value: Any) -> tuple[Value, ...]:
    """Evaluate ``*value``: the elements of an Array, the pairs of a Hash, nothing of undef."""
    kind = type(value)
    if kind is tuple:
        items: tuple[Any, ...] = value
        return items
    if value is None:
        return ()
    if kind is PuppetHash:
        return tuple(value.items())
    if isinstance(value, PuppetType):
        return (value,)
    return tuple(value.puppet_elements() or ()) if isinstance(value, Elements) else (value,)


def group(match: Any, number: int) -> Value:
    """Return ``$number`` after a match; undef without a match or without such a group."""
    if match is None:
        return None
    try:
        return match.group(number)
    except IndexError:
        return None


def once(value: Value, current: Value, name: str) -> Value:
    """Return the value for a local variable; raise if the variable is bound already or reserved.

    The value is evaluated first, because that may bind the variable too.
    """
    if current is not UNSET:
        raise issues.illegal_reassignment(name)
    if name == "server_facts":
        raise issues.illegal_reserved_assignment(name)
    if name in RESERVED:
        raise issues.reserved_name(name)
    return value


def unmatched_selector(value: Value) -> NoReturn:
    """Raise the error of a selector without a fitting entry."""
    raise issues.unmatched_selector(ruby_text(value))


def destructure(names: tuple[Value, ...], value: Value, context: Context) -> tuple[Value, ...]:
    """Return the values for ``[$a, [$b]] = value``, nested like the names.

    A nested list of names takes its values from the element at its index.
    """
    if type(value) is PuppetHash:
        return tuple([_from_hash(name, value, context) for name in names])
    if isinstance(value, PuppetType) and value.kind == "Class":
        return _from_class(names, value, context)
    values = value if type(value) is tuple else (value,)
    if len(values) != len(names):
        raise issues.multi_assignment_size(len(names), len(values))
    return tuple(
        [
            destructure(name, item, context) if type(name) is tuple else item
            for name, item in zip(names, values, strict=True)
        ]
    )


def _from_hash(name: Any, value: PuppetHash, context: Context) -> Value:
    if type(name) is tuple:
        if not value.has(name):
            raise issues.missing_multi_assignment_key(ruby_text(name))
        return destructure(name, value.get(name), context)
    if not value.has(name):
        raise issues.missing_multi_assignment_key(name)
    return value.get(name)


def _from_class(names: tuple[Any, ...], reference: Any, context: Context) -> tuple[Value, ...]:
    class_name = reference.class_name
    if class_name is None:
        raise RuntimeFailure('No title provided and "class" is not a valid resource reference')
    if context.catalog.bodies.class_scope(class_name) is None:
        raise issues.unknown_resource("Class", class_name, "right")
    values = []
    for index, name in enumerate(names):
        qualified = f"{class_name.lower()}::{name}"
        found = find_qualified(context, qualified)
        if found is None:
            raise issues.missing_multi_assignment_variable(qualified, ("left", index))
        values.append(found[0])
    return tuple(values)
