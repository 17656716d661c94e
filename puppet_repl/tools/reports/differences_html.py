"""The difference of two catalogs as HTML: a table that needs neither styles nor scripts."""

from __future__ import annotations

from puppet_repl.catalog.content_text import value_text
from puppet_repl.catalog.difference import EXPORTED
from puppet_repl.tools.reports.differences import (
    STYLES,
    change_rows,
    reference_text,
    relationship_text,
    summary,
)
from puppet_repl.tools.reports.html import (
    WIDTH,
    block_html,
    caption_html,
    cell_html,
    code_span,
    details_html,
    heading_html,
    html_text,
    styled_html,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.content import ResourceContent
    from puppet_repl.catalog.difference import Difference

# More rows than these are folded at first, and more than those are cut.
UNFOLDED_ROWS = 100
MAX_ROWS = 2000


def difference_html(difference: Difference) -> str:
    """Return a difference as a table: sign, resource, and what it has or what changed in it."""
    caption = f"{html_text(difference.from_name)} → {html_text(difference.to_name)}"
    if difference.is_empty:
        return f"<p>{caption}: {html_text(summary(difference))}</p>"
    rows = [_resource_row("-", resource) for resource in difference.removed]
    rows += [_resource_row("+", resource) for resource in difference.added]
    for change in difference.changed:
        lines = [row for each in change.attributes for row in change_rows(each, WIDTH)]
        content = "\n".join(_line(sign, text) for sign, text in lines)
        name = reference_text(change.type, change.title)
        rows.append(_row("~", code_span(html_text(name)), block_html(content)))
    for sign, relationship in difference.relationships():
        text = html_text(relationship_text(relationship))
        what = cell_html(code_span(text), columns=2)
        rows.append(f"<tr>{cell_html(_coloured(sign, sign))}{what}</tr>")
    shown = rows[:MAX_ROWS]
    head = heading_html("", "Resource", "Attributes")
    table = (
        f"<table>{caption_html(caption)}<thead>{head}</thead>"
        f"<tbody>{''.join(shown)}</tbody></table>"
    )
    if len(rows) > len(shown):
        table += f"<p>the first {len(shown)} of {len(rows)} rows</p>"
    told = f"<p>{html_text(summary(difference))}</p>"
    if len(rows) > UNFOLDED_ROWS:
        return told + details_html(f"{caption}: {len(rows)} rows", table)
    return table + told


def _resource_row(sign: str, resource: ResourceContent) -> str:
    name = reference_text(resource.type, resource.title)
    if resource.exported:
        name += f" {EXPORTED}"
    lines = [f"{key} => {value_text(value)}" for key, value in resource.parameters.items()]
    content = block_html(html_text("\n".join(lines))) if lines else ""
    return _row(sign, code_span(_coloured(sign, name)), content)


def _row(sign: str, name: str, content: str) -> str:
    return f"<tr>{cell_html(_coloured(sign, sign))}{cell_html(name)}{cell_html(content)}</tr>"


def _line(sign: str, text: str) -> str:
    """Return a line of an attribute, with its sign in front: colours may be lost."""
    return _coloured(sign, f"{' ' if sign == '@' else sign} {text}")


def _coloured(sign: str, text: str) -> str:
    return styled_html(STYLES.get(sign, ""), text)
