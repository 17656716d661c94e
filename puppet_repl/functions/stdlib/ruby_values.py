"""What Ruby says of values that the functions of stdlib cannot use."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.values.default import DEFAULT
from puppet_repl.values.ruby import ruby_class, ruby_inspect, ruby_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.values.protocols import Value

# Ruby names an object with a longer text by its class and address only.
_MAX_INSPECTED = 65


def no_method(name: str, receiver: Value) -> RuntimeFailure:
    """Return the error of a method that a value does not have: ``undefined method `to_i' ...``."""
    text = ":default" if receiver is DEFAULT else ruby_inspect(receiver)
    if len(text) > _MAX_INSPECTED:
        return RuntimeFailure(f"undefined method `{name}' for #<{ruby_class(receiver)}>")
    if not text.startswith("#"):
        kind = "Symbol" if receiver is DEFAULT else ruby_class(receiver)
        text = f"{text}:{kind}"
    return RuntimeFailure(f"undefined method `{name}' for {text}")


def no_conversion(value: Value, target: str) -> RuntimeFailure:
    """Return the error of a value that Ruby does not convert by itself to a class."""
    return RuntimeFailure(f"no implicit conversion of {ruby_kind(value)} into {target}")
