"""Notebooks as pages: text is Markdown, cells are code, outputs are what is below them."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

# `make site` puts JupyterLite there, and sets this tag. The tag may be another one when a page that
# was read before is written.
TAG = "lite"
LINK = "open-lesson-link"
OPEN = (
    '<p><a class="open-lesson" href="../lite/notebooks/index.html?path={name}.ipynb">'
    "Open this lesson in the browser</a></p>"
)
_ansi = re.compile(r"\x1b\[[0-9;]*m")
_link = re.compile(r"\[([^][]+)\]\(([\w-]+)\.ipynb\)")


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown that it amounts to."""

    supported: ClassVar[tuple[str, ...]] = ("ipynb",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse the page."""
        name = document.settings.env.docname.rpartition("/")[2]
        super().parse(as_markdown(json.loads(inputstring), name), document)


def as_markdown(notebook: dict[str, Any], name: str) -> str:
    """Return a notebook as Markdown, with a link to the one of that name in JupyterLite."""
    parts = []
    for cell in notebook["cells"]:
        text = _joined(cell["source"])
        if cell["cell_type"] == "markdown":
            # A path would be followed through the symbolic link, out of the site.
            text = _link.sub(r"{doc}`\1 <\2>`", text)
            parts.append(_with_attachments(text, cell.get("attachments", {})))
            if len(parts) == 1:
                parts.append(_directive("raw", "html", OPEN.format(name=name), f":class: {LINK}"))
        elif cell["cell_type"] == "code" and text.strip():
            parts.append(_fenced("puppet-cell", text))
            parts += [_output(output) for output in cell.get("outputs", [])]
    return "\n\n".join(parts) + "\n"


def _with_attachments(text: str, attachments: dict[str, dict[str, str]]) -> str:
    """Return Markdown whose links to pictures that a cell brings along hold the pictures."""
    for name, bundle in attachments.items():
        kind, data = next(iter(bundle.items()))
        text = text.replace(f"(attachment:{name})", f"(data:{kind};base64,{data})")
    return text


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _block("puppet-console", _joined(output["text"]))
    if output["output_type"] == "error":
        return _block("puppet-console", "\n".join(output["traceback"]) or output["evalue"])
    data = output["data"]
    html = _joined(data.get("text/html", ""))
    if "<table" in html or "<img" in html:
        return _directive("raw", "html", f'<div class="notebook-output">{html}</div>')
    # Values are code; documentation, which notebooks have as Markdown, is not.
    language = "text" if "text/markdown" in data else "puppet"
    return _block(language, _joined(data.get("text/plain", "")))


def _block(language: str, text: str) -> str:
    return _directive("code-block", language, _ansi.sub("", text), ":class: notebook-output")


def _directive(name: str, argument: str, text: str, *options: str) -> str:
    return _fenced(f"{{{name}}} {argument}", "\n".join([*options, "", text]))


def _fenced(info: str, text: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence}{info}\n{text.rstrip()}\n{fence}"


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def keep_link(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Take the link out of a page where JupyterLite is not beside the site."""
    if TAG in app.tags:
        return
    for node in list(doctree.findall(nodes.raw)):
        if LINK in node["classes"]:
            node.parent.remove(node)


def setup(app: Sphinx) -> dict[str, bool]:
    """Read files that end in .ipynb."""
    app.connect("doctree-resolved", keep_link)
    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
