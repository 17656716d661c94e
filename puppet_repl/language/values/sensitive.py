"""The Sensitive: a value that must not be shown."""

from __future__ import annotations

from puppet_repl.language.values.hash import hash_key
from puppet_repl.language.values.protocols import PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

    from puppet_repl.language.values.protocols import Value

REDACTED = "Sensitive [value redacted]"


class Sensitive(PuppetValue):
    """Wraps one value; a Sensitive of a Sensitive is the inner one."""

    __slots__ = ("value",)
    data_type = "Sensitive"

    puppet_label = "Sensitive"
    ruby_class = "Puppet::Pops::Types::PSensitiveType::Sensitive"
    value: Any

    def __init__(self, value: Value) -> None:
        self.value = value.value if type(value) is Sensitive else value

    def puppet_text(self) -> str:
        """Return the replacement for all sensitive values."""
        return REDACTED

    def ruby_inspect(self) -> str:
        """Return it in Ruby's notation of objects."""
        return f"#<{self.puppet_text()}>"

    def puppet_equals(self, other: object) -> bool:
        """Compare the wrapped values as keys: Ruby compares hash codes, so case counts."""
        return type(other) is Sensitive and hash_key(self.value) == hash_key(other.value)

    def puppet_key(self) -> Hashable:
        """Return a key made of the wrapped value."""
        return hash_key(self.value)

    def __eq__(self, other: object) -> bool:
        return self.puppet_equals(other)

    def __hash__(self) -> int:
        return hash((Sensitive, hash_key(self.value)))

    def __repr__(self) -> str:
        """Hide the value, in debuggers too."""
        return REDACTED
