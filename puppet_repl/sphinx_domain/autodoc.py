"""Directives that take their text from manifests: ``puppet:autoclass`` and its like."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.nodes import Node
from docutils.parsers.rst import Directive, directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from puppet_repl.base.reading import read_text
from puppet_repl.base.wording import why_unusable
from puppet_repl.errors import PuppetError
from puppet_repl.inspection.manifest_comments import Documented, documented
from puppet_repl.sphinx_domain.domain import PuppetObject
from puppet_repl.sphinx_domain.markdown import inline_nodes, markdown_nodes
from puppet_repl.sphinx_domain.signatures import normalized

__all__ = ["AutoModule", "AutoObject", "setup_autodoc"]

logger = logging.getLogger(__name__)

AUTO_KINDS = ("class", "define", "function", "type", "plan")
#: Tags shown as paragraphs with a word before them.
REMARKS = {"note": "Note", "todo": "To do", "author": "Author", "deprecated": "Deprecated"}
KEY = "puppet_repl.definitions"


def manifests_of(env: BuildEnvironment) -> list[Path]:
    """Return the manifests that ``puppet_sources`` names: files, or all files of directories."""
    found: list[Path] = []
    for entry in env.config.puppet_sources:
        path = Path(env.srcdir, entry)
        found += sorted(path.rglob("*.pp")) if path.is_dir() else [path]
    return found


def definitions_in(env: BuildEnvironment, path: Path) -> list[Documented]:
    """Return what a manifest defines; report one that cannot be read, and treat it as empty.

    It is read once for a page, whatever the number of directives.
    """
    data: Any = env.temp_data
    known: dict[Path, list[Documented]] = data.setdefault(KEY, {})
    if path not in known:
        known[path] = []
        try:
            known[path] = documented(read_text(str(path)), str(path))
        except PuppetError as error:
            logger.warning("%s %s", error.message, error.location, type="puppet", subtype="source")
        except (OSError, UnicodeDecodeError) as error:
            reason = why_unusable(error)
            logger.warning("%s: %s", path, reason, type="puppet", subtype="source")
    return known[path]


def find_definition(env: BuildEnvironment, kind: str, name: str) -> tuple[Path, Documented] | None:
    """Look a definition up in the manifests, first where Puppet would look for it."""
    parts = normalized(name).split("::")
    paths = manifests_of(env)
    stem = parts[-1] if len(parts) > 1 else "init"
    likely = [path for path in paths if path.stem in (stem, parts[-1])]
    for path in [*likely, *[path for path in paths if path not in likely]]:
        for definition in definitions_in(env, path):
            if definition.kind == kind and normalized(definition.name) == normalized(name):
                return path, definition
    return None


class AutoObject(PuppetObject):
    """``.. puppet:autoclass:: name``: signature and text come from the manifest."""

    found: tuple[Path, Documented] | None = None
    definition: Documented | None = None

    def run(self) -> list[Node]:
        """Find the definition, then describe it as a directive written by hand is."""
        name = self.arguments[0].strip()
        kind = self.name.rpartition(":")[2].removeprefix("auto")
        found = self.found or find_definition(self.env, kind, name)
        if found is None:
            logger.warning(
                "no %s %s in puppet_sources", kind, name,
                location=self.get_location(), type="puppet", subtype="source",
            )  # fmt: skip
            return []
        path, self.definition = found
        self.env.note_dependency(str(path))
        self.arguments[0] = self.definition.signature
        return super().run()

    def get_signatures(self) -> list[str]:
        """Return one signature, however many lines it was written on."""
        return [self.arguments[0]]

    def transform_content(self, content_node: addnodes.desc_content) -> None:
        """Put the text of the comment before what the directive holds."""
        if self.definition is not None:
            content_node[:0] = described(self.definition)


def described(definition: Documented) -> list[Node]:
    """Return the comment of a definition as nodes: text, examples, fields."""
    found: list[Node] = []
    for text in (definition.summary, definition.text):
        found += markdown_nodes(text)
    fields = nodes.field_list()
    for tag in definition.tags:
        if tag.name in ("param", "option"):
            typed = f"{tag.type} " if tag.type and tag.name == "option" else ""
            fields += _field(f"{tag.name} {typed}${tag.subject}", tag.text)
        elif tag.name == "return":
            fields += _field("return", tag.text)
            if tag.type:
                fields += _field("rtype", tag.type)
        elif tag.name == "raise":
            fields += _field(f"raise {tag.subject}", tag.text)
        elif tag.name in ("since", "see"):
            fields += _field(tag.name, f"{tag.subject} {tag.text}".strip())
    if len(fields):
        found.append(fields)
    for tag in definition.tagged("example"):
        title = nodes.paragraph()
        title += nodes.strong("", tag.subject or "Example")
        found.append(title)
        found.append(nodes.literal_block(tag.text, tag.text, language="puppet"))
    for tag in definition.tags:
        if tag.name in REMARKS:
            remark = nodes.paragraph()
            remark += nodes.emphasis("", f"{REMARKS[tag.name]}: ")
            remark += inline_nodes(" ".join(f"{tag.subject} {tag.text}".split()))
            found.append(remark)
    if any(tag.text.strip() == "private" for tag in definition.tagged("api")):
        found.insert(0, nodes.paragraph("", "", nodes.emphasis("", "Private.")))
    return found


def _field(name: str, text: str) -> nodes.field:
    body = nodes.field_body()
    if re.match(r"rtype$", name):
        body += nodes.paragraph(text, "", nodes.Text(text))
    else:
        body += markdown_nodes(text) or [nodes.paragraph()]
    return nodes.field("", nodes.field_name("", name), body)


class AutoModule(SphinxDirective):
    """``.. puppet:automodule:: [PREFIX]``: all that the manifests define, or what is in PREFIX."""

    optional_arguments = 1
    has_content = False
    option_spec: ClassVar[OptionSpec] = {
        "kinds": directives.unchanged,
        "private": directives.flag,
    }

    def run(self) -> list[Node]:
        """Describe the definitions in the order of their kinds and names."""
        prefix = normalized(self.arguments[0]) if self.arguments else ""
        kinds = self.options.get("kinds", " ".join(AUTO_KINDS)).replace(",", " ").split()
        found: list[tuple[Path, Documented]] = []
        for path in manifests_of(self.env):
            self.env.note_dependency(str(path))
            found += [(path, definition) for definition in definitions_in(self.env, path)]
        chosen = [
            (path, definition)
            for path, definition in found
            if definition.kind in kinds
            and _is_within(normalized(definition.name), prefix)
            and ("private" in self.options or not _is_private(definition))
        ]
        chosen.sort(key=lambda pair: (kinds.index(pair[1].kind), normalized(pair[1].name)))
        result: list[Node] = []
        for path, definition in chosen:
            directive = AutoObject(
                f"puppet:auto{definition.kind}",
                [definition.name],
                {},
                self.content,
                self.lineno,
                self.content_offset,
                self.block_text,
                self.state,
                self.state_machine,
            )
            directive.found = path, definition
            result += directive.run()
        return result


def _is_within(name: str, prefix: str) -> bool:
    return not prefix or name == prefix or name.startswith(prefix + "::")


def _is_private(definition: Documented) -> bool:
    return any(tag.text.strip() == "private" for tag in definition.tagged("api"))


def setup_autodoc(app: Sphinx) -> None:
    """Add the directives to the domain and their setting to the configuration."""
    app.add_config_value("puppet_sources", [], "env", types=[list])
    added: dict[str, type[Directive]] = {f"auto{kind}": AutoObject for kind in AUTO_KINDS}
    for name, directive in {**added, "automodule": AutoModule}.items():
        app.add_directive_to_domain("puppet", name, directive)
