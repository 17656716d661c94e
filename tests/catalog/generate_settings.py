"""Write the table of Puppet's settings: ``make settings``.

``PUPPET_LIB`` names the lib directory of a Puppet 8 tree, whose own table is asked.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "puppet_repl" / "language" / "runtime" / "puppet_settings_table.py"
HEAD = '''"""Puppet's settings. Written by tests/catalog/generate_settings.py."""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SETTINGS: dict[str, tuple[Any, ...]] = {
'''
TAIL = '''}
"""Kind and default of each setting by name, in Puppet's order; the values of an enumeration follow.

A default names other settings as puppet.conf does; that of an alias is the name of a setting.
"""
'''


def rows(library: str) -> Iterable[list[Any]]:
    """Yield name, kind, default and perhaps the allowed values of each setting of a Puppet."""
    command = ["ruby", "-rset", "-I", library, str(HERE / "settings.rb"), "table"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8")
    return map(json.loads, done.stdout.splitlines())


def module_text(found: Iterable[list[Any]]) -> str:
    """Return the text of the module that has these settings."""
    lines = [
        f"    {_quoted(name)}: ({', '.join(map(_quoted, row))}),\n" for name, *row in _named(found)
    ]
    return f"{HEAD}{''.join(lines)}{TAIL}"


def _named(found: Iterable[list[Any]]) -> Iterable[list[Any]]:
    for name, kind, *others in found:
        yield [name, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).lower(), *others]


def _quoted(value: object) -> str:
    if isinstance(value, list):
        inner = ", ".join(map(_quoted, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return json.dumps(value) if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    TARGET.write_text(module_text(rows(os.environ["PUPPET_LIB"])), encoding="utf-8")
