"""Functions of stdlib that choose the first usable value: pick, pick_default."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


@stdlib_legacy_function(
    "pick",
    "Any +$values",
    examples=(
        "pick(undef, '', 'a', 'b')  # => 'a'",
        "pick(false, 'a')  # => false",
        "pick('', undef)  # error: Evaluation Error: Error while evaluating a Function Call, "
        "pick(): must receive at least one non empty value",
    ),
    counts=False,
)
def pick(values: tuple[Value, ...]) -> Value:
    """Return the first argument that is neither undef nor an empty string.

    Without such an argument the call is an error. False, 0 and empty collections count as values.

    @param values the arguments
    @return [Any] one of the arguments
    """
    for value in values:
        if value is not None and value != "":
            return value
    raise RuntimeFailure("pick(): must receive at least one non empty value")


@stdlib_legacy_function(
    "pick_default",
    "Any +$values",
    examples=(
        "pick_default(undef, '', 'a')  # => 'a'",
        "pick_default('a', 'b')  # => 'a'",
        "pick_default('', [])  # => []",
    ),
    counts=False,
)
def pick_default(values: tuple[Value, ...]) -> Value:
    """Return the first argument that is neither undef nor an empty string, or else the last one.

    If that is undef, the result is an empty string.

    @param values the arguments
    @return [Any] one of the arguments
    """
    if not values:
        raise RuntimeFailure("Must receive at least one argument.")
    for value in values:
        if value is not None and value != "":
            return value
    return values[-1]
