"""The Jupyter kernel: ipykernel's machinery around a Session.

``kernel`` answers requests, ``cells`` runs cells, ``magic_functions`` the cell magics. ``checks``
and ``debugger`` answer on the control channel, in another thread than the cells. ``worker`` is the
kernel without Jupyter, for a page in a browser that asks in JSON.
"""

from puppet_repl.base.version import __version__

__all__ = ["__version__"]
