"""The builder ``puppet-coverage``: it lists definitions without documentation."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.util import logging

from puppet_repl.environment.reference.model import FunctionEntry, Parameter, ResourceTypeEntry
from puppet_repl.integrations.sphinx.domain import KINDS, domain_of
from puppet_repl.integrations.sphinx.signatures import normalized
from puppet_repl.integrations.sphinx.sources import Definition, sources_of

__all__ = ["CoverageBuilder", "setup_coverage"]

logger = logging.getLogger(__name__)
FILE = "puppet-coverage.txt"


class _Item:
    """A definition or a documentable part of it; ``lack`` is the missing part or ''."""

    __slots__ = ("definition", "group", "lack", "line")

    def __init__(self, definition: Definition, group: str, lack: str, line: int) -> None:
        self.definition = definition
        self.group = group
        self.lack = lack
        self.line = line

    @property
    def text(self) -> str:
        """The definition and its missing documentation."""
        return f"{KINDS[self.definition.kind]} {self.definition.name}: {self.lack}"


def items_of(definition: Definition, is_on_page: bool) -> Iterator[_Item]:
    """Yield what can be documented of a definition: itself, its parameters, what it returns."""
    entry = definition.entry
    line = max(entry.line, 1)  # a task has none
    has_text = bool(entry.summary or entry.text.strip())
    if isinstance(entry, FunctionEntry):
        has_text = has_text or any(one.text.strip() for one in entry.signatures)
    group = _plural(KINDS[definition.kind])
    yield _Item(definition, group, "" if has_text else "no description", line)
    yield _Item(definition, "on a page", "" if is_on_page else "on no page", line)
    parameters: list[Parameter] = list(entry.parameters)
    if isinstance(entry, FunctionEntry):
        parameters = [each for one in entry.signatures for each in one.parameters]
        for one in entry.signatures:
            told = one.return_text or any(tag.name == "return" for tag in (*entry.tags, *one.tags))
            lack = "" if told else "no @return"
            yield _Item(definition, "return values", lack, one.line or line)
    for each in parameters:
        is_told = bool(each.text.strip()) or each.is_documented
        noun = getattr(each, "kind", "parameter")
        lack = "" if is_told else f"{noun} {each.name} has no description"
        group = "attributes" if isinstance(entry, ResourceTypeEntry) else "parameters"
        yield _Item(definition, group, lack, each.line or line)


def _plural(noun: str) -> str:
    return noun + ("es" if noun.endswith("s") else "s")


class CoverageBuilder(Builder):
    """``sphinx-build -b puppet-coverage``: warn of what has no documentation, and count it."""

    name = "puppet-coverage"
    epilog = f"The results of the coverage check are in %(outdir)s/{FILE}."
    allow_parallel = True

    def get_outdated_docs(self) -> str:
        """All of the sources are looked at every time."""
        return "the documentation of the sources"

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        """Pages have no addresses here."""
        return ""

    def write_documents(self, docnames: Iterable[str]) -> None:
        """Nothing is written for a page."""

    def write_doc(self, docname: str, doctree: nodes.document) -> None:
        """Nothing is written for a page."""

    def finish(self) -> None:
        """Write the report, and warn of all that is missing."""
        items = list(self._items())
        missing = [item for item in items if item.lack]
        for item in missing:
            place: Any = f"{item.definition.path}:{item.line}"
            logger.warning(item.text, location=place, type="puppet", subtype="coverage")
        table = list(_table(items))
        for line in table:
            logger.info(line)
        lines = ["Documentation of the sources", "============================", "", *table, ""]
        directory = os.fspath(self.srcdir)
        for item in missing:
            path = os.path.relpath(item.definition.path, directory)
            lines.append(f"{path}:{item.line}: {item.text}")
        Path(self.outdir, FILE).write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")

    def _items(self) -> Iterator[_Item]:
        """Yield the items that are not private and not ignored."""
        ignored = [normalized(pattern) for pattern in self.config.puppet_coverage_ignore]
        objects = domain_of(self.env).objects
        for definition in sources_of(self.env).definitions():
            name = normalized(definition.name)
            if definition.is_private or any(fnmatchcase(name, each) for each in ignored):
                continue
            yield from items_of(definition, (definition.kind, name) in objects)


def _table(items: list[_Item]) -> Iterator[str]:
    """Yield a line for each group: how many there are, and how many are documented."""
    groups = dict.fromkeys(sorted(item.group for item in items))
    for group in groups:
        found = [item for item in items if item.group == group]
        good = sum(not item.lack for item in found)
        yield f"{group:<16}{good:>7} of {len(found):>5}{good * 100 / len(found):>8.1f} %"


def setup_coverage(app: Sphinx) -> None:
    """Add the builder and its setting."""
    app.add_config_value("puppet_coverage_ignore", [], "", types=[list])
    app.add_builder(CoverageBuilder)
