"""The parts of README.md that are written by the commands that measure them.

Such a part stands between ``<!-- NAME -->`` and ``<!-- end of NAME -->``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def section(name: str) -> str:
    """Return the part of that name, without its marks."""
    return _split(name)[1]


def write_section(name: str, content: str) -> None:
    """Replace the part of that name."""
    before, _, after = _split(name)
    README.write_text(f"{before}\n{content.strip()}\n{after}", encoding="utf-8")


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of Markdown."""
    columns = list(head)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _split(name: str) -> tuple[str, str, str]:
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = README.read_text(encoding="utf-8").partition(begin)
    content, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"README.md has no part between '{begin}' and '{end}'")
    return before + begin, content.strip(), end + after
