"""Parameters of Object types and components of URIs: which values and types they take."""

from __future__ import annotations

from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.scalar import is_regexp
from puppet_repl.language.values.compare import equals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


def matches(value: Value, option: Value) -> bool:
    """Tell whether a value matches an option as in ``case``."""
    if isinstance(option, PuppetType):
        return option.accepts_value(value)
    if is_regexp(option):
        return type(value) is str and option.search(value) is not None
    return equals(value, option)


def covers(options: dict[str, Value], given: dict[str, Value]) -> bool:
    """Tell whether each option is given a value that it matches, or a type that it accepts."""
    for name, option in options.items():
        if name not in given:
            return False
        value = given[name]
        if matches(value, option):
            continue
        if not isinstance(value, PuppetType) or not isinstance(option, PuppetType):
            return False
        if not option.accepts_type(value):
            return False
    return True
