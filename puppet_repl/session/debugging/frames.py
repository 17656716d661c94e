"""The frames of running Puppet code, and their variables, for those who look on."""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError, is_finished
from puppet_repl.language.compiler.frames import (
    is_forwarding,
    is_puppet,
    last_match,
    lexical_frames,
    match_values,
    program_of,
    puppet_frames,
)
from puppet_repl.language.compiler.locations import frame_name, local_variables, locate
from puppet_repl.language.compiler.names import local_name
from puppet_repl.language.runtime.scope import Scope
from puppet_repl.language.runtime.signals import Signal
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, TracebackType

    from puppet_repl.language.syntax.ast import Program
    from puppet_repl.language.values.protocols import Value

__all__ = [
    "block_variables",
    "called_frames",
    "error_in",
    "frame_matches",
    "frame_name",
    "frame_variables",
    "frames_at",
    "is_failure",
    "is_puppet",
    "lexical_frames",
    "puppet_frames",
    "shown_name",
    "tree_of",
]


def called_frames(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of Puppet code as users know them, the innermost first."""
    return [each for each in puppet_frames(frame) if not is_forwarding(each)]


def frames_at(frame: FrameType) -> list[FrameType]:
    """Return the frames that users know of code that reaches a statement, the innermost first.

    There are none if a function is about to call itself again in its own scope: that call
    reaches the statement. In a function on one line the two cannot be distinguished by the line.
    """
    if is_forwarding(frame):
        context = program_of(frame).context
        if context.scope is not context.top:
            return []
    return [frame, *called_frames(frame.f_back)]


def tree_of(frame: FrameType) -> Program:
    """Return the tree of the program that a frame of Puppet runs."""
    return program_of(frame).tree


def shown_name(frame: FrameType) -> str:
    """Return what runs in a frame: as ``frame_name``, but templates are not ``main``.

    They are ``template m/t.epp`` in a module, else the file's name, or ``inline template``.
    """
    name = frame_name(frame)
    if name != "main" or not program_of(frame).is_template:
        return name
    path = program_of(frame).source.name or ""
    if not path.endswith(".epp"):
        return "inline template"
    directory, separator, below = path.replace(os.sep, "/").rpartition("/templates/")
    shown = f"{directory.rpartition('/')[2]}/{below}" if separator else os.path.basename(path)
    return f"template {shown}"


def frame_variables(frame: FrameType) -> dict[str, Value]:
    """Return the variables of the Puppet code in a frame, by name."""
    scope = frame.f_locals.get("scope")
    found = dict(scope.variables) if isinstance(scope, Scope) else {}
    found.update(local_variables(frame))
    return found


def frame_matches(frame: FrameType) -> dict[str, Value]:
    """Return the match variables that the code of a frame has set or uses, by name."""
    match = last_match(frame)
    return {} if match is UNSET else match_values(match)


def block_variables(frame: FrameType) -> dict[str, Value]:
    """Return the parameters of a lambda with their current values; none for any other frame."""
    code = frame.f_code
    if frame_name(frame) != "lambda":
        return {}
    parameters = code.co_varnames[: code.co_argcount]
    return {
        name: value
        for name, value in local_variables(frame).items()
        if local_name(name) in parameters
    }


def is_failure(error: BaseException) -> bool:
    """Tell whether an exception in running code is an error of the program, as opposed to a jump.

    ``break()``, ``next()`` and ``return()`` are jumps, and so are interrupts.
    """
    return isinstance(error, Exception) and not isinstance(error, (Signal, StopIteration))


def error_in(error: Exception, traceback: TracebackType | None) -> PuppetError:
    """Return the error that an exception in running code is going to be, with where it was."""
    if is_finished(error):
        return error
    return locate(error.with_traceback(traceback))
