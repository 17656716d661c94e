"""An entry in the form of ``puppet-repl format``."""

from __future__ import annotations

from puppet_repl.frontends.commands import is_command
from puppet_repl.frontends.commands.entries import without_semicolon
from puppet_repl.tools.formatting import WIDTH, format_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session


def format_entry(session: Session, text: str, width: int = WIDTH) -> str:
    """Return an entry in its form; a command, and a semicolon at the end, stay as they are.

    Raises PuppetError for code that cannot be parsed.
    """
    if is_command(text):
        return text
    code, _ = without_semicolon(session, text)
    rest = text[len(code) :].rstrip()
    # After a comment or a heredoc the semicolon needs its own line.
    ends_line = "\n" if rest and code.rstrip(" \t").endswith("\n") else ""
    return format_text(code, width=width).rstrip("\n") + ends_line + rest
