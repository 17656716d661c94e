"""Translation of Ruby regular expressions for Python's ``re`` or for the ``regex`` package.

The text for ``re`` is compiled with ASCII and MULTILINE, the one for ``regex`` with VERSION1 and
MULTILINE; all other options are written in the text itself.
"""

from __future__ import annotations

from puppet_repl.language.syntax.regexp_set import Set
from puppet_repl.language.values.regex_set import SetWriter, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.syntax.regexp_parser import Node

_WORD = "[0-9A-Z_a-z]"
_ANCHORS = {
    "end of line": "$",
    "begin": "\\A",
    "almost end": "(?=\\n?\\Z)",
    "end": "\\Z",
    "boundary": "\\b",
    "no boundary": "(?:(?!\\A\\Z)\\B|\\A\\Z)",
    "ascii boundary": f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
    "no ascii boundary": f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))",
    "start": "\\G",
}
_UNBOUNDED = float("inf")


class Writer:
    """Writes one tree; afterwards the attributes say which features the text needs.

    A repetition that needs more than ``longest`` characters becomes something that never matches;
    then ``is_abridged`` is set.
    """

    def __init__(self, unicode: bool, *, longest: int | None = None) -> None:
        self.unicode = unicode
        self.longest = longest
        self.is_abridged = False
        self.sets = SetWriter(unicode)
        self.needs_regex = False
        self.ascii_only = False
        self.ignoring = False

    def write(self, node: Node) -> str:
        """Write a node as an item of a sequence."""
        text: str = getattr(self, f"_{node[0]}")(node)
        return text

    def finish(self) -> None:
        """Collect the requirements of the classes in the text."""
        self.needs_regex = self.needs_regex or self.sets.needs_regex
        self.ascii_only = self.ascii_only or self.sets.ascii_only

    def _char(self, node: Node) -> str:
        character: str = node[1]
        if self.ignoring and not character.isascii():
            self.needs_regex = True
        return escape(character)

    def _any(self, node: Node) -> str:
        return "(?s:.)" if node[1] else "."

    def _set(self, node: Node) -> str:
        given: Set = node[1]
        if self.ignoring and any(item[0] == "unicode" and item[2] for item in given.items):
            # A negated case class excludes both cases then, which re cannot express.
            self.needs_regex = True
        return self.sets.write(given)

    def _anchor(self, node: Node) -> str:
        kind = node[1]
        if kind == "begin of line":
            # Ruby's ^ does not match after a newline at the end of the string. One branch at most
            # matches at a place: a repeated one would be tried in all combinations otherwise.
            return "(?:^(?!\\Z)|\\A\\Z)"
        if kind in ("boundary", "no boundary"):
            self.ascii_only = True
        elif kind == "start":
            self.needs_regex = True
        return _ANCHORS[kind]

    def _linebreak(self, _node: Node) -> str:
        return "(?>\\r\\n|[\\n\\v\\f\\r\\x85\\u2028\\u2029])"

    def _grapheme(self, _node: Node) -> str:
        self.needs_regex = True
        return "\\X"

    def _keep(self, _node: Node) -> str:
        self.needs_regex = True
        return "\\K"

    def _seq(self, node: Node) -> str:
        parts = []
        nodes = node[1]
        for index, part in enumerate(nodes):
            if part == ("anchor", "begin of line") and any(
                least_length(later) for later in nodes[index + 1 :]
            ):
                parts.append("^")
            elif part[0] == "alt":
                parts.append(f"(?:{self.write(part)})")
            else:
                parts.append(self.write(part))
        return "".join(parts)

    def _alt(self, node: Node) -> str:
        return "|".join(map(self.write, node[1]))

    def _group(self, node: Node) -> str:
        return f"({self.write(node[2])})"

    def _plain(self, node: Node) -> str:
        return f"(?:{self.write(node[1])})"

    def _atomic(self, node: Node) -> str:
        return f"(?>{self.write(node[1])})"

    def _look(self, node: Node) -> str:
        _, ahead, negated, body = node
        if not ahead:
            self.needs_regex = True
        return f"(?{'' if ahead else '<'}{'!' if negated else '='}{self.write(body)})"

    def _ignore(self, node: Node) -> str:
        outer = self.ignoring
        self.ignoring = node[1]
        self.ascii_only = True
        text = self.write(node[2])
        self.ignoring = outer
        return f"(?{'' if node[1] else '-'}i:{text})"

    def _repeat(self, node: Node) -> str:
        _, body, low, high, mode = node
        text = self.write(body)
        if body[0] not in ("char", "any", "set", "group", "plain", "atomic"):
            text = f"(?:{text})"
        if self.longest is not None and least_length(node) > self.longest:
            self.is_abridged = True
            return f"(?:(?!){text})"  # with its groups, which have numbers
        if (low, high) == (0, None):
            count = "*"
        elif (low, high) == (1, None):
            count = "+"
        elif (low, high) == (0, 1):
            count = "?"
        elif low == high:
            count = f"{{{low}}}"
        else:
            count = f"{{{low},{'' if high is None else high}}}"
        return f"{text}{count}{mode}"

    def _reference(self, node: Node) -> str:
        numbers: list[int] = node[1]
        if self.ignoring:
            self.ascii_only = True
        return "(?:" + "|".join([f"(?:\\{number})" for number in reversed(numbers)]) + ")"

    def _call(self, node: Node) -> str:
        self.needs_regex = True
        number = node[1][0]
        return f"(?{number})" if number else "(?R)"

    def _condition(self, node: Node) -> str:
        _, place, yes, no = node
        rest = "" if no is None else f"|{self.write(no)}"
        return f"(?({place[0]}){self.write(yes)}{rest})"


def least_length(node: Node) -> int:
    """Return a lower limit of the number of characters that the node matches."""
    kind = node[0]
    if kind in ("char", "any", "set", "linebreak", "grapheme"):
        return 1
    if kind == "seq":
        return sum(map(least_length, node[1]))
    if kind == "alt":
        return min(map(least_length, node[1]))
    if kind in ("group", "ignore"):
        return least_length(node[2])
    if kind in ("plain", "atomic"):
        return least_length(node[1])
    if kind == "repeat":
        return int(least_length(node[1]) * node[2])
    return 0


def cost(node: Node) -> tuple[float, float]:
    """Estimate the steps of a backtracking search: (d, f) stands for f * length ** d."""
    kind = node[0]
    if kind == "seq":
        degree, factor = 0.0, 1.0
        for part in node[1]:
            more, times = cost(part)
            degree += more
            factor *= times
        return degree, factor
    if kind == "alt":
        costs = list(map(cost, node[1]))
        return max(one[0] for one in costs), sum(one[1] for one in costs)
    if kind in ("group", "ignore"):
        return cost(node[2])
    if kind in ("plain", "atomic"):
        return cost(node[1])
    if kind == "look":
        return cost(node[3])
    if kind == "repeat":
        return _repeat_cost(node)
    if kind in ("reference", "call", "condition"):
        return _UNBOUNDED, _UNBOUNDED
    return 0.0, 1.0


def _repeat_cost(node: Node) -> tuple[float, float]:
    _, body, low, high, _ = node
    degree, factor = cost(body)
    if high is not None:
        if degree * high > 20 or factor == _UNBOUNDED or high > 1000:
            return (1.0, 1.0) if _is_deterministic(body) else (_UNBOUNDED, _UNBOUNDED)
        try:
            return degree * high, (high - low + 1) * factor**high
        except OverflowError:
            return _UNBOUNDED, _UNBOUNDED
    if (degree == 0 and factor == 1 and least_length(body)) or _is_deterministic(body):
        return 1.0, 1.0
    return _UNBOUNDED, _UNBOUNDED


def _is_deterministic(body: Node) -> bool:
    """Tell whether a string can be split into repetitions of the body in one way only.

    Every branch has to begin with a character that begins no other branch and that no part of
    variable length can match; or there is one branch that ends with a character that occurs nowhere
    else in it. Only one part may have a variable length.
    """
    while body[0] in ("group", "plain", "atomic"):
        body = body[2] if body[0] == "group" else body[1]
    branches = body[1] if body[0] == "alt" else (body,)
    if len(branches) == 1 and body[0] == "seq" and _ends_apart(body[1]):
        return True
    begins: set[str] = set()
    variable: set[str] = set()
    for branch in branches:
        parts = branch[1] if branch[0] == "seq" else (branch,)
        first = _ascii_members(parts[0]) if parts else None
        if first is None or begins & first:
            return False
        begins |= first
        count = 0
        for part in parts:
            members = _ascii_members(part)
            if members is not None:
                continue
            if part[0] != "repeat":
                return False
            members = _ascii_members(part[1])
            if members is None:
                return False
            count += 1
            variable |= members
        if count > 1:
            return False
    return not begins & variable


def _ends_apart(parts: tuple[Node, ...]) -> bool:
    """Tell whether the last of several parts is a character that no other part can match."""
    last = _ascii_members(parts[-1])
    if last is None:
        return False
    variable = 0
    for part in parts[:-1]:
        is_repeat = part[0] == "repeat"
        members = _ascii_members(part[1] if is_repeat else part)
        if members is None or members & last:
            return False
        variable += is_repeat
    return variable <= 1


def _ascii_members(node: Node) -> set[str] | None:
    """Return the ASCII characters that a node of one character matches; None for other nodes."""
    kind = node[0]
    if kind == "char":
        return {node[1]} if node[1] < "\x80" else None
    if kind == "any":
        return set(map(chr, range(128)))
    if kind != "set":
        return None
    given: Set = node[1]
    if given.parts:
        return None
    found: set[str] = set()
    for item in given.items:
        members = _item_members(item)
        if members is None:
            return None
        found |= members
    return set(map(chr, range(128))) - found if given.negated else found


def _item_members(item: tuple[Any, ...]) -> set[str] | None:
    if item[0] == "range":
        return set(map(chr, range(ord(item[1]), min(ord(item[2]), 127) + 1)))
    if item[0] not in ("ascii", "unicode"):
        return None
    import re

    writer = SetWriter(unicode=False)
    text = writer.write(Set(False, (item,)))
    return set(re.findall(text, "".join(map(chr, range(128))), re.ASCII))
