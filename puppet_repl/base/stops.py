"""What every front end says where an input, or showing its result, ended in an error of Python.

Either a limit was met, which is not a fault of this project, or it is a defect.
"""

from __future__ import annotations

from puppet_repl.base.defect import defect_line, is_defect
from puppet_repl.base.errors import NO_MEMORY, NO_TIME, TimeLimitExceeded
from puppet_repl.base.memory import MEMORY_LIMIT, NO_ALLOCATION, clear_frames

TOO_DEEP = "The value is nested too deeply"
INTERNAL = "INTERNAL"
"""The code of a defect."""


def stop_message(error: BaseException, setting: str = "--max-memory") -> str:
    """Return in one line why an input ended: a limit of memory, depth or time, or a defect.

    ``setting`` is what sets the limit of memory, as the user writes it. The memory that the error
    still holds is released. The caller may need memory to show the line:
    see ExtraMemory.
    """
    if is_defect(error):
        return defect_line(error)
    if isinstance(error, TimeLimitExceeded):
        return str(error)
    clear_frames(error)
    return MEMORY_LIMIT.format(setting) if isinstance(error, NO_ALLOCATION) else TOO_DEEP


def stop_code(error: BaseException) -> str:
    """Return the code for an error of Python that ended an input."""
    if is_defect(error):
        return INTERNAL
    if isinstance(error, TimeLimitExceeded):
        return NO_TIME
    return NO_MEMORY if isinstance(error, NO_ALLOCATION) else "RUNTIME_ERROR"
