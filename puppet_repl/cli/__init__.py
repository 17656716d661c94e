"""The command line, ``puppet-repl``: its entry point and its subcommands."""

from __future__ import annotations

from puppet_repl.cli.command_line import main

__all__ = ["main"]
