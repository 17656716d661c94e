"""The search for functions in the source text of the themes, for those that the index lacks.

A declaration works before the index is written again: its theme is found by its text.
"""

from __future__ import annotations

import os
import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The first argument of a call, if it is a literal name: so decorators and helpers name functions.
_FIRST_ARGUMENT = re.compile(r'\(\s*"([a-z_][\w:]*)"')


def themes_that_may_declare(package: str, name: str) -> Sequence[str]:
    """Return the modules of a package that call something with that name as first argument."""
    return _first_arguments(package).get(name, ())


@cache
def _first_arguments(package: str) -> Mapping[str, Sequence[str]]:
    """Return the modules by the names that are first arguments of calls in their text."""
    found: dict[str, list[str]] = {}
    for module in modules(package):
        with open(os.path.join(directory_of(package), f"{module}.py"), encoding="utf-8") as stream:
            for name in set(_FIRST_ARGUMENT.findall(stream.read())):
                found.setdefault(name, []).append(module)
    return found


def modules(package: str) -> list[str]:
    """Return the names of the modules in a package, [] if it is not in a directory."""
    try:
        files = os.listdir(directory_of(package))
    except OSError:
        return []
    return sorted(
        file.removesuffix(".py") for file in files if file.endswith(".py") and file != "__init__.py"
    )


def directory_of(package: str) -> str:
    """Return the directory of a package of functions."""
    return os.path.join(os.path.dirname(__file__), *package.split(".")[3:])
