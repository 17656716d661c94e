"""Whether a file has changed since it was read."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    Stamp = tuple[int, int]


def stamp_of(path: str) -> Stamp | None:
    """Return the time of a file's last change and its size; None if there is no such file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # a null byte in the name
        return None
    return status.st_mtime_ns, status.st_size
