"""The documentation site: built without a warning, no link leads nowhere, nothing is left out."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("sphinx")

from sphinx.util.inventory import InventoryFile

from puppet_repl.base.version import __version__
from puppet_repl.frontends.cli.arguments import SUBCOMMANDS, make_parser
from puppet_repl.frontends.cli.batch_schemas import KINDS, schema
from puppet_repl.host.command_registry import COMMANDS
from puppet_repl.host.settings import SETTINGS
from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.functions.stdlib.index import THEMES_8, THEMES_9
from puppet_repl.language.types.data_types import DOCUMENTED
from tests.docs.site import build

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("docs")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site."""
    return build(tmp_path_factory.mktemp("site"))


class Page(HTMLParser):
    """The targets and the links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.meta: dict[str, str] = {}
        self.title = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "meta":
            found = dict(attrs)
            self.meta[found.get("name") or found.get("property") or ""] = found.get("content") or ""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)
            elif name == "srcset" and value:
                self.links |= {each.split()[0] for each in value.split(",")}


@pytest.mark.slow
def test_no_link_leads_nowhere(site: Path) -> None:
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            fragment = unquote(parts.fragment)
            if not target.exists():
                wrong.append(f"{path.name}: {link}")
            elif fragment and target in pages and fragment not in pages[target].ids:
                wrong.append(f"{path.name}: {link}")
    assert not wrong


@pytest.mark.slow
def test_every_page_says_what_it_is(site: Path) -> None:
    generated = {"genindex", "search", "puppet-index", "py-modindex"}
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert f"puppet-repl {__version__}" in text
        assert "_static/favicon.svg" in text
        if path.stem not in generated and "_modules" not in path.parts:
            meta = Page(text).meta
            assert meta["description"], path
            assert meta["og:title"], path
            assert meta["og:image"].endswith("_static/social-card.png")
    assert (site / "_static" / "social-card.png").exists()


@pytest.mark.slow
def test_schemas_of_batch_are_files_of_the_site(site: Path) -> None:
    page = (site / "machine-interface.html").read_text(encoding="utf-8")
    for kind in KINDS:
        name = f"batch-{kind}.schema.json"
        assert (site / name).read_text(encoding="utf-8") == schema(kind)
        assert f'href="{name}"' in page


@pytest.mark.slow
def test_every_option_is_on_the_page_of_options(site: Path) -> None:
    page = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    for name in SUBCOMMANDS:
        assert f'id="puppet-repl-{name}"' in page
    for action in make_parser()._actions:
        for option in action.option_strings:
            assert option in page or action.dest == "help"


@pytest.mark.slow
def test_every_name_has_its_place(site: Path) -> None:
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    assert set(inventory["puppet:function"]) >= {*THEMES, *THEMES_8, *THEMES_9}
    assert set(inventory["puppet:type"]) >= set(DOCUMENTED)
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f":{command.name}" in commands
    for setting in SETTINGS:
        assert setting.name in commands


@pytest.mark.slow
def test_every_notebook_is_a_page(site: Path) -> None:
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        assert (site / "notebooks" / f"{notebook.stem}.html").exists()


@pytest.mark.slow
def test_links_from_notebook_to_notebook_lead_to_pages(site: Path) -> None:
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        targets = re.findall(r"\]\(([\w-]+)\.ipynb\)", notebook.read_text(encoding="utf-8"))
        page = (site / "notebooks" / f"{notebook.stem}.html").read_text(encoding="utf-8")
        for target in targets:
            assert f'href="{target}.html"' in page


@pytest.mark.slow
def test_pictures_that_a_notebook_brings_along_are_on_its_page(site: Path) -> None:
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        names = re.findall(r"\(attachment:([\w-]+\.png)\)", notebook.read_text(encoding="utf-8"))
        page = (site / "notebooks" / f"{notebook.stem}.html").read_text(encoding="utf-8")
        assert len(re.findall(r'<img [^>]*src="data:image/png;base64,', page)) == len(names)


def test_links_between_the_files_of_the_project() -> None:
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"):
        path = ROOT / name
        if path.exists():
            for target in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8")):
                assert (ROOT / target).exists(), f"{name}: {target}"
