"""Symbols of Ruby, which functions in Ruby and YAML data may have."""

from __future__ import annotations

from puppet_repl.language.values.default import compare_symbols
from puppet_repl.language.values.protocols import Comparable
from puppet_repl.language.values.quote import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from puppet_repl.language.values.protocols import Value


class RubySymbol(Comparable):
    """A Symbol, which shows as a string but is not a String."""

    __slots__ = ("name",)
    ruby_class = "Symbol"

    def __init__(self, name: str) -> None:
        self.name = name

    def puppet_text(self) -> str:
        """Return the name."""
        return self.name

    def puppet_program(self) -> str:
        """Return the name as a string."""
        return quote(self.name)

    def ruby_inspect(self) -> str:
        """Return it as Ruby shows it."""
        return f":{self.name}"

    def puppet_equals(self, other: object) -> bool:
        """Compare: two symbols of one name are the same."""
        return type(other) is RubySymbol and other.name == self.name

    def puppet_compare(self, other: Value) -> int:
        """Return the order of the names of two symbols."""
        return compare_symbols(self, other)

    def puppet_key(self) -> Hashable:
        """Return what tells symbols apart."""
        return (RubySymbol, self.name)
