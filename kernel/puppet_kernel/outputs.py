"""Values, errors and documentation as the MIME bundles that notebooks show."""

from __future__ import annotations

from typing import Any

from puppet_repl.errors import PuppetError
from puppet_repl.session import Session

Bundle = dict[str, str]
WIDTH = 100
MOST_RESOURCES = 20


def bundle_of(value: Any, session: Session | None = None, *, full: bool = False) -> Bundle:
    """A value as plain text and as HTML; with a session, references with what they stand for."""
    from puppet_repl.render.fragments import plain
    from puppet_repl.render.html import value_html
    from puppet_repl.render.values import render_value

    html = value_html(value, full=full)
    if session is not None:
        html += _resources_html(value, session)
    return {"text/plain": plain(render_value(value, WIDTH, full=full)), "text/html": html}


def _resources_html(value: Any, session: Session) -> str:
    """The resources that a reference, or an array of references, stands for, folded."""
    from puppet_repl.render.html import code_html, folded
    from puppet_repl.render.resources import referred_code

    declarations = referred_code(session, value, MOST_RESOURCES)
    if not declarations:
        return ""
    return folded("in the catalog", code_html("\n\n".join(declarations)))


def error_content(error: PuppetError) -> dict[str, Any]:
    """The content of an ``error`` message: name, message, coloured lines."""
    from puppet_repl.render.diagnostics import render_error
    from puppet_repl.render.fragments import ansi

    return {
        "ename": error.code,
        "evalue": str(error),
        "traceback": ansi(render_error(error, width=WIDTH)).split("\n"),
    }


def documentation_bundle(documentation: Any) -> Bundle:
    """What inspection found, as Markdown and as plain text."""
    from puppet_repl.render.help import documentation_markdown, documentation_text

    return {
        "text/markdown": documentation_markdown(documentation),
        "text/plain": documentation_text(documentation),
    }
