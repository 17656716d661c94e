"""Imports that end early are begun anew."""

from __future__ import annotations

import subprocess
import sys

import pytest

# The import of a module of the package is interrupted, the first time only.
CHILD = """
import sys
from puppet_repl.base.modules import import_package
from puppet_repl.base.yaml_data import read_yaml
class Finder:
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            raise {error}
sys.meta_path.insert(0, Finder())
try:
    read_yaml("a: 1")
except {error}:
    print("ended")
print(read_yaml("a: [1, 2]"), import_package("yaml").error.Mark.__name__)
"""


@pytest.mark.parametrize("module", ["yaml.loader", "yaml.cyaml", "yaml._yaml", "yaml.representer"])
@pytest.mark.parametrize("error", ["KeyboardInterrupt", "MemoryError"])
def test_a_package_is_imported_whole_after_an_interrupt(module: str, error: str) -> None:
    command = [sys.executable, "-c", CHILD.format(module=module, error=error)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("ended\n{'a': [1, 2]} Mark\n", "")
