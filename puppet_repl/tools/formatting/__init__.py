"""Puppet code in one form."""

from puppet_repl.tools.formatting.formatter import WIDTH, FormatError, format_text

__all__ = ["WIDTH", "FormatError", "format_text"]
