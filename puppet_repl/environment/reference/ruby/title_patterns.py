"""Title patterns of resource types, read from Ruby without running it.

Only a literal array can be read: regular expressions, names of attributes, and lambdas that return
their argument. Any other method needs Ruby.
"""

from __future__ import annotations

from puppet_repl.catalog.resource_types import TitlePattern
from puppet_repl.environment.reference.ruby.literals import literal_text, pairs_of, source_of
from puppet_repl.language.values.regex import EXTENDED, IGNORECASE, MULTILINE, Regexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.reference.ruby.nodes import Node

    Patterns = tuple[TitlePattern, ...] | None

_FLAGS = {"i": IGNORECASE, "x": EXTENDED, "m": MULTILINE}


def read_title_patterns(method: Node, text: str) -> Patterns:
    """Return the patterns that a method returns; None if they cannot be read."""
    *before, result = method.parts or [method]
    if source_of(result, text).startswith("return") and result.parts:
        result = result.parts[0]
    same = set()
    for node in before:
        if node.kind != "assign" or not _returns_argument(node.parts[1], text):
            return None
        same.add(source_of(node.parts[0], text))
    if result.kind != "array":
        return None
    patterns = [_pattern(each, text, same) for each in result.parts]
    known = tuple([each for each in patterns if each is not None])
    return known if known and len(known) == len(patterns) else None


def read_named_patterns(node: Node | None, text: str) -> Patterns:
    """Return the patterns of the Resource API: named groups give values to attributes."""
    found = []
    for each in node.parts if node is not None else ():
        patterns = [value for key, value in pairs_of(each) if literal_text(key, text) == "pattern"]
        regexp = _regexp(patterns[0], text) if patterns else None
        if regexp is None:
            return None
        found.append(TitlePattern(regexp, tuple(regexp.group_names)))
    return tuple(found) or None


def first_parameter(block: Node, text: str) -> str:
    """Return the name of the first parameter of a block."""
    return text[block.start : block.end].partition("|")[2].partition("|")[0].split(",")[0].strip()


def _pattern(node: Node, text: str, same: set[str]) -> TitlePattern | None:
    """Return ``[regexp, [[attribute], [attribute, lambda]]]`` as a pattern."""
    if node.kind != "array" or len(node.parts) != 2:
        return None
    regexp = _regexp(node.parts[0], text)
    names = []
    for each in node.parts[1].parts:
        attribute, *process = each.parts or [each]
        name = literal_text(attribute, text)
        if name is None or not all(
            source_of(one, text) in same or _returns_argument(one, text) for one in process
        ):
            return None
        names.append(name)
    return None if regexp is None or not names else TitlePattern(regexp, tuple(names))


def _returns_argument(node: Node, text: str) -> bool:
    """Tell whether a node is a lambda that returns its argument."""
    block = node.block
    if block is None:  # ->(x) { x }
        block = next((part for part in node.parts if part.kind == "block"), None)
    if block is None or len(block.parts) != 1:
        return False
    is_arrow = text.startswith("->", node.start)
    head = text[node.start + 2 : block.start].strip("() ")
    parameter = head if is_arrow else first_parameter(block, text)
    return source_of(block.parts[0], text) == parameter


def _regexp(node: Node, text: str) -> Regexp | None:
    """Return the regular expression of a literal; None if Ruby puts values into it."""
    token = node.token
    if node.kind != "literal" or token is None or token.kind != "regexp" or "#{" in token.text:
        return None
    body = token.text.rstrip("abcdefghijklmnopqrstuvwxyz")
    source = body[3 if body.startswith("%r") else 1 : -1].replace("\\/", "/")
    return Regexp(source, sum({_FLAGS.get(flag, 0) for flag in token.text[len(body) :]}))
