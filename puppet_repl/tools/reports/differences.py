"""The difference of two catalogs as styled text: ``+`` added, ``-`` removed, ``~`` changed."""

from __future__ import annotations

from puppet_repl.base.safe_text import visible
from puppet_repl.base.wording import counted
from puppet_repl.catalog.content import Secret
from puppet_repl.catalog.content_text import value_lines, value_text
from puppet_repl.catalog.difference import ABSENT, EXPORTED, TAGS
from puppet_repl.catalog.difference_choice import parts_of_reference
from puppet_repl.language.values.quote import source_quote
from puppet_repl.tools.rendering.fragments import Fragment, joined
from puppet_repl.tools.rendering.width import cells, crop, expand_tabs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.catalog.content import Json, Relationship, ResourceContent
    from puppet_repl.catalog.difference import AttributeChange, Difference, ResourceChange

STYLES = {"+": "ok", "-": "bad", "~": "warning", "@": "dim"}
ARROWS = {"before": "->", "notify": "~>", "contains": "contains"}
SECRET_CHANGED = "the Sensitive value is another one"
SECRET_INSIDE = "a Sensitive value in it is another one"
MIN_WIDTH = 40
# Wider arrays and hashes have a line for each item where lines may be as wide as they are.
LAYOUT_WIDTH = 80
# Of longer values that differ, what they have in common is cut to so many characters.
MAX_SHOWN = 200
_KEPT = 30


def render_difference(difference: Difference, width: int | None) -> list[Fragment]:
    """Render a difference on lines of at most ``width`` cells, without a final line end.

    Without a width no line is broken; arrays and hashes wider than usual have a line for each item.
    """
    lines = [("bad", f"--- {visible(difference.from_name)}")]
    lines.append(("ok", f"+++ {visible(difference.to_name)}"))
    if width is not None:
        width = max(width, MIN_WIDTH)
        lines = [(style, crop(text, width)) for style, text in lines]
    lines += _change_lines(difference, width)
    lines += _wrapped(summary(difference), width, "dim", indent="")
    return joined([line] for line in lines)


def render_changes(difference: Difference, width: int | None) -> list[Fragment]:
    """Render what is in a difference, without the names of the catalogs and without a summary."""
    width = None if width is None else max(width, MIN_WIDTH)
    return joined([line] for line in _change_lines(difference, width))


def _change_lines(difference: Difference, width: int | None) -> list[Fragment]:
    lines: list[Fragment] = []
    for resource in difference.removed:
        lines += _whole(resource, "-", width)
    for resource in difference.added:
        lines += _whole(resource, "+", width)
    for change in difference.changed:
        lines += _changed(change, width)
    for sign, relationship in difference.relationships():
        lines += _wrapped(f"{sign} {relationship_text(relationship)}", width, STYLES[sign])
    return lines


def summary(difference: Difference) -> str:
    """Return how much differs, in one sentence."""
    if difference.is_empty:
        text = "no difference"
    else:
        resources = [
            f"{len(items)} {verb}"
            for items, verb in (
                (difference.added, "added"),
                (difference.removed, "removed"),
                (difference.changed, "changed"),
            )
            if items
        ]
        relationships = [sign for sign, _ in difference.relationships()]
        related = [
            f"{relationships.count(sign)} {verb}"
            for sign, verb in (("+", "added"), ("-", "removed"))
            if sign in relationships
        ]
        parts = [f"resources: {', '.join(resources)}"] if resources else []
        parts += [f"relationships: {', '.join(related)}"] if related else []
        text = "; ".join(parts)
    if difference.left_out:
        text += f" ({counted(difference.left_out, 'change')} left out)"
    if difference.not_compared:
        count = counted(len(difference.not_compared), "Sensitive value")
        text += f" ({count} could not be compared)"
    return text


def reference_text(type_name: str, title: str) -> str:
    """Return the reference to a resource as Puppet code."""
    return f"{type_name}[{source_quote(title.lower() if type_name == 'Class' else title)}]"


def relationship_text(relationship: Relationship) -> str:
    """Return a relationship as code with an arrow, or ``A contains B``."""
    source, target = (
        reference_text(*parts_of_reference(ref))
        for ref in (relationship.source, relationship.target)
    )
    return f"{source} {ARROWS[relationship.kind]} {target}"


def change_rows(change: AttributeChange, width: int | None = None) -> list[tuple[str, str]]:
    """Return the rows of a changed attribute: a sign, or ' ' or '@', and a line of text.

    Values of one line are the two rows ``-`` and ``+``, others a line diff below the name.
    """
    width = LAYOUT_WIDTH if width is None else width
    if change.new is ABSENT:
        return _value_rows("-", change.name, change.old, width)
    if change.old is ABSENT:
        return _value_rows("+", change.name, change.new, width)
    if isinstance(change.old, Secret) and isinstance(change.new, Secret):
        return [("~", f"{change.name}: {SECRET_CHANGED}")]
    if change.name == TAGS:
        return list(_tag_rows(change.old, change.new))
    lines = change.lines(width - 8)
    if lines:
        rows = [("~", f"{change.name} =>")]
        rows += [
            (line[:1] or " ", "    " + (line if line[:1] == "@" else line[1:])) for line in lines
        ]
        return rows
    old, new = value_text(change.old), value_text(change.new)
    if old == new:
        return [("~", f"{change.name}: {SECRET_INSIDE}")]
    old, new = without_common(old, new)
    return [("-", f"{change.name} => {old}"), ("+", f"{change.name} => {new}")]


def _tag_rows(old_tags: Json, new_tags: Json) -> Iterator[tuple[str, str]]:
    old, new = set(old_tags), set(new_tags)
    for sign, tags in (("-", old - new), ("+", new - old)):
        if tags:
            yield sign, f"{TAGS} {', '.join(sorted(tags))}"


def _value_rows(sign: str, name: str, value: Json, width: int) -> list[tuple[str, str]]:
    """Return the rows of an attribute that only one side has."""
    first, *others = value_lines(value, width - len(name) - 8)
    return [(sign, f"{name} => {first}"), *((sign, line) for line in others)]


def without_common(old: str, new: str) -> tuple[str, str]:
    """Return two texts, without most of what they begin and end with in common if they are long."""
    if max(len(old), len(new)) <= MAX_SHOWN:
        return old, new
    shortest = min(len(old), len(new))
    start = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    rest = shortest - start
    end = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    start, end = max(start - _KEPT, 0), max(end - _KEPT, 0)

    def cut(text: str) -> str:
        middle = text[start : len(text) - end]
        return ("…" if start else "") + middle + ("…" if end else "")

    return cut(old), cut(new)


def _whole(resource: ResourceContent, sign: str, width: int | None) -> list[Fragment]:
    """Render a resource that only one side has."""
    style = STYLES[sign]
    head = f"{sign} {reference_text(resource.type, resource.title)}"
    if resource.exported:
        head += f" {EXPORTED}"
    lines = _wrapped(head, width, style)
    for name, value in resource.parameters.items():
        for _, text in _value_rows(sign, name, value, width or LAYOUT_WIDTH):
            lines += _wrapped(f"{sign}   {text}", width, style)
    return lines


def _changed(change: ResourceChange, width: int | None) -> list[Fragment]:
    lines = _wrapped(f"~ {reference_text(change.type, change.title)}", width, STYLES["~"])
    for attribute in change.attributes:
        for sign, text in change_rows(attribute, width):
            shown = " " if sign == "@" else sign
            lines += _wrapped(f"{shown}   {text}", width, STYLES.get(sign, ""))
    return lines


def _wrapped(text: str, width: int | None, style: str, indent: str | None = None) -> list[Fragment]:
    """Return a line as several ones where it is too wide; they keep its sign."""
    text = visible(expand_tabs(text))
    if width is None:
        return [(style, text)]
    if indent is None:
        indent = text[:1] + " " * 5
    lines = []
    while True:
        end = _fitting(text, width)
        if end < len(text):
            # After a blank, unless that leaves half of the line empty.
            blank = text.rfind(" ", 0, end) + 1
            end = blank if blank > width // 2 else end
        lines.append((style, text[:end]))
        if end >= len(text):
            return lines
        text = indent + text[end:]


def _fitting(text: str, width: int) -> int:
    """Return how many characters of a text fit."""
    if len(text) <= width and text.isascii():
        return len(text)
    taken = 0
    for index, size in enumerate(cells(text)):
        taken += size
        if taken > width:
            return index
    return len(text)
