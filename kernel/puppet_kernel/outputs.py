"""Values, errors and documentation as the MIME bundles that notebooks show."""

from __future__ import annotations

from typing import Any

from puppet_repl.errors import PuppetError

Bundle = dict[str, str]


def bundle_of(value: Any) -> Bundle:
    """A value as plain text and as HTML."""
    from puppet_repl.render.html import value_html
    from puppet_repl.render.values import value_text

    return {"text/plain": value_text(value, color=False), "text/html": value_html(value)}


def error_content(error: PuppetError) -> dict[str, Any]:
    """The content of an ``error`` message: name, message, coloured lines."""
    from puppet_repl.render.diagnostics import error_text

    return {
        "ename": error.code,
        "evalue": str(error),
        "traceback": error_text(error, color=True).rstrip("\n").split("\n"),
    }


def documentation_bundle(documentation: Any) -> Bundle:
    """What inspection found, as Markdown and as plain text."""
    from puppet_repl.render.help import documentation_markdown, documentation_text

    return {
        "text/markdown": documentation_markdown(documentation),
        "text/plain": documentation_text(documentation),
    }
