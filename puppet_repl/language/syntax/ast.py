"""The abstract syntax tree, named as Puppet's model names it.

Every node holds the offsets of its text (``start`` inclusive, ``end`` exclusive, in characters)
and says in ``at`` where Puppet reports an error about it: mostly its start, for binary operators
the operator. Lines and columns are computed late, from the Source.

The classes are generated from a description (``make ast``). Their constructors are written out,
because a node is made for every token or two, and generating them at import time costs more than
parsing a short program does.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from puppet_repl.base.errors import Report
    from puppet_repl.language.syntax.source import Source

    ResourceForm = Literal["regular", "virtual", "exported"]


class Node:
    """A piece of the tree. ``fields`` names what holds its parts, in the order of the text."""

    __slots__ = ("at", "end", "start")
    fields: tuple[str, ...] = ()
    name_of_kind = "Node"
    start: int
    end: int
    at: int

    @property
    def label(self) -> str:
        """What Puppet calls this node in its messages."""
        return self.name_of_kind

    def children(self) -> list[Node]:
        """Return the direct parts that are nodes, in order."""
        found: list[Node] = []  # not a generator, which takes twice the time for a few parts
        for field in self.fields:
            value = getattr(self, field)
            if isinstance(value, Node):
                found.append(value)
            elif type(value) is tuple:
                found += [item for item in value if isinstance(item, Node)]
        return found

    def walk(self) -> Iterator[Node]:
        """Go through this node and everything below it, in the order of the text."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += node.children()[::-1]

    def __repr__(self) -> str:
        parts = ", ".join(f"{field}={getattr(self, field)!r}" for field in self.fields)
        return f"{type(self).__name__}({parts})"


def joined(node: BinaryExpression) -> list[Node]:
    """Return the operands of ``a or b or c``: what nodes of one class on the left join."""
    operands: list[Node] = []
    kind = type(node)
    left: Node = node
    while type(left) is kind:
        operands.append(left.right)
        left = left.left
    operands.append(left)
    operands.reverse()
    return operands


# Written by `make ast` from tests/language/syntax/nodes.txt: change that file, not the code below.


class UnaryExpression(Node):
    """Anything with one part."""

    __slots__ = ("expr",)
    fields: tuple[str, ...] = ("expr",)

    def __init__(self, expr: Node, start: int, end: int) -> None:
        self.expr = expr
        self.start = start
        self.end = end
        self.at = start


class BinaryExpression(Node):
    """Anything with a part on either side of an operator or keyword."""

    __slots__ = ("left", "right")
    fields: tuple[str, ...] = ("left", "right")

    def __init__(self, left: Node, right: Node, start: int, end: int, at: int) -> None:
        self.left = left
        self.right = right
        self.start = start
        self.end = end
        self.at = at


class OperatorExpression(BinaryExpression):
    """A BinaryExpression with one of several operators, which is also its name."""

    __slots__ = ("operator",)
    fields: tuple[str, ...] = ("operator", "left", "right")

    def __init__(
        self,
        operator: str,
        left: Node,
        right: Node,
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.operator = operator
        self.left = left
        self.right = right
        self.start = start
        self.end = end
        self.at = at

    @property
    def label(self) -> str:
        """What Puppet calls this node in its messages."""
        return f"'{self.operator}' expression"


class QueryExpression(Node):
    """The query of a collector; without an ``expr`` it takes everything."""

    __slots__ = ("expr",)
    fields: tuple[str, ...] = ("expr",)

    def __init__(self, expr: Node | None, start: int, end: int) -> None:
        self.expr = expr
        self.start = start
        self.end = end
        self.at = start


# Literals


class LiteralInteger(Node):
    """A whole number; ``radix`` is 8, 10 or 16, depending on its notation."""

    __slots__ = ("radix", "value")
    fields = ("value", "radix")
    name_of_kind = "Literal Integer"

    def __init__(self, value: int, radix: int, start: int, end: int) -> None:
        self.value = value
        self.radix = radix
        self.start = start
        self.end = end
        self.at = start


class LiteralFloat(Node):
    """A number with a fraction or an exponent."""

    __slots__ = ("value",)
    fields = ("value",)
    name_of_kind = "Literal Float"

    def __init__(self, value: float, start: int, end: int) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.at = start


class LiteralString(Node):
    """A string without interpolation, or a bare word that is not a name."""

    __slots__ = ("value",)
    fields = ("value",)
    name_of_kind = "String"

    def __init__(self, value: str, start: int, end: int) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.at = start


class LiteralBoolean(Node):
    """``true`` or ``false``."""

    __slots__ = ("value",)
    fields = ("value",)
    name_of_kind = "Boolean"

    def __init__(self, value: bool, start: int, end: int) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.at = start


class LiteralUndef(Node):
    """``undef``."""

    __slots__ = ()
    name_of_kind = "'undef' expression"

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.at = start


class LiteralDefault(Node):
    """``default``."""

    __slots__ = ()
    name_of_kind = "'default' expression"

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.at = start


class LiteralRegularExpression(Node):
    """The text between the slashes, escaped slashes already unescaped."""

    __slots__ = ("pattern",)
    fields = ("pattern",)
    name_of_kind = "Regular Expression"

    def __init__(self, pattern: str, start: int, end: int) -> None:
        self.pattern = pattern
        self.start = start
        self.end = end
        self.at = start


class LiteralList(Node):
    """``[a, b]``; adjacent ``k => v`` pairs are one LiteralHash in it."""

    __slots__ = ("values",)
    fields = ("values",)
    name_of_kind = "Array Expression"

    def __init__(self, values: tuple[Node, ...], start: int, end: int) -> None:
        self.values = values
        self.start = start
        self.end = end
        self.at = start


class LiteralHash(Node):
    """``{k => v}``."""

    __slots__ = ("entries",)
    fields = ("entries",)
    name_of_kind = "Hash Expression"

    def __init__(self, entries: tuple[KeyedEntry, ...], start: int, end: int, at: int) -> None:
        self.entries = entries
        self.start = start
        self.end = end
        self.at = at


class KeyedEntry(Node):
    """One ``k => v`` of a hash; ``at`` is the arrow."""

    __slots__ = ("key", "value")
    fields = ("key", "value")
    name_of_kind = "Hash Entry"

    def __init__(self, key: Node, value: Node, start: int, end: int, at: int) -> None:
        self.key = key
        self.value = value
        self.start = start
        self.end = end
        self.at = at


class ConcatenatedString(Node):
    """LiteralString and TextExpression segments in turn."""

    __slots__ = ("segments",)
    fields = ("segments",)
    name_of_kind = "Double Quoted String"

    def __init__(self, segments: tuple[Node, ...], start: int, end: int) -> None:
        self.segments = segments
        self.start = start
        self.end = end
        self.at = start


class TextExpression(Node):
    """``${expr}`` or ``$name`` inside a string."""

    __slots__ = ("expr",)
    fields = ("expr",)
    name_of_kind = "Expression in Interpolated String"

    def __init__(self, expr: Node, start: int, end: int, at: int) -> None:
        self.expr = expr
        self.start = start
        self.end = end
        self.at = at


class HeredocExpression(Node):
    """``@(TAG:syntax)``; ``text`` is a LiteralString or ConcatenatedString."""

    __slots__ = ("syntax", "text")
    fields = ("syntax", "text")

    def __init__(self, syntax: str, text: Node, start: int, end: int) -> None:
        self.syntax = syntax
        self.text = text
        self.start = start
        self.end = end
        self.at = start

    @property
    def label(self) -> str:
        """What Puppet calls this node in its messages."""
        return f"'@({self.syntax})' expression"


# Names


class QualifiedName(Node):
    """A lower case name: ``notice``, ``a::b``."""

    __slots__ = ("value",)
    fields = ("value",)
    name_of_kind = "Name"

    def __init__(self, value: str, start: int, end: int) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.at = start


class QualifiedReference(Node):
    """A capitalized name as it was written: ``Integer``, ``::Foo::Bar``."""

    __slots__ = ("value",)
    fields = ("value",)
    name_of_kind = "Type-Name"

    def __init__(self, value: str, start: int, end: int) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.at = start


class ReservedWord(Node):
    """``private`` or ``attr`` as an expression."""

    __slots__ = ("word",)
    fields = ("word",)

    def __init__(self, word: str, start: int, end: int) -> None:
        self.word = word
        self.start = start
        self.end = end
        self.at = start

    @property
    def label(self) -> str:
        """What Puppet calls this node in its messages."""
        return f"Reserved Word '{self.word}'"


class VariableExpression(Node):
    """``$name``, without the dollar sign."""

    __slots__ = ("name",)
    fields = ("name",)
    name_of_kind = "Variable"

    def __init__(self, name: str, start: int, end: int) -> None:
        self.name = name
        self.start = start
        self.end = end
        self.at = start


# Operators


class ParenthesizedExpression(UnaryExpression):
    """``(expr)``."""

    __slots__ = ()
    name_of_kind = "Parenthesized Expression"


class NotExpression(UnaryExpression):
    """``!expr``."""

    __slots__ = ()
    name_of_kind = "'not' expression"


class UnaryMinusExpression(UnaryExpression):
    """``-expr``."""

    __slots__ = ()
    name_of_kind = "Unary Minus"


class UnfoldExpression(UnaryExpression):
    """``*expr``."""

    __slots__ = ()
    name_of_kind = "Unfold"


class AndExpression(BinaryExpression):
    """``left and right``."""

    __slots__ = ()
    name_of_kind = "'and' expression"


class OrExpression(BinaryExpression):
    """``left or right``."""

    __slots__ = ()
    name_of_kind = "'or' expression"


class InExpression(BinaryExpression):
    """``left in right``."""

    __slots__ = ()
    name_of_kind = "'in' expression"


class ArithmeticExpression(OperatorExpression):
    """``+ - * / % << >>``."""

    __slots__ = ()


class ComparisonExpression(OperatorExpression):
    """``== != < <= > >=``."""

    __slots__ = ()


class MatchExpression(OperatorExpression):
    """``=~ !~``."""

    __slots__ = ()


class AssignmentExpression(OperatorExpression):
    """``= += -=``."""

    __slots__ = ()


class RelationshipExpression(OperatorExpression):
    """``-> ~> <- <~``."""

    __slots__ = ()


class AccessExpression(Node):
    """``left[keys]``."""

    __slots__ = ("keys", "left")
    fields = ("left", "keys")
    name_of_kind = "'[]' expression"

    def __init__(self, left: Node, keys: tuple[Node, ...], start: int, end: int, at: int) -> None:
        self.left = left
        self.keys = keys
        self.start = start
        self.end = end
        self.at = at


class NamedAccessExpression(BinaryExpression):
    """``left.name``; the functor of every CallMethodExpression."""

    __slots__ = ()
    name_of_kind = "'.' expression"


# Calls


class CallNamedFunctionExpression(Node):
    """``f(a)``, ``Type(a)``, ``notice a``."""

    __slots__ = ("arguments", "block", "functor", "rval_required")
    fields = ("functor", "arguments", "block", "rval_required")
    name_of_kind = "Function Call"

    def __init__(
        self,
        functor: Node,
        arguments: tuple[Node, ...],
        block: LambdaExpression | None,
        rval_required: bool,
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.functor = functor
        self.arguments = arguments
        self.block = block
        self.rval_required = rval_required
        self.start = start
        self.end = end
        self.at = at


class CallMethodExpression(Node):
    """``x.f(a) |$p| { }``."""

    __slots__ = ("arguments", "block", "functor")
    fields = ("functor", "arguments", "block")
    name_of_kind = "Method call"

    def __init__(
        self,
        functor: NamedAccessExpression,
        arguments: tuple[Node, ...],
        block: LambdaExpression | None,
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.functor = functor
        self.arguments = arguments
        self.block = block
        self.start = start
        self.end = end
        self.at = at


class LambdaExpression(Node):
    """``|params| >> T { body }``; also the program of an EPP template."""

    __slots__ = ("body", "parameters", "return_type")
    fields = ("parameters", "body", "return_type")
    name_of_kind = "Lambda"

    def __init__(
        self,
        parameters: tuple[Parameter, ...],
        body: Node | None,
        return_type: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.parameters = parameters
        self.body = body
        self.return_type = return_type
        self.start = start
        self.end = end
        self.at = start


class Parameter(Node):
    """``T *$name = value``; ``at`` is the ``$``."""

    __slots__ = ("captures_rest", "name", "type_expr", "value")
    fields = ("name", "value", "type_expr", "captures_rest")
    name_of_kind = "Parameter Definition"

    def __init__(
        self,
        name: str,
        value: Node | None,
        type_expr: Node | None,
        captures_rest: bool,
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.name = name
        self.value = value
        self.type_expr = type_expr
        self.captures_rest = captures_rest
        self.start = start
        self.end = end
        self.at = at


# Control


class BlockExpression(Node):
    """Two statements or more, or the body of a definition."""

    __slots__ = ("statements",)
    fields = ("statements",)
    name_of_kind = "Block Expression"

    def __init__(self, statements: tuple[Node, ...], start: int, end: int, at: int) -> None:
        self.statements = statements
        self.start = start
        self.end = end
        self.at = at


class Nop(Node):
    """Nothing: an empty program or body."""

    __slots__ = ()
    name_of_kind = "Nop Expression"

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.at = start


class IfExpression(Node):
    """``if``; an ``elsif`` is an IfExpression in ``else_expr``."""

    __slots__ = ("else_expr", "test", "then_expr")
    fields = ("test", "then_expr", "else_expr")
    name_of_kind = "'if' statement"

    def __init__(
        self,
        test: Node,
        then_expr: Node,
        else_expr: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.test = test
        self.then_expr = then_expr
        self.else_expr = else_expr
        self.start = start
        self.end = end
        self.at = start


class UnlessExpression(Node):
    """``unless``."""

    __slots__ = ("else_expr", "test", "then_expr")
    fields = ("test", "then_expr", "else_expr")
    name_of_kind = "'unless' Statement"

    def __init__(
        self,
        test: Node,
        then_expr: Node,
        else_expr: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.test = test
        self.then_expr = then_expr
        self.else_expr = else_expr
        self.start = start
        self.end = end
        self.at = start


class CaseExpression(Node):
    """``case test { options }``."""

    __slots__ = ("options", "test")
    fields = ("test", "options")
    name_of_kind = "'case' statement"

    def __init__(self, test: Node, options: tuple[CaseOption, ...], start: int, end: int) -> None:
        self.test = test
        self.options = options
        self.start = start
        self.end = end
        self.at = start


class CaseOption(Node):
    """``a, b: { }``; ``at`` is the colon."""

    __slots__ = ("then_expr", "values")
    fields = ("values", "then_expr")
    name_of_kind = "Case Option"

    def __init__(
        self,
        values: tuple[Node, ...],
        then_expr: Node,
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.values = values
        self.then_expr = then_expr
        self.start = start
        self.end = end
        self.at = at


class SelectorExpression(Node):
    """``left ? { a => b }``."""

    __slots__ = ("left", "selectors")
    fields = ("left", "selectors")
    name_of_kind = "Selector Expression"

    def __init__(
        self,
        left: Node,
        selectors: tuple[SelectorEntry, ...],
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.left = left
        self.selectors = selectors
        self.start = start
        self.end = end
        self.at = at


class SelectorEntry(Node):
    """``a => b`` of a selector; ``at`` is the arrow."""

    __slots__ = ("matching", "value")
    fields = ("matching", "value")
    name_of_kind = "Selector Option"

    def __init__(self, matching: Node, value: Node, start: int, end: int, at: int) -> None:
        self.matching = matching
        self.value = value
        self.start = start
        self.end = end
        self.at = at


# Catalog


class ResourceExpression(Node):
    """``form`` is 'regular', 'virtual' or 'exported'."""

    __slots__ = ("bodies", "form", "type_name")
    fields = ("form", "type_name", "bodies")
    name_of_kind = "Resource Statement"

    def __init__(
        self,
        form: ResourceForm,
        type_name: Node,
        bodies: tuple[ResourceBody, ...],
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.form = form
        self.type_name = type_name
        self.bodies = bodies
        self.start = start
        self.end = end
        self.at = at


class ResourceBody(Node):
    """``title: a => b``."""

    __slots__ = ("operations", "title")
    fields = ("title", "operations")
    name_of_kind = "Resource Instance Definition"

    def __init__(
        self,
        title: Node,
        operations: tuple[Node, ...],
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.title = title
        self.operations = operations
        self.start = start
        self.end = end
        self.at = at


class ResourceDefaultsExpression(Node):
    """``File { mode => '0600' }``."""

    __slots__ = ("form", "operations", "type_ref")
    fields = ("form", "type_ref", "operations")
    name_of_kind = "Resource Defaults Expression"

    def __init__(
        self,
        form: ResourceForm,
        type_ref: Node,
        operations: tuple[Node, ...],
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.form = form
        self.type_ref = type_ref
        self.operations = operations
        self.start = start
        self.end = end
        self.at = at


class ResourceOverrideExpression(Node):
    """``File['x'] { mode => '0600' }``."""

    __slots__ = ("form", "operations", "resources")
    fields = ("form", "resources", "operations")
    name_of_kind = "Resource Override"

    def __init__(
        self,
        form: ResourceForm,
        resources: Node,
        operations: tuple[Node, ...],
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.form = form
        self.resources = resources
        self.operations = operations
        self.start = start
        self.end = end
        self.at = at


class AttributeOperation(Node):
    """``name => value`` or ``name +> value``."""

    __slots__ = ("name", "operator", "value")
    fields = ("name", "operator", "value")

    def __init__(self, name: str, operator: str, value: Node, start: int, end: int) -> None:
        self.name = name
        self.operator = operator
        self.value = value
        self.start = start
        self.end = end
        self.at = start

    @property
    def label(self) -> str:
        """What Puppet calls this node in its messages."""
        return f"'{self.operator}' expression"


class AttributesOperation(UnaryExpression):
    """``* => hash``."""

    __slots__ = ()
    name_of_kind = "'* =>' expression"


class CollectExpression(Node):
    """``File <| query |> { a => b }``."""

    __slots__ = ("operations", "query", "type_expr")
    fields = ("type_expr", "query", "operations")

    def __init__(
        self,
        type_expr: Node,
        query: Node,
        operations: tuple[Node, ...],
        start: int,
        end: int,
        at: int,
    ) -> None:
        self.type_expr = type_expr
        self.query = query
        self.operations = operations
        self.start = start
        self.end = end
        self.at = at

    @property
    def label(self) -> str:
        """What Puppet calls this node in its messages."""
        return self.query.label


class VirtualQuery(QueryExpression):
    """``<| expr |>``."""

    __slots__ = ()
    name_of_kind = "Virtual Query"


class ExportedQuery(QueryExpression):
    """``<<| expr |>>``."""

    __slots__ = ()
    name_of_kind = "Exported Query"


# Definitions


class HostClassDefinition(Node):
    """``class``; ``name`` holds the names of the classes around it."""

    __slots__ = ("body", "name", "parameters", "parent")
    fields = ("name", "parameters", "parent", "body")
    name_of_kind = "Host Class Definition"

    def __init__(
        self,
        name: str,
        parameters: tuple[Parameter, ...],
        parent: str | None,
        body: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.parent = parent
        self.body = body
        self.start = start
        self.end = end
        self.at = start


class ResourceTypeDefinition(Node):
    """``define``."""

    __slots__ = ("body", "name", "parameters")
    fields = ("name", "parameters", "body")
    name_of_kind = "'define' expression"

    def __init__(
        self,
        name: str,
        parameters: tuple[Parameter, ...],
        body: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.body = body
        self.start = start
        self.end = end
        self.at = start


class NodeDefinition(Node):
    """``node``."""

    __slots__ = ("body", "matches", "parent")
    fields = ("matches", "parent", "body")
    name_of_kind = "Node Definition"

    def __init__(
        self,
        matches: tuple[Node, ...],
        parent: Node | None,
        body: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.matches = matches
        self.parent = parent
        self.body = body
        self.start = start
        self.end = end
        self.at = start


class FunctionDefinition(Node):
    """``function``."""

    __slots__ = ("body", "name", "parameters", "return_type")
    fields = ("name", "parameters", "body", "return_type")
    name_of_kind = "Function Definition"

    def __init__(
        self,
        name: str,
        parameters: tuple[Parameter, ...],
        body: Node | None,
        return_type: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.body = body
        self.return_type = return_type
        self.start = start
        self.end = end
        self.at = start


class TypeAlias(Node):
    """``type Name = T``; ``at`` is the name."""

    __slots__ = ("name", "type_expr")
    fields = ("name", "type_expr")
    name_of_kind = "Type Alias"

    def __init__(self, name: str, type_expr: Node, start: int, end: int, at: int) -> None:
        self.name = name
        self.type_expr = type_expr
        self.start = start
        self.end = end
        self.at = at


class TypeMapping(Node):
    """``type Runtime[...] = T``."""

    __slots__ = ("mapping_expr", "type_expr")
    fields = ("type_expr", "mapping_expr")
    name_of_kind = "Type Mapping"

    def __init__(self, type_expr: Node, mapping_expr: Node, start: int, end: int, at: int) -> None:
        self.type_expr = type_expr
        self.mapping_expr = mapping_expr
        self.start = start
        self.end = end
        self.at = at


class TypeDefinition(Node):
    """``type Name inherits X { }``, which the validator refuses."""

    __slots__ = ("body", "name", "parent")
    fields = ("name", "parent", "body")
    name_of_kind = "Type Definition"

    def __init__(
        self,
        name: str,
        parent: str | None,
        body: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.name = name
        self.parent = parent
        self.body = body
        self.start = start
        self.end = end
        self.at = start


class PlanDefinition(Node):
    """``plan``, with the tasks setting only."""

    __slots__ = ("body", "name", "parameters", "return_type")
    fields = ("name", "parameters", "body", "return_type")
    name_of_kind = "Plan Definition"

    def __init__(
        self,
        name: str,
        parameters: tuple[Parameter, ...],
        body: Node | None,
        return_type: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.body = body
        self.return_type = return_type
        self.start = start
        self.end = end
        self.at = start


class ApplyExpression(Node):
    """``apply``, with the tasks setting only."""

    __slots__ = ("arguments", "body")
    fields = ("arguments", "body")
    name_of_kind = "'apply' expression"

    def __init__(
        self,
        arguments: tuple[Node, ...],
        body: Node | None,
        start: int,
        end: int,
    ) -> None:
        self.arguments = arguments
        self.body = body
        self.start = start
        self.end = end
        self.at = start


# Templates


class EppExpression(Node):
    """The body of a template."""

    __slots__ = ("body", "parameters_specified")
    fields = ("parameters_specified", "body")
    name_of_kind = "Epp Template"

    def __init__(self, parameters_specified: bool, body: Node, start: int, end: int) -> None:
        self.parameters_specified = parameters_specified
        self.body = body
        self.start = start
        self.end = end
        self.at = start


class RenderStringExpression(Node):
    """Text of a template."""

    __slots__ = ("value",)
    fields = ("value",)
    name_of_kind = "Epp Text"

    def __init__(self, value: str, start: int, end: int) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.at = start


class RenderExpression(UnaryExpression):
    """``<%= expr %>``."""

    __slots__ = ()
    name_of_kind = "Epp Interpolated Expression"


# The whole


class Program(Node):
    """A parsed text; ``definitions`` are its classes, defines, nodes, functions and types."""

    __slots__ = ("body", "definitions", "source", "warnings")
    fields = ("source", "body", "definitions", "warnings")
    name_of_kind = "Program"

    def __init__(
        self,
        source: Source,
        body: Node,
        definitions: tuple[Node, ...],
        warnings: tuple[Report, ...],
        start: int,
        end: int,
    ) -> None:
        self.source = source
        self.body = body
        self.definitions = definitions
        self.warnings = warnings
        self.start = start
        self.end = end
        self.at = start
