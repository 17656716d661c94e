"""Where this user's files are, as platformdirs names it, which takes longer to import than to use.

On Linux that is what the variables of the XDG Base Directory Specification say; a path that is not
absolute does not count.
"""

from __future__ import annotations

import os
import sys

APPLICATION = "puppet-repl"


def user_cache() -> str | None:
    """Return the directory of all that is cached; None without a home."""
    if sys.platform != "linux":
        from platformdirs import user_cache_dir

        return user_cache_dir(APPLICATION, appauthor=False)
    directory = _chosen("XDG_CACHE_HOME", "~/.cache")
    return directory if os.path.isabs(directory) else None


def user_config() -> str:
    """Return the directory of settings and of the start-up file."""
    if sys.platform != "linux":
        from platformdirs import user_config_dir

        return user_config_dir(APPLICATION, appauthor=False)
    return _chosen("XDG_CONFIG_HOME", "~/.config")


def user_data() -> str:
    """Return the directory of the history."""
    if sys.platform != "linux":
        from platformdirs import user_data_dir

        return user_data_dir(APPLICATION, appauthor=False)
    return _chosen("XDG_DATA_HOME", "~/.local/share")


def _chosen(variable: str, default: str) -> str:
    chosen = os.environ.get(variable, "")
    if not os.path.isabs(chosen):
        chosen = os.path.expanduser(default)
    return os.path.join(chosen, APPLICATION)
