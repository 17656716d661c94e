"""Directories of hosts that several files of tests use: each is made once in a run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from playground.lite import write_lite
from playground.site import write_site
from tests.docs.site import build

# Where a host has the documentation with the playground, and JupyterLite: rarely at its root.
DOCS = "some/docs"
LITE = "some/path"


def docs_host(factory: pytest.TempPathFactory) -> Path:
    """Return the directory of a host that has the documentation at ``DOCS``."""
    return _made_once(factory, "docs-host", _write_docs)


def lite_host(factory: pytest.TempPathFactory) -> Path:
    """Return the directory of a host that has JupyterLite at ``LITE``, beside a playground."""
    return _made_once(factory, "lite-host", _write_lite)


def _write_docs(root: Path) -> None:
    built = build(root / "build", tags=("playground",))
    (root / DOCS).parent.mkdir(parents=True)
    built.rename(root / DOCS)
    write_site(root / DOCS / "playground")


def _write_lite(root: Path) -> None:
    write_site((root / LITE).with_name("playground"))
    write_lite(root / LITE)


def _made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return a directory; the first process of this run that asks for it makes it."""
    own = factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    made = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            unfinished = factory.mktemp(name)
            make(unfinished)
            unfinished.rename(made)
    return made
