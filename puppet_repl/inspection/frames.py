"""The frames of running Puppet code, and their variables.

They are Python's own frames, with the lines of the Puppet text and its variables by name.
"""

from __future__ import annotations

from puppet_repl.compiler.locations import frame_name, local_variables
from puppet_repl.compiler.names import local_name
from puppet_repl.runtime.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    from puppet_repl.values.protocols import Value

__all__ = ["block_variables", "frame_name", "frame_variables", "is_puppet", "puppet_frames"]


def is_puppet(frame: FrameType) -> bool:
    """Tell whether a frame runs Puppet code, as opposed to defining it."""
    return "__puppet__" in frame.f_globals and frame.f_code.co_name != "<module>"


def puppet_frames(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of Puppet code from a frame outwards, the innermost first."""
    found = []
    while frame is not None:
        if is_puppet(frame):
            found.append(frame)
        frame = frame.f_back
    return found


def frame_variables(frame: FrameType) -> dict[str, Value]:
    """Return the variables of the Puppet code in a frame, by name."""
    scope = frame.f_locals.get("scope")
    found = dict(scope.variables) if isinstance(scope, Scope) else {}
    found.update(local_variables(frame))
    return found


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
