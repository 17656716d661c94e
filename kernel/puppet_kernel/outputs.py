"""Values, errors and documentation as the MIME bundles that notebooks show."""

from __future__ import annotations

from typing import Any

from puppet_repl.base.log_levels import PROBLEMS
from puppet_repl.errors import PuppetError
from puppet_repl.inspection.documentation import Documentation
from puppet_repl.render.diagnostics import render_error
from puppet_repl.render.fragments import ansi, plain
from puppet_repl.render.help import documentation_markdown, documentation_text
from puppet_repl.render.html import code_html, folded, value_html
from puppet_repl.render.logs import log_line
from puppet_repl.render.resources import referred_code
from puppet_repl.render.values import render_value
from puppet_repl.session import Session

Bundle = dict[str, str]
WIDTH = 100
MAX_RESOURCES = 20


def bundle_of(value: object, session: Session | None = None, *, full: bool = False) -> Bundle:
    """Return a value as plain text and as HTML; with a session, references with their resources."""
    html = value_html(value, full=full)
    if session is not None:
        html += _resources_html(value, session)
    return {"text/plain": plain(render_value(value, WIDTH, full=full)), "text/html": html}


def _resources_html(value: object, session: Session) -> str:
    """Return the resources that a reference, or an array of references, refers to, folded."""
    declarations = referred_code(session, value, MAX_RESOURCES)
    if not declarations:
        return ""
    return folded("in the catalog", code_html("\n\n".join(declarations)))


def error_content(error: PuppetError) -> dict[str, Any]:
    """Return the content of an ``error`` message: name, message, coloured lines."""
    return {
        "ename": error.code,
        "evalue": str(error),
        "traceback": ansi(render_error(error, width=WIDTH)).split("\n"),
    }


def log_text(level: str, message: str) -> tuple[str, str]:
    """Return the stream that a log message belongs to, and its line."""
    name = "stderr" if level in PROBLEMS else "stdout"
    return name, log_line(level, message, color=True) + "\n"


def documentation_bundle(documentation: Documentation) -> Bundle:
    """Return the result of an inspection as Markdown and as plain text."""
    return {
        "text/markdown": documentation_markdown(documentation),
        "text/plain": documentation_text(documentation),
    }
