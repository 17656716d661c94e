"""The documentation of a name of any kind, from what the session knows."""

from __future__ import annotations

import os
import re
import textwrap

from puppet_repl.catalog.puppet_code import attributes_of
from puppet_repl.environment.reference.comments import Comment
from puppet_repl.host.command_registry import find_command
from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.runtime.puppet_settings_table import SETTINGS
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.headings import declared_parameters, heading_of
from puppet_repl.language.types.data_types import DOCUMENTED
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.types.text.inferred import type_text
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.inspection.attribute_texts import (
    attribute_texts,
    metaparameter_texts,
    usual_values,
)
from puppet_repl.tools.inspection.documentation import Detail, Documentation, Location
from puppet_repl.tools.inspection.markup import LINE_BREAK, as_text, first_line
from puppet_repl.tools.inspection.signs import document_sign
from puppet_repl.tools.inspection.texts import KEYWORDS, RESOURCE_TYPES
from puppet_repl.tools.inspection.values import short_type, short_value
from puppet_repl.tools.inspection.values_in_data import IN_DATA, values_in_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.environment.ruby.function_docs import FunctionDescription
    from puppet_repl.language.functions.documentation import Tags
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.closure import UserFunction
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.tools.inspection.documentation import DocumentationKind

_DECLARES = re.compile(r"^[^#\n]*\b(create_function|newfunction)\b", re.MULTILINE)
# The characters of a value that are shown; of a value with more parts only its size is.
MAX_CHARACTERS = 200
MAX_PARTS = 1000
_OF_SERVER = {
    "serverversion": "The version of Puppet on the server that compiles.",
    "servername": "The name of the server that compiles: that of the node here.",
    "serverip": "The address of the server that compiles.",
}
_NEEDS_NODE = "It has a value in `compile` and where a node is chosen: `--node`, `:node`."


def document(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of a name of any kind, None if nothing has it."""
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
    """Return all documentation for a name: ``file`` is a function and a resource type."""
    found = document(known, name) or document_attribute_name(known, name)
    if found is None:
        return document_sign(name)
    others = [found]
    if found.kind == "function":
        for find in (document_resource_type, document_class):
            other = find(known, name.removeprefix("::"))
            if other is not None and other.kind != found.kind:
                others.append(other)
    return others


def document_attribute_name(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of an attribute in all types, by its name alone."""
    text = metaparameter_texts().get(name)
    if text is not None:
        return Documentation(name, "attribute", text, theme="of all resources")
    details = []
    for type_name in known.resource_type_names():
        native = known.resource_type(type_name)
        if native is None or name not in native.attributes:
            continue
        said = native.docs.get(name, "") or attribute_texts(type_name).get(name, "")
        text = with_values(sentence_of(said), values_of(known, type_name, name))
        details.append(Detail(type_name, text, is_name=True))
    return Documentation(name, "attribute", details=tuple(details)) if details else None


def values_of(known: SessionSymbols, type_name: str, name: str) -> dict[str, str]:
    """Return the known values of an attribute, with their meanings."""
    usual = usual_values(type_name, name)
    native = known.resource_type(type_name)
    named = () if native is None else native.values.get(name, ())
    return {value: usual.get(value, "") for value in named} if named else usual


def with_values(text: str, values: Iterable[str]) -> str:
    """Return the text about an attribute, followed by its values."""
    listed = ", ".join(f"`{value}`" for value in values)
    return " ".join([part for part in (text, f"Values: {listed}." if listed else "") if part])


def document_command(name: str) -> Documentation | None:
    """Return the documentation of a command."""
    command = find_command(name)
    if command is None:
        return None
    details: tuple[Detail, ...] = ()
    if command.aliases:
        aliases = ", ".join(f":{alias}" for alias in command.aliases)
        details = (Detail("also", aliases, is_code=True),)
    summary = command.summary[:1].upper() + command.summary[1:] + "."
    return Documentation(
        command.usage,
        "command",
        "\n\n".join(part for part in (summary, command.details) if part),
        details=details,
        examples=command.examples,
    )


def document_variable(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of a variable, or of a key: ``$facts['os']``."""
    path = variable_path(name)
    found, value = known.variable(path)
    base = path[0].removeprefix("::")
    text = "The name of the environment." if path == ("environment",) else _OF_SERVER.get(base, "")
    if not found:
        return Documentation(name, "variable", f"{text} {_NEEDS_NODE}") if text else None
    details: tuple[Detail, ...] = (
        Detail("Type", short_type(type_text(value, MAX_PARTS)), is_code=True),
        Detail("Value", short_value(value, MAX_CHARACTERS, MAX_PARTS), is_code=True),
    )
    if base.startswith("settings::"):
        text, default = _setting(base.removeprefix("settings::"))
        details += default
    return Documentation(name, "variable", text, details=details)


def _setting(name: str) -> tuple[str, tuple[Detail, ...]]:
    """Return what kind of a setting of Puppet a name is, and its default."""
    if name not in SETTINGS:
        return "", ()
    kind, default = SETTINGS[name][:2]
    if kind == "alias":
        return f"A setting of Puppet, another name of `{default}`.", ()
    text = f"A setting of Puppet ({kind.replace('_', ' ')})."
    return text, (Detail("Default", program_text(default), is_code=True),)


def variable_path(name: str) -> tuple[str, ...]:
    """Return ``$a['b'][0]`` as ('a', 'b', '0')."""
    base, *keys = name.removeprefix("$").split("[")
    return (base, *[key.rstrip("]").strip("'\"") for key in keys])


def document_function(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of a user-defined or built-in function."""
    own = known.user_functions().get(name)
    if own is not None:
        return _document_user_function(own)
    builtin = known.builtin_function(name)
    if builtin is not None:
        return _document_builtin(known, builtin)
    unloaded = known.in_module_file(name)
    if unloaded is None or not isinstance(unloaded[1], ast.FunctionDefinition):
        return None
    return _document_source(name, "function", unloaded[0], unloaded[1].start)


def _document_builtin(
    known: SessionSymbols, function: Function | FunctionDescription
) -> Documentation:
    location = _location_in_ruby(known, function.name)
    place = () if location is None else _location(location.source, location.start)
    return Documentation(
        function.name,
        "function",
        _plain(function.doc),
        theme=known.theme_of(function),
        signatures=builtin_signatures(function),
        details=(
            *_details_of(function.tags),
            *[Detail(name, text, is_code=True) for name, text in function.aliases.items()],
            *place,
        ),
        examples=tuple(function.examples),
        location=location,
    )


def _location_in_ruby(known: SessionSymbols, name: str) -> Location | None:
    """Return where a module declares a function in Ruby; None for those of Puppet."""
    environment = known.session.environment
    path = None if environment is None else environment.ruby_functions.get(name)
    source = None if path is None or name in THEMES else known.text_of(path)
    if source is None:
        return None
    found = _DECLARES.search(source.text)
    return Location(source, 0 if found is None else found.start(1))


def _details_of(tags: Tags) -> tuple[Detail, ...]:
    """Return what is said of the parameters and of the result of a function."""
    details = [Detail(f"${name}", text, is_name=True) for name, text in tags.parameters.items()]
    return (*details, Detail("Returns", tags.returned)) if tags.returned else tuple(details)


def builtin_signatures(function: Function | FunctionDescription) -> tuple[str, ...]:
    """Return the signatures of a built-in function, as ``name(Type $parameter) >> Type``."""
    return tuple(
        f"{function.name}({signature.text}) >> {function.result_text(signature)}"
        for signature in function.signatures()
    )


def function_summary(known: SessionSymbols, name: str) -> str:
    """Return the first line of the documentation of a function, as text; empty without one."""
    own = known.user_functions().get(name)
    if own is not None:
        return comment_summary(own.spec.source, own.spec.start)
    builtin = known.builtin_function(name)
    if builtin is not None:
        return first_line(builtin.doc, name)
    unloaded = known.in_module_file(name)
    return "" if unloaded is None else comment_summary(unloaded[0], unloaded[1].start)


def class_summary(known: SessionSymbols, name: str) -> str:
    """Return the first line of what is said of a class or a defined type, as text."""
    found = known.definitions().get(name) or known.defines().get(name)
    if found is not None:
        return comment_summary(found.source, found.start)
    unloaded = known.in_module_file(name)
    return "" if unloaded is None else comment_summary(unloaded[0], unloaded[1].start)


def _plain(text: str) -> str:
    first, _, rest = text.strip("\n").partition("\n")
    return (first.strip() + "\n" + textwrap.dedent(rest)).strip()


def _document_user_function(function: UserFunction) -> Documentation:
    spec = function.spec
    return _document_source(function.name, "function", spec.source, spec.start)


def document_type(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of a data type or of an alias."""
    unloaded = known.in_type_file(name)
    text = "" if unloaded is None else _read_tags(comment_before(*unloaded[:2]))[0]
    location = None if unloaded is None else Location(*unloaded[:2])
    alias = known.type_aliases().get(name)
    if alias is not None:
        meaning = str(alias.resolved().expanded_text())
        return _document_alias(name, text, meaning, location)
    if unloaded is not None:
        meaning = " ".join(unloaded[2].split())
        return _document_alias(name, text, meaning, location)
    record = DOCUMENTED.get(name)
    if record is None:
        return None
    details = (Detail("For example", record.example, is_code=True),) if record.example else ()
    usage = name + record.parameters
    return Documentation(name, "type", record.text, signatures=(usage,), details=details)


def _document_alias(name: str, text: str, meaning: str, location: Location | None) -> Documentation:
    details = (Detail("Stands for", meaning, is_code=True),)
    return Documentation(name, "type alias", text, details=details, location=location)


def document_reference(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of the type ``File`` or of the resource ``File['/x']``."""
    type_name, _, title = name.partition("[")
    wanted = title.rstrip("]").strip("'\"")
    if wanted:
        for resource in known.resources():
            if resource.type == type_name and resource.title == wanted:
                return _document_resource(resource)
    return document_resource_type(known, type_name.lower())


def _document_resource(resource: Resource) -> Documentation:
    details = [
        Detail(name, short_value(value, MAX_CHARACTERS, MAX_PARTS), is_name=True, is_code=True)
        for name, value in attributes_of(resource)
    ]
    title = f"{resource.type}['{resource.title}']"
    return Documentation(title, "resource", details=tuple(details))


def document_resource_type(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of a built-in resource type or of a defined type."""
    define = known.defines().get(name)
    if define is not None:
        return _document_definition(define, "defined type")
    found = known.resource_type(name, evaluate=True)
    if found is None:
        return None
    said = attribute_texts(name) if found.file is None else found.docs
    texts = {
        key: with_values(sentence_of(said.get(key, "")), values_of(known, name, key))
        for key in [*said, *found.properties, *found.parameters]
        if key
    }
    lists = (
        ("Named by", found.namevars),
        ("Others", [key for key, text in texts.items() if not text and key not in found.namevars]),
    )
    details = [Detail(label, ", ".join(names), is_code=True) for label, names in lists if names]
    details += [Detail(key, text, is_name=True) for key, text in texts.items() if text]
    text, _, examples = _read_tags(found.docs.get("", ""))
    return Documentation(
        name,
        "resource type",
        RESOURCE_TYPES.get(name) or text,
        signatures=(f"{name} {{ 'title': attribute => value }}",),
        details=tuple(details),
        examples=examples,
    )


def summary_of(text: str) -> str:
    """Return the first sentence of documentation, as text on one line."""
    return sentence_of(as_text(text.strip().partition("\n\n")[0]))


def sentence_of(markdown: str) -> str:
    """Return the first sentence of documentation, as Markdown on one line."""
    paragraph = " ".join(markdown.strip().partition("\n\n")[0].split())
    sentence, stop, _ = paragraph.partition(". ")
    return sentence + stop.strip()


def document_class(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of a class, or of what a module has under that name."""
    found = known.definitions().get(name)
    if found is not None and name:
        values = values_in_data(known, name)
        return _document_source(name, "class", found.source, found.start, values)
    unloaded = known.in_module_file(name)
    if unloaded is None:
        return None
    source, node = unloaded
    return _document_source(name, _kind_of(node), source, node.start, values_in_data(known, name))


def _kind_of(node: ast.Node) -> DocumentationKind:
    if isinstance(node, ast.HostClassDefinition):
        return "class"
    return "defined type" if isinstance(node, ast.ResourceTypeDefinition) else "function"


def _document_definition(definition: Definition, kind: DocumentationKind) -> Documentation:
    return _document_source(definition.name, kind, definition.source, definition.start)


def _document_source(
    name: str,
    kind: DocumentationKind,
    source: Source,
    start: int,
    values: Mapping[str, str] | None = None,
) -> Documentation:
    """Document a definition by its heading, the comment above it, and its values in data."""
    declared = declared_parameters(source, start)
    text, details, examples = _read_tags(comment_before(source, start), declared)
    for detail in details:
        value = (values or {}).get(detail.label.removeprefix("$"))
        if value is not None:
            detail.default, detail.remark = value, IN_DATA
    return Documentation(
        name,
        kind,
        text,
        signatures=(heading_of(source, start),),
        details=(*details, *_location(source, start)),
        examples=examples,
        location=Location(source, start),
    )


def _read_tags(
    comment: str, declared: dict[str, tuple[str, str]] | None = None
) -> tuple[str, tuple[Detail, ...], tuple[str, ...]]:
    """Return the text of a comment, its parameters and its examples, by the tags in it.

    ``declared`` are types and default values of the parameters, by name. Where the comment says
    something of one of them, all are listed, in the order of their declaration.
    """
    split = Comment(comment)
    text, tags = split.text, split.tags
    summary = [tag.text for tag in tags if tag.name == "summary" and tag.text]
    said: list[Detail] = []
    others: list[Detail] = []
    for tag in tags:
        if tag.name in ("param", "option"):
            name = tag.variable
            told = tag.text if tag.option is None else tag.option.text
            known = (declared or {}).get(name) if tag.name == "param" else None
            said.append(_parameter(name, known or ("", ""), _one_line(told or "")))
        elif tag.name == "return" and tag.text:
            others.append(Detail("Returns", _one_line(tag.text)))
    if said and declared:
        said = _all_parameters(said, declared)
    examples = tuple(tag.text for tag in tags if tag.name == "example" and tag.text)
    text = "\n\n".join(part for part in (*summary, text) if part)
    return text, (*said, *others), examples


def _parameter(name: str, declared: tuple[str, str], text: str) -> Detail:
    return Detail(f"${name}", text, is_name=True, type=declared[0], default=declared[1])


def _all_parameters(said: list[Detail], declared: dict[str, tuple[str, str]]) -> list[Detail]:
    """Return what is said of parameters, those of which nothing is said in their places."""
    order = {f"${name}": number for number, name in enumerate(declared)}
    labels = {detail.label for detail in said}
    said = [
        *said,
        *[_parameter(name, declared[name], "") for name in declared if f"${name}" not in labels],
    ]
    # Options follow the parameter whose keys they are.
    return sorted(said, key=lambda detail: order.get(detail.label.partition("[")[0], len(order)))


def tag_texts(comment: str) -> dict[str, str]:
    """Return what the tags of a comment say of parameters: ``$port`` and a line of Markdown."""
    return {detail.label: detail.text for detail in _read_tags(comment)[1]}


def _one_line(markdown: str) -> str:
    return " ".join(LINE_BREAK.sub(" ", markdown).split())


def type_summary(known: SessionSymbols, name: str) -> str:
    """Return the first line of what the comment above an alias of a module says."""
    unloaded = known.in_type_file(name)
    return "" if unloaded is None else comment_summary(*unloaded[:2])


def comment_summary(source: Source, start: int) -> str:
    """Return the first line of what the comment above a definition says, as text."""
    return first_line(_read_tags(comment_before(source, start))[0])


def document_keyword(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of a keyword."""
    if name not in KEYWORDS:
        return None
    usage, text, example = KEYWORDS[name]
    return Documentation(name, "keyword", text, signatures=(usage,), examples=(example,))


def _location(source: Source, start: int) -> tuple[Detail, ...]:
    if not source.name:
        return ()
    place = f"{shown_path(source.name)}:{source.position(start)[0]}"
    return (Detail("Defined at", place, is_code=True),)


def shown_path(path: str) -> str:
    """Return a path as short as a user would write it: relative if it is below here."""
    here = os.getcwd() + os.sep
    return path.removeprefix(here) if os.path.isabs(path) else path


def comment_before(source: Source, start: int) -> str:
    """Return the comment right above a definition, without its number signs."""
    lines: list[str] = []
    for line in reversed(source.text[:start].split("\n")[:-1]):
        if not line.lstrip().startswith("#"):
            break
        lines.append(line.strip().lstrip("#").removeprefix(" "))
    return "\n".join(reversed(lines)).strip()
