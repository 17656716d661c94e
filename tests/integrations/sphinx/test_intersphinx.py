"""Links to the objects of another documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.integrations.sphinx.building import Documentation, inventory

MANIFEST = """# See {widget::join} and {widget::unknown}.
# @param port Of a widget
class other(
  Widget::Port $port = $widget::port,
  Optional[Unknown::Type] $x = $unknown::x,
) inherits widget {
}
"""
INDEX = """
.. puppet:autoclass:: other

   :puppet:param:`widget::mode`, :puppet:type:`::Widget::Port`, :puppet:obj:`widget::deploy`
"""
ADDRESSES = (
    *("puppet-class-widget", "puppet-class-widget--port", "puppet-class-widget--mode"),
    *("puppet-type-widget-port", "puppet-function-widget-join", "puppet-plan-widget-deploy"),
)


@pytest.mark.parametrize(
    "extensions",
    [
        ["puppet_repl.sphinx_domain", "sphinx.ext.intersphinx"],
        ["sphinx.ext.intersphinx", "puppet_repl.sphinx_domain"],
    ],
    ids=["domain first", "intersphinx first"],
)
def test_links_do_not_depend_on_the_order_of_extensions(
    tmp_path: Path, extensions: list[str]
) -> None:
    (tmp_path / "one").mkdir()
    first = Documentation(tmp_path / "one", ".. puppet:automodule:: widget\n")
    out = first.build()
    (tmp_path / "two").mkdir()
    second = Documentation(tmp_path / "two", INDEX, f"extensions = {extensions}\n")
    second.write({"module/manifests/other.pp": MANIFEST})
    second.build(intersphinx_mapping={"w": ("https://w.example/", str(out / "objects.inv"))})
    assert second.warnings == []
    html = second.text("out/index.html")
    missing = [each for each in ADDRESSES if f'"https://w.example/index.html#{each}"' not in html]
    assert missing == []
    assert "{widget::unknown}" in html
    assert set(inventory(second.directory / "out")["class"]) == {"other"}


def test_names_that_nothing_describes(tmp_path: Path) -> None:
    found = Documentation(
        tmp_path,
        ".. puppet:autoclass:: other\n\n"
        ":puppet:class:`nowhere`, :puppet:param:`widget::nowhere`, :puppet:type:`Integer[1]`\n",
    )
    found.write({"module/manifests/other.pp": MANIFEST})
    found.build("pseudoxml")
    assert found.warnings == [
        "index.rst:6: WARNING: puppet:class reference target not found: nowhere [ref.class]",
        "index.rst:6: WARNING: puppet:param reference target not found: widget::nowhere"
        " [ref.param]",
    ]
