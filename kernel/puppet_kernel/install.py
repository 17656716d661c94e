"""``puppet-repl kernel install|uninstall``: tell Jupyter where this kernel is.

`pip install 'puppet-repl[kernel]'` already does so for the environment it installs into; this is
for a Jupyter that lives elsewhere: it writes the absolute path of this interpreter.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

NAME = "puppet"
LOGOS = ("logo-svg.svg", "logo-64x64.png")


def kernel_spec(interpreter: str, display_name: str = "Puppet") -> dict[str, Any]:
    """Return the contents of kernel.json."""
    return {
        "argv": [interpreter, "-P", "-m", "puppet_kernel", "-f", "{connection_file}"],
        "display_name": display_name,
        "language": "puppet",
        "interrupt_mode": "signal",
        "kernel_protocol_version": "5.5",
        "metadata": {"debugger": True},
    }


def install(
    *, user: bool, prefix: str | None, name: str = NAME, display_name: str = "Puppet"
) -> str:
    """Write the kernelspec; return the directory it is in."""
    from jupyter_client.kernelspec import KernelSpecManager

    manager = KernelSpecManager()
    with tempfile.TemporaryDirectory() as directory:
        spec = json.dumps(kernel_spec(sys.executable, display_name), indent=1)
        Path(directory, "kernel.json").write_text(f"{spec}\n", encoding="utf-8")
        for logo in LOGOS:
            data = files("puppet_kernel").joinpath("logos", logo).read_bytes()
            Path(directory, logo).write_bytes(data)
        where: str = manager.install_kernel_spec(directory, name, user=user, prefix=prefix)
    return where


def uninstall(name: str = NAME) -> str:
    """Remove the kernelspec; return the directory it was in."""
    from jupyter_client.kernelspec import KernelSpecManager

    where: str = KernelSpecManager().remove_kernel_spec(name)
    return where


def make_parser(name: str = "kernel") -> argparse.ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = argparse.ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Install the kernel for a Jupyter in another environment, or remove it.",
    )
    actions = parser.add_subparsers(dest="action", required=True)
    adding = actions.add_parser("install", help="write the kernelspec")
    place = adding.add_mutually_exclusive_group()
    place.add_argument("--user", action="store_true", help="for this user (the default)")
    place.add_argument("--sys-prefix", action="store_true", help="for this Python environment")
    place.add_argument("--prefix", metavar="DIR", help="below the directory DIR")
    adding.add_argument("--name", default=NAME, help="name of the kernel")
    adding.add_argument("--display-name", default="Puppet", help="name shown in the launcher")
    removing = actions.add_parser("uninstall", help="remove the kernelspec")
    removing.add_argument("--name", default=NAME, help="name of the kernel")
    return parser


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    given = make_parser().parse_args(argv)
    try:
        if given.action == "uninstall":
            print(f"removed {uninstall(given.name)}")
            return 0
        prefix = sys.prefix if given.sys_prefix else given.prefix
        where = install(
            user=prefix is None, prefix=prefix, name=given.name, display_name=given.display_name
        )
    except ImportError:
        print("puppet-repl: pip install 'puppet-repl[kernel]' first", file=sys.stderr)
        return 2
    except (OSError, KeyError, ValueError) as error:
        reason = f"there is no kernel named {error}" if isinstance(error, KeyError) else str(error)
        print(f"puppet-repl: {reason}", file=sys.stderr)
        return 2
    print(f"installed in {where}")
    return 0
