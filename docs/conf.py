"""Configuration of the documentation site."""

from __future__ import annotations

import sys
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / "lexer_pygments"), str(ROOT / "kernel"), str(HERE / "_ext")]

from puppet_repl.base.version import __version__  # noqa: E402 - found through the path above

project = "puppet-repl"
author = "the puppet-repl authors"
copyright = "the puppet-repl authors, Apache-2.0"
version = release = __version__

# The addresses of the project are in pyproject.toml and nowhere else. What needs one that is not
# filled in yet (the links to the source, the address in the tags for previews) is left out.
metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
urls = metadata.get("urls", {})

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxext.opengraph",
    "puppet_repl.sphinx_domain",
    "api_signatures",
    "command_line_reference",
    "key_reference",
    "notebook_pages",
    "site_reference",
    "speed_report",
    "try_examples",
]
exclude_patterns = ["_build", "_ext", "_templates", "**/.ipynb_checkpoints"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
puppet_sources = ["_example/motd"]  # on the page about Sphinx
nitpicky = True
# Annotations name types that have no page: aliases, those of the standard library, parts of
# examples. A role in a text names an object in full.
nitpick_ignore_regex = [
    ("py:class", r"_?[A-Z]\w*"),
    ("py:class", r"(?:os|collections\.abc)\.\w+"),
    ("py:class", r"puppet_repl\.frontends\.(?:api|doctest)\.\w+\.\w+"),
]
# Two hyphens are those of an option, not a dash.
smartquotes_action = "qe"

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
autodoc_member_order = "bysource"

highlight_language = "puppet"
pygments_style = "a11y-high-contrast-light"  # comes with furo
pygments_dark_style = "github-dark"
html_theme = "furo"
html_title = f"puppet-repl {version}"
html_short_title = "puppet-repl"
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": ""})]
html_search_scorer = str(HERE / "_ext" / "search_scores.js")
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/playground.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
# The style's own background is that of the page.
html_theme_options: dict[str, object] = {
    "light_css_variables": {"color-code-background": "#f3f5f8"},
}
if urls.get("Source"):
    html_theme_options |= {
        "source_repository": urls["Source"],
        "source_branch": "main",
        "source_directory": "docs/",
    }

# What is copied from a session is its inputs: prompts of the shell, of the terminal and of Python
# are left out, and so are the lines that are output.
copybutton_prompt_text = r"\$ |puppet \[\d+\]> |debug \[\d+\]> |>> | *\.{2,3} |>>> "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos"

ogp_site_url = urls.get("Documentation", "")
ogp_image = "_static/social-card.png"
ogp_image_alt = "puppet-repl: Puppet at a prompt, in notebooks and in documentation"
ogp_social_cards = {"enable": False}
with redirect_stdout(StringIO()):  # it says that matplotlib is missing, which only the cards need
    import sphinxext.opengraph  # noqa: F401
ogp_enable_meta_description = True
