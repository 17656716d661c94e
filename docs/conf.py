"""Configuration of the documentation site."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / "lexer_pygments"), str(ROOT / "kernel"), str(HERE / "_ext")]

from puppet_repl.version import __version__  # noqa: E402 - found through the path above

project = "puppet-repl"
author = "the puppet-repl authors"
copyright = "the puppet-repl authors, Apache-2.0"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "puppet_repl.sphinx_domain",
    "notebook_pages",
    "site_reference",
]
exclude_patterns = ["_build", "_ext", "**/.ipynb_checkpoints"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
nitpicky = True

autodoc_typehints = "none"
autodoc_member_order = "bysource"

highlight_language = "puppet"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_theme = "furo"
html_title = "puppet-repl"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
