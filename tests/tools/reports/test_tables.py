"""Tables in a terminal: columns side by side, or a line for each cell where they do not fit."""

from __future__ import annotations

from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.width import display_width
from puppet_repl.tools.reports.parts import Cell, Table
from puppet_repl.tools.reports.tables import render_table

HEADINGS = ("", "device", "filesystem", "options", "size")
ROWS = [
    (Cell("/"), "/dev/vda1", "ext4", "rw, relatime, errors=remount-ro", "3 GiB"),
    (Cell("/boot"), "/dev/vda2", "", "rw", "1 GiB"),
]


def shown(width: int) -> str:
    return plain(render_table(Table(HEADINGS, ROWS), width))


def test_columns_that_fit() -> None:
    assert shown(80).splitlines()[1].split() == [
        *("/", "/dev/vda1", "ext4", "rw,", "relatime,", "errors=remount-ro", "3", "GiB"),
    ]


def test_columns_that_do_not_fit_are_lines() -> None:
    assert shown(40) == (
        "/\n"
        "  device      /dev/vda1\n"
        "  filesystem  ext4\n"
        "  options     rw, relatime,\n"
        "              errors=remount-ro\n"
        "  size        3 GiB\n"
        "\n"
        "/boot\n"
        "  device      /dev/vda2\n"
        "  options     rw\n"
        "  size        1 GiB"
    )


def test_no_line_is_wider_than_the_screen() -> None:
    for width in range(20, 100):
        assert all(display_width(line) <= width for line in shown(width).splitlines()), width
