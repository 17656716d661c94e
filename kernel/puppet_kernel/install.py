"""``puppet-repl kernel install|uninstall``: tell Jupyter where this kernel is.

`pip install '.[kernel]'` in a checkout already does so for the environment it installs into; this
is for a Jupyter that lives elsewhere: it writes the absolute path of this interpreter.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from puppet_kernel.session_arguments import absolute_arguments
from puppet_repl.base.optional_packages import how_to_install
from puppet_repl.base.wording import failure_with_file
from puppet_repl.host.argument_parser import ArgumentParser
from puppet_repl.host.session_options import UsageError

NAME = "puppet"
EPILOG = """\
The options of puppet-repl after -- describe the sessions of the kernel:
  puppet-repl kernel install --name production -- --environment . --node web01.example.com
"""
LOGOS = ("logo-svg.svg", "logo-64x64.png")


def kernel_spec(
    interpreter: str, display_name: str = "Puppet", arguments: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the contents of kernel.json; ``arguments`` describe the sessions of the kernel."""
    start = [interpreter, "-P", "-m", "puppet_kernel", "-f", "{connection_file}"]
    return {
        "argv": [*start, *arguments],
        "display_name": display_name,
        "language": "puppet",
        "interrupt_mode": "signal",
        "kernel_protocol_version": "5.5",
        "metadata": {"debugger": True, "supported_encryption": ["curve"]},
    }


def install(
    *,
    user: bool,
    prefix: str | None,
    name: str = NAME,
    display_name: str = "Puppet",
    arguments: Sequence[str] = (),
) -> str:
    """Write the kernelspec; return the directory it is in."""
    from jupyter_client.kernelspec import KernelSpecManager

    manager = KernelSpecManager()
    with tempfile.TemporaryDirectory() as directory:
        spec = json.dumps(kernel_spec(sys.executable, display_name, arguments), indent=1)
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


def make_parser(name: str = "kernel") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Install the kernel for a Jupyter in another environment, or remove it.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    adding = actions.add_parser(
        "install",
        help="write the kernelspec",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    place = adding.add_mutually_exclusive_group()
    place.add_argument("--user", action="store_true", help="for this user (the default)")
    place.add_argument("--sys-prefix", action="store_true", help="for this Python environment")
    place.add_argument("--prefix", metavar="DIR", help="below the directory DIR")
    adding.add_argument("--name", default=NAME, help="name of the kernel")
    adding.add_argument("--display-name", help="name shown in the launcher (default: Puppet)")
    removing = actions.add_parser("uninstall", help="remove the kernelspec")
    removing.add_argument("--name", default=NAME, help="name of the kernel")
    return parser


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    own, dashes, arguments = _split(argv)
    given = make_parser().parse_args(own)
    if dashes and given.action != "install":
        make_parser().error("options of sessions belong to install")
    try:
        if given.action == "uninstall":
            print(f"removed {uninstall(given.name)}")
            return 0
        prefix = sys.prefix if given.sys_prefix else given.prefix
        where = _install(given, prefix, arguments)
    except UsageError as error:
        print(f"puppet-repl: {error}", file=sys.stderr)
        return 2
    except ImportError:
        print(f"puppet-repl: {how_to_install('kernel')} first", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"puppet-repl: {failure_with_file(error)}", file=sys.stderr)
        return 2
    except (KeyError, ValueError) as error:
        reason = f"there is no kernel named {error}" if isinstance(error, KeyError) else str(error)
        print(f"puppet-repl: {reason}", file=sys.stderr)
        return 2
    print(f"installed in {where}")
    return 0


def _split(argv: list[str]) -> tuple[list[str], bool, list[str]]:
    """Return the arguments before ``--``, whether it is present, and the arguments after it."""
    if "--" not in argv:
        return argv, False, []
    at = argv.index("--")
    return argv[:at], True, argv[at + 1 :]


def _install(given: argparse.Namespace, prefix: str | None, arguments: list[str]) -> str:
    # Two kernels of one name in the launcher could not be distinguished.
    usual = "Puppet" if given.name == NAME else f"Puppet ({given.name})"
    return install(
        user=prefix is None,
        prefix=prefix,
        name=given.name,
        display_name=given.display_name or usual,
        arguments=absolute_arguments(arguments),
    )
