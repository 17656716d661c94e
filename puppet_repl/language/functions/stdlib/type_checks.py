"""Functions of stdlib about the types of values: is_a, type_of."""

from __future__ import annotations

from puppet_repl.language.functions.stdlib.declaring import moved_function, stdlib_function
from puppet_repl.language.types.algebra.infer import infer_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value


@stdlib_function(
    "is_a",
    "Any $value, Type $type",
    returns="Boolean",
    examples=("is_a(80, Integer)  # => true", "'x'.is_a(Boolean)  # => false"),
)
def is_a(value: Value, type_: PuppetType) -> bool:
    """Tell whether a value is of a type, as the operator =~ does.

    @param value the value
    @param type the type
    """
    return type_.accepts_value(value)


@moved_function(
    "type_of",
    "Any $value",
    returns="Type",
    examples=(
        "type_of(1)  # => Integer[1, 1]",
        "type_of(['a', 2])  # => Tuple[String, Integer[2, 2]]",
    ),
)
def type_of(value: Value) -> PuppetType:
    """Return the most detailed type of a value.

    @param value the value
    """
    return infer_set(value)
