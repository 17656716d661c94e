"""Puppet code in one form."""

from puppet_repl.tools.formatting.atoms import FormatError
from puppet_repl.tools.formatting.formatter import WIDTH, format_text

__all__ = ["WIDTH", "FormatError", "format_text"]
