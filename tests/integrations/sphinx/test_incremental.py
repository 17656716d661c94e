"""Which pages are read again when files of the sources come, change and go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.integrations.sphinx.building import Documentation, inventory


@pytest.fixture
def built(tmp_path: Path) -> Documentation:
    found = Documentation(tmp_path, ".. toctree::\n\n   one\n   all\n   later\n")
    found.write({
        "one.rst": "One\n===\n\n.. puppet:autotype:: Widget::Port\n",
        "all.rst": "All\n===\n\n.. puppet:automodule:: widget\n   :kinds: class, plan\n",
        "later.rst": "Later\n=====\n\n.. puppet:autofunction:: widget::later\n",
    })  # fmt: skip
    found.build()
    assert found.warnings == [
        "later.rst:4: WARNING: no function widget::later in puppet_sources [puppet.source]"
    ]
    found.build()
    assert found.read == set()
    return found


def test_a_new_file(built: Documentation) -> None:
    """It is looked for in pages that list all, and in those that missed something."""
    built.write({"module/manifests/new.pp": "class widget::new { }\n"})
    out = built.build()
    assert built.read == {"all", "later"}
    assert "widget::new" in inventory(out)["class"]
    built.write({"module/functions/later.pp": "# Later.\nfunction widget::later() { }\n"})
    out = built.build()
    assert built.read == {"all", "later"}
    assert built.warnings == []
    assert "widget::later" in inventory(out)["function"]


def test_a_changed_file(built: Documentation) -> None:
    path = built.directory / "module/types/port.pp"
    path.write_text("# Another text\ntype Widget::Port = Integer\n", encoding="utf-8")
    os.utime(path, (2_000_000_000, 2_000_000_000))
    built.build()
    assert built.read == {"one", "all", "later"}
    assert "Another text" in built.text("out/one.html")


def test_a_deleted_file(built: Documentation) -> None:
    (built.directory / "module/plans/deploy.pp").unlink()
    out = built.build()
    assert built.read == {"all", "later"}
    assert "plan" not in inventory(out)


def test_a_file_that_is_missing(built: Documentation) -> None:
    (built.directory / "module/types/port.pp").unlink()
    out = built.build()
    assert "one" in built.read
    assert "one.rst:4: WARNING: no type Widget::Port in puppet_sources [puppet.source]" in (
        built.warnings
    )
    assert "Widget::Port" not in inventory(out).get("type", {})


def test_changed_data_of_the_module(built: Documentation) -> None:
    """Pages of classes show the defaults in the data, so they depend on it."""
    built.write({
        "one.rst": "One\n===\n\n.. puppet:autoclass:: widget::sized\n",
        "module/manifests/sized.pp": "# Sized.\nclass widget::sized (Integer $size) { }\n",
        "module/hiera.yaml": "hierarchy: [{name: all, path: all.yaml}]\n",
        "module/data/all.yaml": "widget::sized::size: 41\n",
    })  # fmt: skip
    built.build("text")
    assert "size: Integer = 41 (from the data of the module)" in built.text("out-text/one.txt")
    path = built.directory / "module/data/all.yaml"
    path.write_text("widget::sized::size: 42\n", encoding="utf-8")
    os.utime(path, (2_000_000_000, 2_000_000_000))
    built.build("text")
    assert {"one", "all"} <= built.read
    assert "class widget::sized(Integer $size = 42)" in built.text("out-text/one.txt")
