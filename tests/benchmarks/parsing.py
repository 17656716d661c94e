"""Parse and validate the Debian manifests (make corpus), and load them from the cache."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.compiler.cache import NO_CACHE, compile_file, programs
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.source_files import read_source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.session import Session
from tests.benchmarks import puppet
from tests.benchmarks.rows import Absent, Row, Rows
from tests.benchmarks.timing import best

CORPUS = Path("build/corpus").resolve()
GROUP = "parsing"
PARSED = 6
CACHED = 20
_TIMES = 3


def parsing() -> Rows:
    """Yield the seconds of all manifests: parsed and validated, and loaded from the cache."""
    paths = sorted(path for path in CORPUS.rglob("*.pp") if path.is_file())
    beside = puppet.version()
    if not paths:
        yield Absent(GROUP, "no manifests here (make corpus)")
        return
    theirs = None
    if beside is None:
        yield Absent(GROUP, puppet.NO_PUPPET)
    else:
        script = Path(__file__).with_suffix(".rb")
        answer = puppet.output(script, given="\n".join(map(str, paths)))
        theirs = json.loads(answer.splitlines()[-1])["seconds"]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    size = f"{sum(map(len, texts)) / 1e6:.1f} MB"
    yield Row(GROUP, f"parse {size}", best(lambda: _parse_all(texts)), theirs, beside or "", PARSED)
    with _cache_of_its_own():
        _load_all(paths)
        kept = min(map(_load_seconds, [paths] * _TIMES))
    yield Row(GROUP, f"load {size} from the cache", kept, theirs, beside or "", CACHED)


def _parse_all(texts: list[str]) -> None:
    """Parse and validate every text, and keep nothing."""
    for text in texts:
        with suppress(PuppetError):
            validate(parse(Source(text)))


@contextmanager
def _cache_of_its_own() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as directory:
        before = {name: os.environ.get(name) for name in ("XDG_CACHE_HOME", NO_CACHE)}
        os.environ["XDG_CACHE_HOME"] = directory
        os.environ.pop(NO_CACHE, None)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


def _load_seconds(paths: list[Path]) -> float:
    """Return the CPU seconds of _load_all() in a process that has none of the files in memory."""
    programs().clear()  # which takes time itself, and a new process has nothing to free
    return best(lambda: _load_all(paths), 1)


def _load_all(paths: list[Path]) -> None:
    """Read, find, check and load every file."""
    context = Session(facts={})._context
    for path in paths:
        with suppress(PuppetError):
            compile_file(read_source(os.fspath(path)), context)
