"""``puppet:autosummary``: tables of what the sources define, with links and a line about each."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from docutils import nodes
from docutils.nodes import Node
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.locale import _

from puppet_repl.environment.reference.model import DataTypeAliasEntry, Entry
from puppet_repl.integrations.sphinx.autodoc import Selecting
from puppet_repl.integrations.sphinx.code import WIDTH, on_one_line
from puppet_repl.integrations.sphinx.markdown import inline_nodes
from puppet_repl.integrations.sphinx.sources import Definition

__all__ = ["PLURALS", "AutoSummary", "setup_summary"]

STATIC = Path(__file__).parent / "static"
PLURALS = {
    "class": "Classes",
    "define": "Defined types",
    "resource": "Resource types",
    "provider": "Providers",
    "function": "Functions",
    "type": "Data types",
    "task": "Tasks",
    "plan": "Plans",
}


class AutoSummary(Selecting):
    """``.. puppet:autosummary:: [PREFIX]``: a table for each kind of what is selected."""

    def run(self) -> list[Node]:
        """Return the tables; a single one has no heading."""
        groups = [(kind, list(of)) for kind, of in groupby(self.selected(), lambda one: one.kind)]
        result: list[Node] = []
        for kind, definitions in groups:
            if len(groups) > 1:
                result.append(nodes.rubric("", _(PLURALS[kind])))
            result.append(_table(definitions))
        return result


def _table(definitions: list[Definition]) -> nodes.table:
    group = nodes.tgroup(cols=2)
    group += [nodes.colspec(colwidth=width) for width in (30, 70)]
    group += nodes.tbody("", *map(_row, definitions))
    table = nodes.table("", group, classes=["autosummary", "puppet-summary", "longtable"])
    table["support_smartquotes"] = False  # `--option` is not a dash in a comment
    return table


def _row(definition: Definition) -> nodes.row:
    link = addnodes.pending_xref(
        "",
        nodes.literal("", definition.name, classes=["xref", "puppet", f"puppet-{definition.kind}"]),
        refdomain="puppet",
        reftype=definition.kind,
        reftarget=definition.name,
        refquiet=True,
    )
    text = inline_nodes(first_line(definition.entry)) or _alias(definition.entry)
    return nodes.row(
        "",
        nodes.entry("", nodes.paragraph("", "", link)),
        nodes.entry("", nodes.paragraph("", "", *text)),
    )


def first_line(entry: Entry) -> str:
    """Return the summary of an entry, or the first paragraph of its text."""
    text = entry.summary or entry.text.strip().partition("\n\n")[0]
    return "" if text.startswith(("#", "|", "`" * 3, "    ")) else " ".join(text.split())


def _alias(entry: Entry) -> list[Node]:
    """Return a short type that nobody has described: it says what it is."""
    if not isinstance(entry, DataTypeAliasEntry):
        return []
    line = on_one_line(entry.alias_of)
    return [nodes.literal("", line)] if len(line) <= WIDTH else []


def _add_style(app: Sphinx) -> None:
    app.config.html_static_path.append(str(STATIC))


def setup_summary(app: Sphinx) -> None:
    """Add the directive to the domain, and the style of its tables."""
    app.connect("builder-inited", _add_style)
    app.add_css_file("puppet_domain.css")
    app.add_directive_to_domain("puppet", "autosummary", AutoSummary)
