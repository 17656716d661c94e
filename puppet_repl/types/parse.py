"""Types from their text, and from the expression on the right side of a type alias.

Unlike in a program, nothing is called and no variable is read here, an unknown name becomes a
TypeReference, and what is wrong is told in the words of Puppet's TypeParser.
"""

from __future__ import annotations

from puppet_repl.errors import EvaluationError, PuppetError, RuntimeFailure
from puppet_repl.syntax import ast
from puppet_repl.syntax.source import Source
from puppet_repl.types.alias import TypeReferenceType
from puppet_repl.types.base import PuppetType
from puppet_repl.types.factory import access, lookup
from puppet_repl.values.default import DEFAULT
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# How many parameters a type wants, as the message about a wrong number says it.
_WANTED = {
    "array": ("Array", "1 to 3"),
    "boolean": ("Boolean", "1"),
    "class": ("Class", "1"),
    "collection": ("Collection", "1 to 2"),
    "enum": ("Enum", "1 or more"),
    "float": ("Float", "1 or 2"),
    "hash": ("Hash", "2 to 4"),
    "integer": ("Integer", "1 or 2"),
    "iterable": ("Iterable", "1"),
    "iterator": ("Iterator", "1"),
    "notundef": ("NotUndef", "0 to 1"),
    "object": ("Object", "1"),
    "optional": ("Optional", "1"),
    "pattern": ("Pattern", "1 or more"),
    "regexp": ("Regexp", "1"),
    "runtime": ("Runtime", "2"),
    "semver": ("SemVer", "1 or more"),
    "sensitive": ("Sensitive", "0 to 1"),
    "string": ("String", "1 to 2"),
    "struct": ("Struct", "1"),
    "timespan": ("Timespan", "0 to 2"),
    "timestamp": ("Timestamp", "0 to 2"),
    "tuple": ("Tuple", "1 or more"),
    "type": ("Type", "1"),
    "typeset": ("Object", "1"),
    "uri": ("URI", "1"),
    "variant": ("Variant", "1 or more"),
}
_ARITIES = frozenset(("BAD_TYPE_SLICE_ARITY", "BAD_INTEGER_SLICE_ARITY", "BAD_STRING_SLICE_ARITY"))


def parse_type(text: str, context: Any = None) -> PuppetType:
    """The type that a text says. Names that are no types of the language are asked of
    ``context.lookup_type``; what nobody knows becomes a TypeReference.
    """
    known = lookup(text) if text.isalnum() else None
    if known is not None:
        return known
    from puppet_repl.syntax.parser import parse

    source = Source(text)
    return interpret(parse(source).body, source, context)


def parse_literal(text: str, context: Any = None) -> Any:
    """The value that the text of a literal says; types in it are looked up like others."""
    from puppet_repl.syntax.parser import parse

    source = Source(text)
    return _Interpreter(source, context).value(parse(source).body)


def interpret_value(node: ast.Node, source: Source, context: Any = None) -> Any:
    """The value of a literal expression of a text."""
    return _Interpreter(source, context).value(node)


def interpret(node: ast.Node, source: Source, context: Any = None) -> PuppetType:
    """The type that an expression of a text says."""
    made = _Interpreter(source, context).value(node)
    if not isinstance(made, PuppetType):
        raise _invalid(node, source)
    return made


def constant_value(node: ast.Node, source: Source, context: Any = None) -> Any:
    """The value of an expression of literals and types."""
    return _Interpreter(source, context).value(node)


def _invalid(node: ast.Node, source: Source) -> RuntimeFailure:
    text = source.text[node.start : node.end]
    return RuntimeFailure(f"The expression <{text}> is not a valid type specification.")


class _Interpreter:
    """Evaluates literals and type expressions of one text."""

    def __init__(self, source: Source, context: Any) -> None:
        self.source = source
        self.context = context

    def value(self, node: ast.Node) -> Any:
        """The value of a literal or type expression."""
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

    def _rare(self, node: ast.Node) -> Any:
        if isinstance(node, ast.LiteralDefault):
            return DEFAULT
        if isinstance(node, ast.LiteralUndef):
            return None
        if isinstance(node, ast.LiteralRegularExpression):
            from puppet_repl.values.regex import Regexp

            return Regexp(node.pattern)
        if isinstance(node, ast.UnaryMinusExpression):
            inner = self.value(node.expr)
            if type(inner) is int or type(inner) is float:
                return -inner
        if isinstance(node, ast.HeredocExpression):
            return self.value(node.text)
        raise _invalid(node, self.source)

    def _named(self, node: Any) -> PuppetType:
        found = self._find(node.value)
        return TypeReferenceType(node.value) if found is None else found

    def _find(self, name: str) -> PuppetType | None:
        found = lookup(name)
        if found is None and self.context is not None:
            found = self.context.lookup_type(name)
            if found is not None:
                return found.settled()
        return found

    def _access(self, node: Any) -> Any:
        left = node.left
        if not isinstance(left, ast.QualifiedReference):
            raise _invalid(node, self.source)
        keys = tuple(map(self.value, node.keys))
        name = left.value.lower()
        found = self._find(left.value)
        if found is None:
            return TypeReferenceType(self.source.text[node.start : node.end])
        try:
            return access(found, keys, self.context)
        except EvaluationError as error:
            raise self._translated(error, node, name, len(keys)) from None

    def _translated(self, error: EvaluationError, node: Any, name: str, given: int) -> PuppetError:
        """The same failure in the words of the type parser."""
        if error.code == "OPERATOR_NOT_APPLICABLE":
            return RuntimeFailure(f"Not a parameterized type <{node.left.value}>")
        if error.code in _ARITIES and name in _WANTED:
            label, wanted = _WANTED[name]
            return RuntimeFailure(
                f"Invalid number of type parameters specified: {label} requires {wanted}, "
                f"{given} provided"
            )
        if name == "enum":
            return RuntimeFailure("Enum parameters must be identifiers or strings")
        if name == "boolean":
            return RuntimeFailure("Boolean parameter must be true or false")
        return _invalid(node, self.source)
