"""The value of a program in the form that ``--output`` asks for."""

from __future__ import annotations

from shutil import get_terminal_size

from puppet_repl.frontends.commands.notations import json_text, table_report, yaml_document
from puppet_repl.tools.rendering.fragments import ansi, plain
from puppet_repl.tools.rendering.values import DEFAULT_WIDTH, render_value
from puppet_repl.tools.reports.report import render_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

# Tables that are not printed on a terminal are not cut at its width.
_WIDE = 1000


def formatted(value: Value, form: str, *, color: bool, is_terminal: bool) -> str:
    """Return a value in one of the forms, with a line end.

    JSON and YAML are for other programs and have no colours. Raises PuppetError for a value that
    the form cannot express, MemoryError and RecursionError for a value that is too large.
    """
    if form == "json":
        return json_text(value) + "\n"
    if form == "yaml":
        return yaml_document(value)
    width = get_terminal_size((DEFAULT_WIDTH, 24)).columns if is_terminal else DEFAULT_WIDTH
    if form == "puppet":
        fragments = render_value(value, width)
    else:
        fragments = render_report(table_report(value), width if is_terminal else _WIDE)
    return (ansi(fragments) if color else plain(fragments)) + "\n"
