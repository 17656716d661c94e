"""Inputs one after the other on one state: the public API of the interpreter.

The main methods of ``Session`` are execute, check, complete, inspect and reset. None of them raises
for errors in an input; complete and inspect never evaluate anything. Within one input Puppet's
rules apply, a later input may assign, define or declare again. An input that fails is rolled back.
"""

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
