"""``Puppet::AST``: the type set that describes the syntax tree."""

from __future__ import annotations

import re
from functools import cache

from puppet_repl.language.types.making.builtin_objects import builtin
from puppet_repl.language.types.model.typeset import TypeSetContent, TypeSetType
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.semver import SemVer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.types.model.base import PuppetType

NAME = "Puppet::AST"
# A line for each type, with its parent; below it its attributes, and less indented the rest. The
# types of the set go by their simple names.
_TYPES = r"""
Locator
    string => String
    file => String
    line_index => {type => Optional[Array[Integer]], value => undef}
PopsObject
Positioned < PopsObject
    locator => {type => Locator, kind => reference}
    offset => Integer
    length => Integer
    file => {type => String, kind => derived}
    line => {type => Integer, kind => derived}
    pos => {type => Integer, kind => derived}
  equality => []
Expression < Positioned
Nop < Expression
BinaryExpression < Expression
    left_expr => Expression
    right_expr => Expression
UnaryExpression < Expression
    expr => Expression
ParenthesizedExpression < UnaryExpression
NotExpression < UnaryExpression
UnaryMinusExpression < UnaryExpression
UnfoldExpression < UnaryExpression
AssignmentExpression < BinaryExpression
    operator => Enum['+=', '-=', '=']
ArithmeticExpression < BinaryExpression
    operator => Enum['%', '*', '+', '-', '/', '<<', '>>']
RelationshipExpression < BinaryExpression
    operator => Enum['->', '<-', '<~', '~>']
AccessExpression < Expression
    left_expr => Expression
    keys => {type => Array[Expression], value => []}
ComparisonExpression < BinaryExpression
    operator => Enum['!=', '<', '<=', '==', '>', '>=']
MatchExpression < BinaryExpression
    operator => Enum['!~', '=~']
InExpression < BinaryExpression
BooleanExpression < BinaryExpression
AndExpression < BooleanExpression
OrExpression < BooleanExpression
LiteralList < Expression
    values => {type => Array[Expression], value => []}
KeyedEntry < Positioned
    key => Expression
    value => Expression
LiteralHash < Expression
    entries => {type => Array[KeyedEntry], value => []}
BlockExpression < Expression
    statements => {type => Array[Expression], value => []}
ApplyBlockExpression < BlockExpression
CaseOption < Expression
    values => Array[Expression, 1]
    then_expr => {type => Optional[Expression], value => undef}
CaseExpression < Expression
    test => Expression
    options => {type => Array[CaseOption], value => []}
QueryExpression < Expression
    expr => {type => Optional[Expression], value => undef}
ExportedQuery < QueryExpression
VirtualQuery < QueryExpression
AbstractAttributeOperation < Positioned
AttributeOperation < AbstractAttributeOperation
    attribute_name => String
    operator => Enum['+>', '=>']
    value_expr => Expression
AttributesOperation < AbstractAttributeOperation
    expr => Expression
CollectExpression < Expression
    type_expr => Expression
    query => QueryExpression
    operations => {type => Array[AbstractAttributeOperation], value => []}
Parameter < Positioned
    name => String
    value => {type => Optional[Expression], value => undef}
    type_expr => {type => Optional[Expression], value => undef}
    captures_rest => {type => Optional[Boolean], value => undef}
Definition < Expression
NamedDefinition < Definition
    name => String
    parameters => {type => Array[Parameter], value => []}
    body => {type => Optional[Expression], value => undef}
FunctionDefinition < NamedDefinition
    return_type => {type => Optional[Expression], value => undef}
ResourceTypeDefinition < NamedDefinition
QRefDefinition < Definition
    name => String
TypeAlias < QRefDefinition
    type_expr => {type => Optional[Expression], value => undef}
TypeMapping < Definition
    type_expr => {type => Optional[Expression], value => undef}
    mapping_expr => {type => Optional[Expression], value => undef}
TypeDefinition < QRefDefinition
    parent => {type => Optional[String], value => undef}
    body => {type => Optional[Expression], value => undef}
NodeDefinition < Definition
    parent => {type => Optional[Expression], value => undef}
    host_matches => Array[Expression, 1]
    body => {type => Optional[Expression], value => undef}
HeredocExpression < Expression
    syntax => {type => Optional[String], value => undef}
    text_expr => Expression
HostClassDefinition < NamedDefinition
    parent_class => {type => Optional[String], value => undef}
PlanDefinition < FunctionDefinition
LambdaExpression < Expression
    parameters => {type => Array[Parameter], value => []}
    body => {type => Optional[Expression], value => undef}
    return_type => {type => Optional[Expression], value => undef}
ApplyExpression < Expression
    arguments => {type => Array[Expression], value => []}
    body => {type => Optional[Expression], value => undef}
IfExpression < Expression
    test => Expression
    then_expr => {type => Optional[Expression], value => undef}
    else_expr => {type => Optional[Expression], value => undef}
UnlessExpression < IfExpression
CallExpression < Expression
    rval_required => {type => Boolean, value => false}
    functor_expr => Expression
    arguments => {type => Array[Expression], value => []}
    lambda => {type => Optional[Expression], value => undef}
CallFunctionExpression < CallExpression
CallNamedFunctionExpression < CallExpression
CallMethodExpression < CallExpression
Literal < Expression
LiteralValue < Literal
LiteralRegularExpression < LiteralValue
    value => Any
    pattern => String
LiteralString < LiteralValue
    value => String
LiteralNumber < LiteralValue
LiteralInteger < LiteralNumber
    radix => {type => Integer, value => 10}
    value => Integer
LiteralFloat < LiteralNumber
    value => Float
LiteralUndef < Literal
LiteralDefault < Literal
LiteralBoolean < LiteralValue
    value => Boolean
TextExpression < UnaryExpression
ConcatenatedString < Expression
    segments => {type => Array[Expression], value => []}
QualifiedName < LiteralValue
    value => String
ReservedWord < LiteralValue
    word => String
    future => {type => Optional[Boolean], value => undef}
QualifiedReference < LiteralValue
    cased_value => String
    value => {type => String, kind => derived}
VariableExpression < UnaryExpression
EppExpression < Expression
    parameters_specified => {type => Optional[Boolean], value => undef}
    body => {type => Optional[Expression], value => undef}
RenderStringExpression < LiteralString
RenderExpression < UnaryExpression
ResourceBody < Positioned
    title => {type => Optional[Expression], value => undef}
    operations => {type => Array[AbstractAttributeOperation], value => []}
AbstractResource < Expression
    form => {type => Enum['exported', 'regular', 'virtual'], value => 'regular'}
    virtual => {type => Boolean, kind => derived}
    exported => {type => Boolean, kind => derived}
ResourceExpression < AbstractResource
    type_name => Expression
    bodies => {type => Array[ResourceBody], value => []}
ResourceDefaultsExpression < AbstractResource
    type_ref => {type => Optional[Expression], value => undef}
    operations => {type => Array[AbstractAttributeOperation], value => []}
ResourceOverrideExpression < AbstractResource
    resources => Expression
    operations => {type => Array[AbstractAttributeOperation], value => []}
SelectorEntry < Positioned
    matching_expr => Expression
    value_expr => Expression
SelectorExpression < Expression
    left_expr => Expression
    selectors => {type => Array[SelectorEntry], value => []}
NamedAccessExpression < BinaryExpression
Program < PopsObject
    body => {type => Optional[Expression], value => undef}
    definitions => {type => Array[Definition], kind => reference, value => []}
    source_text => {type => String, kind => derived}
    source_ref => {type => String, kind => derived}
    line_offsets => {type => Array[Integer], kind => derived}
    locator => Locator
"""


def _initialisers() -> dict[str, str]:
    """Return the texts that the types are made from, by their simple names."""
    names: dict[str, str] = {}
    for block in re.split(r"\n(?=\w)", _TYPES.strip()):
        head, *rest = block.split("\n")
        name, _, parent = head.partition(" < ")
        entries = [f"parent => {parent}"] if parent else []
        attributes = [line.strip() for line in rest if line.startswith("    ")]
        if attributes:
            entries.append(f"attributes => {{{', '.join(attributes)}}}")
        entries += [line.strip() for line in rest if not line.startswith("    ")]
        names[name] = f"{{{', '.join(entries)}}}"
    known = re.compile(rf"(?<![\w':])(?:{'|'.join(names)})\b")
    return {name: known.sub(rf"{NAME}::\g<0>", text) for name, text in names.items()}


def _content(_type_set: TypeSetType) -> TypeSetContent:
    content = TypeSetContent(NAME, None)
    content.pcore_version = SemVer.parse("1.0.0")
    content.types = PuppetHash(list(_members().items()))
    return content


@cache
def _members() -> dict[str, PuppetType]:
    """Return the types by their simple names."""
    return {name: builtin(f"{NAME}::{name}", text) for name, text in _initialisers().items()}


@cache
def _by_full_name() -> dict[str, PuppetType]:
    return {f"{NAME}::{simple}".lower(): member for simple, member in _members().items()}


_TYPE_SET = TypeSetType(NAME, _content)


def lookup_ast(name: str) -> PuppetType | None:
    """Return the type with a lower-case qualified name; None for an unknown name."""
    if name == NAME.lower():
        return _TYPE_SET
    return _by_full_name().get(name)
