"""Directories for a static host: written anew as a whole, and the command that writes one."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class SiteError(Exception):
    """Something that the directory is made of is missing, or it has files of somebody else."""


@contextmanager
def replaced(target: Path, sign: str) -> Iterator[Path]:
    """Give a path for a new directory, which takes the place of ``target`` at the end.

    ``sign`` is the file by which an earlier one is known: a directory with other files is refused.
    When the body fails, ``target`` stays as it was.
    """
    target = target.resolve()
    _refuse_other_files(target, sign)
    target.parent.mkdir(parents=True, exist_ok=True)
    # Beside it, so that it can be moved there.
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f"{target.name}-") as name:
        work = Path(name)
        yield work / "new"
        if target.exists():
            _refuse_other_files(target, sign)
            target.rename(work / "old")
        (work / "new").rename(target)


def _refuse_other_files(target: Path, sign: str) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise SiteError(f"{target} is not a directory")
    if any(target.iterdir()) and not (target / sign).is_file():
        raise SiteError(f"{target} has other files: it has no {sign}")


def run_writer(write: Callable[[Path], None], prog: str, description: str | None) -> int:
    """Write the directory that the command line names; return the exit status."""
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("target", type=Path, metavar="TARGET")
    arguments = parser.parse_args()
    try:
        write(arguments.target)
    except (SiteError, OSError) as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 1
    return 0
