"""The checks of expressions, and the table of all checks by kind of node."""

from __future__ import annotations

from puppet_repl.base.float_text import MAX_INTEGER, float_text
from puppet_repl.base.patterns import LatePattern
from puppet_repl.base.wording import capitalized, with_article
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.effects import NotLiteral, is_idle, literal_key, without_title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax.validate import Validator

_VARIABLE_NAME = LatePattern(r"(?a)(?:::)?(?:[a-z]\w*::)*[a-z_]\w*")
_MATCH_NUMBER = LatePattern("0|[1-9][0-9]*")
_NO_RVALUE = frozenset(
    (
        ast.CollectExpression,
        ast.HostClassDefinition,
        ast.ResourceTypeDefinition,
        ast.FunctionDefinition,
        ast.PlanDefinition,
        ast.NodeDefinition,
        ast.TypeAlias,
        ast.TypeMapping,
        ast.TypeDefinition,
    )
)
_UNARY = (
    ast.NotExpression,
    ast.UnaryMinusExpression,
    ast.UnfoldExpression,
    ast.ParenthesizedExpression,
    ast.TextExpression,
    ast.RenderExpression,
)
_CHECK_RVALUE = _NO_RVALUE.union(_UNARY)


def rvalue(validator: Validator, node: ast.Node | None) -> None:
    """Refuse an expression without a value in a place that needs one."""
    if type(node) not in _CHECK_RVALUE:
        return
    while isinstance(node, _UNARY):
        node = node.expr
    if node is not None and type(node) in _NO_RVALUE:
        validator.refuse(
            f"Invalid use of expression. {capitalized(node.label)} does not produce a value",
            "NOT_RVALUE",
            node,
        )


def _binary(validator: Validator, node: ast.AndExpression) -> None:
    left = node.left
    right = node.right
    rvalue(validator, left)
    rvalue(validator, right)
    validator.pending += (right, left)


def _unary(validator: Validator, node: ast.NotExpression) -> None:
    rvalue(validator, node.expr)
    validator.pending.append(node.expr)


def _minus(validator: Validator, node: ast.UnaryMinusExpression) -> None:
    # The smallest Integer is written as minus a number that is itself too large.
    if isinstance(node.expr, ast.LiteralInteger) and node.expr.value == MAX_INTEGER + 1:
        validator.warn_of_difference("smallest_integer", node)
        return
    rvalue(validator, node.expr)
    validator.pending.append(node.expr)


def _named_access(validator: Validator, node: ast.NamedAccessExpression) -> None:
    validator.pending.append(node.left)


def _access(validator: Validator, node: ast.AccessExpression) -> None:
    validator.pending += reversed(node.keys)
    validator.pending.append(node.left)


def _relationship(validator: Validator, node: ast.RelationshipExpression) -> None:
    for side in (node.left, node.right):
        if type(side) is not ast.CollectExpression:
            rvalue(validator, side)
    validator.pending += (node.right, node.left)


def _assignment(validator: Validator, node: ast.AssignmentExpression) -> None:
    if node.operator == "=":
        _assignable(validator, node.left)
        rvalue(validator, node.right)
    else:
        validator.refuse(
            f"The operator '{node.operator}' is no longer supported. "
            "See http://links.puppet.com/remove-plus-equals",
            "APPENDS_DELETES_NO_LONGER_SUPPORTED",
            node,
        )
    validator.pending += (node.right, node.left)


def _assignable(validator: Validator, node: ast.Node) -> None:
    if isinstance(node, ast.VariableExpression):
        name = node.name
        if name.isdecimal() and name.isascii() and (name == "0" or name[0] != "0"):
            validator.refuse(
                f"Illegal attempt to assign to the numeric match result variable '${name}'. "
                "Numeric variables are not assignable",
                "ILLEGAL_NUMERIC_ASSIGNMENT",
                node,
            )
        if "::" in name:
            validator.refuse(
                f"Illegal attempt to assign to '{name}'. "
                "Cannot assign to variables in other namespaces",
                "CROSS_SCOPE_ASSIGNMENT",
                node,
            )
    elif isinstance(node, ast.AccessExpression):
        validator.refuse(
            "Illegal attempt to assign via [index/key]. Not an assignable reference",
            "ILLEGAL_INDEXED_ASSIGNMENT",
            node,
        )
    elif isinstance(node, ast.LiteralList):
        for item in node.values:
            _assignable(validator, item)
    else:
        validator.refuse(
            f"Illegal attempt to assign to '{with_article(node.label)}'."
            " Not an assignable reference",
            "ILLEGAL_ASSIGNMENT",
            node,
        )


def _variable(validator: Validator, node: ast.VariableExpression) -> None:
    name = node.name
    if name.islower() and name.isidentifier() and name.isascii():
        return  # as most names are, which takes less time than the pattern
    if _VARIABLE_NAME.fullmatch(name):
        return
    if name[:1].isdecimal():
        if not _MATCH_NUMBER.fullmatch(name):
            validator.refuse(
                f"Illegal numeric variable name, The given name '{name}' must be a decimal value "
                "if it starts with a digit 0-9",
                "ILLEGAL_NUMERIC_VAR_NAME",
                node,
            )
    else:
        validator.refuse(
            f"Illegal variable name, The given name '{name}' does not conform to the naming rule "
            "/^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/",
            "ILLEGAL_VAR_NAME",
            node,
        )


def _integer(validator: Validator, node: ast.LiteralInteger) -> None:
    if node.value > MAX_INTEGER:
        validator.refuse(
            "A Literal Integer resulted in a value outside of Puppet Integer max range, "
            f"got '+{node.value:#x}'",
            "NUMERIC_OVERFLOW",
            node,
        )


def _list(validator: Validator, node: ast.LiteralList) -> None:
    for value in node.values:
        rvalue(validator, value)
    validator.pending += reversed(node.values)


def _hash(validator: Validator, node: ast.LiteralHash) -> None:
    entries = node.entries
    if len(entries) > 1:
        _unique_keys(validator, entries)
    validator.pending += reversed(entries)


def _unique_keys(validator: Validator, entries: tuple[ast.KeyedEntry, ...]) -> None:
    if validator.strict == "off":
        return
    seen: set[object] = set()
    for entry in entries:
        try:
            key = literal_key(entry.key)
        except NotLiteral:
            continue
        if key in seen:
            shown = float_text(key[-1]) if type(key[-1]) is float else key[-1]
            validator.refuse(
                f"The key '{shown}' is declared more than once",
                "DUPLICATE_KEY",
                entry,
                "err" if validator.strict == "error" else "warning",
            )
        seen.add(key)


def _entry(validator: Validator, node: ast.KeyedEntry) -> None:
    rvalue(validator, node.key)
    rvalue(validator, node.value)
    validator.pending += (node.value, node.key)


def _concatenated(validator: Validator, node: ast.ConcatenatedString) -> None:
    validator.pending += reversed(node.segments)


def _interpolated(validator: Validator, node: ast.TextExpression) -> None:
    head = node.expr
    while isinstance(head, ast.CallMethodExpression | ast.NamedAccessExpression):
        head = head.functor if isinstance(head, ast.CallMethodExpression) else head.left
    if isinstance(head, ast.LiteralBoolean):
        validator.warn_of_difference("interpolated_boolean", node)
    rvalue(validator, node.expr)
    validator.pending.append(node.expr)


def _heredoc(validator: Validator, node: ast.HeredocExpression) -> None:
    if node.syntax and isinstance(node.text, ast.LiteralString):
        from puppet_repl.language.syntax.external import check_external

        check_external(
            node.text.value,
            node.syntax,
            validator.program.source,
            node.text,
            validator.check_source,
        )
    validator.pending.append(node.text)


def _reserved(validator: Validator, node: ast.ReservedWord) -> None:
    validator.refuse(
        f"Use of reserved word: {node.word}, must be quoted if intended to be a String value",
        "RESERVED_WORD",
        node,
    )


def _call(validator: Validator, node: ast.CallNamedFunctionExpression) -> None:
    functor = node.functor
    kind = type(functor)
    if kind is not ast.QualifiedName and kind is not ast.QualifiedReference:
        if not (
            isinstance(functor, ast.AccessExpression)
            and isinstance(functor.left, ast.QualifiedReference)
        ):
            if kind is ast.RenderStringExpression:
                validator.refuse(
                    "Ambiguous EPP parameter expression. Probably missing '<%-' before "
                    "parameters to remove leading whitespace",
                    "ILLEGAL_EPP_PARAMETERS",
                    node,
                )
            else:
                validator.refuse_part(functor, "function name", node)
        validator.visit(functor, *node.arguments, node.block)
        return
    if node.block is not None:
        validator.pending.append(node.block)
    validator.pending += reversed(node.arguments)


def _method(validator: Validator, node: ast.CallMethodExpression) -> None:
    if node.block is not None:
        validator.pending.append(node.block)
    validator.pending += reversed(node.arguments)
    validator.pending.append(node.functor.left)


def _block(validator: Validator, node: ast.BlockExpression) -> None:
    statements = node.statements
    if without_title(node):
        name = statements[0]
        assert isinstance(name, ast.QualifiedName)
        validator.refuse(
            "This expression is invalid. "
            f"Did you try declaring a '{name.value}' resource without a title?",
            "RESOURCE_WITHOUT_TITLE",
            node,
        )
        validator.pending += reversed(statements)
    else:
        block_of_statements(validator, node)


def block_of_statements(validator: Validator, node: ast.BlockExpression) -> None:
    """Refuse the first statement, but for the last, that does nothing."""
    for statement in node.statements[:-1]:
        if is_idle(statement):
            validator.refuse(
                f"This {statement.label} has no effect. A value was produced and then "
                "forgotten (one or more preceding expressions may have the wrong form)",
                "IDEM_EXPRESSION_NOT_LAST",
                statement,
            )
            break
    validator.pending += reversed(node.statements)


def _if(validator: Validator, node: ast.IfExpression | ast.UnlessExpression) -> None:
    rvalue(validator, node.test)
    if node.else_expr is not None:
        validator.pending.append(node.else_expr)
    validator.pending += (node.then_expr, node.test)


def _case(validator: Validator, node: ast.CaseExpression) -> None:
    rvalue(validator, node.test)
    found = False
    for option in node.options:
        for value in option.values:
            if type(value) is ast.LiteralDefault:
                if found:
                    _duplicate_default(validator, value, node)
                found = True
    validator.pending += reversed(node.options)
    validator.pending.append(node.test)


def _duplicate_default(validator: Validator, node: ast.Node, container: ast.Node) -> None:
    validator.refuse(
        f"This {container.label} already has a 'default' entry - this is a duplicate",
        "DUPLICATE_DEFAULT",
        node,
    )


def _option(validator: Validator, node: ast.CaseOption) -> None:
    for value in node.values:
        rvalue(validator, value)
    validator.pending.append(node.then_expr)
    validator.pending += reversed(node.values)


def _selector(validator: Validator, node: ast.SelectorExpression) -> None:
    rvalue(validator, node.left)
    entries = node.selectors
    defaults = [entry for entry in entries if type(entry.matching) is ast.LiteralDefault]
    if len(defaults) > 1:
        _duplicate_default(validator, defaults[1].matching, node)
    validator.pending += reversed(entries)
    validator.pending.append(node.left)


def _selector_entry(validator: Validator, node: ast.SelectorEntry) -> None:
    rvalue(validator, node.matching)
    validator.pending += (node.value, node.matching)


def _resource(validator: Validator, node: ast.ResourceExpression) -> None:
    name = node.type_name
    if node.form != "regular" and type(name) is ast.QualifiedName and name.value == "class":
        validator.refuse("Classes are not virtualizable", "CLASS_NOT_VIRTUALIZABLE", node)
    validator.pending += reversed(node.bodies)
    if type(name) is not ast.QualifiedName:
        validator.pending.append(name)


def _resource_body(validator: Validator, node: ast.ResourceBody) -> None:
    operations = node.operations
    seen = False
    for operation in operations:
        if type(operation) is ast.AttributesOperation:
            if seen:
                validator.refuse(
                    "Unfolding of attributes from Hash can only be used once per resource body",
                    "MULTIPLE_ATTRIBUTES_UNFOLD",
                    operation,
                )
            seen = True
    validator.pending += reversed(operations)
    validator.pending.append(node.title)


def _not_virtual(
    validator: Validator, node: ast.ResourceDefaultsExpression | ast.ResourceOverrideExpression
) -> None:
    if node.form != "regular":
        validator.refuse("Resource Defaults are not virtualizable", "NOT_VIRTUALIZEABLE", node)
    validator.pending += reversed(node.operations)
    if isinstance(node, ast.ResourceOverrideExpression):
        validator.pending.append(node.resources)


def _attribute(validator: Validator, node: ast.AttributeOperation) -> None:
    if node.operator == "+>":
        parent = validator.container(node)
        if parent is not None and not isinstance(
            parent, ast.CollectExpression | ast.ResourceOverrideExpression
        ):
            validator.refuse(
                f"Illegal +> operation on attribute {node.name}. "
                f"This operator can not be used in {with_article(parent.label)}",
                "ILLEGAL_ATTRIBUTE_APPEND",
                node,
            )
    value = node.value
    kind = type(value)
    if kind is ast.LiteralString or kind is ast.QualifiedName:
        return
    rvalue(validator, value)
    validator.pending.append(value)


def _attributes(validator: Validator, node: ast.AttributesOperation) -> None:
    rvalue(validator, node.expr)
    validator.pending.append(node.expr)


def _collect(validator: Validator, node: ast.CollectExpression) -> None:
    if type(node.type_expr) is not ast.QualifiedReference:
        validator.refuse_part(node.type_expr, "type name", node)
    validator.pending += reversed(node.operations)
    validator.pending += (node.query, node.type_expr)


def _query(validator: Validator, node: ast.VirtualQuery | ast.ExportedQuery) -> None:
    if node.expr is not None:
        _query_part(validator, node.expr)
        validator.pending.append(node.expr)


_QUERY_LEAVES = frozenset(
    (
        ast.VariableExpression,
        ast.QualifiedName,
        ast.LiteralInteger,
        ast.LiteralFloat,
        ast.LiteralString,
        ast.LiteralBoolean,
    )
)


def _query_part(validator: Validator, node: ast.Node) -> None:
    if isinstance(node, ast.AndExpression | ast.OrExpression):
        for part in ast.joined(node):
            _query_part(validator, part)
    elif isinstance(node, ast.ParenthesizedExpression):
        _query_part(validator, node.expr)
    elif type(node) not in _QUERY_LEAVES and not (
        isinstance(node, ast.ComparisonExpression) and node.operator in ("==", "!=")
    ):
        validator.refuse(
            f"Illegal query expression. {capitalized(node.label)} cannot be used in a query",
            "ILLEGAL_QUERY_EXPRESSION",
            node,
        )


def _epp(validator: Validator, node: ast.EppExpression) -> None:
    parent = validator.container(node)
    if isinstance(parent, ast.LambdaExpression):
        from puppet_repl.language.syntax.definition_checks import no_captures, unique_parameters

        no_captures(validator, parent.parameters, node)
        unique_parameters(validator, parent.parameters)
    validator.pending.append(node.body)


def _apply(validator: Validator, node: ast.ApplyExpression) -> None:
    validator.visit(*node.arguments, node.body)


_DEFINITIONS = (
    ast.FunctionDefinition,
    ast.HostClassDefinition,
    ast.LambdaExpression,
    ast.NodeDefinition,
    ast.Parameter,
    ast.PlanDefinition,
    ast.ResourceTypeDefinition,
    ast.TypeAlias,
    ast.TypeDefinition,
    ast.TypeMapping,
)


def _definition(validator: Validator, node: ast.Node) -> None:
    """Check the first definition of a process, and have others checked without this function."""
    from puppet_repl.language.syntax.definition_checks import DEFINITION_CHECKS

    CHECKS.update(DEFINITION_CHECKS)
    CHECKS[type(node)](validator, node)


CHECKS: dict[type[ast.Node], Callable[..., None]] = {
    ast.AccessExpression: _access,
    ast.AndExpression: _binary,
    ast.ApplyExpression: _apply,
    ast.ArithmeticExpression: _binary,
    ast.AssignmentExpression: _assignment,
    ast.AttributeOperation: _attribute,
    ast.AttributesOperation: _attributes,
    ast.BlockExpression: _block,
    ast.CallMethodExpression: _method,
    ast.CallNamedFunctionExpression: _call,
    ast.CaseExpression: _case,
    ast.CaseOption: _option,
    ast.CollectExpression: _collect,
    ast.ComparisonExpression: _binary,
    ast.ConcatenatedString: _concatenated,
    ast.EppExpression: _epp,
    ast.ExportedQuery: _query,
    ast.HeredocExpression: _heredoc,
    ast.IfExpression: _if,
    ast.InExpression: _binary,
    ast.KeyedEntry: _entry,
    ast.LiteralHash: _hash,
    ast.LiteralInteger: _integer,
    ast.LiteralList: _list,
    ast.MatchExpression: _binary,
    ast.NamedAccessExpression: _named_access,
    ast.NotExpression: _unary,
    ast.OrExpression: _binary,
    ast.ParenthesizedExpression: _unary,
    ast.RelationshipExpression: _relationship,
    ast.RenderExpression: _unary,
    ast.ReservedWord: _reserved,
    ast.ResourceBody: _resource_body,
    ast.ResourceDefaultsExpression: _not_virtual,
    ast.ResourceExpression: _resource,
    ast.ResourceOverrideExpression: _not_virtual,
    ast.SelectorEntry: _selector_entry,
    ast.SelectorExpression: _selector,
    ast.TextExpression: _interpolated,
    ast.UnaryMinusExpression: _minus,
    ast.UnfoldExpression: _unary,
    ast.UnlessExpression: _if,
    ast.VariableExpression: _variable,
    ast.VirtualQuery: _query,
    **dict.fromkeys(_DEFINITIONS, _definition),
}
