"""The machines that the toolbar of a notebook offers, and the machine of the session.

Each is chosen by the command that a user would type: the notebook runs it as a silent cell. Listing
them reads names of files and nodes, and nothing in a file of facts.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from puppet_repl.environment.facts.facts import (
    ENDINGS,
    THIS_MACHINE,
    default_name,
    factset_names,
    is_factset,
)
from puppet_repl.environment.facts.sample_facts import SampleFacts
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.completion.arguments import SOURCES
from puppet_repl.tools.completion.files import complete_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.host.host import Host

Content = dict[str, Any]
# The directory for files of facts, beside the notebook.
DIRECTORY = "facts/"
WRITTEN = "written facts"


class Machines:
    """The machines of one kernel, and the cells that it has run."""

    def __init__(self, host: Host) -> None:
        self.host = host
        # Files that the session has had facts from: its user may want them again.
        self._files: dict[str, None] = {}
        # The nodes of the environment and their kinds: the session loses them if its site fails.
        self._known: dict[str, str] = {}
        self._environment: str | None = None
        self._ran: dict[str, None] = {}

    def note_run(self, cell: object) -> None:
        """Note that a cell has run, by the identifier that its notebook gave it, if any."""
        if isinstance(cell, str):
            self._ran[cell] = None

    def body(self) -> Content:
        """Return the body of the response to ``machines``.

        It has the ``machine`` of the session, as a text; the ``choices``, which are lists of
        objects with ``label``, ``command`` and ``is_current``; and ``ran``, the identifiers of the
        cells that have run.
        """
        self._files.update(dict.fromkeys(self._names()))
        node, facts = self.host.session.options.node, self._facts_text()
        found = (self._facts(facts), self._fact_files(facts), self._nodes())
        # Commands end at the end of a line: a name with one cannot be written in them.
        groups = [[each for each in group if each["label"].isprintable()] for group in found]
        return {
            "machine": f"{node} ({facts})" if node else facts,
            "choices": [group for group in groups if group],
            "ran": list(self._ran),
        }

    def _names(self) -> list[str]:
        """Return the sets and files that gave the facts of the session."""
        return [value for option, value in self.host.facts_from if option == "--facts"]

    def _facts_text(self) -> str:
        """Return what the facts of the session are called."""
        session = self.host.session
        text = " + ".join(self._names())
        if not text and session.facts is not None and not isinstance(session.facts, SampleFacts):
            return WRITTEN
        is_changed = any(option == "--fact" for option, _ in self.host.facts_from)
        return (text or self._default()) + (", changed" if is_changed else "")

    def _default(self) -> str:
        return default_name(is_hermetic=self.host.session.options.hermetic)

    def _facts(self, current: str) -> Iterator[Content]:
        if self._default() == THIS_MACHINE:  # else a set stands for it
            yield _choice(THIS_MACHINE, ":facts use local", current == THIS_MACHINE)
        for name in factset_names():
            yield _choice(name, f":facts use {name}", current == name)

    def _fact_files(self, current: str) -> Iterator[Content]:
        found = complete_file(DIRECTORY, 0, self.host.session.reach).items
        files = [f"{DIRECTORY}{each.text}" for each in found if each.text.endswith(ENDINGS)]
        for name in {**dict.fromkeys(files), **self._files}:
            if not is_factset(name):
                yield _choice(name, f":facts use {shlex.quote(name)}", current == name)

    def _nodes(self) -> Iterator[Content]:
        """Yield the nodes of the site and the profiles, as ``:node`` is completed."""
        session = self.host.session
        if session.options.environment != self._environment:
            self._environment = session.options.environment
            self._known.clear()
        for each in SOURCES["node"](SessionSymbols(session), []):
            self._known[each.text] = each.detail or "node"
        for name, kind in self._known.items():
            command = f":node {shlex.quote(name)}"
            yield _choice(f"{kind} {name}", command, name == session.options.node)


def _choice(label: str, command: str, is_current: bool) -> Content:
    return {"label": label, "command": command, "is_current": is_current}
