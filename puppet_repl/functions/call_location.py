"""The location of a call, for warnings that name it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.runtime.context import Context

# Puppet's text where a warning has no location.
NO_LOCATION = "\n   (file & line not available)"


def call_location(context: Context) -> str:
    """Return the end of a warning: the file and line of the Puppet code that calls."""
    source, line = context.call_site()
    if line is None:
        return NO_LOCATION
    name = source.name if source is not None else None
    return f"\n   (file: {name or 'unknown'}, line: {line})"
