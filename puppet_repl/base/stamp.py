"""Whether a file has changed since it was read."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Stamp = tuple[int, int]


def stamp_of(path: str) -> Stamp | None:
    """Return the time of a file's last change and its size; None if there is no such file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # a null byte in the name
        return None
    return status.st_mtime_ns, status.st_size


def are_current(stamps: Mapping[str, Stamp | None]) -> bool:
    """Tell whether files are as they were; there may be hundreds, and this is done often."""
    look = os.stat
    for path, stamp in stamps.items():
        try:
            status = look(path)
        except (OSError, ValueError):
            if stamp is not None:
                return False
            continue
        if stamp is None or status.st_mtime_ns != stamp[0] or status.st_size != stamp[1]:
            return False
    return True
