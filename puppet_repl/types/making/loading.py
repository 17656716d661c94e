"""What a program may never need is loaded by its path when it does."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def load(path: str) -> Any:
    """Return what ``module:name`` means, with a module of this package: ``model.uri:URI_TYPE``."""
    module, _, name = path.partition(":")
    return getattr(import_module(f"puppet_repl.types.{module}"), name)
