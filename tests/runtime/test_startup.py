"""What a program does not use is not imported for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROBE = """
import sys
from puppet_repl.session import Session
assert Session().execute(sys.argv[1]).error is None
print(*sorted(name for name in sys.modules if name.startswith("puppet_repl.types.")))
"""


@pytest.mark.parametrize("code", ["{a => 1}['a']", "[1, 2][0]", "'abc'[1, 1]"])
def test_access_of_containers_imports_no_access_of_types(code: str) -> None:
    command = [sys.executable, "-c", PROBE, code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in loaded if name.startswith("puppet_repl.types.making")]
    assert "puppet_repl.types.algebra.infer" not in loaded
