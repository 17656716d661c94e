r"""Regular expressions without the ``regex`` package, as in a browser: Python's ``re`` alone.

A class is written as the ranges of its characters, from Python's tables of Unicode; the call of a
group is replaced by its content. The time of a search is not limited. \X, \K, \G,
recursion and scripts such as \p{Greek} are refused.
"""

from __future__ import annotations

import re
from functools import cache

from puppet_repl.language.syntax.regexp_escapes import UnsupportedRegexpError
from puppet_repl.language.syntax.regexp_properties import (
    CATEGORY_NAMES,
    categories,
    complement,
    union,
)
from puppet_repl.language.values.regex_set import ASCII_CLASSES, escape
from puppet_repl.language.values.regex_writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from puppet_repl.language.syntax.regexp_parser import Node
    from puppet_repl.language.syntax.regexp_properties import Ranges
    from puppet_repl.language.syntax.regexp_set import ClassItem, Set

_SPACES: Ranges = [
    *((0x09, 0x0D), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680)),
    *((0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
]
# Characters that Unicode calls alphabetic although they are neither letters nor numbers.
_CIRCLED: Ranges = [(0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189)]
_SIGNS = "$+<=>^`|~"


def compile_plainly(node: Node) -> re.Pattern[str]:
    """Compile a tree for ``re``.

    Raises UnsupportedRegexpError, and the errors of ``re``, which refuses a lookbehind of variable
    width.
    """
    return re.compile(_PlainWriter(node).write(node), re.MULTILINE)


class _PlainWriter(Writer):
    def __init__(self, root: Node) -> None:
        super().__init__(unicode=True)
        self._groups = dict(_groups(root))
        # The numbers of the groups that are being written.
        self._open: list[int] = []
        self._is_copy = False

    def _set(self, node: Node) -> str:
        given: Set = node[1]
        ranges = _members(given)
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
            return escape(chr(ranges[0][0]))
        if not ranges:
            return "(?!)"
        pairs = [(escape(chr(low)), escape(chr(high))) for low, high in ranges]
        return f"[{''.join([f'{low}-{high}' for low, high in pairs])}]"

    def _anchor(self, node: Node) -> str:
        if node[1] == "start":
            raise _lacking("\\G")
        return super()._anchor(node)

    def _look(self, node: Node) -> str:
        _, ahead, negated, body = node
        if ahead or body[0] != "alt":
            return super()._look(node)
        # Here every branch has a length of its own.
        looks = [super(_PlainWriter, self)._look((*node[:3], branch)) for branch in body[1]]
        return "".join(looks) if negated else f"(?:{'|'.join(looks)})"

    def _grapheme(self, _node: Node) -> str:
        raise _lacking("\\X")

    def _keep(self, _node: Node) -> str:
        raise _lacking("\\K")

    def _group(self, node: Node) -> str:
        self._open.append(node[1])
        text = self.write(node[2])
        self._open.pop()
        return f"(?:{text})" if self._is_copy else f"({text})"

    def _call(self, node: Node) -> str:
        number = node[1][0]
        if number in (0, *self._open):
            raise _lacking("recursion")
        outer = self._is_copy
        self._is_copy = True
        text = self._group(self._groups[number])
        self._is_copy = outer
        return text


def _groups(node: Node) -> Iterator[tuple[int, Node]]:
    """Yield the groups in a tree by their numbers."""
    if node[0] == "group":
        yield node[1], node
    for part in node[1:]:
        if type(part) is tuple and part:
            for inner in (part,) if type(part[0]) is str else part:
                if type(inner) is tuple:
                    yield from _groups(inner)


def _lacking(what: str) -> UnsupportedRegexpError:
    return UnsupportedRegexpError(
        f"{what} in a regular expression needs the Python package regex, which is missing here"
    )


def _members(given: Set) -> Ranges:
    """Return the characters of a class."""
    if given.parts:
        outside = union([complement(_members(part)) for part in given.parts])
        found = complement(outside)
    else:
        found = union([_of_item(item) for item in given.items])
    return complement(found) if given.negated else found


def _of_item(item: ClassItem) -> Ranges:
    if item[0] == "range":
        return [(ord(item[1]), ord(item[2]))]
    if item[0] == "set":
        return _members(item[1])
    kind, name, negated = item
    if kind == "ascii":
        found = _ascii(name)
    elif kind == "unicode":
        found = _unicode(name)
    else:
        found = _property(name)
    return complement(found) if negated else found


@cache
def _ascii(name: str) -> Ranges:
    text = "".join(map(chr, range(128)))
    return union(
        [[(ord(each), ord(each))] for each in re.findall(f"[{ASCII_CLASSES[name]}]", text)]
    )


@cache
def _unicode(name: str) -> Ranges:
    """Return the characters of a POSIX bracket; its names are also those of properties."""
    if name in ("h", "xdigit", "ascii"):
        return _ascii(name)
    if name == "any":
        return complement([])
    if name in ("s", "space"):
        return _SPACES
    if name == "lower":
        return union([categories("Ll"), _cased(str.islower)])
    if name == "upper":
        return union([categories("Lu"), _cased(str.isupper)])
    if name in ("graph", "print"):
        unseen = union([_SPACES, *map(categories, ("Cc", "Cs", "Cn"))])
        return union([complement(unseen), *([categories("Zs")] if name == "print" else [])])
    if name == "punct":
        return union([categories("P"), [(ord(each), ord(each)) for each in _SIGNS]])
    if name == "blank":
        return union([categories("Zs"), [(9, 9)]])
    if name == "cntrl":
        return categories("Cc")
    if name in ("d", "digit"):
        return categories("Nd")
    alphabetic = union([categories("L"), categories("Nl"), _CIRCLED])
    if name == "alpha":
        return alphabetic
    if name == "alnum":
        return union([alphabetic, categories("Nd")])
    return union([alphabetic, *map(categories, ("M", "Nd", "Pc"))])


def _cased(is_cased: Callable[[str], bool]) -> Ranges:
    """Return the upper or lower case characters of the categories that are not cased letters."""
    found = union([categories(each) for each in ("Lm", "Lo", "Nl", "So", "Mn")])
    chosen = [code for low, high in found for code in range(low, high + 1) if is_cased(chr(code))]
    return union([[(code, code)] for code in chosen])


@cache
def _property(name: str) -> Ranges:
    plain = CATEGORY_NAMES.get(name.lower().replace("_", "").replace(" ", "").replace("-", ""))
    if plain is None:
        raise _lacking(f"\\p{{{name}}}")
    return union(map(categories, plain.split()))
