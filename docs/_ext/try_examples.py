"""Run buttons at the examples of the site, where the directory of the playground is beside it.

An example is a block of Puppet code, a session or a cell of a notebook. Those that show results,
and the cells of a notebook, share the session of their page; a program that shows none runs alone.
Blocks that cannot run in a browser get no button: see try_check. The buttons themselves are made by
try.mjs of the playground, which reads the list that is put into the page.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

from puppet_repl.frontends.doctest.documents import CODE, CONSOLE, Block, marker_in
from puppet_repl.frontends.doctest.examples import examples_of

Example = dict[str, Any]
# The site is built with it where the playground is beside it: sphinx-build -t playground.
TAG = "playground"
CELL = "puppet-cell"
CHECK = Path(__file__).with_name("try_check.py")
# For all examples of the site, on a machine that does other things.
SECONDS = 900
HEAD = """<link rel="stylesheet" href="{base}/try.css">
<script type="module" src="{base}/try.mjs"></script>"""
DATA = '<script type="application/json" id="try-examples">{}</script>'


def examples_on(doctree: nodes.document) -> Iterator[tuple[nodes.literal_block, Example]]:
    """Yield the blocks that may be run, and what is run for each."""
    cells = _cells_of(Path(doctree["source"]))
    for node in doctree.findall(nodes.literal_block):
        language = node.get("language", "")
        if "notebook-output" in node["classes"]:
            continue
        if language == CELL:
            yield from ((node, cell) for cell in itertools.islice(cells, 1))
        elif language in CODE or language in CONSOLE:
            block = Block(language, 1, node.astext().split("\n"), _marker(node))
            if block.marker not in ("skip", "fragment"):
                yield node, _of_block(block)


def _of_block(block: Block) -> Example:
    if not block.is_tested:
        return _example(["\n".join(block.lines)], [False], session=False)
    found = examples_of(block)
    fails = [each.error is not None or (each.output or "").startswith("Error") for each in found]
    return _example([each.code for each in found], fails, session=True, block=block)


def _cells_of(path: Path) -> Iterator[Example]:
    """Yield the cells of a notebook that are on its page, with what their outputs are."""
    if path.suffix != ".ipynb":
        return
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        code = "".join(cell["source"])
        if cell["cell_type"] == "code" and code.strip():
            outputs = cell["outputs"]
            shown = {
                "error": next((each["evalue"] for each in outputs if "evalue" in each), None),
                "value": _text(outputs, "execute_result"),
                "text": _text(outputs, "stream"),
            }
            fails = [shown["error"] is not None]
            yield _example([code.rstrip()], fails, session=True, cell=shown)


def _text(outputs: list[dict[str, Any]], kind: str) -> str:
    """Return the text of the outputs of a kind, which is a text or a list of lines."""
    found = (each for each in outputs if each["output_type"] == kind)
    texts = (each["text"] if kind == "stream" else each["data"]["text/plain"] for each in found)
    return "".join("".join(text) for text in texts)


def _example(
    inputs: list[str],
    fails: list[bool],
    *,
    session: bool,
    cell: dict[str, Any] | None = None,
    block: Block | None = None,
) -> Example:
    """Return what try_check reads: the block that states results, or what is below a cell."""
    stated = {"language": block.language, "lines": block.lines} if block else None
    return {"inputs": inputs, "fails": fails, "session": session, "cell": cell, "block": stated}


def _outermost(node: nodes.Element) -> nodes.Element:
    """Return a block with its caption."""
    parent = node.parent
    return parent if "literal-block-wrapper" in parent.get("classes", ()) else node


def _marker(node: nodes.Element) -> str:
    """Return what the comment before a block says."""
    block = _outermost(node)
    at = block.parent.index(block)
    before = block.parent[at - 1] if at else None
    return marker_in(before.astext()) if isinstance(before, nodes.comment) else ""


class Buttons:
    """The examples of the site that get a button: found out when the first page is written."""

    def __init__(self) -> None:
        self._checked: dict[str, list[Any]] | None = None
        self._pages: dict[str, list[dict[str, Any]]] = {}

    def mark(self, app: Sphinx, doctree: nodes.document, name: str) -> None:
        """Give the blocks with a button their class, and keep what is run for them."""
        if TAG not in app.tags:
            return
        if self._checked is None:
            self._checked = _check(app.env)
        found = self._pages[name] = []
        for (node, example), checked in zip(examples_on(doctree), self._checked[name], strict=True):
            if checked is not None:
                node["classes"].append("try-example")
                kept = {key: example[key] for key in ("inputs", "session")}
                found.append({**kept, **checked})

    def add(
        self,
        app: Sphinx,
        name: str,
        template: str,
        context: dict[str, Any],
        doctree: nodes.document | None,
    ) -> None:
        """Put the list of examples into a page, and what makes the buttons."""
        context["has_playground"] = TAG in app.tags
        examples = self._pages.get(name) if doctree is not None else None
        if examples:
            head = HEAD.format(base=context["pathto"]("playground", resource=True))
            context["metatags"] = context.get("metatags", "") + head
            text = json.dumps(examples, ensure_ascii=False).replace("<", "\\u003c")
            context["body"] += DATA.format(text)


def _check(env: BuildEnvironment) -> dict[str, list[Any]]:
    """Run the examples of all pages; return for each what try_check says about them."""
    pages = {
        name: [example for _, example in examples_on(env.get_doctree(name))]
        for name in sorted(env.found_docs)
    }
    with tempfile.TemporaryDirectory() as empty:
        try:
            done = subprocess.run(
                [sys.executable, str(CHECK)],
                input=json.dumps(pages),
                capture_output=True,
                text=True,
                cwd=empty,
                # A browser has no user either: nothing is read from there, and nothing saved.
                env={**os.environ, "HOME": os.devnull, "XDG_CONFIG_HOME": os.devnull},
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise ExtensionError(f"the examples do not end within {SECONDS} seconds") from error
    if done.returncode != 0:
        raise ExtensionError(f"the examples cannot be run: {done.stderr}")
    checked: dict[str, list[Any]] = json.loads(done.stdout)
    return checked


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the buttons where the tag asks for them."""
    buttons = Buttons()
    app.connect("doctree-resolved", buttons.mark)
    app.connect("html-page-context", buttons.add)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
