"""Parse and validate the Debian manifests (make corpus), beside Puppet in the same run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from puppet_repl.compiler.cache import NO_CACHE, compile_file, programs
from puppet_repl.errors import PuppetError
from puppet_repl.session import Session
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.reading import read_source
from puppet_repl.syntax.source import Source
from puppet_repl.syntax.validate import validate

CORPUS = Path("build/corpus")
RECORDED = 2.14
"""Puppet 8.11's seconds on a machine of the kind this was first measured on."""


def manifests() -> list[Path]:
    """The manifests of the corpus; none if it is not there."""
    return sorted(path for path in CORPUS.rglob("*.pp") if path.is_file())


def parse_all(texts: list[str]) -> None:
    """Parse and validate every text, and keep nothing."""
    for text in texts:
        try:
            validate(parse(Source(text)))
        except PuppetError:
            continue


def kept_seconds(paths: list[Path], best: Callable[[Callable[[], object]], float]) -> float:
    """Return the seconds that manifests take of which the code was kept by an earlier process.

    They are read, found, checked and loaded; ``best`` times that.
    """
    with tempfile.TemporaryDirectory() as directory:
        before = {name: os.environ.get(name) for name in ("XDG_CACHE_HOME", NO_CACHE)}
        os.environ["XDG_CACHE_HOME"] = directory
        os.environ.pop(NO_CACHE, None)
        try:
            _load_all(paths)
            return best(lambda: _load_all(paths))
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


def _load_all(paths: list[Path]) -> None:
    programs().clear()
    context = Session(facts={})._context
    for path in paths:
        with suppress(PuppetError):
            compile_file(read_source(os.fspath(path)), context)


def puppet_seconds(paths: list[Path]) -> tuple[str, float]:
    """Seconds of the Puppet at hand, else those recorded."""
    ruby = shutil.which("ruby")
    if ruby is not None:
        lib = [f"-I{os.environ['PUPPET_LIB']}"] if "PUPPET_LIB" in os.environ else []
        done = subprocess.run(
            [ruby, *lib, str(Path(__file__).with_suffix(".rb"))],
            input="\n".join(map(str, paths)),
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            return "Puppet, in this run", json.loads(done.stdout.splitlines()[-1])["seconds"]
    return "Puppet 8.11, recorded", RECORDED
