"""Format the Debian manifests (make corpus), beside parsing them, and a directory of such forms."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.formatting import format_text
from tests.benchmarks.parsing import CORPUS
from tests.benchmarks.rows import Absent, Row, Rows
from tests.benchmarks.timing import PROGRAM, best_of_each, process_seconds

GROUP = "formatting"
FILES = 3000
_EVERY = 10
# 1,000 lines are parsed in some 4 ms; formatting with all checks may take 100.
_OF_PARSING = 1 / 25


def formatting() -> Rows:
    """Yield the seconds of files that change and of files that do not, and of the command."""
    forms = [form for text in _texts() if (form := _form(text)) is not None]
    if not forms:
        yield Absent(GROUP, "no manifests here (make corpus)")
        return
    indented = [form.replace("\n  ", "\n   ") for form in forms]
    works = [partial(_format, indented), partial(_format, forms), partial(_parse, forms)]
    changed, same, parsed = best_of_each(works)
    lines = sum(form.count("\n") for form in forms)
    size = f"{lines / 1000:.1f} thousand lines"
    yield Row(GROUP, f"format {size}, all checked", changed, parsed, "parse", _OF_PARSING)
    yield Row(GROUP, f"format {size}, unchanged", same, parsed, "parse", _OF_PARSING * 2)
    with tempfile.TemporaryDirectory() as directory:
        for number in range(FILES):
            form = forms[number % len(forms)]
            (Path(directory) / f"{number}.pp").write_text(form, encoding="utf-8")
        seconds = process_seconds([PROGRAM, "format", "--check", directory])
        yield Row(GROUP, f"format --check, {FILES} files", seconds, limit=20)


def _texts() -> list[str]:
    paths = sorted(path for path in CORPUS.rglob("*.pp") if path.is_file())
    return [path.read_text(encoding="utf-8") for path in paths[::_EVERY]]


def _form(text: str) -> str | None:
    """Return the form of a manifest, None for one with an error."""
    try:
        return format_text(text)
    except PuppetError:
        return None


def _format(texts: list[str]) -> None:
    for text in texts:
        format_text(text)


def _parse(texts: list[str]) -> None:
    for text in texts:
        parse(Source(text))
