"""``module``: what a module defines, as data."""

from __future__ import annotations

import os

from puppet_repl.environment.reference.module import is_module, read_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.reference.model import Module
    from puppet_repl.frontends.api.arguments import Path


def module(path: Path) -> Module:
    """Return the definitions of a module, from its directory; no code runs, Ruby is not needed.

    ``classes``, ``defined_types``, ``functions``, ``type_aliases``, ``data_types``,
    ``resource_types``, ``tasks`` and ``plans`` are entries with a name, a place, what the comments
    say, and parameters; a parameter has a name, and a ``type`` and a ``default`` as they are
    written. ``find(name)`` is one entry; ``to_dict()`` and ``to_json()`` are all of them as data.
    ``problems`` are the files that cannot be read or parsed. Raises OSError if there is no such
    directory, ValueError for one that is not a module.

    :param path: the directory of the module
    """
    name = os.fspath(path)
    if not is_module(name):
        raise ValueError(f"{name}: no module (it has nothing to document)")
    return read_module(name)
