"""Changed modules for a Python and the programs that it starts, which have this on PYTHONPATH."""

from __future__ import annotations

import marshal
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import CodeType

from tests.mutants.startup import sitecustomize

__all__ = ["NO_PLUGINS", "environment", "sitecustomize", "write_codes"]

NO_PLUGINS = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
"""The variable that keeps pytest from loading what is installed."""


def write_codes(codes: Mapping[str, CodeType]) -> str:
    """Write changed code where programs that tests start find it, and return the path."""
    with tempfile.NamedTemporaryFile(prefix="mutants-", delete=False) as stream:
        marshal.dump(dict(codes), stream)
    return stream.name


def environment(code: str) -> dict[str, str]:
    """Return the variables with which a Python and those that it starts load changed code."""
    return {
        sitecustomize.CODE: code,
        "PYTHONPATH": str(Path(sitecustomize.__file__).parent),
        NO_PLUGINS: "1",
        "PUPPET_REPL_NO_CACHE": "1",
    }
