"""Local variables that may have been meant: parameters and variables of functions and lambdas.

They are Python locals of compiled code, and so only the frame of an error knows their names.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.compiler.locations import Place


def local_suggestion(message: str, place: Place) -> tuple[str, ...]:
    """A note for an unknown variable that resembles a local one."""
    from difflib import get_close_matches

    name = message.split("'")[1]
    known = [one[2:] for one in place.frame.f_locals if one.startswith("v_")]
    close = get_close_matches(name, known, n=1, cutoff=0.7)
    return (f"did you mean ${close[0]}?",) if close else ()
