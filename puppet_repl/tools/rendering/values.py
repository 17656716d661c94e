"""Values as Puppet program text, coloured, laid out to a width, and cut where they are long.

What fits on a line is written on one; a longer array or hash has one line for each item, with the
arrows aligned, as the style guide says. Only what is shown is measured, so a value of a million
items costs no more than its first ones.
"""

from __future__ import annotations

from itertools import islice

from puppet_repl.base.float_text import code_float
from puppet_repl.base.safe_text import is_visible
from puppet_repl.base.wording import counted
from puppet_repl.language.values.default import Default
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Holder, Pattern, PuppetValue
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.tools.rendering.fragments import Fragment, ansi, plain, shown
from puppet_repl.tools.rendering.width import ELLIPSIS, crop, display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias, TypeGuard

    from puppet_repl.language.values.protocols import Value

    Container: TypeAlias = tuple[Value, ...] | PuppetHash

DEFAULT_WIDTH = 100
# The width of a pipe or a file: nothing is cut for it.
NO_WIDTH = 1 << 30
# Limits of a shortened value: items of an array or hash, characters of a string, depth, lines.
MAX_ITEMS = 50
MAX_CHARACTERS = 1000
MAX_DEPTH = 8
MAX_LINES = 60
# Deeper values are written on one line: there would only be indentation.
MAX_LAYOUT_DEPTH = 40
INDENT = "  "
FULL_HINT = ":show shows everything"
# Elements of an iterator that is shown; a longer one keeps Puppet's text.
MAX_OPENED = 100_000


class Layout:
    """How to lay out a value; ``shortened`` is set when something is left out.

    Strings are written with what the ``encoding`` has, where one is given.
    """

    __slots__ = ("encoding", "full", "items", "max_lines", "shortened", "width")

    def __init__(
        self, width: int, *, full: bool, max_lines: int = MAX_LINES, encoding: str | None = None
    ) -> None:
        self.width = width
        self.encoding = encoding
        self.full = full
        self.max_lines = max_lines
        self.shortened = False
        # Items that have a line of their own so far.
        self.items = 0

    def is_complete(self) -> bool:
        """Tell whether there are more lines than are shown, and count one more otherwise."""
        if self.full:
            return False
        self.items += 1
        self.shortened = self.shortened or self.items > self.max_lines + 4
        return self.items > self.max_lines + 4


def render_value(
    value: Value, width: int = DEFAULT_WIDTH, *, full: bool = True, max_lines: int = MAX_LINES
) -> list[Fragment]:
    """Render a value as Puppet program text, without a final line end.

    Without ``full``, long arrays, hashes and strings and deep nesting are cut, marked with an
    ellipsis, and a last line says how to see all of it; the result is about ``max_lines`` long.
    An iterator is shown as its elements, a collector as what it has found.
    """
    value = opened(value)
    if full:
        check_extent(value)
    layout = Layout(width, full=full, max_lines=max_lines)
    if type(value) is str and "\n" in value and _suits_heredoc(value, width):
        fragments = _heredoc(value, layout)
    else:
        fragments = _laid_out(value, layout, width, 0)
    if not full:
        fragments = _cut_lines(fragments, layout)
        if layout.shortened:
            fragments.append(("dim", f"\n{_size(value)}{FULL_HINT}"))
    return fragments


def value_text(value: Value, *, color: bool = False, encoding: str | None = None) -> str:
    """Return a value for standard output: with colour and layout, or on one line.

    Strings on that line are written with the characters of the ``encoding``.
    """
    if not color:
        return plain(whole_text(opened(value), encoding))
    from shutil import get_terminal_size

    return ansi(render_value(value, get_terminal_size((DEFAULT_WIDTH, 24)).columns))


def short_text(value: Value, width: int) -> list[Fragment]:
    """Render a value on one line of at most ``width`` cells."""
    layout = Layout(width, full=False)
    fragments: list[Fragment] = []
    left = width
    for style, text in shown(_flat(value, layout, width)):
        size = display_width(text)
        if size > left:
            fragments.append((style, crop(text, left) if left else ELLIPSIS))
            break
        fragments.append((style, text))
        left -= size
    return fragments


def whole_text(value: Value, encoding: str | None = None) -> list[Fragment]:
    """Render a value on one line, without leaving anything out; see ``value_text``."""
    check_extent(value)
    return _flat(value, Layout(0, full=True, encoding=encoding), None)


def _quoted(text: str, encoding: str | None = None) -> str:
    from puppet_repl.language.values.quote import source_quote

    return source_quote(text, encoding)


def _is_container(value: Value) -> TypeGuard[Container]:
    return type(value) is tuple or type(value) is PuppetHash


def _leaf(value: Value, layout: Layout) -> Fragment:
    """Return the fragment of a value without parts: anything but an array or a hash."""
    if type(value) is str:
        if not layout.full and len(value) > MAX_CHARACTERS:
            layout.shortened = True
            return ("string", _quoted(value[:MAX_CHARACTERS]) + ELLIPSIS)
        return ("string", _quoted(value, layout.encoding))
    if type(value) is int:
        return ("number", int.__repr__(value))
    if value is None:
        return ("keyword", "undef")
    if type(value) is bool:
        return ("keyword", "true" if value else "false")
    if type(value) is float:
        # Puppet reads no plus sign in an exponent.
        return ("number", code_float(value))
    if type(value) is Default:
        return ("keyword", "default")
    if type(value) is Sensitive:
        return ("dim", value.puppet_text())
    return _other(value)


def _other(value: Value) -> Fragment:
    """Return the fragment of a value of a rarer type, written so that its type is visible."""
    if not isinstance(value, PuppetValue):
        return ("type", str(value))
    text = value.puppet_text()
    if isinstance(value, Pattern):
        return ("regex", text)
    if text.startswith(value.data_type):
        return ("type", text)
    return ("type", f"{value.data_type}({_quoted(text)})")


def _flat(value: Value, layout: Layout, room: int | None) -> list[Fragment]:
    """Render a value on one line, up to about ``room`` cells. Iterative: values may be deep."""
    fragments: list[Fragment] = []
    used = 0
    pending: list[Fragment | _Item] = [_Item(value)]
    while pending:
        entry = pending.pop()
        if isinstance(entry, _Item):
            if _is_container(entry.value):
                pending.extend(reversed(_opened(entry.value, entry.depth, layout)))
                continue
            entry = _leaf(entry.value, layout)
        fragments.append(entry)
        used += len(entry[1])
        if room is not None and used > room:
            break
    return fragments


class _Item:
    """A value that is still to be written, and its depth."""

    __slots__ = ("depth", "value")

    def __init__(self, value: Value, depth: int = 0) -> None:
        self.value = value
        self.depth = depth


def _opened(value: Container, depth: int, layout: Layout) -> list[Fragment | _Item]:
    """Return the pieces of an array or a hash, fragments and items, in order."""
    opening, closing = ("{", "}") if type(value) is PuppetHash else ("[", "]")
    if not len(value):
        return [("punctuation", opening + closing)]
    if not layout.full and depth >= MAX_DEPTH:
        layout.shortened = True
        return [("punctuation", opening), ("dim", ELLIPSIS), ("punctuation", closing)]
    pieces: list[Fragment | _Item] = [("punctuation", opening)]
    depth += 1
    separator = ("punctuation", ", ")
    if isinstance(value, PuppetHash):
        for key, entry in _shown(value, layout):
            pieces += [_Item(key, depth), ("operator", " => "), _Item(entry, depth), separator]
    else:
        for entry in _shown(value, layout):
            pieces += [_Item(entry, depth), separator]
    pieces.pop()
    left = _left_out(value, layout)
    if left:
        pieces += [("punctuation", ", "), ("dim", f"{ELLIPSIS} {left} more")]
    pieces.append(("punctuation", closing))
    return pieces


def _shown(items: Container, layout: Layout) -> Iterable[Any]:
    """Return the items of an array that are shown, or the keys and values of a hash."""
    found = items.items() if isinstance(items, PuppetHash) else items
    return islice(found, len(items) - _left_out(items, layout))


def _left_out(value: Container, layout: Layout) -> int:
    """Return how many items are not shown; a single one takes no more room than to say so."""
    left = 0 if layout.full else len(value) - _max_items(layout)
    if left <= 1:
        return 0
    layout.shortened = True
    return left


def _fits(value: Container, layout: Layout, room: int) -> list[Fragment] | None:
    """Render a value on one line; None if that takes more than ``room`` cells, or cuts it."""
    if 3 * len(value) > room:
        return None
    before = layout.shortened
    fragments = _flat(value, layout, room)
    # _flat stops at a number of characters, whatever their width.
    is_whole = sum([len(text) for _, text in fragments]) <= room
    is_cut = layout.shortened and not before
    if is_whole and not is_cut and sum([display_width(text) for _, text in fragments]) <= room:
        return fragments
    layout.shortened = before
    return None


def _laid_out(value: Value, layout: Layout, room: int, depth: int) -> list[Fragment]:
    """Render a value on as many lines as it needs; ``room`` is what the first line has left."""
    if not _is_container(value):
        return [_leaf(value, layout)]
    if not len(value):
        return [("punctuation", "{}" if type(value) is PuppetHash else "[]")]
    if not layout.full and depth >= MAX_DEPTH:
        return _flat(_DeepMark.of(value, layout), layout, None)
    fragments = _fits(value, layout, room)
    if fragments is not None:
        return fragments
    if depth >= MAX_LAYOUT_DEPTH:
        return _flat(value, layout, None)
    if isinstance(value, PuppetHash):
        return _hash_lines(value, layout, depth)
    return _array_lines(value, layout, depth)


class _DeepMark(PuppetValue):
    """A placeholder for a value that is nested too deeply."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def puppet_text(self) -> str:
        """Return brackets with an ellipsis."""
        return self.text

    @classmethod
    def of(cls, value: Container, layout: Layout) -> _DeepMark:
        layout.shortened = True
        return cls("{…}" if type(value) is PuppetHash else "[…]")


def _array_lines(value: tuple[Value, ...], layout: Layout, depth: int) -> list[Fragment]:
    margin = INDENT * (depth + 1)
    room = layout.width - len(margin) - 1
    fragments: list[Fragment] = [("punctuation", "[\n")]
    before = layout.shortened
    shown = list(_shown(value, layout))
    count = len(shown)
    if all(type(item) in (int, float, bool) for item in shown):
        layout.shortened = before  # there is room for more numbers
        rows, count = _filled(value, layout, margin)
        fragments += rows
    else:
        for item in shown:
            if layout.is_complete():
                break
            fragments.append(("", margin))
            fragments += _laid_out(item, layout, room, depth + 1)
            fragments.append(("punctuation", ",\n"))
    return _closed(fragments, len(value) - count, layout, depth, "]")


def _filled(items: Iterable[Value], layout: Layout, margin: str) -> tuple[list[Fragment], int]:
    """Render numbers, as many on a line as there is room for; return how many, too.

    They end at the first value that is none, and where there are lines enough.
    """
    fragments: list[Fragment] = []
    column = rows = count = 0
    for item in items:
        if type(item) not in (int, float, bool):
            break
        leaf = _leaf(item, layout)
        if count and column + len(leaf[1]) + len(", ,") <= layout.width:
            fragments.append(("punctuation", ", "))
            column += 2
        else:
            rows += 1
            if layout.is_complete() or (not layout.full and rows > _max_items(layout)):
                break
            fragments += [("punctuation", ",\n")] if count else []
            fragments.append(("", margin))
            column = len(margin)
        fragments.append(leaf)
        column += len(leaf[1])
        count += 1
    if count:
        fragments.append(("punctuation", ",\n"))
    return fragments, count


def _hash_lines(value: PuppetHash, layout: Layout, depth: int) -> list[Fragment]:
    margin = INDENT * (depth + 1)
    fragments: list[Fragment] = [("punctuation", "{\n")]
    rows = []
    for key, item in _shown(value, layout):
        key_text = _flat(key, layout, None)
        rows.append((key_text, sum([display_width(text) for _, text in key_text]), item))
    # A single very long key does not move all arrows.
    column = max([size for _, size, _ in rows if size <= layout.width // 3], default=0)
    for key_text, size, item in rows:
        if layout.is_complete():
            break
        fragments.append(("", margin))
        fragments += key_text
        blanks = " " * max(column - size, 0)
        fragments.append(("operator", f"{blanks} => "))
        room = layout.width - len(margin) - max(size, column) - 5
        fragments += _laid_out(item, layout, room, depth + 1)
        fragments.append(("punctuation", ",\n"))
    return _closed(fragments, _left_out(value, layout), layout, depth, "}")


def _closed(
    fragments: list[Fragment], left: int, layout: Layout, depth: int, bracket: str
) -> list[Fragment]:
    if left:
        layout.shortened = True
        fragments.append(("dim", f"{INDENT * (depth + 1)}{ELLIPSIS} {left} more\n"))
    fragments.append(("punctuation", INDENT * depth + bracket))
    return fragments


def _suits_heredoc(text: str, width: int) -> bool:
    """Tell whether a string reads better as a heredoc: several lines, nothing to escape."""
    if text.count("\n") < 2 and len(text) < width - 4:
        return False
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return all(is_visible(line) for line in lines) and not any(
        line.strip() in ("END", "| END", "|- END") for line in lines
    )


def _heredoc(text: str, layout: Layout) -> list[Fragment]:
    ends = text.endswith("\n")
    rows = (text[:-1] if ends else text).split("\n")
    hidden = 0
    if not layout.full and len(rows) > layout.max_lines:
        hidden = len(rows) - layout.max_lines
        rows = rows[: layout.max_lines]
        layout.shortened = True
    body = "\n".join([f"  {row}" if row else "" for row in rows])
    fragments: list[Fragment] = [("punctuation", "@(END)\n"), ("string", body)]
    if hidden:
        fragments.append(("dim", f"\n  {ELLIPSIS} {hidden} more lines"))
    fragments.append(("punctuation", "\n  | END" if ends else "\n  |- END"))
    return fragments


def _cut_lines(fragments: list[Fragment], layout: Layout) -> list[Fragment]:
    """Cut fragments to about as many lines as the layout may have."""
    count = 0
    for index, (style, text) in enumerate(fragments):
        breaks = text.count("\n")
        if count + breaks >= layout.max_lines + 4:
            layout.shortened = True
            return [*fragments[:index], (style, text.split("\n")[0]), ("dim", f"\n{ELLIPSIS}")]
        count += breaks
    return fragments


def _max_items(layout: Layout) -> int:
    return min(MAX_ITEMS, layout.max_lines)


def _size(value: Value) -> str:
    if _is_container(value):
        one, many = ("item", "items") if type(value) is tuple else ("entry", "entries")
        return f"{counted(len(value), one, many)}, "
    if type(value) is str:
        return f"{counted(len(value), 'character')}, "
    return ""


def opened(value: Value) -> Value:
    """Return the elements of an iterator, or what a collector has found, as an array.

    Puppet's own texts for them (``Iterator[Integer]-Value``) tell nothing of what they hold; only
    what is shown is opened, strings that code makes are those of Puppet. Any other value is
    returned itself, and so is an iterator of more than MAX_OPENED elements. Iterators stay where
    they are.
    """
    if not isinstance(value, Holder):
        return value
    found = value.held(MAX_OPENED)
    return value if found is None else found
