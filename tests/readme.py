"""The parts of README.md and other pages that commands write from what they measure or read.

Such a part stands between ``<!-- NAME -->`` and ``<!-- end of NAME -->``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def section(name: str, page: Path | None = None) -> str:
    """Return the part of that name, without its marks, of a page or README.md."""
    return _split(name, page or README)[1]


def write_section(name: str, content: str, page: Path | None = None) -> None:
    """Replace the part of that name."""
    page = page or README
    before, _, after = _split(name, page)
    page.write_text(f"{before}\n{content.strip()}\n{after}", encoding="utf-8")


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of Markdown."""
    columns = list(head)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in lines
    )


def _split(name: str, page: Path) -> tuple[str, str, str]:
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = page.read_text(encoding="utf-8").partition(begin)
    content, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{page.name} has no part between '{begin}' and '{end}'")
    return before + begin, content.strip(), end + after
