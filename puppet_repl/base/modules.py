"""Modules that are imported by name when they are first needed."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any


def import_module(name: str) -> ModuleType:
    """Return the module with an absolute name.

    The function of the same name in importlib costs each start 0.4 ms: the package, and what it
    imports itself.
    """
    __import__(name)
    return sys.modules[name]


def import_name(path: str) -> Any:
    """Return what a dotted path names: a module's absolute name, a dot, and a name in it."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)
