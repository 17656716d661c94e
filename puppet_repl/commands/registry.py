"""The table of commands: what they are called, what they take, what they do, who runs them.

This is the only list. ``:help``, completion, the documentation and both front-ends read it.
"""

from __future__ import annotations

from collections.abc import Iterator


class Command:
    """One command.

    ``arguments`` is its usage, ``completes`` what stands at each argument (the last kind goes on):
    expression, name, command, setting, value, file, class, type, fact, variable, input, or words
    to choose from joined by '|'. ``runner`` is "module.function" below this package.
    """

    __slots__ = (
        "aliases",
        "arguments",
        "completes",
        "details",
        "examples",
        "group",
        "name",
        "runner",
        "summary",
    )

    def __init__(
        self,
        name: str,
        arguments: str,
        summary: str,
        runner: str,
        *,
        group: str,
        completes: tuple[str, ...] = (),
        aliases: tuple[str, ...] = (),
        details: str = "",
        examples: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.summary = summary
        self.runner = runner
        self.group = group
        self.completes = completes
        self.aliases = aliases
        self.details = details
        self.examples = examples

    @property
    def usage(self) -> str:
        """``:name ARGUMENTS``."""
        return f":{self.name} {self.arguments}".rstrip()

    @property
    def takes_code(self) -> bool:
        """Whether the last argument is Puppet code, which may go over several lines."""
        return "expression" in self.completes


def _c(
    group: str,
    name: str,
    arguments: str,
    summary: str,
    runner: str,
    completes: tuple[str, ...] = (),
    **more: str | tuple[str, ...],
) -> Command:
    return Command(
        name,
        arguments,
        summary,
        runner,
        group=group,
        completes=completes,
        aliases=tuple(more.get("aliases", ())),
        details=str(more.get("details", "")),
        examples=tuple(more.get("examples", ())),
    )


COMMANDS = (
    _c(
        "Names",
        "help",
        "[NAME]",
        "list the commands, or explain one, or any function, type or class",
        "names.help_",
        ("name",),
        aliases=("h", "?"),
        examples=(":help set", ":help map", ":help Integer"),
    ),
    _c(
        "Names",
        "doc",
        "NAME",
        "the whole documentation of a function, type, resource type, class or variable",
        "names.doc",
        ("name",),
        examples=(":doc split", ":doc file"),
    ),
    _c(
        "Names",
        "vars",
        "[PATTERN]",
        "the variables of the session and their values",
        "names.vars_",
        ("variable",),
        aliases=("ls",),
    ),
    _c(
        "Names",
        "functions",
        "[PATTERN]",
        "the functions, with what they are for",
        "names.functions",
        examples=(":functions", ":functions case"),
    ),
    _c(
        "Names",
        "types",
        "[PATTERN]",
        "data types, type aliases and resource types",
        "names.types",
        aliases=("datatypes",),
    ),
    _c(
        "Names", "classes", "[PATTERN]", "classes and defined types that are known", "names.classes"
    ),
    _c(
        "Catalog",
        "resources",
        "[PATTERN]",
        "the resources declared so far, as a table; of a single one the code",
        "catalog.resources",
        ("resource",),
        aliases=("resource",),
        examples=(":resources", ":resources file", ":resources File['/etc/motd']"),
    ),
    _c(
        "Catalog",
        "catalog",
        "[json|code]",
        "the catalog as Puppet code or as JSON",
        "catalog.catalog",
        ("json|code",),
    ),
    _c(
        "Catalog",
        "graph",
        "[text|mermaid|dot]",
        "the resources and what comes before what",
        "catalog.graph",
        ("text|mermaid|dot",),
    ),
    _c(
        "Catalog",
        "facts",
        "[PATTERN]",
        "show the facts, or be another machine",
        "catalog.facts",
        ("fact", "factset"),
        details=(
            "A set that comes along (debian-12, rocky-9, ...) or a JSON or YAML file takes the "
            "place of all facts, PATH=VALUE changes one; 'use' and 'set' may stand before. The "
            "session starts anew then, for every value may depend on the facts."
        ),
        examples=(":facts os", ":facts rocky-9", ":facts facts.json", ":facts os.family=RedHat"),
    ),
    _c(
        "Catalog",
        "node",
        "[NAME]",
        "show or change the name of the node that the catalog is for",
        "catalog.node",
    ),
    _c(
        "Code",
        "type",
        "EXPR",
        "the type of a value, and what a type alias stands for",
        "code.type_",
        ("expression",),
        aliases=("t",),
        examples=(":type [1, 'a']", ":type Stdlib::Port"),
    ),
    _c(
        "Code",
        "match",
        "TYPE VALUE...",
        "which values are of a type, and what is wrong with those that are not",
        "code.match",
        ("expression",),
        examples=(":match Integer[1, 10] 5 50 'a'",),
        details="Values are separated by blanks or commas, as the elements of an array.",
    ),
    _c(
        "Code",
        "why",
        "EXPR",
        "why a case, a selector or a condition came out as it did",
        "why.why",
        ("expression",),
        examples=(":why $facts['os']['family'] ? { 'debian' => 1, default => 2 }",),
        details="Shows each comparison that was made: the kind, both sides, and the result.",
    ),
    _c("Code", "ast", "CODE", "the syntax tree of code", "code.tree", ("expression",)),
    _c("Code", "tokens", "CODE", "the tokens of code", "code.tokens", ("expression",)),
    _c(
        "Code",
        "show",
        "python CODE",
        "the Python that code is compiled to",
        "code.show",
        ("python", "expression"),
        examples=(":show python $x + 1",),
    ),
    _c(
        "Code",
        "time",
        "CODE",
        "run code once and say how long it took",
        "code.time_",
        ("expression",),
    ),
    _c(
        "Code",
        "bench",
        "CODE",
        "run code many times and say how long one run takes",
        "code.bench",
        ("expression",),
    ),
    _c(
        "Code",
        "epp",
        "TEMPLATE",
        "render an EPP template, with the variables of the session",
        "code.epp",
        ("template",),
        examples=(":epp Hello <%= $facts['kernel'] %>",),
    ),
    _c("Session", "load", "FILE...", "run manifests in this session", "files.load", ("file",)),
    _c(
        "Session",
        "save",
        "FILE",
        "write the inputs of this session to a manifest (.pp) or a notebook (.ipynb)",
        "files.save",
        ("file",),
    ),
    _c(
        "Session",
        "edit",
        "[N]",
        "write an input in your editor ($VISUAL, $EDITOR), then run it",
        "files.edit",
        ("input",),
    ),
    _c(
        "Session",
        "history",
        "[PATTERN]",
        "earlier inputs, also of other sessions",
        "files.history",
    ),
    _c(
        "Session",
        "set",
        "[NAME [VALUE] [--save]]",
        "show or change settings; --save keeps them for other sessions",
        "state.set_",
        ("setting", "value"),
        examples=(":set", ":set editing_mode vi", ":set theme monokai --save"),
    ),
    _c("Session", "undo", "[N]", "take the last input back, or the last N", "state.undo"),
    _c(
        "Session",
        "forget",
        "NAME...",
        "forget a variable, function, type or class",
        "state.forget",
        ("own",),
        examples=(":forget $x", ":forget my::function"),
    ),
    _c("Session", "reset", "", "forget everything but the settings", "state.reset"),
    _c(
        "Session",
        "full",
        "[N]",
        "show the last value, or that of input N, whole",
        "state.full",
        ("input",),
    ),
    _c("Session", "clear", "", "clear the screen", "state.clear", aliases=("cls",)),
    _c("Session", "quit", "", "leave", "state.quit_", aliases=("q", "exit")),
)


def find_command(name: str) -> Command | None:
    """The command of that name or alias; an unambiguous beginning of a name will do."""
    for command in COMMANDS:
        if name == command.name or name in command.aliases:
            return command
    starting = [command for command in COMMANDS if command.name.startswith(name)]
    return starting[0] if name and len(starting) == 1 else None


def names() -> Iterator[str]:
    """The names of all commands."""
    return (command.name for command in COMMANDS)


def reference() -> str:
    """The table of the commands as Markdown, for the documentation."""
    groups: dict[str, list[Command]] = {}
    for command in COMMANDS:
        groups.setdefault(command.group, []).append(command)
    lines: list[str] = []
    for group, members in groups.items():
        lines += [f"## {group}", "", "| Command | What it does |", "| --- | --- |"]
        for command in members:
            usage = command.usage.replace("|", "\\|")
            also = ", ".join(f"`:{alias}`" for alias in command.aliases)
            text = command.summary + (f" (also {also})" if also else "")
            lines.append(f"| `{usage}` | {text} |")
        lines.append("")
    return "\n".join(lines)
