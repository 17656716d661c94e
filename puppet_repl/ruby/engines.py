"""Which engine a session gets."""

from __future__ import annotations

from puppet_repl.ruby.system import SystemEngine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.ruby.engine import Engine


def make_engine(choice: str) -> Engine | None:
    """Return a new engine for the value of the option ``ruby``; None where there is none.

    Raises EngineFailure for a ruby that cannot be started.
    """
    if choice in ("auto", "off", "sandbox"):
        return None
    return SystemEngine("ruby" if choice == "system" else choice)
