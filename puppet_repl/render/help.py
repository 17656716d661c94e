"""Documentation of a name: styled text for a terminal, Markdown for a notebook."""

from __future__ import annotations

import textwrap

from puppet_repl.inspection.markup import as_text
from puppet_repl.render.fragments import Fragment, joined, plain
from puppet_repl.render.highlight import highlight
from puppet_repl.render.markdown import code_span, fenced, literal, safe_markdown
from puppet_repl.syntax.brackets import closing_bracket, pieces_of, split_at_commas

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.inspection.documentation import Documentation

DEFAULT_WIDTH = 80


def render_documentation(
    documentation: Documentation, width: int = DEFAULT_WIDTH
) -> list[Fragment]:
    """Render documentation as styled text, without a final line end."""
    parts: list[list[Fragment]] = [
        [("heading", documentation.title), ("dim", f"  {documentation.category}")]
    ]
    parts.extend(
        [("", "  "), *_indented(highlight(signature_lines(signature, width - 2)), "  ")]
        for signature in documentation.signatures
    )
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


def _details(details: tuple[tuple[str, str], ...], width: int) -> list[list[Fragment]]:
    """Render labels and texts in two columns."""
    label_width = max(len(label) for label, _ in details)
    margin = " " * (label_width + 4)
    rows: list[list[Fragment]] = []
    for label, text in details:
        room = max(width - len(margin), 20)
        shown = [
            line
            for part in text.split("\n")
            for line in textwrap.wrap(part, room, break_long_words=False) or [""]
        ]
        joined_text = ("\n" + margin).join(shown)
        rows.append([("dim", f"  {label.ljust(label_width)}  "), ("", joined_text)])
    return rows


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
    documentation: Documentation, block: Callable[[str, str], str] = fenced
) -> str:
    """Return documentation as Markdown; ``block`` writes code in a language."""
    parts = [f"**{literal(documentation.title)}** *{literal(documentation.category)}*"]
    if documentation.signatures:
        signatures = [signature_lines(text, DEFAULT_WIDTH) for text in documentation.signatures]
        parts.append(block("\n".join(signatures), "puppet"))
    if documentation.details:
        parts.append(
            "\n".join(
                [f"- {literal(label)}: {code_span(text)}" for label, text in documentation.details]
            )
        )
    if documentation.text:
        parts.append(safe_markdown(documentation.text.strip()))
    parts.extend(block(example.strip("\n"), "puppet") for example in documentation.examples)
    return "\n\n".join(parts)
