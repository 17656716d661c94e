"""Directives that take their text from the sources: ``puppet:autoclass`` and its like."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import ClassVar

from docutils.nodes import Element, Node
from docutils.parsers.rst import Directive, directives
from sphinx import addnodes
from sphinx.addnodes import desc_signature
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from puppet_repl.environment.reference.model import DataTypeAliasEntry, Problem
from puppet_repl.environment.reference.module_data import data_files
from puppet_repl.integrations.sphinx.code import WIDTH, on_one_line
from puppet_repl.integrations.sphinx.content import description, signatures_of, undeclared
from puppet_repl.integrations.sphinx.objects import PuppetObject
from puppet_repl.integrations.sphinx.signatures import Signature, normalized
from puppet_repl.integrations.sphinx.source_links import link_to_source
from puppet_repl.integrations.sphinx.sources import (
    KIND_OF,
    Definition,
    note_listing,
    report,
    sources_of,
)

__all__ = ["AutoModule", "AutoObject", "Selecting", "setup_autodoc"]

logger = logging.getLogger(__name__)

AUTO_KINDS = tuple(dict.fromkeys(KIND_OF.values()))
#: An object with more parameters has none in its signature: they are below it.
MAX_PARAMETERS = 6


class AutoObject(PuppetObject):
    """``.. puppet:autoclass:: name``: signature and text come from the sources."""

    definition: Definition | None = None
    heads: list[Signature]

    def run(self) -> list[Node]:
        """Find the definition, then describe it as a directive written by hand is."""
        name = self.arguments[0].strip()
        kind = self.name.rpartition(":")[2].removeprefix("auto")
        definition = self.definition or sources_of(self.env).find(kind, name)
        if definition is None:
            logger.warning(
                "no %s %s in puppet_sources", kind, name,
                location=self.get_location(), type="puppet", subtype="source",
            )  # fmt: skip
            note_listing(self.env)
            return []
        self.definition = definition
        self.env.note_dependency(str(definition.path))
        if kind == "class":
            for path in data_files(definition.module.path):
                self.env.note_dependency(path)
        for problem in sorted(_problems_of(definition), key=lambda each: each.line):
            report(definition.module, problem)
        self.name = f"puppet:{kind}"  # a description like all others from here on
        self.heads = signatures_of(definition)
        is_long = any(map(_is_long, self.heads))
        self.options.setdefault("signature", "short" if is_long else "long")
        return super().run()

    def get_signatures(self) -> list[str]:
        """Return a key for each signature: they need not be parsed."""
        return [str(number) for number in range(len(self.heads))]

    def handle_signature(self, sig: str, signode: desc_signature) -> str:
        """Show a signature, and return the name."""
        assert self.definition is not None
        head = self.heads[int(sig)]
        self.show(head, signode)
        if sig == "0":
            link_to_source(self.env, self.definition, signode)
        return head.name

    def transform_content(self, content_node: addnodes.desc_content) -> None:
        """Put what the sources say before what the directive holds."""
        super().transform_content(content_node)
        if self.definition is not None:
            described = description(self, self.definition)
            for node in described:
                if isinstance(node, Element):  # `--option` is not a dash in a comment
                    node["support_smartquotes"] = False
            content_node[:0] = described


def _is_long(head: Signature) -> bool:
    """Whether a signature has too many parameters, or one that takes several lines."""
    parameters = head.parameters or []
    widest = max((len(on_one_line(each.type)) for each in parameters), default=0)
    return len(parameters) > MAX_PARAMETERS or widest > WIDTH


def _problems_of(definition: Definition) -> Iterable[Problem]:
    """Yield the faults of a comment; missing parts are for the builder of the coverage."""
    entry = definition.entry
    yield from (each for each in entry.problems if not each.rule.startswith("missing-"))
    if isinstance(entry, DataTypeAliasEntry):  # it describes the keys of a Struct
        return
    for each in undeclared(entry):
        if each.name not in ("name", "title"):
            message = f"@param {each.name}: {entry.kind} {entry.name} has no such parameter"
            yield Problem("warning", "unknown-param", message, entry.file, each.line)


def _words(argument: str | None) -> list[str]:
    return (argument or "").replace(",", " ").split()


class Selecting(SphinxDirective):
    """A directive about some of what the sources define: that of a module, of kinds, by name."""

    optional_arguments = 1
    has_content = False
    option_spec: ClassVar[OptionSpec] = {
        "kinds": _words,
        "exclude": _words,
        "private": directives.flag,
        "module": directives.unchanged,
    }

    def selected(self) -> list[Definition]:
        """Return the definitions in the order of their kinds and names."""
        prefix = normalized(self.arguments[0]) if self.arguments else ""
        kinds = self.options.get("kinds") or list(AUTO_KINDS)
        for kind in kinds:
            if kind not in AUTO_KINDS:
                raise self.error(f"no kind {kind}; there are {', '.join(AUTO_KINDS)}")
        excluded = [normalized(pattern) for pattern in self.options.get("exclude") or []]
        note_listing(self.env)
        chosen = [
            definition
            for definition in sources_of(self.env).definitions()
            if definition.kind in kinds
            and _is_within(definition, prefix)
            and self.options.get("module") in (None, definition.module.name)
            and ("private" in self.options or not definition.is_private)
            and not any(fnmatchcase(normalized(definition.name), each) for each in excluded)
        ]
        chosen.sort(key=lambda each: (kinds.index(each.kind), normalized(each.name)))
        return chosen


def _is_within(definition: Definition, prefix: str) -> bool:
    name = normalized(definition.name)
    if not prefix or name == prefix or name.startswith(prefix + "::"):
        return True
    return definition.module.name == prefix


class AutoModule(Selecting):
    """``.. puppet:automodule:: [PREFIX]``: all that the sources define, or what is in PREFIX."""

    option_spec: ClassVar[OptionSpec] = {
        **Selecting.option_spec,
        **PuppetObject.option_spec,
    }

    def run(self) -> list[Node]:
        """Describe the definitions."""
        options = {
            name: value for name, value in self.options.items() if name in PuppetObject.option_spec
        }
        result: list[Node] = []
        for definition in self.selected():
            directive = AutoObject(
                f"puppet:auto{definition.kind}",
                [definition.name],
                dict(options),
                self.content,
                self.lineno,
                self.content_offset,
                self.block_text,
                self.state,
                self.state_machine,
            )
            directive.definition = definition
            result += directive.run()
        return result


def setup_autodoc(app: Sphinx) -> None:
    """Add the directives to the domain."""
    added: dict[str, type[Directive]] = {f"auto{kind}": AutoObject for kind in AUTO_KINDS}
    for name, directive in {**added, "automodule": AutoModule}.items():
        app.add_directive_to_domain("puppet", name, directive)
