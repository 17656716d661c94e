"""The directory for a static host: how much a page loads, and that all of it is for this Python."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

from playground.site import ARCHIVE, LIBRARY

MAX_BYTES = 15_200_000


def test_a_page_loads_no_more_than_is_allowed(served: Path) -> None:
    sizes = {path: path.stat().st_size for path in served.rglob("*") if path.is_file()}
    assert sum(sizes.values()) <= MAX_BYTES, sizes


def test_what_the_start_imports_is_compiled(served: Path) -> None:
    with tarfile.open(served / ARCHIVE) as archive:
        engine = set(archive.getnames())
    library = set(zipfile.ZipFile(served / "pyodide" / LIBRARY).namelist())
    assert {"puppet_kernel/worker.pyc", "puppet_repl/session/session.pyc"} <= engine
    assert {"typing.pyc", "json/__init__.pyc", "pyodide/__init__.pyc"} <= library
    assert not {"puppet_repl/session/session.py", "puppet_repl/frontends/terminal/app.py"} & engine
    assert not {"typing.py", "unittest/__init__.py"} & library
