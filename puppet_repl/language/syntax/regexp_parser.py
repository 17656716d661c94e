"""Reading Ruby (Onigmo) regular expressions into a tree, with Ruby's error texts.

Nodes are tuples whose first item names the kind:

    ("char", c)  ("any", dotall)  ("set", Set)  ("anchor", kind)  ("linebreak",)  ("grapheme",)
    ("seq", nodes)  ("alt", branches)  ("group", number, node)  ("plain", node)  ("atomic", node)
    ("look", ahead, negated, node)  ("ignore", on, node)  ("repeat", node, low, high, mode)
    ("reference", numbers)  ("call", number)  ("condition", number, yes, no)  ("keep",)

Mode of a repeat: "" greedy, "?" lazy, "+" possessive; ``high`` None means no limit.
"""

from __future__ import annotations

from puppet_repl.language.syntax.regexp_classes import (
    CLASS_LETTERS,
    MAX_DEPTH,
    ClassReader,
    Options,
)
from puppet_repl.language.syntax.regexp_measure import (
    always_calls,
    fixed_length,
    has_named_groups,
    is_digits,
    is_name,
    is_unfit_behind,
)
from puppet_repl.language.syntax.regexp_set import Set, class_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Node: TypeAlias = tuple[Any, ...]

_MAX_REPEAT = 100_000
_ANCHORS = {
    "A": "begin",
    "Z": "almost end",
    "z": "end",
    "b": "boundary",
    "B": "no boundary",
    "G": "start",
}


class Parser(ClassReader):
    """Reads one regular expression."""

    def __init__(self, source: str, options: Options) -> None:
        super().__init__(source, options)
        self.initial = options
        self.group_count = 0
        self.names: dict[str, list[int]] = {}
        self.has_names = has_named_groups(source)
        # What Ruby checks after reading, in its order: references, and None for look-behinds.
        self.has_numbers = False
        self.late: list[list[int] | None] = []
        self.open_groups: list[int] = []
        self.bodies: dict[int, Node] = {}
        self.calls_elsewhere = False
        self.calls: list[list[Any]] = []

    def parse(self) -> Node:
        """Read the whole expression."""
        node = self._alternatives()
        if self.at < len(self.source):
            raise self.fail("unmatched close parenthesis")
        if self.has_numbers and self.has_names:
            raise self.fail("numbered backref/call is not allowed. (use name)")
        for reference in self.late:
            if reference is None:
                raise self.fail("invalid pattern in look-behind")
            if not all(0 < number <= self.group_count for number in reference):
                raise self.fail("invalid backref number/name")
        for place in self.calls:
            self._resolve_call(place)
        if any(always_calls(body, number) for number, body in self.bodies.items()):
            raise self.fail("never ending recursion")
        if self.initial.ignore:
            node = ("ignore", True, node)
        return node

    # Structure.

    def _alternatives(self) -> Node:
        """Read branches up to a ``)`` or the end; ``(?i)`` holds up to there, too."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail("too deep nest level over")
        outer = self.options
        branches = [self._sequence()]
        while self.at < len(self.source) and self.source[self.at] == "|":
            self.at += 1
            branches.append(self._sequence())
        self.options = outer
        self.depth -= 1
        return branches[0] if len(branches) == 1 else ("alt", tuple(branches))

    def _sequence(self) -> Node:
        nodes: list[Node] = []
        source = self.source
        while self.at < len(source):
            character = source[self.at]
            if character in "|)":
                break
            if self.options.extended and (character in " \t\n\v\f\r#"):
                self._skip_extended(character)
                continue
            if character in "*+?" or (character == "{" and self._interval() is not None):
                if not nodes:
                    raise self.fail("target of repeat operator is not specified")
                nodes[-1] = self._repeat(nodes[-1])
                continue
            node = self._atom(character)
            if node is not None:
                nodes.append(node)
        return nodes[0] if len(nodes) == 1 else ("seq", tuple(nodes))

    def _skip_extended(self, character: str) -> None:
        if character == "#":
            end = self.source.find("\n", self.at)
            self.at = len(self.source) if end < 0 else end + 1
        else:
            self.at += 1

    def _atom(self, character: str) -> Node | None:
        self.at += 1
        if character == "(":
            return self._group()
        if character == "[":
            return ("set", self._set())
        if character == "\\":
            return self._escape()
        if character == ".":
            return ("any", self.options.dotall)
        if character == "^":
            return ("anchor", "begin of line")
        if character == "$":
            return ("anchor", "end of line")
        return ("char", character)

    def _interval(self) -> tuple[int, int | None, int] | None:
        """Read ``{n}``, ``{n,}``, ``{,m}`` or ``{n,m}``; return None for plain text."""
        end = self.source.find("}", self.at)
        if end < 0:
            return None
        low, comma, high = self.source[self.at + 1 : end].partition(",")
        if not (low or high) or not all(part == "" or is_digits(part) for part in (low, high)):
            return None
        if (low and int(low) > _MAX_REPEAT) or (high and int(high) > _MAX_REPEAT):
            raise self.fail("too big number for repeat range")
        least = int(low) if low else 0
        most = (int(high) if high else None) if comma else least
        if most is not None and least > most:
            raise self.fail("upper is smaller than lower in repeat range")
        return least, most, end + 1

    def _repeat(self, node: Node) -> Node:
        character = self.source[self.at]
        low: int
        high: int | None
        interval = character == "{"
        if interval:
            found = self._interval()
            assert found is not None
            low, high, self.at = found
        else:
            self.at += 1
            low = 1 if character == "+" else 0
            high = 1 if character == "?" else None
        mode = ""
        following = self.source[self.at : self.at + 1]
        if following == "?" and not (interval and low == high):
            mode = "?"
            self.at += 1
        elif following == "+" and not interval:
            mode = "+"
            self.at += 1
        return ("repeat", node, low, high, mode)

    # Groups.

    def _group(self) -> Node | None:
        source = self.source
        if source[self.at : self.at + 1] != "?":
            if self.has_names:
                return ("plain", self._body())
            return self._capture(None)
        self.at += 1
        kind = source[self.at : self.at + 1]
        self.at += 1
        if kind == "":
            raise self.fail("end pattern in group")
        if kind == ":":
            return ("plain", self._body())
        if kind == ">":
            return ("atomic", self._body())
        if kind in "=!":
            return self._look(True, kind == "!")
        if kind == "#":
            self._comment()
            return None
        if kind == "~":
            raise self.unsupported("the absence operator")
        if kind == "(":
            return self._condition()
        if kind == "'" or (kind == "<" and source[self.at : self.at + 1] not in ("=", "!")):
            return self._capture(self._name("'" if kind == "'" else ">"))
        if kind == "<":
            negated = source[self.at] == "!"
            self.at += 1
            return self._look(False, negated)
        self.at -= 1
        return self._switches()

    def _comment(self) -> None:
        while self.at < len(self.source):
            character = self.source[self.at]
            self.at += 2 if character == "\\" else 1
            if character == ")":
                return
        raise self.fail("end pattern in group")

    def _body(self) -> Node:
        node = self._alternatives()
        if self.at >= len(self.source):
            raise self.fail("end pattern with unmatched parenthesis")
        self.at += 1
        return node

    def _capture(self, name: str | None) -> Node:
        self.group_count += 1
        number = self.group_count
        if name is not None:
            self.names.setdefault(name, []).append(number)
        self.open_groups.append(number)
        body = self._body()
        self.open_groups.pop()
        self.bodies[number] = body
        return ("group", number, body)

    def _look(self, ahead: bool, negated: bool) -> Node:
        place = len(self.late)
        node = self._body()
        if not ahead:
            if is_unfit_behind(node, negated):
                self.late.insert(place, None)
            branches = node[1] if node[0] == "alt" else (node,)
            if any(fixed_length(branch) is None for branch in branches):
                self.late.append(None)
        return ("look", ahead, negated, node)

    def _name(self, close: str) -> str:
        end = self.source.find(close, self.at)
        name = self.source[self.at :] if end < 0 else self.source[self.at : end]
        if name == "":
            raise self.fail("group name is empty")
        if end < 0 or not is_name(name):
            raise self.fail(f"invalid group name <{name}>")
        self.at = end + 1
        return name

    def _condition(self) -> Node:
        end = self.source.find(")", self.at)
        if end < 0:
            raise self.fail("invalid conditional pattern")
        text = self.source[self.at : end].strip("<>'")
        self.at = end + 1
        place = self._reference_place(text)
        node = self._body()
        branches: tuple[Node, ...] = node[1] if node[0] == "alt" else (node,)
        if len(branches) > 2:
            raise self.fail("invalid conditional pattern")
        return ("condition", place, branches[0], branches[1] if len(branches) == 2 else None)

    def _switches(self) -> Node | None:
        options = self.options
        ignore, extended = options.ignore, options.extended
        dotall, range_ = options.dotall, options.range
        on = True
        while True:
            letter = self.source[self.at : self.at + 1]
            self.at += 1
            if letter == "":
                raise self.fail("end pattern in group")
            if letter == "-":
                on = False
            elif letter == "i":
                ignore = on
            elif letter == "x":
                extended = on
            elif letter == "m":
                dotall = on
            elif letter in "adu" and on:
                range_ = letter
            elif letter in ":)":
                break
            else:
                raise self.fail("undefined group option")
        self.options = Options(ignore, extended, dotall, range_)
        if letter == ":":
            node = self._body()
            self.options = options
        else:
            node = self._alternatives_of_rest()
        return node if ignore == options.ignore else ("ignore", ignore, node)

    def _alternatives_of_rest(self) -> Node:
        """Read the text after ``(?i)``: it reaches over ``|`` to the end of the group around it."""
        return ("plain", self._alternatives())

    # Escapes.

    def _escape(self) -> Node:
        letter = self.source[self.at : self.at + 1]
        if letter == "":
            raise self.fail("too short escape sequence")
        if letter in CLASS_LETTERS:
            self.at += 1
            return ("set", Set(False, (class_item(letter, self.options.range),)))
        if letter in "pP" and self.source[self.at + 1 : self.at + 2] == "{":
            return ("set", Set(False, (self._property(),)))
        if letter in _ANCHORS:
            self.at += 1
            if letter in "bB" and self.options.range == "a":
                return ("anchor", "ascii boundary" if letter == "b" else "no ascii boundary")
            return ("anchor", _ANCHORS[letter])
        if letter in "RXK":
            self.at += 1
            return ({"R": "linebreak", "X": "grapheme", "K": "keep"}[letter],)
        if letter in "kg" and self.source[self.at + 1 : self.at + 2] in ("<", "'"):
            return self._named_reference(letter)
        if letter in "123456789":
            node = self._numbered_reference()
            if node is not None:
                return node
        characters = self._characters(in_set=False)
        if len(characters) == 1:
            return ("char", characters)
        return ("plain", ("seq", tuple(("char", one) for one in characters)))

    def _named_reference(self, letter: str) -> Node:
        close = ">" if self.source[self.at + 1] == "<" else "'"
        self.at += 2
        end = self.source.find(close, self.at)
        name = self.source[self.at :] if end < 0 else self.source[self.at : end]
        if end < 0 or name == "":
            raise self.fail("group name is empty" if name == "" else f"invalid group name <{name}>")
        self.at = end + 1
        if letter == "k":
            return ("reference", self._reference_place(name))
        place: list[Any] = [name, self.group_count, tuple(self.open_groups)]
        self.calls.append(place)
        return ("call", place)

    def _reference_place(self, name: str) -> list[int]:
        """Return the numbers of the groups that a reference means, to be checked in the end."""
        if name in self.names:
            return list(self.names[name])
        digits = name.lstrip("+-")
        if not is_digits(digits):
            raise self.fail(f"undefined name <{name}> reference")
        number = int(digits)
        if name[0] == "-":
            number = self.group_count + 1 - number
            if number <= 0:
                raise self.fail("invalid backref number/name")
        self.has_numbers = True
        place = [number]
        self.late.append(place)
        return place

    def _numbered_reference(self) -> Node | None:
        end = self.at
        while self.source[end : end + 1].isdigit():
            end += 1
        number = int(self.source[self.at : end])
        if number > 9 and number > self.source.count("("):
            return None
        self.at = end
        return ("reference", self._reference_place(str(number)))

    def _resolve_call(self, place: list[Any]) -> None:
        """Turn the name of a call into the number of a group, in place."""
        name, count, open_groups = place
        if name in self.names:
            number = self.names[name][0]
        else:
            digits = name.lstrip("+-")
            if not is_digits(digits):
                raise self.fail(f"undefined name <{name}> call")
            if self.has_names:
                raise self.fail("numbered backref/call is not allowed. (use name)")
            number = int(digits)
            if name[0] == "-":
                number = count + 1 - number
            elif name[0] == "+":
                number += count
            if not 0 <= number <= self.group_count:
                raise self.fail(f"undefined group <{name}> reference")
        if number not in open_groups:
            self.calls_elsewhere = True
        place[:] = [number]
