"""``python -m tests.docs.difference_table``: write the table of docs/differences.md.

It is made of the rows of the warnings, and stands in the page, so that a clone shows it too.
"""

from __future__ import annotations

from pathlib import Path

from puppet_repl.base.differences import DIFFERENCES
from tests.readme import table, write_section

PAGE = Path(__file__).parents[2] / "docs" / "differences.md"
NAME = "table of differences"


def difference_table() -> str:
    """Return the table: what a row is about, both answers, and the reason in the warning."""
    head = ("what", "Puppet 8.11", "here", "warning")
    rows = [(row.what, row.puppet, row.here, row.fails or row.does) for row in DIFFERENCES.values()]
    return table(head, rows)


if __name__ == "__main__":
    write_section(NAME, difference_table(), PAGE)
