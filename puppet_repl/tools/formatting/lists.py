"""Lists: arrays, hashes, selectors, arguments, parameters, and the bodies of resources.

All items are on one line, or each has a line of its own; of calls, accesses and arrays the last
item may hug the brackets.
"""

from __future__ import annotations

from puppet_repl.tools.formatting.alignment import Table
from puppet_repl.tools.formatting.document import (
    Blank,
    Cat,
    Group,
    Hard,
    Hug,
    IfBroken,
    Indent,
    Line,
    Mark,
    Opened,
    Start,
    Suffix,
    Verbatim,
    flat_of,
    head_of,
    is_flat,
)
from puppet_repl.tools.formatting.items import read_items
from puppet_repl.tools.formatting.structure import Bracket, first_atom, index_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.tools.formatting.atoms import Comment
    from puppet_repl.tools.formatting.document import Doc
    from puppet_repl.tools.formatting.items import Item, Items
    from puppet_repl.tools.formatting.printer import Printer
    from puppet_repl.tools.formatting.structure import Element

_PADDED = frozenset(("hash", "selector", "attributes"))
_OPEN = frozenset(("hash", "selector", "attributes", "list", "call", "access", "method"))
_HUGGED = frozenset(("list", "call", "access", "method"))
ARROWS = frozenset(("=>", "+>"))
_MAX_TYPE = 60
"""A type of a parameter that is wider has no column."""


def listing(printer: Printer, bracket: Bracket) -> Doc:
    """Return a bracket with items: all on one line, one a line, or hugging the last."""
    role = bracket.role
    opener, closer = bracket.opener.text, bracket.closer.text
    items = read_items(bracket.children, bracket.closer, printer.text)
    if not items.found and not items.commented:
        return opener + closer
    docs = parameters(printer, items) if role == "parameters" else rows(printer, items)
    blank = " " if role in _PADDED else ""
    parts = in_rows(items, docs, blank, "," if bracket.has_comma else "")
    parts += comments_above(items.above_end)
    form = Cat([opener, Indent(Cat(parts)), Line(blank), closer])
    if items.commented or (bracket.is_broken and bracket.children):
        return Group(form, broken=True)
    return _hugging(bracket, items.found, docs, form) or Group(form)


def in_rows(items: Items, docs: list[Doc], blank: str, comma: str) -> list[Doc]:
    """Return items with separators; before each is a break, which is ``blank`` on one line."""
    parts: list[Doc] = [*map(Suffix, items.opening), Opened()]
    last = len(docs) - 1
    for number, (item, doc) in enumerate(zip(items.found, docs, strict=True)):
        space = Line(" " if number else blank)
        for each, comment in enumerate(item.above):
            if (number or each) and (comment.blank if each else item.blank):
                parts.append(Blank())
            parts += [space, Start(), comment.text]
        if item.is_apart and (number or item.above):
            parts.append(Blank())
        parts += [space, doc]
        if item.verbatim is None:
            parts.append("," if number < last else IfBroken(comma))
        parts += map(Suffix, item.behind)
    return parts


def comments_above(comments: list[Comment]) -> list[Doc]:
    """Return comments on lines of their own."""
    parts: list[Doc] = []
    for comment in comments:
        parts += [Hard(blank=comment.blank), Start(), comment.text]
    return parts


def _hugging(bracket: Bracket, items: list[Item], docs: list[Doc], form: Cat) -> Doc | None:
    """Return the list with its last item on the lines of the brackets; None if it cannot."""
    if bracket.role not in _HUGGED:
        return None
    last = items[-1].elements[-1] if items[-1].elements else None
    is_open = isinstance(last, Bracket) and last.role in _OPEN
    if not is_open and not (len(items) == 1 and not is_flat(docs[-1])):
        return None
    if isinstance(docs[-1], str) or not docs[-1].stops:
        return None  # nothing in it can break
    if not all(map(is_flat, docs[:-1])):
        return None
    parts: list[Doc] = [bracket.opener.text]
    for doc in docs[:-1]:
        parts += [doc, ", "]
    parts += [docs[-1], bracket.closer.text]
    width = sum(map(flat_of, parts[:-2])) + head_of(docs[-1])
    return Hug(Cat(parts), form, width)


def rows(printer: Printer, items: Items) -> list[Doc]:
    """Return the documents of items; their arrows are in a column."""
    table = Table()
    return [_row(printer, item, table) for item in items.found]


def _row(printer: Printer, item: Item, table: Table) -> Doc:
    """Return an item; the arrow of one is in a column."""
    if item.verbatim is not None:
        return Verbatim(item.verbatim)
    elements = item.elements
    at = index_of(elements, ARROWS)
    if at == len(elements):
        return Cat([Start(), printer.sequence(elements)])
    key = printer.sequence(elements[:at])
    arrow = first_atom(elements[at])
    value = first_atom(elements[at + 1])
    comments = map(Suffix, (*arrow.claim(), *value.claim()))
    is_deeper = value.breaks
    content = printer.sequence(elements[at + 1 :])
    head: list[Doc] = [Start(table), key, " ", Mark(table), arrow.text, *comments]
    if is_deeper:
        return Cat([*head, Indent(Cat([Hard(), content]))])
    return Cat([*head, " ", content])


def parameters(printer: Printer, items: Items) -> list[Doc]:
    """Return parameters, their names in one column and their values in another."""
    split: list[tuple[Doc | None, Sequence[Element]]] = []
    wide = False
    for item in items.found:
        elements = item.elements
        if item.verbatim is not None:
            split.append((None, []))
            continue
        at = index_of(elements, ("VARIABLE",))
        at -= at > 0 and first_atom(elements[at - 1]).kind == "*"
        split.append((printer.sequence(elements[:at]) if at else None, elements[at:]))
        wide = wide or _width(elements[:at]) > _MAX_TYPE
    table = None if wide else Table()
    typed = any(kind is not None for kind, _ in split)
    return [
        _parameter(printer, kind, rest, table, typed=typed)
        if item.verbatim is None
        else Verbatim(item.verbatim)
        for item, (kind, rest) in zip(items.found, split, strict=True)
    ]


def _parameter(
    printer: Printer,
    kind: Doc | None,
    rest: Sequence[Element],
    table: Table | None,
    *,
    typed: bool,
) -> Doc:
    parts: list[Doc] = [Start(table)]
    if kind is not None:
        parts += [kind, *map(Suffix, first_atom(rest[0]).claim()), " "]
    if typed and table is not None:
        parts.append(Mark(table, 0))
    end = index_of(rest, ("=",))
    parts.append(printer.sequence(rest[:end]))
    if end < len(rest):
        sign, value = first_atom(rest[end]), first_atom(rest[end + 1])
        comments = map(Suffix, (*sign.claim(), *value.claim()))
        is_deeper = sign.breaks or value.breaks
        parts += [" ", *([] if table is None else [Mark(table, 1)]), "=", *comments]
        doc = printer.sequence(rest[end + 1 :])
        parts += [Indent(Cat([Hard(), doc]))] if is_deeper else [" ", doc]
    return Cat(parts)


def _width(elements: Sequence[Element]) -> int:
    """Return how wide a type would be on one line, wherever its lines break now."""
    width = 0
    for number, element in enumerate(elements):
        if isinstance(element, Bracket):
            width += 2 + 2 * (element.role in _PADDED) + _width(element.children)
        elif element.kind == ",":
            width += 2 if number + 1 < len(elements) else 0
        else:
            width += len(element.text) + 2 * (element.kind in ARROWS)
    return width


def resource(printer: Printer, bracket: Bracket) -> Doc:
    """Return the braces of a resource with its bodies."""
    bodies = read_items(bracket.children, bracket.closer, printer.text, separator=";")
    if len(bodies.found) == 1:
        return _one_body(printer, bracket, bodies)
    table = Table()
    docs = [_body(printer, body, table) for body in bodies.found]
    parts = printer.lines(bodies, docs)
    return Group(Cat(["{", Indent(Cat(parts)), Hard(), "}"]), broken=True)


def _title(printer: Printer, elements: Sequence[Element]) -> tuple[Doc, int]:
    """Return a title with its colon, and how many elements it has."""
    at = index_of(elements, (":",))
    doc = printer.sequence(elements[:at])
    if at == 1 and isinstance(elements[0], Bracket):
        doc = Indent(doc)
    return Cat([doc, *map(Suffix, first_atom(elements[at]).claim()), ":"]), at + 1


def _attributes(
    printer: Printer, elements: Sequence[Element], comma: str = ""
) -> tuple[list[Doc], int, bool]:
    """Return attributes with the breaks before them, how many they are, and whether they break."""
    items = read_items(elements, None, printer.text)
    found = items.found
    parts = in_rows(items, rows(printer, items), " ", comma)
    broken = len(found) > 1 or (
        bool(found) and (items.commented or first_atom(found[0].elements[0]).breaks)
    )
    return parts, len(found), broken


def _one_body(printer: Printer, bracket: Bracket, bodies: Items) -> Doc:
    (body,) = bodies.found
    title, end = _title(printer, body.elements)
    parts, count, broken = _attributes(printer, body.elements[end:], ",")
    opening = [
        *map(Suffix, bodies.opening),
        *(Suffix(comment, is_above=True) for comment in body.above),
    ]
    if not count and not bodies.above_end and not bracket.closer.breaks:
        return Cat(["{", *opening, *map(Suffix, body.behind), " ", title, " }"])
    behind = map(Suffix, body.behind)
    # Without attributes they are after the colon, so on the line of the bracket.
    parts = [*parts, *behind] if count else [*behind, *parts]
    parts += comments_above(bodies.above_end)
    broken = broken or bool(bodies.above_end or body.behind or not count)
    broken = broken or first_atom(body.elements[0]).breaks
    head = ["{", *opening, " ", title]
    return Group(Cat([*head, Indent(Cat(parts)), Line(), "}"]), broken=broken)


def _body(printer: Printer, body: Item, table: Table) -> Doc:
    """Return one body of several; attributes beside their titles are in a column."""
    title, end = _title(printer, body.elements)
    parts, count, broken = _attributes(printer, body.elements[end:])
    mark = [Mark(table, is_flat=True)] if count else []
    return Group(Cat([Start(table), title, *mark, Indent(Cat(parts)), ";"]), broken=broken)
