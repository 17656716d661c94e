"""Where a function was called, for warnings that say so."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.runtime.context import Context


def place_of_call(context: Context) -> str:
    """The end of a warning: the file and line of the Puppet code that calls."""
    source, line = context.call_site()
    if line is None:
        return "\n   (file & line not available)"
    name = source.name if source is not None else None
    return f"\n   (file: {name or 'unknown'}, line: {line})"
