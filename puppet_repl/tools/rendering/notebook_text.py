"""Text for notebooks, whose themes are light or dark.

JupyterLab draws errors on light or dark red, on which none of the colours that text can have is
legible in both: what matters is bold. Messages have no styles at all, since exports to Markdown
would keep the escapes of streams, as they do not of errors.
"""

from __future__ import annotations

from puppet_repl.base.log_levels import ERRORS
from puppet_repl.tools.rendering.fragments import Fragment, ansi
from puppet_repl.tools.rendering.logs import log_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PALETTE = {
    "caret": "1",
    "dim": "2",
    "error": "1",
    "function": "1",
    "heading": "1",
    "hint": "1",
    "warning": "1",
}


def notebook_ansi(fragments: Iterable[Fragment]) -> str:
    """Return styled text as text with ANSI escapes that can be read in every theme."""
    return ansi(fragments, _PALETTE)


def notebook_log(level: str, message: str) -> tuple[str, str]:
    """Return the standard stream that a log message belongs to, and its line with its line end.

    Warnings are on that of the other messages: notebooks draw the other one as an error, and do
    not keep the two in order.
    """
    name = "stderr" if level in ERRORS else "stdout"
    return name, log_line(level, message) + "\n"
