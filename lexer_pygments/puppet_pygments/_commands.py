"""Names of the commands of puppet-repl, for lines of notebooks that begin with a percent sign.

There such a line may go on with a division of the line above, unless it names a command.
"""

from __future__ import annotations

COMMANDS = frozenset(
    (
        *("?", "ast", "b", "backtrace", "bench", "break", "bt", "c", "catalog", "check"),
        *("classes", "clear", "cls", "cont", "continue", "copy", "datatypes", "delete"),
        *("diff", "display", "doc", "down", "edit", "environment", "epp", "exit"),
        *("exports", "facts", "finish", "forget", "frame", "full", "functions", "graph"),
        *("h", "help", "history", "json", "keys", "l", "list", "load", "lookup", "ls"),
        *("mark", "match", "modulepath", "n", "next", "node", "on", "out", "q", "quit"),
        *("redo", "rerun", "reset", "resource", "resources", "s", "save", "scope", "set"),
        *("show", "stacktrace", "step", "t", "table", "time", "tokens", "tour"),
        *("trusted", "type", "types", "undisplay", "undo", "unwatch", "up", "vars"),
        *("watch", "where", "whereami", "why", "yaml"),
    )
)
