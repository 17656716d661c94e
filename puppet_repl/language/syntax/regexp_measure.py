"""Properties of regular expressions: the lengths of matches, names, groups."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.regexp_parser import Node


def fixed_length(node: Node) -> int | None:
    """Return how many characters a node matches, or None if that is not always the same."""
    kind = node[0]
    if kind in ("char", "any", "set"):
        return 1
    if kind in ("anchor", "look", "keep"):
        return 0
    if kind == "seq":
        lengths = [fixed_length(part) for part in node[1]]
        return None if None in lengths else sum(length or 0 for length in lengths)
    if kind == "alt":
        found = {fixed_length(branch) for branch in node[1]}
        return found.pop() if len(found) == 1 else None
    if kind in ("group", "ignore"):
        return fixed_length(node[2])
    if kind in ("plain", "atomic"):
        return fixed_length(node[1])
    if kind == "repeat" and node[2] == node[3]:
        length = fixed_length(node[1])
        return None if length is None else int(length * node[2])
    return None


_UNFIT_BEHIND = ("reference", "linebreak", "grapheme", "condition")


def is_unfit_behind(node: Node, negated: bool) -> bool:
    """Tell whether a node is not allowed in a lookbehind: it looks or refers elsewhere."""
    kind = node[0]
    if kind in _UNFIT_BEHIND or (kind == "group" and negated) or (kind == "look" and node[1]):
        return True
    if kind == "anchor":
        return node[1] in ("end", "almost end")
    for part in node[1:]:
        if type(part) is tuple and part:
            inner = (part,) if type(part[0]) is str else part
            if any(is_unfit_behind(one, negated) for one in inner):
                return True
    return False


def always_calls(node: Node, number: int) -> bool:
    """Tell whether every way through a node calls a group."""
    kind = node[0]
    if kind == "call":
        return bool(node[1][0] == number)
    if kind == "seq":
        return any(always_calls(part, number) for part in node[1])
    if kind == "alt":
        return all(always_calls(branch, number) for branch in node[1])
    if kind in ("group", "ignore"):
        return always_calls(node[2], number)
    if kind in ("plain", "atomic"):
        return always_calls(node[1], number)
    return bool(kind == "repeat" and node[2] > 0 and always_calls(node[1], number))


def is_digits(text: str) -> bool:
    """Tell whether a text is a number in plain digits."""
    return text.isascii() and text.isdigit()


def is_name(text: str) -> bool:
    """Tell whether a text may name a group."""
    return not text[0].isdigit() and all(one == "_" or one.isalnum() for one in text)


def has_named_groups(source: str) -> bool:
    """Tell whether there is a ``(?<name>``: then plain parentheses do not capture."""
    at = source.find("(?")
    while at >= 0:
        escaped = (at - len(source[:at].rstrip("\\"))) % 2 == 1
        opening = source[at + 2 : at + 4]
        if not escaped and (
            opening[:1] == "'" or (opening[:1] == "<" and opening[1:] not in ("=", "!", ""))
        ):
            return True
        at = source.find("(?", at + 1)
    return False
