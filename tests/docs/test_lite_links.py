"""The links from the documentation to the lessons in JupyterLite: there if it is, else none."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

DOCS = Path(__file__).parents[2] / "docs"
LESSON = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": "# A lesson"},
        {"cell_type": "code", "metadata": {}, "source": "1 + 1", "outputs": []},
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def links(directory: Path, *tags: str) -> dict[str, list[str]]:
    """Return, for each page of a site with the list of the lessons and one of them, its links.

    What an earlier call has read is not read again.
    """
    source = directory / "source"
    if not source.exists():
        write(source)
    given = [word for tag in tags for word in ("-t", tag)]
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", *given]
    subprocess.run([*command, str(source), str(directory / "html")], check=True)
    return {
        name: re.findall(
            r'href="([^"]*lite/[^"]*)"', (directory / "html" / name).read_text("utf-8")
        )
        for name in ("index.html", "notebooks/00-index.html")
    }


def write(source: Path) -> None:
    (source / "notebooks").mkdir(parents=True)
    page = (DOCS / "jupyter.md").read_text(encoding="utf-8")
    section = page.partition("## Lessons\n")[2].partition("\n## ")[0]
    (source / "index.md").write_text(f"# Lessons\n{section}", encoding="utf-8")
    (source / "notebooks" / "00-index.ipynb").write_text(json.dumps(LESSON))
    (source / "browser.md").write_text(
        "---\norphan: true\n---\n\n# In a browser\n\n## JupyterLite\n"
    )
    (source / "conf.py").write_text(
        f"import sys\nsys.path[:0] = [{str(DOCS / '_ext')!r}]\n"
        "extensions = ['myst_parser', 'sphinx_design', 'notebook_pages']\n"
        "myst_enable_extensions = ['colon_fence']\nmyst_heading_anchors = 3\n"
        "suppress_warnings = ['misc.highlighting_failure']\n"
    )


def test_pages_link_to_what_was_built(tmp_path: Path) -> None:
    assert links(tmp_path / "with", "lite") == {
        "index.html": ["lite/index.html"],
        "notebooks/00-index.html": ["../lite/notebooks/index.html?path=00-index.ipynb"],
    }
    assert links(tmp_path / "without") == {"index.html": [], "notebooks/00-index.html": []}


def test_links_come_and_go_with_the_tag(tmp_path: Path) -> None:
    without: dict[str, list[str]] = {"index.html": [], "notebooks/00-index.html": []}
    assert links(tmp_path) == without
    assert all(links(tmp_path, "lite").values())
    assert links(tmp_path) == without
