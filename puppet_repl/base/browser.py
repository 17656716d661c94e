"""Features that Python lacks in a browser (WebAssembly, Pyodide), in the words of messages."""

from __future__ import annotations

from puppet_repl.base.recursion import IN_BROWSER

__all__ = ["IN_BROWSER", "NO_PROGRAMS", "NO_RUBY"]

NO_PROGRAMS = "there are no programs in a browser"
NO_RUBY = "a browser runs no Ruby: install puppet-repl to run the Ruby of modules"
