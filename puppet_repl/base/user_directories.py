"""Where this user's files are, as platformdirs names it, which takes longer to import than to use.

On Linux that is what the variables of the XDG Base Directory Specification say; a path that is not
absolute does not count.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

_APPLICATION = "puppet-repl"
# The variable of each kind, and the directory where it is not set.
_XDG = {
    "cache": ("XDG_CACHE_HOME", "~/.cache"),
    "config": ("XDG_CONFIG_HOME", "~/.config"),
    "data": ("XDG_DATA_HOME", "~/.local/share"),
}


def user_directory(kind: Literal["cache", "config", "data"]) -> str:
    """Return the directory for what is cached, for settings, or for the history.

    It is not absolute where the user has no home.
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
    """Return the directory for what is cached; None without a home."""
    directory = user_directory("cache")
    return directory if os.path.isabs(directory) else None
