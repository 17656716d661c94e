"""What editors ask about texts: features as data, in offsets, without any protocol.

``positions`` turns offsets into lines and units and back, ``documents`` holds open texts and their
trees, also while somebody types (``recovery``). ``symbols`` has the names of texts and of a session
together, ``scopes`` the variables that code sees, ``targets`` the definitions that words name,
``index`` the definitions of all files of a directory. Nothing is evaluated here.

The functions below are about a text that is typed at a prompt or in a cell of a notebook.
"""

from __future__ import annotations

from puppet_repl.host.command_syntax import is_command
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.completion import complete as complete_with
from puppet_repl.tools.editing.documents import tree_of
from puppet_repl.tools.editing.symbols import TextSymbols
from puppet_repl.tools.inspection import inspect as inspect_with
from puppet_repl.tools.inspection.open_call import Signatures, call_at, signatures_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session
    from puppet_repl.tools.completion import Completions
    from puppet_repl.tools.inspection import Documentation


def symbols_of(session: Session, text: str, cursor: int) -> TextSymbols:
    """Return the names that a text defines, its unfinished line left out, and those of a session.

    A command defines nothing.
    """
    cursor = max(0, min(cursor, len(text)))
    tree = None if is_command(text) else tree_of(text, cursor)
    return TextSymbols(session, tree, cursor)


def complete(session: Session, text: str, cursor: int | None = None) -> Completions:
    """Return the candidates at the cursor of an input, by default at its end."""
    cursor = len(text) if cursor is None else cursor
    return complete_with(symbols_of(session, text, cursor), text, cursor)


def inspect(session: Session, text: str, cursor: int) -> Documentation | None:
    """Return the documentation of the name at the cursor of an input, or of the open call."""
    return inspect_with(symbols_of(session, text, cursor), text, cursor)


def signatures(session: Session, text: str) -> Signatures | None:
    """Return the parameters of the call that is open at the end of an input, None without one."""
    call = call_at(text)
    if call is None:
        return None
    # Of what the text defines only functions count, and few texts have any.
    is_own = "function" in text
    known = symbols_of(session, text, len(text)) if is_own else SessionSymbols(session)
    return signatures_of(known, call)
