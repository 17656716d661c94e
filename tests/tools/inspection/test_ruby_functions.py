"""What the front ends tell about a module's function in Ruby, which they read and do not run."""

from __future__ import annotations

from pathlib import Path

from puppet_repl.frontends.commands import run
from puppet_repl.session import Options, Session
from puppet_repl.tools.editing import signatures
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.help import documentation_markdown, documentation_text
from puppet_repl.tools.reports.report import render_report

GLUE = """
# @summary Join `$parts` with the *glue* of [`m::data`](#mdata).
#
# See **all** of [the guide](https://example.com/guide).
Puppet::Functions.create_function(:'m::glue') do
  # @param parts Texts like `a`.
  dispatch :glue do
    param 'Array[String]', :parts
    return_type 'String'
  end
end
"""


def session(root: Path) -> Session:
    functions = root / "m" / "lib" / "puppet" / "functions"
    (functions / "m").mkdir(parents=True)
    (functions / "m" / "glue.rb").write_text(GLUE, encoding="utf-8")
    return Session(Options(modulepath=(str(root),), ruby="off"), facts={})


def test_the_function_is_that_of_its_module(tmp_path: Path) -> None:
    found = session(tmp_path).inspect("m::glue(", 8)
    assert found is not None
    assert found.category == "function (module m)"


def test_terminals_get_text_and_notebooks_markdown(tmp_path: Path) -> None:
    found = session(tmp_path).inspect("m::glue(", 8)
    assert found is not None
    text = documentation_text(found)
    assert "Join $parts with the *glue* of m::data." in text
    assert "See all of the guide (https://example.com/guide)." in text
    assert "Texts like a." in text
    assert "See **all** of [the guide](https://example.com/guide)." in documentation_markdown(found)


def test_lists_and_menus_show_text(tmp_path: Path) -> None:
    one = session(tmp_path)
    report = run(one, ":names functions m::")
    shown = plain(render_report(report))
    assert "Join $parts with the *glue* of m::data." in shown
    (item,) = [each for each in one.complete("m::gl", 5).items if each.name == "m::glue"]
    assert item.detail.startswith("Join $parts with the")


def test_signature_help(tmp_path: Path) -> None:
    found = signatures(session(tmp_path), "m::glue(")
    assert found is not None and found.texts == [["Array[String] $parts"]]
