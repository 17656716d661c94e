"""Differences as text: where lines are broken."""

from __future__ import annotations

import pytest

from puppet_repl.catalog.content import content_of_document
from puppet_repl.catalog.difference import compare
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.differences import render_changes

WORDS = " ".join(f"word{number}" for number in range(60))
PATH = "/srv" + "/directory" * 30


def rendered(title: str, width: int | None) -> list[str]:
    new = content_of_document({"resources": [{"type": "Notify", "title": title}]})
    return plain(render_changes(compare(content_of_document({"resources": []}), new), width)).split(
        "\n"
    )


@pytest.mark.parametrize("width", [40, 80, 100])
def test_lines_are_broken_between_words(width: int) -> None:
    lines = rendered(WORDS, width)
    assert len(lines) > 3 and max(map(len, lines)) <= width
    assert all(line.endswith(" ") for line in lines[:-1])
    assert "".join([lines[0], *(line[6:] for line in lines[1:])]) == f"+ Notify['{WORDS}']"
    # A word that is too long is broken where the line ends.
    lines = rendered(PATH, width)
    assert {len(line) for line in lines[:-1]} == {width}
    assert "".join([lines[0], *(line[6:] for line in lines[1:])]) == f"+ Notify['{PATH}']"


def test_without_a_width_no_line_is_broken() -> None:
    assert rendered(WORDS, None) == [f"+ Notify['{WORDS}']"]
