"""Inputs one after the other on one state: the public API of the interpreter."""

from puppet_repl.session.session import (
    DEFAULT_STDLIB,
    NOTHING,
    Nothing,
    Options,
    Outcome,
    Session,
    Shared,
)

__all__ = ["DEFAULT_STDLIB", "NOTHING", "Nothing", "Options", "Outcome", "Session", "Shared"]
