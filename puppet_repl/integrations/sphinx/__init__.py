"""Sphinx extension: a domain for Puppet, text from manifests, examples that are run.

``extensions = ["puppet_repl.sphinx_domain"]`` in ``conf.py`` adds the domain ``puppet`` with
directives and roles, the ``puppet:auto...`` directives, the directive ``puppet-example``, the
builder ``puppet-examples``, and the lexers. Settings:

* ``puppet_sources``: manifests, or directories of them, that ``puppet:auto...`` reads;
* ``puppet_check_examples``: whether examples in pages are run as they are read (default: True);
* ``puppet_example_facts``: the facts that examples see (default: those of a Debian machine).
"""

from __future__ import annotations

from docutils.nodes import Element, TextElement
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

from puppet_repl.base.version import __version__
from puppet_repl.integrations.sphinx.autodoc import setup_autodoc
from puppet_repl.integrations.sphinx.coverage import setup_coverage
from puppet_repl.integrations.sphinx.domain import PuppetDomain
from puppet_repl.integrations.sphinx.examples import setup_examples
from puppet_repl.integrations.sphinx.objects import setup_objects
from puppet_repl.integrations.sphinx.pages import setup_pages
from puppet_repl.integrations.sphinx.source_links import setup_source_links
from puppet_repl.integrations.sphinx.sources import setup_sources
from puppet_repl.integrations.sphinx.summary import setup_summary
from puppet_repl.language.types.making.factory import lookup

__all__ = ["setup"]


def leave_unknown_names(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: TextElement
) -> Element | None:
    """Show as plain text what no page describes: names in signatures, types of the language."""
    if node.get("refdomain") != "puppet":
        return None
    if node.get("refquiet"):
        return contnode
    is_type = node.get("reftype") == "type"
    known = is_type and lookup(str(node["reftarget"]).removeprefix("::")) is not None
    return contnode if known else None


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set the extension up."""
    app.setup_extension("puppet_pygments.sphinx")
    app.add_domain(PuppetDomain)
    setup_sources(app)
    setup_objects(app)
    setup_autodoc(app)
    setup_summary(app)
    setup_pages(app)
    setup_coverage(app)
    setup_source_links(app)
    setup_examples(app)
    # After intersphinx, whatever the order of extensions.
    app.connect("missing-reference", leave_unknown_names, priority=900)
    return {
        "version": __version__,
        "env_version": 2,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
