"""The values that only their identity tells apart: ``default``, and the absence of a value."""

from __future__ import annotations


class Default:
    """The type of the one value that the keyword ``default`` evaluates to."""

    __slots__ = ()

    puppet_label = "Object"
    ruby_class = "Symbol"

    def puppet_text(self) -> str:
        """Answer the keyword."""
        return "default"

    def ruby_inspect(self) -> str:
        """Write the symbol that stands for it in Ruby."""
        return ":default"

    def puppet_equals(self, other: object) -> bool:
        """Only default is equal to default."""
        return self is other

    def puppet_key(self) -> Default:
        """Answer itself: there is one only."""
        return self

    def puppet_compare(self, other: object) -> int:
        """``default <= default`` is true; anything else cannot be put in order."""
        from puppet_repl.values.compare import NotComparableError

        if self is other:
            return 0
        raise NotComparableError("Symbol not comparable to non Symbol")

    def __repr__(self) -> str:
        return "DEFAULT"

    def __reduce__(self) -> str:
        return "DEFAULT"


class Unset:
    """The type of UNSET: "no value was given", which undef is not."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


DEFAULT = Default()
UNSET = Unset()
