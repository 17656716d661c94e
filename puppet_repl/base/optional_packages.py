"""Optional packages: the command that installs those of an extra of this distribution."""

from __future__ import annotations

import sys

from puppet_repl.base.recursion import IN_BROWSER


def how_to_install(extra: str) -> str:
    """Return the command that installs the packages of an extra, such as "ruby", for this Python.

    It names the packages, as the metadata of the installed distribution do: that is right for a
    checkout, a file and a package index alike.
    """
    if IN_BROWSER:
        return "it cannot be installed in a browser"
    import shlex  # here and below: only messages need these, and the start must not import them

    return shlex.join([*_installer(), *(_packages(extra) or [_checkout(extra)])])


def _packages(extra: str) -> list[str]:
    """Return the requirements of an extra, an empty list if the distribution is not installed."""
    import re
    from importlib import metadata

    try:
        requirements = metadata.requires("puppet-repl") or ()
    except (metadata.PackageNotFoundError, OSError):
        return []
    belongs = re.compile(rf"""\bextra == ["']{re.escape(extra)}["']""")
    split = (requirement.partition(";") for requirement in requirements)
    return [package.strip() for package, _, marker in split if belongs.search(marker)]


def _checkout(extra: str) -> str:
    """Return the checkout that this module is run from, as pip takes it."""
    from pathlib import Path

    return f"{Path(__file__).parents[2]}[{extra}]"


def _installer() -> list[str]:
    """Return the command that installs into the environment of this Python."""
    import os
    import shutil
    from importlib.util import find_spec

    if not sys.executable:  # None or '' in a program that embeds Python
        return ["python3", "-m", "pip", "install"]
    pip = shutil.which("pip")
    directory = os.path.dirname(sys.executable)
    if pip is not None and os.path.dirname(pip) == directory:
        return ["pip", "install"]
    if find_spec("pip") is None and shutil.which("uv") is not None:
        return ["uv", "pip", "install", "--python", sys.executable]
    return [sys.executable, "-m", "pip", "install"]
