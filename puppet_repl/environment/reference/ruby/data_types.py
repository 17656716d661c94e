"""Data types that Ruby files create: ``Puppet::DataTypes.create_type('Name') do interface ...``."""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.reference.model import DataTypeEntry, Parameter, Signature, Tag
from puppet_repl.environment.reference.parameter_docs import parameters_with
from puppet_repl.environment.reference.ruby.data import data_text
from puppet_repl.environment.reference.ruby.literals import literal_text
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.model.callable import CallableType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from puppet_repl.environment.reference.comments import Comment
    from puppet_repl.environment.reference.model import Problem
    from puppet_repl.environment.reference.ruby.nodes import Node
    from puppet_repl.environment.reference.ruby.source_file import RubyFile

_METHOD_NAME = re.compile(r"\s*([^\(; \t]+)", re.ASCII)


class _Type(str):
    """The text of a type, within the data of an interface."""

    __slots__ = ()


def read_data_type(call: Node, name: str, file: RubyFile) -> DataTypeEntry:
    """Return a data type by its interface, which is text in Puppet's language."""
    comment = file.comment(call)
    problems = list(file.faults(comment))
    interface = _interface(call, file, problems)
    attributes = interface.get("attributes")
    functions = interface.get("functions")
    declared = [
        _attribute(str(key), told, call.line)
        for key, told in (attributes.items() if isinstance(attributes, dict) else ())
    ]
    callables = {
        str(key): _callable(str(key), told, call, file, problems)
        for key, told in (functions.items() if isinstance(functions, dict) else ())
    }
    return DataTypeEntry(
        name=name,
        file=file.file,
        line=call.line,
        text=comment.text,
        tags=tuple(comment.tags),
        parameters=parameters_with(declared, comment.tags),
        functions=_functions(name, callables, comment, call.line, file, problems),
        source=file.source(call),
        problems=tuple(problems),
    )


def _interface(call: Node, file: RubyFile, problems: list[Problem]) -> dict[Any, Any]:
    """Return the data of the first interface that can be read."""
    for node in call.block.walk() if call.block is not None else ():
        if node.kind != "call" or node.name != "interface" or not node.arguments:
            continue
        text = literal_text(node.arguments[0], file.text)
        if text is None:
            continue
        source = Source(f"{{ {text} }}")
        try:
            found = _value(parse(source).body, source)
        except PuppetError as error:
            message = f"Invalid datatype definition: {error.message}"
            problems.append(file.warning("invalid-interface", message, call.line))
            continue
        return found if isinstance(found, dict) else {}
    return {}


def _value(node: ast.Node, source: Source) -> Any:
    """Return the value of a literal, a text for a type, None for anything else."""
    if isinstance(node, ast.AccessExpression | ast.QualifiedReference):
        return _Type(source.text[node.start : node.end])
    if isinstance(node, ast.LiteralHash):
        return {
            _key(_value(entry.key, source)): _value(entry.value, source) for entry in node.entries
        }
    if isinstance(node, ast.LiteralList):
        return [_value(each, source) for each in node.values]
    if isinstance(node, ast.UnaryMinusExpression):
        number = _value(node.expr, source)
        return -number if isinstance(number, int | float) else None
    if isinstance(
        node,
        ast.LiteralString
        | ast.QualifiedName
        | ast.LiteralInteger
        | ast.LiteralFloat
        | ast.LiteralBoolean,
    ):
        return node.value
    if isinstance(node, ast.LiteralDefault):
        return "default"
    if isinstance(node, ast.LiteralRegularExpression):
        return source.text[node.start : node.end]
    return None


def _key(value: Any) -> Any:
    return str(value) if isinstance(value, dict | list) else value


def _attribute(name: str, told: Any, line: int) -> Parameter:
    kind = default = None
    if isinstance(told, str):
        kind = told
    elif isinstance(told, dict):
        kind = told.get("type")
        default = told.get("value")
    return Parameter(
        name=name,
        declared_type=None if kind is None else data_text(kind),
        default=None if default is None else data_text(default),
        value=default,
        line=line,
        is_optional=default is not None,
    )


class _Callable:
    """What a function of a data type takes and returns, as texts."""

    __slots__ = ("parameters", "returns")

    def __init__(self, parameters: list[str], returns: str | None) -> None:
        self.parameters = parameters
        self.returns = returns


def _callable(
    name: str, told: Any, call: Node, file: RubyFile, problems: list[Problem]
) -> _Callable:
    what = f"the function definition for '{name}'"
    try:
        found = parse_type(str(told))
    except PuppetError as error:
        message = f"Unable to parse {what}. {error.message}"
        problems.append(file.warning("invalid-function", message, call.line))
        return _Callable([], None)
    if not isinstance(found, CallableType):
        message = f"T{what[1:]} is not a Callable type"
        problems.append(file.warning("invalid-function", message, call.line))
        return _Callable([], None)
    types = [] if found.params is None else [str(each) for each in found.params.types]
    return _Callable(types, str(found.returns) if found.returns is not None else "Any")


def _functions(
    name: str,
    callables: dict[str, _Callable],
    comment: Comment,
    line: int,
    file: RubyFile,
    problems: list[Problem],
) -> tuple[Signature, ...]:
    """Return the functions: those that ``@!method`` documents, then all others."""
    methods: dict[str, Tag] = {}
    for directive in comment.directives:
        found = _METHOD_NAME.match(directive.subject or "")
        if directive.name == "method" and found:
            methods[found[1]] = directive
    for each in callables:
        if each not in methods:
            message = f"Missing @!method tag for function '{each}'"
            problems.append(file.warning("missing-method", message, line))
    for method, tag in methods.items():
        if method not in callables:
            message = f"The @!method tag for '{method}' has no matching function"
            problems.append(file.warning("unknown-method", message, tag.line))
    order = [*(each for each in methods if each in callables)]
    order += [each for each in callables if each not in methods]
    return tuple(
        _Method(name, each, callables[each], methods.get(each), line).signature(file, problems)
        for each in order
    )


class _Method:
    """A function of a data type, and what ``@!method`` says of it."""

    def __init__(
        self, owner: str, name: str, found: _Callable, method: Tag | None, line: int
    ) -> None:
        self.owner = owner
        self.name = name
        self.found = found
        self.text = (method.text if method is not None else None) or ""
        self.tags = method.tags if method is not None else ()
        self.line = line if method is None else method.line
        self.told = [tag for tag in self.tags if tag.name == "param"]
        self.returned = next((tag for tag in self.tags if tag.name == "return"), None)

    def signature(self, file: RubyFile, problems: list[Problem]) -> Signature:
        """Return the function as a signature, and add the problems of its tags."""
        for rule, message, tag in self._mistakes():
            problems.append(file.warning(rule, message, tag.line or self.line))
        returned = self.returned
        return Signature(
            name=self.name,
            owner=self.owner,
            parameters=tuple(map(self._parameter, range(len(self.found.parameters)))),
            declared_return=self.found.returns,
            documented_return=(returned.type or None) if returned is not None else None,
            return_text=(returned.text if returned is not None else None) or "",
            text=self.text,
            tags=self.tags,
            line=self.line,
        )

    def _parameter(self, number: int) -> Parameter:
        tag = self.told[number] if number < len(self.told) else None
        return Parameter(
            name=(tag.subject if tag is not None else None) or f"param{number + 1}",
            declared_type=self.found.parameters[number],
            documented_type=(tag.type or None) if tag is not None else None,
            text=(tag.text if tag is not None else None) or "",
            is_documented=tag is not None,
            line=self.line if tag is None else tag.line,
        )

    def _mistakes(self) -> Iterator[tuple[str, str, Tag]]:
        where = f"of function '{self.name}'"
        if self.returned is not None and self.returned.types != (self.found.returns,):
            message = f"The @return tag {where} gives another type than the code"
            yield "type-mismatch", message, self.returned
        for number, tag in enumerate(self.told):
            subject = f"The @param tag for '{tag.subject or ''}' {where}"
            if number >= len(self.found.parameters):
                yield "unknown-param", f"{subject} has no matching parameter", tag
            elif tag.types != (self.found.parameters[number],):
                yield "type-mismatch", f"{subject} gives another type than the code", tag
