"""Puppet as the reference: the one of PUPPET_LIB, else the one that this machine's Ruby finds."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

NO_PUPPET = "no Puppet here (PUPPET_LIB)"


def command(script: Path) -> list[str] | None:
    """Return the command of a script in Ruby, with PUPPET_LIB on its load path."""
    ruby = shutil.which("ruby")
    if ruby is None:
        return None
    lib = [f"-I{os.environ['PUPPET_LIB']}"] if "PUPPET_LIB" in os.environ else []
    return [ruby, *lib, str(script)]


def output(script: Path, *arguments: str, given: str = "") -> str:
    """Return what a script writes; "" where there is no Puppet."""
    program = command(script)
    if program is None or version() is None:
        return ""
    return subprocess.run(
        [*program, *arguments], input=given, capture_output=True, text=True, check=True
    ).stdout


@cache
def version() -> str | None:
    """Return "Puppet" with its version; None where there is none."""
    program = command(Path(__file__).with_name("version.rb"))
    if program is None:
        return None
    done = subprocess.run(program, capture_output=True, text=True)
    return f"Puppet {done.stdout.strip()}" if done.returncode == 0 else None
