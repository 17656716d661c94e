"""A saved notebook has what was shown, and nothing that was shown keeps it from being saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.tools.rendering import values
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

SHARED = "$d = Integer[1, 40].reduce([1]) |$m, $i| { [$m, $m] }"


def saved(path: Path, *inputs: str, host: Host | None = None) -> list[Any]:
    """Run inputs and save them; return the cells of a notebook that is valid."""
    host = host if host is not None else Host(facts={})
    for text in inputs:
        host.session.execute(text)
    shown = plain(render_report(run(host.session, f":save! {path}", host)))
    assert "input" in shown and str(path) in shown, shown
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells: list[Any] = notebook.cells
    return cells


def value_of(cell: Any) -> str:
    text: str = cell.outputs[-1].data["text/plain"]
    return text


def test_outputs_are_those_of_a_notebook(tmp_path: Path) -> None:
    code = "notice('a') info('hidden') warning('b') err('c') 5"
    cell, function, nothing = saved(tmp_path / "s.ipynb", code, "function f() { 1 }", "undef")
    kinds = [(output.output_type, output.get("name")) for output in cell.outputs]
    assert kinds == [("stream", "stdout"), ("stream", "stderr"), ("execute_result", None)]
    lines = "Notice: a\nWarning: b\n"
    assert cell.outputs[0].text == lines
    assert value_of(cell) == "5"
    assert [output.text for output in function.outputs] == ["defined function f\n"]
    assert nothing.outputs == []


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("Array(Integer[1, 100000])", ":show shows everything"),
        ("'x'.with |$x| { Integer[1, 20].reduce($x) |$m, $i| { \"${m}${m}\" } }", "…"),
        (SHARED, ":show shows everything"),
        ("Integer[1, 30].reduce({}) |$m, $i| { {a => $m} }", ":show shows everything"),
        ("sprintf('%c', 55296)", "\\u{D800}"),
        ("[sprintf('%c', 56320)]", "\\u{DC00}"),
        ("Integer[1, 3]", "Integer[1, 3]"),
        ("Sensitive('hunter2')", "Sensitive"),
    ],
)
def test_values_are_cut_as_on_the_screen(tmp_path: Path, code: str, shown: str) -> None:
    path = tmp_path / "s.ipynb"
    (cell,) = saved(path, code)
    assert shown in value_of(cell)
    assert "hunter2" not in path.read_text("utf-8").replace(json.dumps(code)[1:-1], "")
    assert path.stat().st_size < 100_000


def test_what_cannot_be_shown_is_no_reason_to_lose_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no such value")

    monkeypatch.setattr(values, "_laid_out", fail)
    first, second = saved(tmp_path / "s.ipynb", "$a = 1", "$b = 2")
    assert "no such value" in value_of(first)
    assert second.source == "$b = 2"


def test_half_surrogates_in_inputs_and_messages_are_replaced(tmp_path: Path) -> None:
    (cell,) = saved(tmp_path / "s.ipynb", "notice(sprintf('%c', 55296)) # \ud800\n1")
    assert cell.source == "notice(sprintf('%c', 55296)) # \ufffd\n1"
    assert cell.outputs[0].text == "Notice: \ufffd\n"


def test_a_front_end_decides_how_values_are_shown(tmp_path: Path) -> None:
    host = Host(facts={})
    host.show_value = lambda value: {"text/plain": "plain", "text/html": "<b>html</b>"}
    (cell,) = saved(tmp_path / "s.ipynb", "1", host=host)
    assert cell.outputs[0].data == {"text/plain": "plain", "text/html": "<b>html</b>"}
