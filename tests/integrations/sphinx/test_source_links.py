"""Links from objects to the code that defines them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from sphinx.errors import ConfigError

from tests.integrations.sphinx.building import MISTAKES, MODULE, Documentation

INDEX = ".. puppet:automodule:: widget\n"
VIEWCODE = "extensions += ['sphinx.ext.viewcode']\n"
LINKCODE = """
extensions += ["sphinx.ext.linkcode"]

def linkcode_resolve(domain, info):
    assert domain == "puppet"
    return "https://l.example/{module}/{file}?{kind}={fullname}&line={line}".format(**info)
"""


def test_pages_of_code(tmp_path: Path) -> None:
    found = Documentation(tmp_path, INDEX, VIEWCODE)
    found.build()
    assert found.warnings == MISTAKES
    html = found.text("out/index.html")
    page = "_modules/widget/manifests/init.pp.html"
    assert f'href="{page}#puppet-class-widget"><span class="viewcode-link">' in html
    code = found.text(f"out/{page}")
    assert code.count('<div class="viewcode-block" id="puppet-class-widget">') == 1
    assert 'class="viewcode-back" href="../../../index.html#puppet-class-widget">[docs]' in code
    assert '<span class="kd">class</span>' in code
    assert code.count("<div") == code.count("</div>")
    overview = found.text("out/_modules/puppet.html")
    for file in ("lib/puppet/type/widget_file.rb", "tasks/restart.json", "types/section.pp"):
        assert f'<a href="widget/{file}.html">' in overview
        assert (tmp_path / f"out/_modules/widget/{file}.html").is_file()


@pytest.mark.parametrize("builder", ["singlehtml", "text", "dirhtml"])
def test_other_builders(tmp_path: Path, builder: str) -> None:
    found = Documentation(tmp_path, INDEX, VIEWCODE)
    out = found.build(builder)
    assert found.warnings == MISTAKES
    pages = list(out.glob("_modules/**/init.pp*/index.html"))
    assert bool(pages) == (builder == "dirhtml")
    text = "".join(path.read_text(encoding="utf-8") for path in out.glob("index.*"))
    assert ("[source]" in text) == (builder == "dirhtml")


def test_two_definitions_in_a_file(tmp_path: Path) -> None:
    found = Documentation(tmp_path, ".. puppet:automodule:: pair\n", VIEWCODE)
    found.write(
        {"module/manifests/pair.pp": "class pair {\n}\nclass pair::two { } class pair::t { }"}
    )
    found.build()
    assert found.warnings == []
    code = found.text("out/_modules/widget/manifests/pair.pp.html")
    assert 'id="puppet-class-pair"' in code
    assert 'id="puppet-class-pair-two"' in code
    assert 'id="puppet-class-pair-t"' in code
    assert code.count("<div") == code.count("</div>")


def test_a_repository(tmp_path: Path) -> None:
    found = Documentation(tmp_path, INDEX)
    url = "https://r.example/{module}/blob/main/{path}#L{line}"
    found.build(puppet_source_url=url)
    assert found.warnings == MISTAKES
    html = found.text("out/index.html")
    line = MODULE["manifests/init.pp"].split("\n").index("class widget (") + 1
    assert f'href="https://r.example/widget/blob/main/manifests/init.pp#L{line}"' in html
    assert 'href="https://r.example/widget/blob/main/tasks/restart.json#L1"' in html
    assert not (tmp_path / "out/_modules").exists()


@pytest.mark.parametrize("url", ["https://x/{file}", "https://x/{", "{}", "{path.x}"])
def test_an_address_that_is_wrong(tmp_path: Path, url: str) -> None:
    found = Documentation(tmp_path, INDEX)
    with pytest.raises(ConfigError, match=r"may have \{module\}, \{path\}"):
        found.build(puppet_source_url=url)


def test_linkcode(tmp_path: Path) -> None:
    linkcode = pytest.importorskip("sphinx.ext.linkcode")
    if not hasattr(linkcode, "add_linkcode_domain"):
        pytest.skip("it takes other domains since Sphinx 8.2")
    found = Documentation(tmp_path, INDEX, LINKCODE)
    found.build()
    html = found.text("out/index.html")
    address = "https://l.example/widget/manifests/part.pp?define=widget::part&amp;line=7"
    assert f'href="{address}"' in html
