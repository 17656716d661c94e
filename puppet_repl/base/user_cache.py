"""Where this user's cache is; importing platformdirs costs more than most of what is cached."""

from __future__ import annotations

import os
import sys

APPLICATION = "puppet-repl"


def user_cache() -> str | None:
    """Return the directory of all that is cached, as platformdirs names it; None without a home."""
    if sys.platform != "linux":
        from platformdirs import user_cache_dir

        return user_cache_dir(APPLICATION, appauthor=False)
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(chosen):
        chosen = os.path.expanduser("~/.cache")
    return os.path.join(chosen, APPLICATION) if os.path.isabs(chosen) else None
