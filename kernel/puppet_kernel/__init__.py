"""The Jupyter kernel: ipykernel's machinery around a Session."""

from puppet_repl.base.version import __version__

__all__ = ["__version__"]
