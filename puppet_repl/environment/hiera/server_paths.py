"""Absolute paths of a server in hiera.yaml, for an environment that is in another directory here.

``/etc/puppetlabs/code/environments/%{environment}/data`` is ``data`` of the session's environment,
unless this machine has that directory.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context

_ENVIRONMENTS = "/environments/"
# What a server has, and what literal paths name.
_DEFAULT = "production"
_NOTE = "hiera.yaml names "


def directory_here(path: str, context: Context) -> str:
    """Return a directory of hiera.yaml as it can be read here.

    One in an environment of a server that does not exist here is the same one below the session's
    environment. A note says so.
    """
    parts = _on_server(path, context)
    if parts is None or _exists(path, context):
        return path
    moved = _moved(parts[1], context)
    _note(parts[0], path, moved, context)
    return moved


def file_here(path: str, context: Context) -> str:
    """Return a file or pattern of hiera.yaml as it can be read here, as for a directory.

    It counts whether the environment of the server is here: data files may be missing anywhere.
    """
    parts = _on_server(path, context)
    if parts is None or _exists(parts[0], context):
        return path
    _note(parts[0], parts[0], _moved("", context), context)
    return _moved(parts[1], context)


def is_note(text: str) -> bool:
    """Tell whether a message says that a path of a server was replaced."""
    return text.startswith(_NOTE)


def _on_server(path: str, context: Context) -> tuple[str, str] | None:
    """Return the environment's directory on a server and the rest of a path; None for others."""
    options = context.options
    if options.environment is None or not os.path.isabs(path):
        return None
    root = options.puppet_settings.get("environmentpath")
    if type(root) is str and path.startswith(f"{root}/"):
        before, rest = root, path[len(root) + 1 :]
    else:
        before, found, rest = path.partition(_ENVIRONMENTS)
        if not found:
            return None
        before += _ENVIRONMENTS[:-1]
    name, _, rest = rest.partition("/")
    if name not in (options.environment_name, context.environment_name, _DEFAULT):
        return None
    return f"{before}/{name}", rest


def _exists(path: str, context: Context) -> bool:
    """Tell whether a path is here; a hermetic session does not look outside of its reach."""
    reach = context.reach
    return (reach is None or reach.allows(path)) and os.path.exists(path)


def _moved(rest: str, context: Context) -> str:
    """Return a path below the session's environment."""
    environment = context.options.environment
    assert environment is not None
    return os.path.join(environment, rest) if rest else environment


def _note(server: str, path: str, moved: str, context: Context) -> None:
    """Say, once for each directory of an environment on a server, which path replaces which."""
    text = f"{_NOTE}{path}, which is not here: {moved} is used in its place"
    context.log_once(f"hiera.yaml {server}", "notice", text)
