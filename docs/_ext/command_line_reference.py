"""The command line and the machine interface, from the parsers and the schemas of the program."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.nodes import Node
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from tables import literals, section, table

from puppet_repl.frontends.cli.arguments import SUBCOMMANDS, make_parser
from puppet_repl.frontends.cli.batch_schemas import KINDS, schema


class CommandLineReference(SphinxDirective):
    """``{command-line-reference}``: a section for each subcommand, as a page of a manual has it."""

    def run(self) -> list[Node]:
        """Return the sections: first that of a command line without a subcommand."""
        result = [_manual("puppet-repl", make_parser())]
        for name, (module, _) in SUBCOMMANDS.items():
            parser = import_module(module).make_parser(name)
            result.append(_manual(f"puppet-repl {name}", parser))
        return result


def _manual(title: str, parser: argparse.ArgumentParser) -> nodes.section:
    """Return the synopsis, the description, the arguments and what is said at the end."""
    parser.prog = title
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    content: list[Node] = [nodes.literal_block(usage, usage, language="text", classes=["usage"])]
    if parser.description:
        content.append(nodes.paragraph("", parser.description))
    for command, below in _subparsers(parser):
        content.append(_manual(f"{title} {command}", below))
    at = 2
    for group in parser._action_groups:
        rows = [_row(action) for action in _actions(group)]
        if rows:
            heading = (group.title or "").removeprefix("positional ")
            content.insert(at, table((heading, "what it does"), rows))
            at += 1
    if parser.epilog:
        epilog = parser.epilog.partition("other commands (each with")[0].strip()
        content.insert(at, nodes.literal_block(epilog, epilog, language="text"))
    return section(title, *content)


def _subparsers(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _actions(group: argparse._ArgumentGroup) -> Iterator[argparse.Action]:
    for action in group._group_actions:
        is_shown = action.help != argparse.SUPPRESS and action.dest != "help"
        if is_shown and not isinstance(action, argparse._SubParsersAction):
            yield action


def _row(action: argparse.Action) -> list[list[Node]]:
    value = _value(action)
    names = [f"{name} {value}".rstrip() for name in action.option_strings] or [value]
    text = (action.help or "") % {**vars(action), "prog": "puppet-repl"}
    return [literals(names), [nodes.Text(text)]]


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    if action.metavar is not None:
        return str(action.metavar)
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return action.dest.upper() if action.option_strings else action.dest


class BatchSchema(SphinxDirective):
    """``{batch-schema} request``: the keys of a request or a response, from its schema."""

    required_arguments = 1

    def run(self) -> list[Node]:
        """Return a table."""
        kind = self.arguments[0]
        described: dict[str, Any] = json.loads(schema(kind))
        rows = [
            [
                [nodes.literal(key, key)],
                [nodes.Text(_kind(each))],
                [nodes.Text(_described(each, described))],
            ]
            for key, each in described["properties"].items()
        ]
        return [table(("key", "values", "meaning"), rows)]


def _kind(described: dict[str, Any]) -> str:
    if "enum" in described:
        return ", ".join(word for word in described["enum"] if word is not None)
    if "$ref" in described:
        return "object"
    types = described.get("type", "anything")
    words = [types] if isinstance(types, str) else [word for word in types if word != "null"]
    return " or ".join(words)


def _described(described: dict[str, Any], whole: dict[str, Any]) -> str:
    text = described.get("description", "")
    if not text and "$ref" in described:
        text = whole["$defs"][described["$ref"].rpartition("/")[2]]["description"]
    default = described.get("default")
    if default is None:
        return str(text)
    return f"{text} Default: {str(default).lower() if isinstance(default, bool) else default}."


def write_schemas(app: Sphinx, error: Exception | None) -> None:
    """Write the schemas beside the pages that link to them."""
    if error is None and app.builder.format == "html":
        for kind in KINDS:
            path = Path(app.outdir, f"batch-{kind}.schema.json")
            path.write_text(schema(kind), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives, and the files of the schemas."""
    app.connect("build-finished", write_schemas)
    app.add_directive("command-line-reference", CommandLineReference)
    app.add_directive("batch-schema", BatchSchema)
    return {"parallel_read_safe": True}
