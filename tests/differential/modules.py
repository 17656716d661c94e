"""A program's definitions as the files of a module."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.differential.programs import Program

__all__ = ["without_environment", "write"]

# The directory of a kind of definition, and the name in it.
_DIRECTORIES = {
    "function": "functions",
    "type": "types",
    "class": "manifests",
    "define": "manifests",
}
_DEFINED = re.compile(r"(function|type|class|define) [mM]::(\w+)")
_ENVIRONMENT = re.compile(r'"environment": "\w+"')


def write(program: Program, environment: Path) -> Path:
    """Write an environment with the definitions in the module ``m``; return its path."""
    shutil.rmtree(environment, ignore_errors=True)
    module = environment / "modules" / "m"
    for directory in set(_DIRECTORIES.values()):
        (module / directory).mkdir(parents=True)
    for definition in program.definitions:
        found = _DEFINED.match(definition.text)
        assert found is not None, definition.text
        path = module / _DIRECTORIES[found[1]] / f"{found[2].lower()}.pp"
        path.write_text(definition.text + "\n", encoding="utf-8")
    return environment


def without_environment(text: str) -> str:
    """Return a text without the name of the environment."""
    return _ENVIRONMENT.sub('"environment": ""', text)
