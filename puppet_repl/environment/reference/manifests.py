"""What manifests define: classes, defined types, functions, data type aliases and plans."""

from __future__ import annotations

import re

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.model import (
    ClassEntry,
    DataTypeAliasEntry,
    DefinedTypeEntry,
    FunctionEntry,
    Parameter,
    PlanEntry,
    Signature,
)
from puppet_repl.environment.reference.parameter_docs import faults_of, outdented, parameters_with
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.environment.reference.model import Entry

_MARK = re.compile(r"#+[ \t\n\v\f\r]?")
_SPACES = " \t\n\v\f\r"


def read_manifest(text: str, file: str) -> list[Entry]:
    """Return the definitions of a manifest in order; raise PuppetError for a syntax error."""
    source = Source(text, file)
    program = parse(source, tasks=True)
    nodes = sorted(program.definitions, key=lambda node: node.start)
    found = [_definition(node, source) for node in nodes]
    return [entry for entry in found if entry is not None]


def _definition(node: ast.Node, source: Source) -> Entry | None:
    make = _MAKERS.get(type(node))
    if make is None:
        return None
    line = source.position(node.start)[0]
    first, lines = comment_above(source, line)
    comment = Comment("\n".join(lines), first)
    file = source.name or ""
    common: dict[str, Any] = {
        "file": file,
        "line": line,
        "text": comment.text,
        "tags": tuple(comment.tags),
        "source": text_of(node, source),
        "problems": faults_of(comment, file),
    }
    return make(node, source, comment, common)


def _class(
    node: ast.HostClassDefinition, source: Source, comment: Comment, common: dict[str, Any]
) -> Entry:
    parameters = _parameters(node.parameters, source, comment)
    return ClassEntry(name=node.name, parameters=parameters, inherits=node.parent, **common)


def _defined_type(
    node: ast.ResourceTypeDefinition, source: Source, comment: Comment, common: dict[str, Any]
) -> Entry:
    parameters = _parameters(node.parameters, source, comment)
    return DefinedTypeEntry(name=node.name, parameters=parameters, **common)


def _plan(
    node: ast.PlanDefinition, source: Source, comment: Comment, common: dict[str, Any]
) -> Entry:
    parameters = _parameters(node.parameters, source, comment)
    returns = _returned(node.return_type, source)
    return PlanEntry(name=node.name, parameters=parameters, return_type=returns, **common)


def _alias(node: ast.TypeAlias, source: Source, comment: Comment, common: dict[str, Any]) -> Entry:
    alias_of = _type_text(node.type_expr, source)
    return DataTypeAliasEntry(name=node.name, alias_of=alias_of, **common)


def _function(
    node: ast.FunctionDefinition, source: Source, comment: Comment, common: dict[str, Any]
) -> Entry:
    parameters = _parameters(node.parameters, source, comment)
    told = next((tag for tag in comment.tags if tag.name == "return"), None)
    signature = Signature(
        name=node.name,
        parameters=parameters,
        declared_return=_returned(node.return_type, source),
        documented_return=told.type or None if told else None,
        return_text=(told.text if told else None) or "",
        text=comment.text,
        line=common["line"],
    )
    common["source"] = outdented(common["source"])
    return FunctionEntry(name=node.name, parameters=parameters, signatures=(signature,), **common)


_MAKERS: dict[type[ast.Node], Callable[..., Entry]] = {
    ast.HostClassDefinition: _class,
    ast.ResourceTypeDefinition: _defined_type,
    ast.PlanDefinition: _plan,
    ast.FunctionDefinition: _function,
    ast.TypeAlias: _alias,
}


def _returned(node: ast.Node | None, source: Source) -> str | None:
    return None if node is None else text_of(node, source).replace(">> ", "")


def _parameters(
    declared: tuple[ast.Parameter, ...], source: Source, comment: Comment
) -> tuple[Parameter, ...]:
    found = [
        Parameter(
            name=each.name,
            declared_type=None if each.type_expr is None else text_of(each.type_expr, source),
            default=None if each.value is None else text_of(each.value, source),
            line=source.position(each.start)[0],
            captures_rest=each.captures_rest,
            is_optional=each.value is not None,
        )
        for each in declared
    ]
    return parameters_with(found, comment.tags)


def _type_text(node: ast.Node, source: Source) -> str:
    """Return the text of an alias; comments and layout between parameters are left out."""
    if not isinstance(node, ast.AccessExpression):
        return text_of(node, source)
    keys = ", ".join(text_of(key, source) for key in node.keys)
    return f"{text_of(node.left, source)}[{keys}]"


def text_of(node: ast.Node, source: Source) -> str:
    """Return the text of a node with all that is in it: the text of a heredoc is below its line."""
    start, end = node.start, node.end
    if source.text.find("@(", start, end) < 0:
        return source.text[start:end]
    for part in node.walk():
        start = min(start, part.start)
        end = max(end, part.end)
    return source.text[start:end]


def comment_above(source: Source, line: int) -> tuple[int, list[str]]:
    """Return the first line of the comment that ends above a line, and its lines without marks."""
    lines: list[str] = []
    number = line - 1
    while number >= 1:
        text = source.line(number).strip(_SPACES)
        if not text.startswith("#"):
            break
        lines.append(_MARK.sub("", text, count=1))
        number -= 1
    return number + 1, lines[::-1]
