"""The page about limits gives the figures that the code has."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.base import file_reading, limits, sharing, yaml_data
from puppet_repl.environment.ruby.sandbox import instance
from puppet_repl.host import history
from puppet_repl.language.ruby_library import files as ruby_files
from puppet_repl.language.runtime import options
from puppet_repl.language.syntax import lexer
from puppet_repl.language.values import extent, iterator, regex, sprintf
from puppet_repl.session import transaction

PAGE = Path(__file__).parents[2] / "docs" / "limits.md"
ROWS = {
    cells[0].strip(): [cell.strip() for cell in cells[1:]]
    for cells in (
        line.strip("|").split("|")
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    )
}


@pytest.mark.parametrize(
    ("what", "default"),
    [
        ("memory of the process", f"{options.MAX_MEMORY >> 30} GB"),
        ("elements of an array made of a range", f"{iterator.MAX_ELEMENTS:,}"),
        ("width and precision", f"{sprintf.LONGEST:,}"),
        ("arrays, hashes and values", f"{extent.MAX_PARTS:,}"),
        ("text of shared parts", f"{sharing.MAX_REPEATED >> 20} MB"),
        ("brackets and blocks", f"{lexer.MAX_NESTING}"),
        ("time of a match", f"{regex.TIME_LIMIT:g} seconds"),
        ("digits of an Integer", f"{limits.MAX_DIGITS:,}"),
        ("time of Ruby", f"{options.RUBY_SECONDS} seconds"),
        ("memory of Ruby", f"{instance.MAX_MEMORY >> 20} MB"),
        ("size of a file", f"{file_reading.MAX_BYTES >> 20} MB"),
        ("depth of YAML and JSON", f"{limits.MAX_DATA_DEPTH:,} levels"),
        ("patterns that braces of `glob`", f"{ruby_files.MAX_PATTERNS:,}"),
        ("digits of a number in JSON", f"{limits.MAX_DIGITS:,}"),
        ("nodes of YAML", f"{yaml_data.MAX_ALIASED:,}"),
        ("changes that `:undo`", f"{transaction.MAX_UNDONE}"),
        ("entries of the history", f"{history.MAX_ENTRIES:,}"),
    ],
)
def test_the_page_has_the_figures_of_the_code(what: str, default: str) -> None:
    (row,) = (cells for name, cells in ROWS.items() if name.startswith(what))
    assert row[0] == default
