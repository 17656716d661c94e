"""The Sphinx extension as ``conf.py`` names it; see ``puppet_repl.integrations.sphinx``."""

from puppet_repl.integrations.sphinx import setup

__all__ = ["setup"]
