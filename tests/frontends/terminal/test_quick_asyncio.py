"""The prompt imports asyncio without ssl, which others still get."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from puppet_repl.frontends.terminal.quick_asyncio import import_asyncio
import_asyncio()
assert "asyncio" in sys.modules
print("ssl" in sys.modules)
import asyncio

async def answer():
    await asyncio.sleep(0)
    return 42

print(asyncio.run(answer()))
import ssl
print(ssl.create_default_context().check_hostname)
import_asyncio()
print(sys.modules["ssl"] is ssl)
"""


def test_asyncio_comes_without_ssl_and_ssl_can_be_had_later() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "42", "True", "True"]
