"""The directories of the user's files, the same ones as those of platformdirs.

On Linux the variables of the XDG Base Directory Specification name them; a relative path is
ignored. Importing platformdirs would take longer than this.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

_APPLICATION = "puppet-repl"
# The variable of each kind, and the default directory.
_XDG = {
    "cache": ("XDG_CACHE_HOME", "~/.cache"),
    "config": ("XDG_CONFIG_HOME", "~/.config"),
    "data": ("XDG_DATA_HOME", "~/.local/share"),
}


def user_directory(kind: Literal["cache", "config", "data"]) -> str:
    """Return the directory for caches, settings or the history.

    The path is relative if the user has no home.
    """
    if sys.platform != "linux":
        import platformdirs

        found: str = getattr(platformdirs, f"user_{kind}_dir")(_APPLICATION, appauthor=False)
        return found
    variable, default = _XDG[kind]
    chosen = os.environ.get(variable, "")
    if not os.path.isabs(chosen):
        chosen = os.path.expanduser(default)
    return os.path.join(chosen, _APPLICATION)


def user_cache() -> str | None:
    """Return the directory for caches; None without a home."""
    directory = user_directory("cache")
    return directory if os.path.isabs(directory) else None
