"""Errors of the older functions for paths that are not Strings."""

from __future__ import annotations

from puppet_repl.language.values.ruby import no_method, ruby_class, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import RuntimeFailure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


def warn_of_path(path: Value, context: Context) -> None:
    """Warn as Puppet does that a value is not a path: twice, as it asks twice."""
    warning = f"Cannot check if {ruby_text(path)} is an absolute path because it is a "
    for _ in range(2):
        context.log("warning", f"{warning}'{ruby_class(path)}' and not a String'")


def no_path(path: Value, context: Context) -> RuntimeFailure:
    """Warn that a value is not a path; return the error."""
    warn_of_path(path, context)
    return no_method("split", path)
