"""Values, errors and documentation as the MIME bundles that notebooks show."""

from __future__ import annotations

from typing import Any

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.wording import counted
from puppet_repl.frontends.shared.results import type_of
from puppet_repl.session import Session
from puppet_repl.tools.inspection.documentation import Documentation
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import Fragment, joined, plain
from puppet_repl.tools.rendering.notebook_text import notebook_ansi
from puppet_repl.tools.rendering.values import opened, render_value
from puppet_repl.tools.reports.help import documentation_markdown, documentation_text
from puppet_repl.tools.reports.html import (
    code_html,
    details_html,
    line_html,
    markdown_code,
    output_html,
    output_markdown,
    value_html,
)
from puppet_repl.tools.reports.resources import referred_code

Bundle = dict[str, str]
WIDTH = 100
MAX_RESOURCES = 20


def bundle_of(value: object, session: Session | None = None, *, full: bool = False) -> Bundle:
    """Return a value as plain text, and also as HTML unless it is a single word.

    With a session, references have the resources that they refer to. A value that is shown in
    another form, such as an iterator as its elements, has its type below.
    """
    inner = opened(value)
    fragments = render_value(inner, WIDTH, full=full)
    html = "" if _is_word(fragments) else value_html(inner, full=full)
    if inner is not value:
        type_ = [("dim", type_of(value))]
        fragments = joined([fragments, type_])
        html += line_html(type_)
    bundle = {"text/plain": plain(fragments)}
    if html:
        if session is not None:
            html += _resources_html(inner, session)
        bundle["text/html"] = output_html(html)
    return bundle


def _is_word(fragments: list[Fragment]) -> bool:
    """Tell whether a value is one text on one line: a number, a string, but not a type."""
    return len(fragments) == 1 and fragments[0][0] != "type" and "\n" not in fragments[0][1]


def _resources_html(value: object, session: Session) -> str:
    """Return the resources that a reference, or an array of references, refers to, folded."""
    declarations, count = referred_code(session, value, MAX_RESOURCES)
    if not declarations:
        return ""
    summary = f"{counted(count, 'resource')}, as code"
    if count > len(declarations):
        summary += f", the first {len(declarations)}"
    return details_html(summary, code_html("\n\n".join(declarations)))


def error_content(error: PuppetError) -> dict[str, Any]:
    """Return the content of an ``error`` message: name, message, coloured lines."""
    return {
        "ename": error.code,
        "evalue": str(error),
        "traceback": notebook_ansi(render_error(error, width=WIDTH)).split("\n"),
    }


def documentation_bundle(documentation: Documentation, *, is_output: bool = False) -> Bundle:
    """Return documentation as Markdown and as plain text: for a tooltip, or for an output."""
    if is_output:
        markdown = documentation_markdown(documentation, markdown_code, output_markdown)
    else:
        markdown = documentation_markdown(documentation)
    return {"text/markdown": markdown, "text/plain": documentation_text(documentation)}
