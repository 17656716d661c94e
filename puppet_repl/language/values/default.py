"""``default``, and UNSET, the absence of a value: only their identity counts."""

from __future__ import annotations

from puppet_repl.language.values.protocols import Comparable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


def compare_symbols(left: Comparable, right: Value) -> int:
    """Return the order of two symbols of Ruby; raise NotComparableError for any other value."""
    from puppet_repl.language.values.compare import NotComparableError

    if not isinstance(right, Comparable) or right.ruby_class != "Symbol":
        raise NotComparableError("Symbol not comparable to non Symbol")
    mine, other = left.puppet_text(), right.puppet_text()
    return int(mine > other) - int(mine < other)


class Default(Comparable):
    """The class of the one value that the keyword ``default`` evaluates to."""

    __slots__ = ()

    ruby_class = "Symbol"

    def puppet_text(self) -> str:
        """Return the keyword."""
        return "default"

    def ruby_inspect(self) -> str:
        """Return the symbol that ``default`` is in Ruby."""
        return ":default"

    def puppet_key(self) -> Default:
        """Return the value itself, as the class has one instance."""
        return self

    def puppet_compare(self, other: Value) -> int:
        """Return the order among symbols of Ruby, of which it is one."""
        return compare_symbols(self, other)

    def __repr__(self) -> str:
        return "DEFAULT"

    def __reduce__(self) -> str:
        return "DEFAULT"


class Unset:
    """The class of UNSET, a missing value, which differs from undef. Puppet code never sees it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


DEFAULT = Default()
UNSET = Unset()
