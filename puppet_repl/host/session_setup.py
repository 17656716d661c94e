"""Check the description of a session: from the command line, a request of ``batch``, or the API.

Each of them converts its arguments to values by the names of options. The rules for these values,
besides those of the table of options, are checked here.
"""

from __future__ import annotations

import os

from puppet_repl.language.runtime.options import DEFAULT_STDLIB, Options
from puppet_repl.language.runtime.puppetdb_address import address_problem

# What --environment and :environment take for no environment.
NO_ENVIRONMENT = "off"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def problem_of(values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the name of an option that cannot be used and why, None if all can be used."""
    node = values.get("node")
    if node is not None and not may_name_file(node):
        return "node", f"'{node}' is not a valid node name"
    environment = values.get("environment")
    if environment is not None and not os.path.isdir(environment):
        return "environment", f"{environment} is not a directory"
    address = address_problem(os.fspath(values.get("puppetdb") or ""))
    if address is not None:
        return "puppetdb", address
    files = [("stubs", path) for path in values.get("stubs") or ()]
    if values.get("hiera_config") is not None:
        files.append(("hiera_config", values["hiera_config"]))
    enc = values.get("enc")
    if enc is not None and not os.path.isdir(enc):
        files.append(("enc", enc))
    for name, path in files:
        problem = _problem_with_file(path)
        if problem is not None:
            return name, problem
    return None


def make_options(values: Mapping[str, Any]) -> Options:
    """Return the options of a session from checked values of a command line.

    A directory of modules may be missing, as in Puppet: nobody is warned here.
    """
    options = Options(**{name: each for name, each in values.items() if name != "modulepath"})
    options.modulepath = tuple(values.get("modulepath") or ())
    return options.spell("flag")


def default_stdlib(environment: object) -> str:
    """Return which bundled stdlib counts: none with an environment, which brings its modules."""
    return "off" if environment else DEFAULT_STDLIB


def may_name_file(name: str) -> bool:
    """Tell whether a node's name can be that of a file of the node, which is in its directory.

    As in Puppet it cannot begin with two dots or a drive, and has neither slashes, backslashes nor
    NUL in it, on any system; nor can it be blank.
    """
    has_drive = name[:1].isascii() and name[:1].isalpha() and name[1:2] == ":"
    is_path = has_drive or name.startswith("..") or any(sign in name for sign in "/\\\0")
    return bool(name.strip()) and name != "." and not is_path


def _problem_with_file(path: str) -> str | None:
    """Return why a file cannot be used that is read whenever a session begins again, or None."""
    if os.path.isfile(path):
        return None
    if not os.path.exists(path):
        return f"there is no file {path}"
    if os.path.isdir(path):
        return f"{path} is a directory"
    return f"{path} is not a regular file, and must be one because it is read more than once"
