"""Documentation of a name: styled text for a terminal, Markdown for a notebook."""

from __future__ import annotations

import textwrap

from puppet_repl.language.syntax.brackets import closing_bracket, pieces_of, split_at_commas
from puppet_repl.tools.inspection.markup import as_text
from puppet_repl.tools.rendering.fragments import Fragment, joined, plain
from puppet_repl.tools.rendering.highlight import highlight
from puppet_repl.tools.rendering.markdown import (
    code_span,
    fenced,
    literal,
    may_hold_formulas,
    safe_line,
    safe_markdown,
    without_formulas,
)
from puppet_repl.tools.rendering.wrapping import wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.tools.inspection.documentation import Detail, Documentation

DEFAULT_WIDTH = 80


def render_documentation(
    documentation: Documentation, width: int = DEFAULT_WIDTH
) -> list[Fragment]:
    """Render documentation as styled text, without a final line end."""
    parts: list[list[Fragment]] = [
        [("heading", documentation.title), ("dim", f"  {documentation.category}")]
    ]
    has_rows = any(detail.type or detail.default for detail in documentation.details)
    for signature in documentation.signatures:
        # Parameters that have rows of their own below are not told twice.
        shown = _without_parameters if has_rows else signature_lines
        parts.append([("", "  "), *_indented(highlight(shown(signature, width - 2)), "  ")])
    for paragraph in paragraphs(as_text(documentation.text)):
        parts.append([])
        parts.append(_paragraph(paragraph, width))
    if documentation.details:
        parts.append([])
        parts.extend(_details(documentation.details, width))
    if documentation.examples:
        parts.append([])
        parts.append([("heading", "Examples")])
        for example in documentation.examples:
            parts.append([("", "  "), *_indented(highlight(example.strip("\n")), "  ")])
    return joined(parts)


def signature_lines(signature: str, width: int) -> str:
    """Return a signature, with each parameter on a line of its own if it is wider than that."""
    head, bracket, rest = signature.partition("(")
    if len(signature) <= width or not bracket:
        return signature
    pieces = pieces_of(rest)
    end = closing_bracket(pieces)
    if end is None:
        return signature
    lines = [head + bracket]
    for parameter in split_at_commas("".join(pieces[:end])):
        # A line is broken where it has blanks, deeper than the next parameter begins.
        lines += textwrap.wrap(
            parameter + ",",
            max(width, 20),
            initial_indent="  ",
            subsequent_indent="      ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    lines.append("".join(pieces[end:]))
    return "\n".join(lines)


def _without_parameters(signature: str, width: int) -> str:
    """Return a signature, with an ellipsis for its parameters if it is wider than that."""
    head, bracket, rest = signature.partition("(")
    pieces = pieces_of(rest)
    end = closing_bracket(pieces)
    if len(signature) <= width or end is None:
        return signature
    return f"{head}{bracket} … {''.join(pieces[end:])}"


def _details(details: tuple[Detail, ...], width: int) -> list[list[Fragment]]:
    """Render labels and texts in two columns; a label that is too long has a row of its own."""
    longest = max(len(detail.label) for detail in details)
    label_width = min(longest, max(width // 4, 10))
    margin = " " * (label_width + 4)
    room = max(width - len(margin), 20)
    rows: list[list[Fragment]] = []
    for detail in details:
        shown = _detail_lines(detail, room)
        label: Fragment = ("dim", f"  {detail.label.ljust(label_width)}  ")
        if len(detail.label) > label_width:
            rows.append([("dim", f"  {detail.label}")])
            label = ("", margin)
        rows.append([label, *shown[0]])
        rows += [[("", margin), *line] for line in shown[1:]]
    return rows


def _detail_lines(detail: Detail, width: int) -> list[list[Fragment]]:
    """Return type and default of a parameter, and what is said about it, in lines."""
    found: list[list[Fragment]] = []
    declared = f"{detail.type} = {detail.default}" if detail.default else detail.type
    if declared:
        found += wrapped(highlight(declared.strip()), width, "  ")
    if detail.text or detail.remark or not found:
        text = detail.text if detail.is_code else as_text(detail.text)
        text = f"{text}  ({detail.remark})".strip() if detail.remark else text
        found += wrapped([("", text)], width)
    return found


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a documentation text."""
    return [part.strip("\n") for part in text.strip().split("\n\n") if part.strip()]


def _paragraph(text: str, width: int) -> list[Fragment]:
    lines = text.split("\n")
    if text.startswith(("    ", "\t")):
        return [("", "  "), *_indented(highlight(textwrap.dedent(text)), "  ")]
    if lines[0].lstrip().startswith(("- ", "* ", "|")):
        return [("", "\n".join(f"  {line}" for line in lines))]
    filled = textwrap.fill(" ".join(text.split()), max(width - 2, 20), break_long_words=False)
    return [("", textwrap.indent(filled, "  "))]


def _indented(fragments: list[Fragment], margin: str) -> list[Fragment]:
    return [(style, text.replace("\n", "\n" + margin)) for style, text in fragments]


def documentation_text(documentation: Documentation) -> str:
    """Return documentation as plain text."""
    return plain(render_documentation(documentation))


def documentation_markdown(
    documentation: Documentation,
    block: Callable[[str, str], str] = fenced,
    frame: Callable[[str], str] | None = None,
) -> str:
    """Return documentation as Markdown.

    ``block`` writes code in a language; ``frame`` is put around all of it: without
    one, only around what notebooks might take for formulas.
    """
    title = documentation.title
    # A dollar sign is shown as one everywhere only within code.
    shown = code_span(title) if "$" in title else f"**{literal(title)}**"
    heading = f"{shown} *{literal(documentation.category)}*"
    signatures = [signature_lines(text, DEFAULT_WIDTH) for text in documentation.signatures]
    text = safe_markdown(documentation.text.strip())
    details = "\n".join(map(_list_item, documentation.details))
    parts = [
        heading,
        *([block("\n".join(signatures), "puppet")] if signatures else ()),
        *(part for part in (text, details) if part),
        *(block(example.strip("\n"), "puppet") for example in documentation.examples),
    ]
    markdown = "\n\n".join(parts)
    prose = f"{heading} {text} {details}"
    if frame is not None:
        return frame(markdown)
    return without_formulas(markdown) if may_hold_formulas(prose) else markdown


def _list_item(detail: Detail) -> str:
    """Return a detail as an item of a list in Markdown.

    Its mark is not the one of lists in texts, which would go on with this one.
    """
    label = code_span(detail.label) if detail.is_name else literal(detail.label)
    # The heading has the defaults of the code.
    default = f" = {detail.default}" if detail.default and detail.remark else ""
    declared = f" {code_span(detail.type + default)}" if detail.type or default else ""
    text = code_span(detail.text) if detail.is_code else safe_line(detail.text)
    remark = f" ({literal(detail.remark)})" if detail.remark else ""
    return f"+ {label}{declared}: {(text + remark).lstrip()}"
