"""The Puppet code of this repository: pages, notebooks, modules, examples."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from puppet_repl.frontends.doctest.documents import blocks_of
from puppet_repl.frontends.doctest.examples import has_result

ROOT = Path(__file__).parents[3]
_RESULT = re.compile(r"\s+# (?:=>|error|debug:|info:|notice:|warning:).*")
_SPECIMENS = ROOT / "docs" / "howto" / "format.md"
"""A page whose blocks test_specimens.py reads."""


def chunks(text: str) -> list[str]:
    """Return the code of a block up to each result that is noted beside it."""
    found = [""]
    for line in text.splitlines(keepends=True):
        if has_result(line):
            found[-1] += _RESULT.sub("", line.rstrip("\n")) + "\n"
            found.append("")
        else:
            found[-1] += line
    return [chunk for chunk in found if chunk.strip()]


def _in_markdown(name: str, text: str) -> Iterator[tuple[str, str, bool]]:
    for block in blocks_of(name, text):
        if block.language in ("puppet", "epp"):
            code = "".join(f"{line}\n" for line in block.lines)
            for chunk in chunks(code) if block.language == "puppet" else [code]:
                yield f"{name}:{block.line}", chunk, block.language == "epp"


def our_code() -> Iterator[tuple[str, str, bool]]:
    """Yield each piece of code with its place, and whether it is a template."""
    for path in sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]):
        if path != _SPECIMENS:
            yield from _in_markdown(
                path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            )
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for number, cell in enumerate(json.loads(path.read_bytes())["cells"]):
            text = "".join(cell["source"])
            place = f"notebooks/{path.name}#{number}"
            if cell["cell_type"] == "code":
                yield place, text + "\n", False
            else:
                yield from _in_markdown(f"{place}.md", text)
    for directory in ("docs", "notebooks", "kernel", "puppet_repl"):
        for path in sorted((ROOT / directory).rglob("*.*p")):
            if path.suffix in (".pp", ".epp") and "bundled" not in path.parts:
                text = path.read_text(encoding="utf-8")
                yield path.relative_to(ROOT).as_posix(), text, path.suffix == ".epp"
