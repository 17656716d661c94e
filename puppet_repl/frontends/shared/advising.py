"""The warnings that stand below the result of an input, where the setting wants them."""

from __future__ import annotations

from puppet_repl.tools.rendering.diagnostics import render_advice
from puppet_repl.tools.rendering.fragments import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.shared.entry_run import Run
    from puppet_repl.session import Session
    from puppet_repl.tools.rendering.fragments import Fragment

MAX_SHOWN = 5


def render_advice_on(session: Session, entry: Run, width: int) -> list[Fragment]:
    """Return the warnings about an entry that was run, dim; empty where it failed or has none."""
    found = entry.advice(session)
    parts = [render_advice(advice, width) for advice in found[:MAX_SHOWN]]
    if len(found) > MAX_SHOWN:
        parts.append([("dim", f"{len(found) - MAX_SHOWN} more warnings")])
    return joined(parts)
