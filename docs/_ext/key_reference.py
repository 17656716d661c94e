"""``{key-reference}``: the keys of the prompt, from the bindings of the prompt itself."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.nodes import Node
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from tables import literals, section, table

from puppet_repl.frontends.terminal.app import Terminal
from puppet_repl.frontends.terminal.key_list import all_keys
from puppet_repl.host.host import Host


class KeyReference(SphinxDirective):
    """A section for each heading of ``:help keys``."""

    def run(self) -> list[Node]:
        """Return the sections, in the order of ``:help keys``."""
        keyboard, display = DummyInput(), DummyOutput()
        with create_app_session(input=keyboard, output=display):
            terminal = Terminal(Host(facts={}), keyboard=keyboard, display=display)
            found = all_keys(terminal)
        return [
            section(
                heading,
                table(
                    ("keys", "what they do"),
                    [[literals(keys.split(", ")), [nodes.Text(text)]] for keys, text in rows],
                ),
            )
            for heading, rows in found
        ]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("key-reference", KeyReference)
    return {"parallel_read_safe": True}
