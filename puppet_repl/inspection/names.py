"""Documentation of a name of any kind, from what the session knows."""

from __future__ import annotations

from puppet_repl.inspection.documentation import Documentation
from puppet_repl.inspection.symbols import SessionSymbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.functions.registry import Function
    from puppet_repl.runtime.closure import UserFunction
    from puppet_repl.runtime.declarations import Definition
    from puppet_repl.syntax.source import Source

# More text of a value than this says nothing more about it.
MOST_VALUE = 200
MOST_PARTS = 1000


def document(known: SessionSymbols, name: str) -> Documentation | None:
    """What is known about a name, looked for among everything that can have one."""
    name = name.strip()
    finders: tuple[Callable[[SessionSymbols, str], Documentation | None], ...] = (
        document_function,
        document_resource_type,
        document_class,
        document_keyword,
    )
    if name[:1] in (":", "%") and not name.startswith("::"):
        return document_command(name[1:])
    if name.startswith("$"):
        return document_variable(known, name)
    bare = name.removeprefix("::")
    if bare[:1].isupper():
        finders = (document_type, document_reference)
    for find in finders:
        found = find(known, bare)
        if found is not None:
            return found
    return None


def documents(known: SessionSymbols, name: str) -> list[Documentation]:
    """Everything that a name can mean: ``file`` is a function and a resource type."""
    found = document(known, name)
    if found is None:
        return []
    others = [found]
    if found.kind.startswith("function"):
        for find in (document_resource_type, document_class):
            other = find(known, name.removeprefix("::"))
            if other is not None:
                others.append(other)
    return others


def document_command(name: str) -> Documentation | None:
    """A command of the session."""
    from puppet_repl.commands.registry import find_command

    command = find_command(name)
    if command is None:
        return None
    details: tuple[tuple[str, str], ...] = ()
    if command.aliases:
        details = (("also", ", ".join(f":{alias}" for alias in command.aliases)),)
    summary = command.summary[:1].upper() + command.summary[1:] + "."
    return Documentation(
        command.usage,
        "command",
        "\n\n".join(part for part in (summary, command.details) if part),
        details=details,
        examples=command.examples,
    )


def document_variable(known: SessionSymbols, name: str) -> Documentation | None:
    """A variable of the session, or a key below one: ``$facts['os']``."""
    path = variable_path(name)
    found, value = known.variable(path)
    if not found:
        return None
    return Documentation(
        name, "variable", details=(("Type", type_of(value)), ("Value", value_text(value)))
    )


def variable_path(name: str) -> tuple[str, ...]:
    """``$a['b'][0]`` as ('a', 'b', '0')."""
    base, *keys = name.removeprefix("$").split("[")
    return (base, *[key.rstrip("]").strip("'\"") for key in keys])


def type_of(value: Any) -> str:
    """The type of a value as it is written, without the details of its parts."""
    from puppet_repl.types.algebra.infer import infer
    from puppet_repl.values.size import is_large

    if is_large(value, MOST_PARTS):
        return "Array" if isinstance(value, tuple) else "Hash"
    return str(infer(value))


def value_text(value: Any) -> str:
    """The beginning of a value as program text."""
    from puppet_repl.types.text.format import program_text
    from puppet_repl.values.size import is_large

    if is_large(value, MOST_PARTS):
        return f"{len(value)} elements"
    if isinstance(value, str):
        value = value[: MOST_VALUE + 1]
    text = program_text(value)
    return text if len(text) <= MOST_VALUE else text[:MOST_VALUE] + "…"


def document_function(known: SessionSymbols, name: str) -> Documentation | None:
    """A function of the session or a built-in one."""
    own = known.own_functions().get(name)
    if own is not None:
        return _document_user_function(own)
    builtin = known.builtin_function(name)
    return _document_builtin(builtin) if builtin is not None else None


def _document_builtin(function: Function) -> Documentation:
    return Documentation(
        function.name,
        f"function ({function.theme})",
        _plain(function.doc),
        signatures=builtin_signatures(function),
        examples=tuple(function.examples),
    )


def builtin_signatures(function: Function) -> tuple[str, ...]:
    """The ways to call a built-in function, as ``name(Type $parameter) >> Type``."""
    return tuple(
        f"{function.name}({dispatch.text}) >> {dispatch.returns}"
        for dispatch in function.dispatches
        if not dispatch.explains
    )


def _plain(text: str) -> str:
    import textwrap

    first, _, rest = text.strip("\n").partition("\n")
    return (first.strip() + "\n" + textwrap.dedent(rest)).strip()


def _document_user_function(function: UserFunction) -> Documentation:
    spec = function.spec
    return Documentation(
        function.name,
        "function",
        comment_before(spec.source, spec.node.start),
        signatures=(heading_of(spec.source, spec.node.start),),
        details=_place(spec.source, spec.node.start),
    )


def document_type(known: SessionSymbols, name: str) -> Documentation | None:
    """A data type, or an alias."""
    from puppet_repl.inspection.texts import DATA_TYPES

    alias = known.type_aliases().get(name)
    if alias is not None:
        return Documentation(
            name, "type alias", details=(("Stands for", str(alias.resolved().expanded_text())),)
        )
    if name not in DATA_TYPES:
        return None
    parameters, text, example = DATA_TYPES[name]
    details = (("For example", example),) if example else ()
    return Documentation(name, "type", text, signatures=(name + parameters,), details=details)


def document_reference(known: SessionSymbols, name: str) -> Documentation | None:
    """``File`` and ``File['/x']``: the resource type, or the resource of the catalog."""
    type_name, _, title = name.partition("[")
    wanted = title.rstrip("]").strip("'\"")
    if wanted:
        for resource in known.resources():
            if resource.type == type_name and resource.title == wanted:
                return _document_resource(resource)
    return document_resource_type(known, type_name.lower())


def _document_resource(resource: Any) -> Documentation:
    details = [
        (parameter.name, value_text(parameter.value)) for parameter in resource.parameters.values()
    ]
    title = f"{resource.type}['{resource.title}']"
    return Documentation(title, "resource", details=tuple(details))


def document_resource_type(known: SessionSymbols, name: str) -> Documentation | None:
    """A resource type of Puppet, or a defined type."""
    from puppet_repl.inspection.texts import RESOURCE_TYPES

    define = known.defines().get(name)
    if define is not None:
        return _document_definition(define, "defined type")
    found = known.resource_type(name)
    if found is None:
        return None
    others = [key for key in found.parameters if key not in found.namevars]
    details = [("Named by", ", ".join(found.namevars))]
    if found.properties:
        details.append(("Properties", ", ".join(found.properties)))
    if others:
        details.append(("Parameters", ", ".join(others)))
    return Documentation(
        name,
        "resource type",
        RESOURCE_TYPES.get(name, ""),
        signatures=(f"{name} {{ 'title': attribute => value }}",),
        details=tuple(details),
    )


def document_class(known: SessionSymbols, name: str) -> Documentation | None:
    """A class that is known, or what a module has under that name."""
    found = known.definitions().get(name)
    if found is not None and name:
        return _document_definition(found, "class")
    unloaded = known.in_module_file(name)
    if unloaded is None:
        return None
    source, node = unloaded
    kinds = {"HostClassDefinition": "class", "ResourceTypeDefinition": "defined type"}
    return Documentation(
        name,
        kinds.get(type(node).__name__, "function"),
        comment_before(source, node.start),
        signatures=(heading_of(source, node.start),),
        details=_place(source, node.start),
    )


def _document_definition(definition: Definition, kind: str) -> Documentation:
    return Documentation(
        definition.name,
        kind,
        comment_before(definition.source, definition.start),
        signatures=(heading_of(definition.source, definition.start),),
        details=_place(definition.source, definition.start),
    )


def document_keyword(known: SessionSymbols, name: str) -> Documentation | None:
    """A word of the language."""
    from puppet_repl.inspection.texts import KEYWORDS

    if name not in KEYWORDS:
        return None
    usage, text = KEYWORDS[name]
    return Documentation(name, "keyword", text, signatures=(usage,))


def _place(source: Source, start: int) -> tuple[tuple[str, str], ...]:
    line = source.position(start)[0]
    return (("Defined at", f"{source.name}:{line}"),) if source.name else ()


def heading_of(source: Source, start: int) -> str:
    """A definition up to its body."""
    text = source.text[start:]
    depth = 0
    for index, character in enumerate(text[:4000]):
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "{" and depth == 0:
            text = text[:index]
            break
    return " ".join(text.split())


def comment_before(source: Source, start: int) -> str:
    """The comment lines right above a definition, without their marks."""
    lines: list[str] = []
    for line in reversed(source.text[:start].split("\n")[:-1]):
        if not line.lstrip().startswith("#"):
            break
        lines.append(line.strip().lstrip("#").removeprefix(" "))
    return "\n".join(reversed(lines)).strip()
