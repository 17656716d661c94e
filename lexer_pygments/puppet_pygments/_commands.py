"""Names of the commands of puppet-repl, for lines of notebooks that begin with a percent sign.

There such a line may go on with a division of the line above, unless it names a command.
"""

from __future__ import annotations

COMMANDS = frozenset(
    (
        *(
            "ast",
            "bench",
            "catalog",
            "check",
            "classes",
            "clear",
            "cls",
            "datatypes",
            "diff",
            "doc",
        ),
        *("edit", "environment", "epp", "exit", "exports", "facts", "forget", "full", "functions"),
        *("graph", "h", "help", "history", "load", "lookup", "ls", "mark", "match", "modulepath"),
        *("node", "on", "q", "quit", "reset", "resource", "resources", "save", "set", "show", "t"),
        *("time", "tokens", "trusted", "type", "types", "undo", "vars", "why", "?"),
    )
)
