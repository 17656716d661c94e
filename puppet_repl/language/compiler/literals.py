"""Literals, names, strings, arrays and hashes."""

from __future__ import annotations

import _ast

from puppet_repl.language.compiler.build import (
    attribute,
    call,
    conditional,
    constant,
    name,
    sequence,
    starred,
    tuple_of,
    type_is,
    walrus,
    with_span,
)
from puppet_repl.language.compiler.static_kinds import kind_of
from puppet_repl.language.runtime import issues
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.language.compiler.build import Expr, Span
    from puppet_repl.language.compiler.unit import Lowerings, Unit
    from puppet_repl.language.values.regex import Regexp


# From here on the form that takes less memory is chosen.
_MANY_SEGMENTS = 200
_MANY_ITEMS = 1000
_PLAIN = (
    ast.LiteralInteger,
    ast.LiteralFloat,
    ast.LiteralString,
    ast.LiteralBoolean,
    ast.QualifiedName,
)


def lower_value(
    unit: Unit, node: ast.LiteralInteger | ast.LiteralFloat | ast.LiteralString | ast.LiteralBoolean
) -> Expr:
    """Lower a literal that Python has too."""
    return constant(node.value, unit.span(node))


def lower_name(unit: Unit, node: ast.QualifiedName) -> Expr:
    """Lower a bare word, which is a String."""
    return constant(node.value, unit.span(node))


def lower_undef(unit: Unit, node: ast.LiteralUndef | ast.Nop) -> Expr:
    """Lower ``undef``, and nothing."""
    return constant(None, unit.span(node))


def lower_default(unit: Unit, node: ast.LiteralDefault) -> Expr:
    """Lower ``default``."""
    return name("DEFAULT", unit.span(node))


def lower_regexp(unit: Unit, node: ast.LiteralRegularExpression) -> Expr:
    """Lower a literal to a Regexp value that is made once."""
    span = unit.span(node)
    return unit.constant(literal_regexp(node), ("regexp", node.pattern), span, "regexp_")


def literal_regexp(node: ast.LiteralRegularExpression) -> Regexp:
    """Return the value of a regular expression literal."""
    from puppet_repl.language.compiler.constants import regexp

    made: Regexp = regexp(node.pattern)
    return made


def lower_parenthesized(unit: Unit, node: ast.ParenthesizedExpression) -> Expr:
    """Lower the expression inside of parentheses."""
    return unit.lower(node.expr)


def lower_reserved_word(unit: Unit, node: ast.ReservedWord) -> Expr:
    """Lower a reserved word to code that raises its error."""
    span = unit.span(node)
    recipe = ("issue", "reserved_word", (node.word,))
    error = unit.constant(issues.reserved_word(node.word), recipe, span, "error_")
    return call("raise_issue", [error], span)


# Strings


def lower_concatenated(unit: Unit, node: ast.ConcatenatedString) -> Expr:
    """Lower the segments of a string to an f-string; many of them to something smaller."""
    span = unit.span(node)
    if len(node.segments) > _MANY_SEGMENTS:
        values = [_segment_value(unit, segment) for segment in node.segments]
        return call("join_texts", [tuple_of(values, span)], span)
    parts: list[Expr] = []
    for segment in node.segments:
        if type(segment) is ast.LiteralString:
            parts.append(constant(segment.value, unit.span(segment)))
            continue
        inner = segment.expr if isinstance(segment, ast.TextExpression) else segment
        text = text_of(unit, inner, unit.span(segment))
        parts.append(with_span(_ast.FormattedValue(text, -1, None), span))
    return with_span(_ast.JoinedStr(parts), span)


def _segment_value(unit: Unit, node: ast.Node) -> Expr:
    inner = node.expr if isinstance(node, ast.TextExpression) else node
    word = _word(unit, inner)
    return unit.lower(inner) if word is None else constant(word, unit.span(node))


def _word(unit: Unit, node: ast.Node) -> str | None:
    """Return ``true`` for ``${true}``: not a variable but the value (Puppet stumbles over it)."""
    if (
        isinstance(node, ast.VariableExpression)
        and node.name in ("true", "false")
        and unit.program.source.text[node.start] != "$"
    ):
        return node.name
    return None


def text_of(unit: Unit, node: ast.Node, span: Span) -> Expr:
    """Return an expression whose ``format()`` is the string of a value; often it is inline."""
    word = _word(unit, node)
    if word is not None:
        return constant(word, span)
    kind = kind_of(unit, node)
    value = unit.lower(node)
    if kind == "str" or kind == "int":
        return value
    if isinstance(value, _ast.Name):
        subject: Expr = name(value.id, span)
        test = type_is(subject, ("str", "int"), span)
        return conditional(test, value, call("to_text", [subject], span), span)
    temporary = unit.temporary()
    subject = name(temporary, span)
    first = type_is(walrus(temporary, value, span), ("str",), span)
    second = type_is(subject, ("int",), span)
    test = with_span(_ast.BoolOp(_ast.Or(), [first, second]), span)
    return conditional(test, subject, call("to_text", [subject], span), span)


def lower_text(unit: Unit, node: ast.TextExpression) -> Expr:
    """Lower ``${expr}`` without text around it."""
    span = unit.span(node)
    return call("to_text", [unit.lower(node.expr)], span)


def lower_heredoc(unit: Unit, node: ast.HeredocExpression) -> Expr:
    """Lower a heredoc; a text that is only known at run time has its syntax checked then."""
    text = unit.lower(node.text)
    if not node.syntax or isinstance(node.text, ast.LiteralString):
        return text
    span = unit.span(node)
    return call("check_syntax", [name("C", span), text, constant(node.syntax, span)], span)


# Arrays and hashes


def without_parentheses(node: ast.Node) -> ast.Node:
    """Return the expression inside parentheses."""
    while isinstance(node, ast.ParenthesizedExpression):
        node = node.expr
    return node


def lower_items(unit: Unit, nodes: Sequence[ast.Node]) -> list[Expr]:
    """Lower the values of a list in which ``*x`` is unfolded."""
    made: list[Expr] = []
    for node in nodes:
        inner = without_parentheses(node)
        if isinstance(inner, ast.UnfoldExpression):
            made.append(starred(unit.lower(inner), unit.span(inner)))
        else:
            made.append(unit.lower(node))
    return made


def has_unfold(nodes: Sequence[ast.Node]) -> bool:
    """Tell whether a list contains a ``*x``."""
    return any(isinstance(without_parentheses(node), ast.UnfoldExpression) for node in nodes)


def lower_list(unit: Unit, node: ast.LiteralList) -> Expr:
    """Lower a list to a tuple; a long one of literals to a constant, without a node for each."""
    span = unit.span(node)
    if len(node.values) > _MANY_ITEMS:
        literals = [item.value for item in node.values if isinstance(item, _PLAIN)]
        if len(literals) == len(node.values):
            return constant(tuple(literals), span)
    return tuple_of(lower_items(unit, node.values), span)


def lower_unfold(unit: Unit, node: ast.UnfoldExpression) -> Expr:
    """Lower ``*x`` to an array."""
    span = unit.span(node)
    if isinstance(without_parentheses(node.expr), ast.LiteralList):
        return unit.lower(node.expr)
    return call("unfold", [unit.lower(node.expr)], span)


def lower_hash(unit: Unit, node: ast.LiteralHash) -> Expr:
    """Lower entries to a PuppetHash; straight from a dict where all keys are strings."""
    span = unit.span(node)
    entries = node.entries
    if not entries:
        return attribute("PuppetHash", "EMPTY", span)
    if all(kind_of(unit, entry.key) == "str" for entry in entries):
        keys: list[Expr | None] = [unit.lower(entry.key) for entry in entries]
        values = [unit.lower(entry.value) for entry in entries]
        return call("hash_of_strings", [with_span(_ast.Dict(keys, values), span)], span)
    pairs = [
        tuple_of([unit.lower(entry.key), unit.lower(entry.value)], unit.span(entry))
        for entry in entries
    ]
    return call("PuppetHash", [tuple_of(pairs, span)], span)


def lower_block(unit: Unit, node: ast.BlockExpression) -> Expr:
    """Lower a block where a value is needed to a sequence."""
    span = unit.span(node)
    if not node.statements:
        return constant(None, span)
    return sequence(unit.lower_all(node.statements), span)


def lower_nothing(unit: Unit, node: ast.Node) -> Expr:
    """Definitions were taken care of before: their value is undef."""
    return constant(None, unit.span(node))


LOWERINGS: Lowerings = {
    ast.LiteralInteger: lower_value,
    ast.LiteralFloat: lower_value,
    ast.LiteralString: lower_value,
    ast.LiteralBoolean: lower_value,
    ast.LiteralUndef: lower_undef,
    ast.Nop: lower_undef,
    ast.LiteralDefault: lower_default,
    ast.LiteralRegularExpression: lower_regexp,
    ast.QualifiedName: lower_name,
    ast.ReservedWord: lower_reserved_word,
    ast.ParenthesizedExpression: lower_parenthesized,
    ast.ConcatenatedString: lower_concatenated,
    ast.TextExpression: lower_text,
    ast.HeredocExpression: lower_heredoc,
    ast.LiteralList: lower_list,
    ast.LiteralHash: lower_hash,
    ast.UnfoldExpression: lower_unfold,
    ast.BlockExpression: lower_block,
    ast.HostClassDefinition: lower_nothing,
    ast.ResourceTypeDefinition: lower_nothing,
    ast.NodeDefinition: lower_nothing,
    ast.FunctionDefinition: lower_nothing,
    ast.TypeAlias: lower_nothing,
    ast.TypeMapping: lower_nothing,
    ast.TypeDefinition: lower_nothing,
    ast.PlanDefinition: lower_nothing,
}
