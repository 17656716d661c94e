"""The location of a call, for warnings that name it, and the calls on the way to it."""

from __future__ import annotations

from puppet_repl.base.safe_text import visible
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    from puppet_repl.language.runtime.context import Context

# Puppet's text where a warning has no location.
NO_LOCATION = "\n   (file & line not available)"


def call_location(context: Context) -> str:
    """Return the end of a warning: the file and line of the Puppet code that calls."""
    source, line = context.call_site()
    if line is None:
        return NO_LOCATION
    name = source.name if source is not None else None
    return f"\n   (file: {visible(name or 'unknown')}, line: {line})"


def call_stack(context: Context) -> list[tuple[str, int]]:
    """Return file and line of the calls that are running, innermost first, as Puppet's stack.

    A file without a name is "unknown". Calls of functions are on that stack, and the program that
    made the first one, with line 0; resource expressions, which evaluate bodies too, are not.
    """
    import sys

    stack: list[tuple[str, int]] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        program = frame.f_globals.get("__puppet__")
        if program is not None and program.context is context:
            name = program.source.name or "unknown"
            node = program.node_of(frame.f_code, frame.f_lasti)
            if not isinstance(node, _UNSTACKED):
                stack.append((name, frame.f_lineno))
            if frame.f_code.co_name == "main" and not program.is_template:
                stack.append((name, 0))
        frame = frame.f_back
    return stack


# A function that is called from another scope calls itself once more in its own.
_UNSTACKED = (ast.ResourceExpression, ast.FunctionDefinition)
