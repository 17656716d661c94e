"""Parts of the notation, as data: the escapes of heredocs, the parameters of lambdas."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Roles: TypeAlias = dict[int, tuple[str, ...]]

HEREDOC_ESCAPES = {
    "t": r"`\t` is a tab",
    "r": r"`\r` is a carriage return",
    "n": r"`\n` is a line break",
    "s": r"`\s` is a blank",
    "u": r"`\u263a` and `\u{1f600}` are characters by their number",
    "L": r"`\` at the end of a line joins it with the next one",
    "$": r"`\$` is a dollar sign, and no interpolation",
}
"""What each letter after the slash of ``@(END/tn)`` allows, in Markdown; without letters all."""

_ELEMENT = "an element; of a Hash a pair of key and value"
_INDEX_AND_ELEMENT = ("the index; of a Hash the key", "the element; of a Hash the value")
_COMPARED: Roles = {2: ("an element", "the one to compare it with: -1, 0 or 1 is to be returned")}
_OF_EACH = {1: (_ELEMENT,), 2: _INDEX_AND_ELEMENT}

LAMBDAS: dict[str, Roles] = {
    **dict.fromkeys(
        ("all", "any", "each", "filter", "group_by", "map", "partition", "reverse_each"), _OF_EACH
    ),
    "index": {1: ("an element",), 2: _INDEX_AND_ELEMENT},
    "reduce": {2: ("what the lambda has returned last, at first the start value", _ELEMENT)},
    "slice": {1: ("an array of so many elements",)},
    "step": {1: ("an element, at each step",)},
    "unique": {1: ("the value that elements are compared by",)},
    "max": _COMPARED,
    "min": _COMPARED,
    "sort": _COMPARED,
    "then": {1: ("the value, which is not undef",)},
    "tree_each": {
        1: ("a value of the tree",),
        2: ("the path, an array of keys", "the value there"),
    },
    "new": {1: ("the new value",)},
    "lookup": {1: ("the key, which has not been found",)},
}
"""What the parameters of a lambda are given, by the function and by how many parameters it has."""
