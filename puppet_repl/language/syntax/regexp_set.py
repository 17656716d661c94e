"""Character classes of Ruby's regular expressions, as they are read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    # The name of a class or property of characters, and whether it is negated.
    NamedItem: TypeAlias = tuple[Literal["ascii", "unicode", "property"], str, bool]
    ClassItem: TypeAlias = (
        tuple[Literal["range"], str, str] | tuple[Literal["set"], "Set"] | NamedItem
    )

POSIX_CLASSES = frozenset(
    [
        "alnum",
        "alpha",
        "ascii",
        "blank",
        "cntrl",
        "digit",
        "graph",
        "lower",
        "print",
        "punct",
        "space",
        "upper",
        "word",
        "xdigit",
    ]
)


class Set:
    """A bracketed class: the union of its items, or the intersection of its parts."""

    __slots__ = ("items", "negated", "parts")

    def __init__(
        self, negated: bool, items: tuple[ClassItem, ...], parts: tuple[Set, ...] = ()
    ) -> None:
        self.negated = negated
        self.items = items
        self.parts = parts


def class_item(name: str, range_: str, negated: bool = False, *, posix: bool = False) -> NamedItem:
    r"""Make the item of \d and the like, of a POSIX bracket or of a Unicode property.

    ``range_`` is the option in force: "d" is Ruby's usual one, "a" ASCII only, "u" Unicode.
    """
    if posix:
        return ("ascii" if range_ == "a" else "unicode", name, negated)
    if len(name) == 1 and name in "dDwWsShH":
        kind: Literal["ascii", "unicode"] = "unicode" if range_ == "u" else "ascii"
        return (kind, name.lower(), negated != name.isupper())
    plain = name.lower().replace("_", "").replace(" ", "").replace("-", "")
    if plain in POSIX_CLASSES or plain == "any":
        return ("unicode", plain, negated)
    return ("property", name, negated)
