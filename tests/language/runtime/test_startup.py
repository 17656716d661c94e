"""What a program does not use is not imported for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROBE = """
import sys
from puppet_repl.session import Session
assert Session().execute(sys.argv[1]).error is None
print(*sorted(name for name in sys.modules if name.startswith("puppet_repl.language.types.")))
"""


@pytest.mark.parametrize("code", ["{a => 1}['a']", "[1, 2][0]", "'abc'[1, 1]"])
def test_access_of_containers_imports_no_access_of_types(code: str) -> None:
    command = [sys.executable, "-c", PROBE, code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in loaded if name.startswith("puppet_repl.language.types.making")]
    assert "puppet_repl.language.types.algebra.infer" not in loaded


COUNT = """
import sys
from puppet_repl.frontends.cli import main
assert main(["-e", sys.argv[1]]) == 0
print(sum(name.startswith("puppet_repl") for name in sys.modules))
"""


@pytest.mark.parametrize(
    ("code", "most"),
    [
        ("1", 79),
        ("if true { 1 }", 95),
        ("function f($a) { $a } f(1)", 97),
        ("class a { notify { 'a': } } include a", 160),
    ],
)
def test_short_programs_import_few_modules(code: str, most: int) -> None:
    """Each module takes 0.07 ms of a start that is to take 12 ms."""
    command = [sys.executable, "-c", COUNT, code]
    written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert int(written.split()[-1]) <= most
