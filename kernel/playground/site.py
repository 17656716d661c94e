"""Write the directory that a static host serves: python -m playground.site TARGET.

It has all that the page and its worker load, so that nothing comes from another host: the files
of ``static``, what the bundler made of the editor, the archive with the engine, and of Pyodide the
files that start it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from playground.engine import ROOT, STATIC, write_archive

PYODIDE = ROOT / "build" / "pyodide" / "node_modules" / "pyodide"
# What the bundler has made of the editor.
EDITOR = ROOT / "build" / "playground"
# Of Pyodide; its list of packages is written without any.
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"


class SiteError(Exception):
    """Something that the directory is made of is missing."""


def write_site(target: Path) -> None:
    """Write the directory anew."""
    if not PYODIDE.is_dir():
        raise SiteError(f"Pyodide is missing: make {PYODIDE.parent.relative_to(ROOT)} installs it")
    shutil.rmtree(target, ignore_errors=True)
    write_worker(target)
    if EDITOR.is_dir():
        shutil.copytree(EDITOR, target, dirs_exist_ok=True)


def write_worker(target: Path) -> None:
    """Write what a session of a page loads: the files of ``static``, the engine, Pyodide."""
    shutil.copytree(STATIC, target, dirs_exist_ok=True)
    write_archive(target / "engine.zip")
    write_python(target / "pyodide")


def write_python(target: Path) -> None:
    """Write the files of Pyodide that start it."""
    target.mkdir(parents=True, exist_ok=True)
    for name in PYTHON:
        shutil.copyfile(PYODIDE / name, target / name)
    lock = json.loads((PYODIDE / LOCK).read_text(encoding="utf-8"))
    text = json.dumps({**lock, "packages": {}})
    (target / LOCK).write_text(text, encoding="utf-8")


def main() -> int:
    """Write the directory that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m playground.site", description=__doc__)
    parser.add_argument("target", type=Path, metavar="TARGET")
    arguments = parser.parse_args()
    try:
        write_site(arguments.target)
    except SiteError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
