"""Directives that write the reference from the tables of the program itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils import nodes
from docutils.nodes import Node
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from tables import literals, section, table

from puppet_repl.host.command_model import Command
from puppet_repl.host.command_registry import COMMANDS
from puppet_repl.host.settings import AT_PROMPT, SETTINGS, Setting
from puppet_repl.integrations.sphinx.markdown import inline_nodes, markdown_nodes
from puppet_repl.integrations.sphinx.objects import PuppetObject
from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.functions.registry import Function, find, find_added
from puppet_repl.language.functions.signatures import Dispatch
from puppet_repl.language.functions.stdlib.declaring import TABLES
from puppet_repl.language.types.data_types import DOCUMENTED
from puppet_repl.language.types.making.constructor import Constructor
from puppet_repl.language.types.making.new import constructor_of
from puppet_repl.tools.advice.rules import ASKED, RULES, SURE
from puppet_repl.tools.inspection.texts import KEYWORDS, RESOURCE_TYPES
from puppet_repl.tools.validation.data_rules import DATA_RULES
from puppet_repl.tools.validation.file_rules import FILE_RULES
from puppet_repl.tools.validation.rules import REPOSITORY_RULES, RepositoryRule


class Described(PuppetObject):
    """An object of the domain whose signatures and text are given from outside."""

    signatures: list[str]
    described: list[Node]

    def get_signatures(self) -> list[str]:
        """Return all signatures; the first one registers the object."""
        return self.signatures

    def add_target_and_index(self, name: str, sig: str, signode: addnodes.desc_signature) -> None:
        """Only the first signature is a target."""
        if sig == self.signatures[0]:
            super().add_target_and_index(name, sig, signode)

    def transform_content(self, content_node: addnodes.desc_content) -> None:
        """Put the text in."""
        content_node[:0] = self.described


class Generated(SphinxDirective):
    """What the directives here share."""

    has_content = False

    def object_nodes(self, kind: str, signatures: list[str], text: list[Node]) -> list[Node]:
        """Describe one object."""
        directive = Described(
            f"puppet:{kind}",
            [signatures[0]],
            {},
            self.content,
            self.lineno,
            self.content_offset,
            self.block_text,
            self.state,
            self.state_machine,
        )
        directive.signatures = signatures
        directive.described = text
        return directive.run()

    def function_nodes(self, function: Function) -> list[Node]:
        """Describe a function by its declaration."""
        text = markdown_nodes(_reflowed(function.doc))
        text += _parameters(function)
        if function.examples:
            text.append(nodes.rubric("", "Examples"))
            text.append(_code(_together(function.examples)))
        return self.object_nodes("function", _function_signatures(function), text)


def _code(text: str, language: str = "puppet") -> nodes.literal_block:
    return nodes.literal_block(text, text, language=language)


class FunctionTheme(Generated):
    """``{function-theme} strings``: every function of a theme, from the registry."""

    required_arguments = 1

    def run(self) -> list[Node]:
        """Return the functions in the order of their names."""
        theme = self.arguments[0]
        names = sorted(name for name, its_theme in THEMES.items() if its_theme == theme)
        if not names:
            raise self.error(f"no functions of theme '{theme}'")
        result: list[Node] = []
        for name in names:
            function = find(name) or find_added(name)
            if function is None:
                raise self.error(f"no function '{name}'")
            result += self.function_nodes(function)
        return result


class StdlibFunctions(Generated):
    """``{stdlib-functions} 9``: all functions of that version; of 8 those that 9 does not have."""

    required_arguments = 1

    def run(self) -> list[Node]:
        """Return the functions in the order of their names, one section for each theme."""
        version = int(self.arguments[0])
        table, newer = TABLES[version], TABLES.get(version + 1)
        names = [name for name in table.names() if newer is None or name not in newer.themes]
        functions = [found for name in names if (found := table.find(name)) is not None]
        result: list[Node] = []
        for theme in sorted({function.theme for function in functions}):
            described = [
                node
                for function in functions
                if function.theme == theme
                for node in self.function_nodes(function)
            ]
            title = theme.replace("_", " ").capitalize()
            result.append(section(title, *described, name=f"stdlib-{version}-{theme}"))
        return result


_FIXES = {
    "": "",
    SURE: " `--fix` changes it.",
    ASKED: " `--fix-all` changes it: a catalog may have another value then.",
}


class RuleReference(Generated):
    """``{rule-reference}``: a section for each rule that warns, from their table."""

    def run(self) -> list[Node]:
        """Return the rules in the order of their names: what each is about, wrong and right."""
        result: list[Node] = []
        for rule in sorted((*RULES, *REPOSITORY_RULES), key=lambda rule: rule.name):
            text = f"Warns of {rule.text}."
            if not rule.warns:
                text = f"No warning: {rule.text}."
            elif not rule.in_inputs:
                text += " In files only."
            text += _FIXES[rule.fix]
            if rule.also:
                text += f" Comments may also call it {' or '.join(rule.also)}."
            result.append(
                section(
                    rule.name,
                    nodes.paragraph("", "", *inline_nodes(text)),
                    _code(rule.example),
                    nodes.paragraph("", "Instead:"),
                    _code(rule.instead),
                    *(_beside(rule) if isinstance(rule, RepositoryRule) else ()),
                )
            )
        return result


class DataRuleReference(Generated):
    """``{data-rule-reference}``: a section for each rule of data files and hiera.yaml."""

    def run(self) -> list[Node]:
        """Return the rules in the order of their names."""
        return [
            section(
                rule.name,
                nodes.paragraph("", "", *inline_nodes(f"Warns of {rule.text}.")),
                _code(rule.example, "yaml"),
                nodes.paragraph("", "Instead:"),
                _code(rule.instead, "yaml"),
                name=f"data-{rule.name}",
            )
            for rule in DATA_RULES
        ]


class FileRuleReference(Generated):
    """``{file-rule-reference}``: a table of the rules of other files."""

    def run(self) -> list[Node]:
        """Return a row for each rule."""
        rows = [
            ([nodes.literal(files, files)], [nodes.literal(name, name)], inline_nodes(text))
            for files, rules in FILE_RULES.items()
            for name, text in rules.items()
        ]
        return [table(("file", "code", "finding"), rows)]


def _beside(rule: RepositoryRule) -> list[Node]:
    """Return the files that the example of a rule needs, with their content."""
    result: list[Node] = []
    for path, text in rule.files.items():
        result.append(nodes.paragraph("", "", *inline_nodes(f"where `{path}` has:")))
        result.append(
            _code(text, {"pp": "puppet", "json": "json"}.get(path.rpartition(".")[2], "text"))
        )
    return result


def _together(examples: tuple[str, ...]) -> str:
    """Examples in one block, those of several lines set apart."""
    texts = [example.strip("\n") for example in examples]
    return "\n\n".join(texts) if any("\n" in text for text in texts) else "\n".join(texts)


def _reflowed(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().split("\n"))


def _function_signatures(function: Function) -> list[str]:
    found = [_signature(function, dispatch) for dispatch in function.signatures()]
    return list(dict.fromkeys(found)) or [f"{function.name}()"]


def _signature(function: Function, dispatch: Dispatch) -> str:
    parameters = ", ".join(dispatch.parameter_texts())
    return f"{function.name}({parameters}) >> {function.result_text(dispatch)}"


def _parameters(function: Function) -> list[Node]:
    """Return what is said of the parameters and of the result, for all signatures together."""
    tags = function.tags
    items = [
        nodes.list_item(
            "",
            nodes.paragraph(
                "", "", nodes.literal("", f"${name}"), nodes.Text(": "), *inline_nodes(text)
            ),
        )
        for name, text in tags.parameters.items()
    ]
    found: list[Node] = []
    if items:
        found = [nodes.rubric("", "Parameters"), nodes.bullet_list("", *items)]
    if tags.returned:
        text = f"Returns {tags.returned}."
        found.append(nodes.paragraph("", "", *inline_nodes(text)))
    return found


class CommandReference(Generated):
    """Every command, from the table of commands."""

    def run(self) -> list[Node]:
        """Return the commands by group."""
        result: list[Node] = []
        for group in dict.fromkeys(command.group for command in COMMANDS):
            members = [_command(command) for command in COMMANDS if command.group == group]
            result.append(section(group, *members, name=f"commands-{group}"))
        return result


def _command(command: Command) -> Node:
    listed = nodes.definition_list()
    usage = nodes.literal(command.usage, command.usage)
    term = nodes.term("", "", usage, ids=[_anchor(command)])
    text = command.summary[:1].upper() + command.summary[1:] + "."
    body: list[Node] = [nodes.paragraph("", "", *inline_nodes(text))]
    if command.details:
        body.append(nodes.paragraph("", "", *inline_nodes(command.details)))
    if command.aliases:
        aliases = literals(f":{alias}" for alias in command.aliases)
        body.append(nodes.paragraph("", "", nodes.Text("Also "), *aliases, nodes.Text(".")))
    if command.examples:
        body.append(_code("\n".join(f">> {text}" for text in command.examples), "puppet-console"))
    listed += nodes.definition_list_item("", term, nodes.definition("", *body))
    return listed


def _anchor(command: Command) -> str:
    return f"command-{command.name}"


class CommandTable(Generated):
    """``{command-table}``: all commands on one screen, each with a link to what is said of it."""

    def run(self) -> list[Node]:
        """Return the table, in the order of the table of commands."""
        rows = [[_usage(command), list(inline_nodes(command.summary))] for command in COMMANDS]
        return [table(("command", "what it does"), rows)]


def _usage(command: Command) -> list[Node]:
    """Return a link to what is said of a command, and its other names."""
    usage = nodes.literal("", command.usage)
    found: list[Node] = [nodes.reference("", "", usage, refid=_anchor(command))]
    if command.aliases:
        found += [nodes.Text(" "), *literals(f":{alias}" for alias in command.aliases)]
    return found


class SettingReference(Generated):
    """Every setting, with its values and the one it has at first."""

    def run(self) -> list[Node]:
        """Return a table."""
        others = [setting for setting in SETTINGS if not setting.at_prompt]
        text = "These are in the configuration file only, or are options of the command line:"
        return [_settings(AT_PROMPT), nodes.paragraph("", text), _settings(others)]


def _settings(shown: Iterable[Setting]) -> Node:
    """Return a table of settings."""
    rows: list[list[list[Node]]] = []
    for setting in shown:
        default = "" if setting.kind == "settings" else setting.show(setting.default)
        choices = ", ".join(setting.choices) or setting.kind
        rows.append([
            [nodes.literal(setting.name, setting.name)],
            [nodes.Text(choices)],
            [nodes.literal(default, default)],
            [nodes.Text(setting.help)],
        ])  # fmt: skip
    return table(("setting", "values", "at first", "what it does"), rows)


class TypeEntry(Generated):
    """``{type-entry} Integer``: a data type, and how values of it are made."""

    required_arguments = 1

    def run(self) -> list[Node]:
        """One object of the domain."""
        name = self.arguments[0]
        record = DOCUMENTED[name]
        described: list[Node] = list(markdown_nodes(record.text))
        if record.parameters:
            usage = f"{name}{record.parameters}"
            described.append(
                nodes.paragraph("", "", nodes.Text("Written "), nodes.literal(usage, usage))
            )
        constructor = constructor_of(name)
        if constructor is not None:
            described += _constructor(name, constructor)
        return self.object_nodes("type", [name], described)


def _constructor(name: str, constructor: Constructor) -> list[Node]:
    """Return the ways to make a value of a type, and the names of types that they mention."""
    calls = []
    for way in constructor.ways:
        if not way.is_refusal:
            given = [parameter.rpartition(" ") for parameter in way.parameters]
            texts = [f"{type_text} ${parameter}" for type_text, _, parameter in given]
            calls.append(f"{name}({', '.join(texts)})")
    aliases = [f"type {alias} = {text}" for alias, text in constructor.aliases.items()]
    made = "\n".join([*calls, *([""] if aliases else []), *aliases])
    return [nodes.paragraph("", "", nodes.Text("Made by calling it:")), _code(made)]


class KeywordReference(Generated):
    """Every keyword."""

    def run(self) -> list[Node]:
        """Return a table."""
        rows: list[list[list[Node]]] = [
            [[nodes.literal(usage, usage)], list(inline_nodes(text))]
            for usage, text, _ in KEYWORDS.values()
        ]
        return [table(("keyword", "what it does"), rows)]


class ResourceTypeReference(Generated):
    """Every resource type that is known without a module."""

    def run(self) -> list[Node]:
        """Objects of the domain."""
        result: list[Node] = []
        for name, text in sorted(RESOURCE_TYPES.items()):
            result += self.object_nodes("resource", [name], markdown_nodes(text))
        return result


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives."""
    app.add_directive("function-theme", FunctionTheme)
    app.add_directive("stdlib-functions", StdlibFunctions)
    app.add_directive("command-reference", CommandReference)
    app.add_directive("command-table", CommandTable)
    app.add_directive("setting-reference", SettingReference)
    app.add_directive("rule-reference", RuleReference)
    app.add_directive("data-rule-reference", DataRuleReference)
    app.add_directive("file-rule-reference", FileRuleReference)
    app.add_directive("type-entry", TypeEntry)
    app.add_directive("keyword-reference", KeywordReference)
    app.add_directive("resource-type-reference", ResourceTypeReference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
