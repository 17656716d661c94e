"""Links from objects to the code that defines them.

With ``puppet_source_url`` they lead to a repository; with ``sphinx.ext.viewcode`` to pages of
highlighted code, as those of Python's modules; ``sphinx.ext.linkcode`` gets what it needs to know.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.nodes import Element
from sphinx import addnodes
from sphinx.addnodes import desc_signature
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ConfigError
from sphinx.ext import linkcode
from sphinx.locale import _
from sphinx.util.nodes import make_refnode

from puppet_repl.base.file_reading import read_text
from puppet_repl.integrations.sphinx.domain import domain_of
from puppet_repl.integrations.sphinx.sources import Definition

__all__ = ["link_to_source", "setup_source_links"]

PAGES = "_modules"
OVERVIEW = posixpath.join(PAGES, "puppet")
#: What sphinx.ext.linkcode passes to the function of the configuration.
KEYS = ["kind", "fullname", "module", "file", "line"]
_LANGUAGES = {".pp": "puppet", ".rb": "ruby", ".json": "json"}


class source_link(Element):  # noqa: N801 - as the nodes of docutils
    """A link to a page of code: it depends on the builder whether there is one."""


def link_to_source(env: BuildEnvironment, definition: Definition, signode: desc_signature) -> None:
    """Note where an object is defined, and add a link to it."""
    entry = definition.entry
    line = max(entry.line, 1)  # a task has none
    signode["kind"] = definition.kind
    signode["module"] = definition.module.name
    signode["file"] = entry.file
    signode["line"] = line
    url = env.config.puppet_source_url
    if url:
        address = url.format(path=entry.file, line=line, module=definition.module.name)
        shown = nodes.inline("", _("[source]"), classes=["viewcode-link"])
        link = nodes.reference("", "", shown, internal=False, refuri=address)
        signode += addnodes.only("", link, expr="html")
    elif _has_pages(env):
        page = posixpath.join(PAGES, definition.module.name, entry.file)
        length = entry.source.rstrip("\n").count("\n")
        signode += source_link(path=str(definition.path), page=page, start=line, end=line + length)


def _has_pages(env: BuildEnvironment) -> bool:
    return "viewcode_line_numbers" in env.config


def note_links(app: Sphinx, doctree: nodes.document) -> None:
    """Remember which objects of a page that has been read have their code on which page."""
    found = []
    for link in doctree.findall(source_link):
        ids = link.parent["ids"]
        link["target"] = ids[0] if ids else ""
        found.append((link["path"], link["page"], link["start"], link["end"], link["target"]))
    if found:
        domain_of(app.env).code[app.env.docname] = found


def resolve_links(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Make links to pages of code, for builders that have them, and remove the others."""
    for node in list(doctree.findall(source_link)):
        if not node["target"] or not _is_supported(app.builder):
            node.parent.remove(node)
            continue
        shown = nodes.inline("", _("[source]"), classes=["viewcode-link"])
        link = make_refnode(app.builder, docname, node["page"], node["target"], shown)
        node.replace_self(link)


def _is_supported(builder: Builder) -> bool:
    return (
        builder.format == "html"
        and builder.name != "singlehtml"
        and not builder.name.startswith("epub")
    )


def code_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the pages of code, and an overview of them."""
    pages: dict[str, tuple[str, list[tuple[int, int, str, str]]]] = {}
    for docname, found in domain_of(app.env).code.items():
        for path, page, start, end, target in found:
            if target:
                pages.setdefault(page, (path, []))[1].append((start, end, docname, target))
    if not pages or not _is_supported(app.builder):
        return
    for page, (path, blocks) in sorted(pages.items()):
        title = page.removeprefix(PAGES + "/")
        overview = {"link": app.builder.get_relative_uri(page, OVERVIEW), "title": _("Puppet code")}
        heading = escape(_("Source code for %s") % title).replace("/", "/<wbr>")
        body = f"<h1>{heading}</h1>{_code(app, page, path, blocks)}"
        yield page, {"parents": [overview], "title": title, "body": body}, "page.html"
    items = "".join(
        f'<li><a href="{app.builder.get_relative_uri(OVERVIEW, page)}">'
        f"{escape(page.removeprefix(PAGES + '/'))}</a></li>\n"
        for page in sorted(pages)
    )
    title = _("Puppet code")
    body = f"<h1>{escape(title)}</h1><ul>{items}</ul>"
    yield OVERVIEW, {"title": title, "body": body}, "page.html"


def _code(app: Sphinx, page: str, path: str, blocks: list[tuple[int, int, str, str]]) -> str:
    """Return a file as HTML, with a target and a link back for each object that it defines."""
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError):
        return ""
    language = _LANGUAGES.get(Path(path).suffix, "none")
    linenos = "inline" if app.config.viewcode_line_numbers else False
    builder: Any = app.builder
    highlighted: str = builder.highlighter.highlight_block(
        text, language, linenos=linenos, force=True
    )
    before, mark, code = highlighted.partition("<pre>")
    lines = code.split("\n")
    following = len(lines)
    for start, end, docname, target in sorted(blocks, reverse=True):
        first, last = start - 1, min(end, following) - 1
        if not 0 <= first < len(lines):
            continue
        if last < first:  # another one begins on the same line
            lines[first] = f'<span id="{escape(target)}"></span>{lines[first]}'
            continue
        back = f"{app.builder.get_relative_uri(page, docname)}#{target}"
        lines[first] = (
            f'<div class="viewcode-block" id="{escape(target)}">'
            f'<a class="viewcode-back" href="{escape(back)}">{_("[docs]")}</a>\n{lines[first]}'
        )
        lines[last] += "</div>"
        following = first
    return before + mark + "\n".join(lines)


def _check_url(app: Sphinx, config: Config) -> None:
    """Refuse an address with unknown names in braces."""
    try:
        config.puppet_source_url.format(path="", line=1, module="")
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise ConfigError(
            f"puppet_source_url: {config.puppet_source_url!r} may have"
            " {module}, {path} and {line} in it, and no other braces"
        ) from error


def setup_source_links(app: Sphinx) -> None:
    """Add the setting, and connect what makes the pages."""
    app.add_config_value("puppet_source_url", "", "env", types=[str])
    app.connect("config-inited", _check_url)
    app.add_node(source_link)
    app.connect("doctree-read", note_links)
    app.connect("doctree-resolved", resolve_links)
    app.connect("html-collect-pages", code_pages)
    if hasattr(linkcode, "add_linkcode_domain"):  # since Sphinx 8.2
        linkcode.add_linkcode_domain("puppet", KEYS)
