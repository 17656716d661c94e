"""Classes, defines, nodes, functions, plans and types."""

from __future__ import annotations

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.calls import access_keys, arguments, parameters, return_type
from puppet_repl.language.syntax.literals import (
    PREFIX as LITERALS,
)
from puppet_repl.language.syntax.literals import (
    array,
    class_reference,
    hash_literal,
    regexp,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax.parser import Parser
    from puppet_repl.language.syntax.tokens import TokenKind

_NAMES: frozenset[TokenKind] = frozenset(("NAME", "WORD", "CLASSREF"))
_STRINGS: frozenset[TokenKind] = frozenset(("SQ", "DQ", "STRING"))
_QUOTED: frozenset[TokenKind] = frozenset(("SQ", "DQ", "STRING", "WORD", "DQPRE", "HEREDOC"))


def _class_name(parser: Parser) -> int:
    """Take the name of a definition; its index."""
    i = parser.i
    kind = parser.kinds[i]
    if kind in _NAMES:
        parser.i = i + 1
        return i
    if kind == "class":
        message = "'class' keyword not allowed at this location"
    elif kind in _STRINGS:
        message = "A quoted string is not valid as a name here"
    else:
        raise parser.unexpected(i)
    raise parser.refuse(message, parser.starts[i], parser.ends[i])


def _inside(parser: Parser, name: str) -> str:
    """Return the name with those of the classes around it."""
    return f"{'::'.join(parser.names)}::{name}".removeprefix("::")


def _define(parser: Parser, node: ast.Node) -> ast.Node:
    parser.definitions.append(node)
    return node


def _parameter_list(parser: Parser) -> tuple[ast.Parameter, ...]:
    if parser.kinds[parser.i] != "(":
        return ()
    parser.i += 1
    if parser.kinds[parser.i] == ")":
        parser.i += 1
        return ()
    return parameters(parser, ")")


def _host_class(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    start = parser.starts[i]
    name = parser.texts[_class_name(parser)]
    listed = _with_name(parser, name)
    parent = None
    if parser.kinds[parser.i] == "inherits":
        parser.i += 1
        if parser.kinds[parser.i] == "default":
            parser.i += 1
            parent = "default"
        else:
            parent = parser.texts[_class_name(parser)]
    body = parser.body(start)
    parser.names.pop()
    end = parser.ends[parser.i - 1]
    full = _inside(parser, name)
    return _define(parser, ast.HostClassDefinition(full, listed, parent, body, start, end))


def _with_name(parser: Parser, name: str) -> tuple[ast.Parameter, ...]:
    parser.names.append(name)
    return _parameter_list(parser)


def _resource_type(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    start = parser.starts[i]
    name = parser.texts[_class_name(parser)]
    listed = _parameter_list(parser)
    body = parser.body(start)
    end = parser.ends[parser.i - 1]
    full = _inside(parser, name)
    return _define(parser, ast.ResourceTypeDefinition(full, listed, body, start, end))


def _plan(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    start = parser.starts[i]
    name = parser.texts[_class_name(parser)]
    listed = _with_name(parser, name)
    body = parser.body(start)
    parser.names.pop()
    end = parser.ends[parser.i - 1]
    full = _inside(parser, name)
    return _define(parser, ast.PlanDefinition(full, listed, body, None, start, end))


def _apply(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    opening = parser.expect("(")
    if parser.first_on_line(opening):
        raise parser.unexpected(opening)
    if parser.kinds[parser.i] == ")":
        raise parser.unexpected(parser.i)
    listed = arguments(parser, trailing=True)
    start = parser.starts[i]
    body = parser.body(start)
    return ast.ApplyExpression(listed, body, start, parser.ends[parser.i - 1])


def _function(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    start = parser.starts[i]
    name = parser.texts[_class_name(parser)]
    listed = _parameter_list(parser)
    returned = return_type(parser)
    body = parser.body(start)
    end = parser.ends[parser.i - 1]
    return _define(parser, ast.FunctionDefinition(name, listed, body, returned, start, end))


def _node(parser: Parser) -> ast.Node:
    kinds = parser.kinds
    i = parser.i
    parser.i = i + 1
    start = parser.starts[i]
    matches = [_host_name(parser)]
    while kinds[parser.i] == ",":
        parser.i += 1
        if kinds[parser.i] == "{" or kinds[parser.i] == "inherits":
            break
        matches.append(_host_name(parser))
    parent = None
    if kinds[parser.i] == "inherits":
        parser.i += 1
        parent = _host_name(parser)
    body = parser.body(start)
    end = parser.ends[parser.i - 1]
    return _define(parser, ast.NodeDefinition(tuple(matches), parent, body, start, end))


def _host_name(parser: Parser) -> ast.Node:
    kinds = parser.kinds
    texts = parser.texts
    i = parser.i
    kind = kinds[i]
    if kind == "REGEX":
        return regexp(parser)
    if kind == "default" or kind in _QUOTED:
        return LITERALS[kind](parser)
    if kind != "NAME" and kind != "NUMBER":
        raise parser.unexpected(i)
    start = parser.starts[i]
    name = texts[i]
    i += 1
    while kinds[i] == ".":
        if kinds[i + 1] != "NAME" and kinds[i + 1] != "NUMBER":
            raise parser.unexpected(i + 1)
        name += "." + texts[i + 1]
        i += 2
    parser.i = i
    return ast.LiteralString(name, start, parser.ends[i - 1])


def _type(parser: Parser) -> ast.Node:
    """Parse ``type Name = ...``, ``type Name { }``, or a call of the function ``type``."""
    kinds = parser.kinds
    i = parser.i
    start = parser.starts[i]
    following = kinds[i + 1]
    if following == "(" and not parser.first_on_line(i + 1):
        parser.i = i + 1
        return ast.QualifiedName("type", start, parser.ends[i])
    parser.i = i + 1
    name = class_reference(parser)
    left: ast.Node = name
    j = parser.i
    kind = kinds[j]
    if kind == "{" or kind == "inherits":
        return _type_definition(parser, name.value, start)
    if kind == "[" and not parser.lexer.preceded_by_blank(j):
        parser.i = j + 1
        keys, end = access_keys(parser, trailing=False)
        left = ast.AccessExpression(name, keys, name.start, end, name.start)
    parser.expect("=")
    value = _alias_value(parser)
    if left is name:
        return _define(parser, ast.TypeAlias(name.value, value, start, value.end, name.start))
    return _define(parser, ast.TypeMapping(left, value, start, value.end, name.start))


def _alias_value(parser: Parser) -> ast.Node:
    kinds = parser.kinds
    i = parser.i
    kind = kinds[i]
    if kind == "{" or kind == "[":
        parser.i = i + 1
        if kind == "[":
            return array(parser, i)
        entries = hash_literal(parser, i)
        return _object(entries.start, entries)
    node = class_reference(parser)
    i = parser.i
    if kinds[i] == "{":
        parser.i = i + 1
        entries = hash_literal(parser, i)
        if node.value not in ("Object", "TypeSet"):
            key = ast.QualifiedName("parent", node.start, node.end)
            parent = ast.KeyedEntry(key, node, node.start, node.end, entries.at)
            entries.entries = (*entries.entries, parent)
            return _object(node.start, entries)
        return ast.AccessExpression(node, (entries,), node.start, entries.end, node.start)
    if kinds[i] == "[" and not parser.lexer.preceded_by_blank(i):
        parser.i = i + 1
        keys, end = access_keys(parser, trailing=True)
        return ast.AccessExpression(node, keys, node.start, end, node.start)
    return node


def _object(start: int, entries: ast.LiteralHash) -> ast.Node:
    name = ast.QualifiedReference("Object", start, start)
    return ast.AccessExpression(name, (entries,), start, entries.end, start)


def _type_definition(parser: Parser, name: str, start: int) -> ast.Node:
    parent = None
    if parser.kinds[parser.i] == "inherits":
        parser.i += 1
        parent = class_reference(parser).value
    body = parser.body(start)
    end = parser.ends[parser.i - 1]
    return _define(parser, ast.TypeDefinition(name, parent, body, start, end))


PREFIX: dict[TokenKind, Callable[[Parser], ast.Node]] = {
    "class": _host_class,
    "define": _resource_type,
    "plan": _plan,
    "apply": _apply,
    "function": _function,
    "node": _node,
    "type": _type,
}
