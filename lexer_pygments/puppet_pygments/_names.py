"""Names of commands and cell magics of puppet-repl, for cells of notebooks.

Written by `make labextension` from the tables of the engine: do not edit.
"""

from __future__ import annotations

COMMANDS = frozenset(
    (
        *("?", "b", "backtrace", "break", "bt", "c", "catalog", "cont", "continue", "copy"),
        *("diff", "display", "doc", "edit", "environment", "exit", "facts", "finish", "forget"),
        *("frame", "graph", "h", "help", "history", "load", "lookup", "ls", "modulepath", "n"),
        *("names", "next", "node", "on", "out", "q", "quit", "redo", "rerun", "reset"),
        *("resource", "resources", "s", "save", "set", "show", "stacktrace", "step", "t"),
        *("time", "tour", "type", "undo", "vars", "watch", "where", "why"),
    )
)
"""Commands with their other names: a line of code may begin with a percent sign that divides."""

MAGICS = {
    "check": "code",
    "epp": "template",
    "facts": "text",
    "file": "file",
    "on": "code",
    "time": "cell",
    "quiet": "cell",
    "capture": "captured",
}
"""What the lines below each cell magic are."""
