"""Modules that are imported by name when they are first needed."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any


def import_module(name: str) -> ModuleType:
    """Return the module with an absolute name.

    ``importlib`` has the same function, but importing that package costs each start 0.4 ms. See
    import_package for imports that end early.
    """
    return import_package(name)


def _forget_parts() -> None:
    """Remove the modules of packages that are not there themselves.

    Python removes only the package whose import ended early. In the one that the next import makes,
    modules that stayed have no name: ``yaml.error`` would be unknown for the rest of the process.
    """
    for name in sorted(sys.modules):  # a package before its modules
        package = name.rpartition(".")[0]
        if package and package not in sys.modules:
            del sys.modules[name]


def import_package(name: str) -> ModuleType:
    """Return a package of others; after an import that ended early the next one begins again.

    An interrupt or a limit may end an import at any moment.
    """
    try:
        __import__(name)
    except BaseException:
        _forget_parts()
        raise
    return sys.modules[name]


def import_name(path: str) -> Any:
    """Return what a dotted path names: a module's absolute name, a dot, and a name in it."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)
