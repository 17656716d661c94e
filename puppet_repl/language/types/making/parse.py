"""Types from their text, and from the expression on the right side of a type alias.

Unlike in a program, functions and variables are not evaluated, an unknown name becomes a
TypeReference, and errors have the words of Puppet's TypeParser.
"""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue, RuntimeFailure
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.making.factory import lookup
from puppet_repl.language.types.model.alias import TypeReferenceType
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.scalar import RegexpType
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value


def parse_type(text: str, context: Any = None) -> PuppetType:
    """Return the type that a text means.

    Names that are not types of the language are looked up by ``context.lookup_type``; unknown ones
    become a TypeReference.
    """
    known = lookup(text) if text.isalnum() and text[:1].isupper() else None
    if known is not None:
        return known
    source = Source(text)
    return interpret(parse(source).body, source, context)


def parse_detached(text: str) -> PuppetType:
    """Return the type that a text means where only the language itself is known.

    Error, which Puppet's environment defines, is not part of it.
    """
    source = Source(text)
    reader = _Interpreter(source, None)
    reader.hidden = "error"
    return reader.type_of(parse(source).body)


def parse_literal(text: str) -> Value:
    """Return the value of a literal; the types in it are those of the language."""
    source = Source(text)
    return _Interpreter(source, None).value(parse(source).body)


def interpret_value(node: ast.Node, source: Source, context: Any = None) -> Any:
    """Return the value of a literal expression of a text."""
    return _Interpreter(source, context).value(node)


def interpret(
    node: ast.Node, source: Source, context: Any = None, alias_start: int | None = None
) -> PuppetType:
    """Return the type that an expression of a text means.

    ``alias_start`` is the offset of the name of the alias whose right side it is.
    """
    reader = _Interpreter(source, context)
    if alias_start is not None:
        reader.root = node
        reader.root_start = alias_start
    return reader.type_of(node)


class _Interpreter:
    """Evaluates literals and type expressions of one text."""

    def __init__(self, source: Source, context: Any) -> None:
        self.source = source
        self.context = context
        self.root: ast.Node | None = None
        self.root_start = 0
        self.hidden = ""

    def type_of(self, node: ast.Node) -> PuppetType:
        """Return the type that an expression means."""
        made = self.value(node)
        if not isinstance(made, PuppetType):
            raise self.invalid(node)
        return made

    def text(self, node: ast.Node) -> str:
        """Return the text of an expression.

        For the right side of an alias Puppet takes the text from the end of the name of the alias
        to the end of the last parameter.
        """
        start, end = node.start, node.end
        if node is self.root:
            start = self.root_start
            end = max([one.end for one in node.children()], default=end)
        return self.source.text[start:end]

    def invalid(self, node: ast.Node) -> RuntimeFailure:
        """Return the error of an expression that is not a type."""
        return RuntimeFailure(
            f"The expression <{self.text(node)}> is not a valid type specification."
        )

    def value(self, node: ast.Node) -> Any:
        """Return the value of a literal or type expression."""
        kind = type(node)
        if kind is ast.QualifiedReference:
            return self._named(node)
        if kind is ast.AccessExpression:
            return self._access(node)
        if isinstance(node, (ast.LiteralInteger, ast.LiteralFloat)):
            return node.value
        if isinstance(node, (ast.LiteralString, ast.LiteralBoolean, ast.QualifiedName)):
            return node.value
        if isinstance(node, ast.LiteralList):
            return tuple(map(self.value, node.values))
        if isinstance(node, ast.LiteralHash):
            return PuppetHash(
                [(self.value(one.key), self.value(one.value)) for one in node.entries]
            )
        return self._rare(node)

    def _rare(self, node: ast.Node) -> Value:
        if isinstance(node, ast.LiteralDefault):
            return DEFAULT
        if isinstance(node, ast.LiteralUndef):
            return None
        if isinstance(node, ast.LiteralRegularExpression):
            return RegexpType(node.pattern).regexp
        if isinstance(node, ast.UnaryMinusExpression):
            inner = self.value(node.expr)
            if type(inner) is int or type(inner) is float:
                return -inner
        if isinstance(node, ast.HeredocExpression):
            return self.value(node.text)
        raise self.invalid(node)

    def _named(self, node: Any) -> PuppetType:
        found = self._find(node.value)
        return TypeReferenceType(node.value) if found is None else found

    def _find(self, name: str) -> PuppetType | None:
        found = None if name.lower() == self.hidden else lookup(name)
        if found is None and self.context is not None:
            found = self.context.lookup_type(name)
            if found is not None:
                found = found.settled()
        return found

    def _access(self, node: Any) -> Value:
        left = node.left
        if not isinstance(left, ast.QualifiedReference):
            raise self.invalid(node)
        keys = tuple(map(self.value, node.keys))
        found = self._find(left.value)
        if found is None:
            return TypeReferenceType(self.text(node))
        name = left.value.removeprefix("::").lower()
        from puppet_repl.language.types.making.parse_rules import (
            NotASpecificationError,
            parameterized,
        )

        try:
            return parameterized(found, name, left.value, keys, self.context)
        except EvaluationIssue as error:
            if error.code == "OPERATOR_NOT_APPLICABLE":
                raise RuntimeFailure(f"Not a parameterized type <{left.value}>") from None
            raise self.invalid(node) from None
        except NotASpecificationError:
            raise self.invalid(node) from None
