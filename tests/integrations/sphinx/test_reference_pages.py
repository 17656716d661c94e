"""A page for each object, and tables of them."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from sphinx.errors import ConfigError

from tests.integrations.sphinx.building import MISTAKES, Documentation, inventory, write

INDEX = ".. toctree::\n\n   reference/index\n"
PAGES = {
    "index",
    *("classes/index", "classes/widget", "defined-types/index", "defined-types/widget-part"),
    *("resource-types/index", "resource-types/widget_api", "resource-types/widget_file"),
    *("functions/index", "functions/widget-join", "functions/widget-twice", "functions/widget_old"),
    *("data-types/index", "data-types/Widget-Port", "data-types/Widget-Section"),
    *("tasks/index", "tasks/widget-restart", "plans/index", "plans/widget-deploy"),
}


def pages(found: Documentation, suffix: str = ".rst") -> set[str]:
    directory = found.directory / "reference"
    return {
        path.relative_to(directory).as_posix().removesuffix(suffix)
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_pages_of_a_module(tmp_path: Path) -> None:
    found = Documentation(tmp_path, INDEX, 'puppet_reference_pages = "reference"\n')
    out = found.build()
    assert found.warnings == MISTAKES
    assert pages(found) == PAGES
    objects = inventory(out)
    assert objects["class"]["widget"] == "reference/classes/widget.html#puppet-class-widget"
    assert objects["provider"]["widget_file::posix"].startswith(
        "reference/resource-types/widget_file.html#"
    )
    index = found.text("out/reference/index.html")
    assert 'href="classes/widget.html#puppet-class-widget"' in index
    assert "Serve widgets" in index
    assert '<table class="autosummary puppet-summary longtable' in index
    assert "puppet_domain.css" in index
    assert (out / "_static/puppet_domain.css").is_file()


def test_pages_follow_the_sources(tmp_path: Path) -> None:
    found = Documentation(tmp_path, INDEX, 'puppet_reference_pages = "reference"\n')
    found.build()
    found.build()
    assert found.read == set()
    kept = tmp_path / "reference/plans/widget-deploy.rst"
    text = kept.read_text(encoding="utf-8").partition("\n")[2]
    kept.write_text(f"{text}\nMy own words.\n", encoding="utf-8")
    for name in ("plans/deploy.pp", "tasks/restart.json"):
        (tmp_path / "module" / name).unlink()
    found.write({"module/manifests/new.pp": "class widget::new { }\n"})
    out = found.build()
    gone = {"tasks/index", "tasks/widget-restart", "plans/index"}
    assert pages(found) == PAGES - gone | {"classes/widget-new"}
    assert not (tmp_path / "reference/tasks").exists()
    assert "My own words." in kept.read_text(encoding="utf-8")
    assert "widget::new" in inventory(out)["class"]


def test_what_is_left_out(tmp_path: Path) -> None:
    settings = {"path": "reference", "private": True, "kinds": ["class", "type"]}
    settings["exclude"] = ["widget::s*"]
    found = Documentation(tmp_path, INDEX, f"puppet_reference_pages = {settings}\n")
    found.build()
    assert found.warnings == []
    assert pages(found) == {
        *("index", "classes/index", "classes/widget", "classes/widget-params"),
        *("data-types/index", "data-types/Widget-Port"),
    }
    index = found.text("out/reference/index.html")
    assert "widget::params" in index
    assert "Widget::Section" not in index


def test_pages_in_markdown(tmp_path: Path) -> None:
    pytest.importorskip("myst_parser")
    found = Documentation(
        tmp_path,
        "",
        'extensions += ["myst_parser"]\nsource_suffix = {".md": "markdown"}\n'
        'puppet_reference_pages = "reference"\n',
    )
    (tmp_path / "index.rst").unlink()
    found.write({"index.md": "# Index\n\n```{toctree}\nreference/index\n```\n"})
    out = found.build()
    assert found.warnings == MISTAKES
    assert pages(found, ".md") == PAGES
    assert "widget::restart" in inventory(out)["task"]


def test_several_modules(tmp_path: Path) -> None:
    found = Documentation(
        tmp_path, INDEX, 'puppet_sources = ["a", "b"]\npuppet_reference_pages = "reference"\n'
    )
    write(tmp_path, {"a/manifests/init.pp": "# A.\nclass a { }\n"})
    write(tmp_path, {"b/manifests/init.pp": "# B.\nclass b { }\n"})
    found.build()
    assert found.warnings == []
    assert pages(found) == {
        *("index", "a/index", "a/classes/index", "a/classes/a"),
        *("b/index", "b/classes/index", "b/classes/b"),
    }
    assert "B." not in found.text("out/reference/a/index.html")


@pytest.mark.parametrize("suffix", [".rst", ".md"])
def test_names_are_no_markup(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("myst_parser")
    index = {".rst": INDEX, ".md": "```{toctree}\nreference/index\n```\n"}
    found = Documentation(
        tmp_path,
        INDEX,
        'puppet_reference_pages = "reference"\nextensions += ["myst_parser"]\n'
        f'source_suffix = ["{suffix}"]\npuppet_sources = ["a"]\n',
    )
    (tmp_path / "index.rst").unlink()
    found.write({f"index{suffix}": f"Index\n=====\n\n{index[suffix]}"})
    found.write({"a/functions/x.pp": "# X.\nfunction a::x_() { }\nfunction a::_y_() { }\n"})
    found.build()
    assert found.warnings == []
    assert "<h1>a::x_<" in found.text("out/reference/functions/a-x_.html")
    assert "<h1>a::_y_<" in found.text("out/reference/functions/a-_y_.html")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{'paths': 'x'}", "puppet_reference_pages: paths = 'x'; there are path (str), private"),
        ("{'path': 'x', 'kinds': 'class'}", "kinds = 'class'"),
        ("{'private': True}", "puppet_reference_pages has no path"),
    ],
)
def test_settings_that_are_wrong(tmp_path: Path, value: str, message: str) -> None:
    found = Documentation(tmp_path, INDEX, f"puppet_reference_pages = {value}\n")
    with pytest.raises(ConfigError) as caught:
        found.build()
    assert message in str(caught.value)


def test_tables(tmp_path: Path) -> None:
    found = Documentation(
        tmp_path,
        ".. puppet:autosummary:: widget\n   :kinds: type function\n",
    )
    found.write({"module/types/undescribed.pp": "type Widget::Undescribed = String[1]\n"})
    found.build("text")
    assert found.warnings == []
    text = found.text("out-text/index.txt")
    for line in ("Data types", "Functions", '"Widget::Port"', '"String[1]"', "Doubles."):
        assert line in text


def test_tables_keep_the_signs_of_comments(tmp_path: Path) -> None:
    found = Documentation(tmp_path, "It's --user.\n\n.. puppet:autosummary::\n   :kinds: class\n")
    summary = """Runs "it" with --user, it's ..."""
    found.write({"module/manifests/signs.pp": f"# @summary {summary}\nclass widget::signs {{ }}\n"})
    found.build()
    page = unescape(found.text("out/index.html"))
    assert summary in page
    assert "It\u2019s \u2013user." in page  # the text around them is that of the page
