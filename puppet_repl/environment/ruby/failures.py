"""Errors of Ruby code."""

from __future__ import annotations

from puppet_repl.base.errors import ParseFailure, RuntimeFailure


class RubyFailure(RuntimeFailure):
    """An error of Ruby code; ``is_puppet_error`` for those of class Puppet::Error."""

    def __init__(self, message: str, *, is_puppet_error: bool) -> None:
        super().__init__(message)
        self.is_puppet_error = is_puppet_error


class RubyParseFailure(RubyFailure, ParseFailure):
    """One of class Puppet::ParseError, which functions of ours may take for an answer."""
