"""Configuration of the documentation site."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / "lexer_pygments"), str(ROOT / "kernel"), str(HERE / "_ext")]

project = "puppet-repl"
author = "the puppet-repl authors"
copyright = "the puppet-repl authors, Apache-2.0"
version = release = "1.0"

extensions = [
    "myst_parser",
    "puppet_pygments.sphinx",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
nitpicky = True

highlight_language = "puppet"
html_theme = "furo"
html_title = "puppet-repl"
html_copy_source = False
