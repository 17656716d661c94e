"""Text for notebooks, whose themes are light or dark.

JupyterLab draws errors on red, and each of the eight basic colours in two shades of which often
only the bright one can be read on white: labels of errors have no colour, and what is yellow or
cyan elsewhere is bright here. Messages have none at all, since exports to Markdown would keep the
escapes of streams, as they do not of errors.
"""

from __future__ import annotations

from puppet_repl.base.log_levels import ERRORS
from puppet_repl.render.fragments import PALETTE, Fragment, ansi
from puppet_repl.render.logs import log_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PALETTE = PALETTE | {
    "number": "96",
    "type": "93",
    "variable": "96",
    "error": "1",
    "warning": "93",
    "hint": "96",
}


def notebook_ansi(fragments: Iterable[Fragment]) -> str:
    """Return styled text as text with ANSI colours that can be read in every theme."""
    return ansi(fragments, _PALETTE)


def notebook_log(level: str, message: str) -> tuple[str, str]:
    """Return the standard stream that a log message belongs to, and its line with its line end.

    Warnings are on that of the other messages: notebooks draw the other one as an error, and do
    not keep the two in order.
    """
    name = "stderr" if level in ERRORS else "stdout"
    return name, log_line(level, message) + "\n"
