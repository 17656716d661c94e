"""Log lines, as Puppet's console shows them, and what an input has defined, as a note."""

from __future__ import annotations

from puppet_repl.base.log_levels import ERRORS, NOTE
from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.base.wording import listed
from puppet_repl.session.outcome import NOTHING
from puppet_repl.tools.rendering.fragments import Fragment, ansi, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session.outcome import Outcome

LEVEL_NAMES = {"err": "Error", "emerg": "Emergency", "crit": "Critical"}


def render_log(level: str, message: str) -> list[Fragment]:
    """One log line, ``Notice: text``, as Puppet's console shows it; a note has no level."""
    if level == NOTE:
        return [("dim", visible(message))]
    name = LEVEL_NAMES.get(level, level.capitalize())
    style = "error" if level in ERRORS else level
    shown = visible_lines(message)
    return [(style, f"{name}: "), (style if style in ("error", "warning", "debug") else "", shown)]


def log_line(level: str, message: str, *, color: bool = False) -> str:
    """One log line as text."""
    fragments = render_log(level, message)
    return ansi(fragments) if color else plain(fragments)


def definition_line(outcome: Outcome) -> str | None:
    """Return a line about what an input has defined; None if it shows a value or an error."""
    if not outcome.defined or outcome.error is not None:
        return None
    if outcome.value is not NOTHING and outcome.value is not None:
        return None
    return f"defined {listed(outcome.defined)}"
