"""Importing asyncio without TLS, which takes a third of that time and which the prompt never needs.

asyncio does so by itself where Python was built without the module ssl. Whoever imports ssl later
gets it.
"""

from __future__ import annotations

import sys


def import_asyncio() -> None:
    """Import asyncio, without ssl unless that is there already."""
    if "ssl" in sys.modules or "asyncio" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]
    try:
        import asyncio  # noqa: F401
    finally:
        del sys.modules["ssl"]
