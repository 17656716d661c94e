"""The tree as text in PN, Puppet's notation for it (``puppet parser dump``).

Numbers, strings and ``nil`` stand for themselves, ``[a b]`` is a list, ``{:k v}`` a map and
``(name a b)`` a node. The tree is first made of Python values: a node is a Call, a map a dict, or a
Pairs where a key may come twice.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.float_text import float_text
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Call:
    """``(name argument ...)``."""

    __slots__ = ("arguments", "name")

    def __init__(self, name: str, *arguments: object) -> None:
        self.name = name
        self.arguments = arguments


class Pairs(list[tuple[str, object]]):
    """The entries of a map."""


def to_pn(node: ast.Node | None) -> str:
    """Return the text of a tree on one line."""
    out: list[str] = []
    try:
        _write(_value(node), out)
    except RecursionError:
        raise _too_deep() from None
    return "".join(out)


def to_data(node: ast.Node | None) -> object:
    """Return the tree as data: a call is ``{"^": [name, ...]}``, a map ``{"#": [k, v, ...]}``."""
    try:
        return _data(_value(node))
    except RecursionError:
        raise _too_deep() from None


def _too_deep() -> PuppetError:
    return PuppetError("The tree is too deep to be printed", "NESTING_LIMIT")


def _data(value: object) -> object:
    if type(value) is Call:
        return {"^": [value.name, *(_data(item) for item in value.arguments)]}
    if type(value) is Pairs:
        return {"#": [item for key, part in value for item in (key, _data(part))]}
    if type(value) is list:
        return [_data(item) for item in value]
    if type(value) is dict:
        return {"#": [item for key, part in value.items() for item in (key, _data(part))]}
    return value


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    return _ESCAPES.get(character) or f"\\o{ord(character):03o}"


def _quoted(text: str) -> str:
    return '"' + re.sub(r'["\\\x00-\x1f]', _escaped, text) + '"'


def _write(value: object, out: list[str]) -> None:
    kind = type(value)
    if kind is str:
        assert isinstance(value, str)
        out.append(_quoted(value))
    elif isinstance(value, Call):
        out.append("(" + value.name)
        for item in value.arguments:
            out.append(" ")
            _write(item, out)
        out.append(")")
    elif isinstance(value, dict | Pairs):
        separator = "{:"
        for key, part in value.items() if isinstance(value, dict) else value:
            out.append(separator + key + " ")
            _write(part, out)
            separator = " :"
        out.append("}" if value else "{}")
    elif isinstance(value, list):
        out.append("[")
        for number, item in enumerate(value):
            if number:
                out.append(" ")
            _write(item, out)
        out.append("]")
    elif value is None:
        out.append("nil")
    elif kind is bool:
        out.append("true" if value else "false")
    elif isinstance(value, float):
        out.append(float_text(value))
    else:
        out.append(str(value))


def _value(node: ast.Node | None) -> object:
    if node is None:
        return Call("nop")
    return _MAKE[type(node)](node)


def _values(nodes: tuple[ast.Node, ...]) -> list[object]:
    return [_MAKE[type(node)](node) for node in nodes]


def _statements(node: ast.Node | None) -> list[object]:
    if type(node) is ast.BlockExpression:
        return _values(node.statements)
    return [_value(node)]


def _is_nop(node: ast.Node | None) -> bool:
    return node is None or type(node) is ast.Nop


def _binary(operator: str) -> Callable[[ast.AndExpression], object]:
    def make(node: ast.AndExpression) -> object:
        return Call(operator, _value(node.left), _value(node.right))

    return make


def _operation(node: ast.ArithmeticExpression) -> object:
    """Write operators; a chain leans to the left and may be long: so no recursion on that side."""
    chain: list[ast.Node] = [node]
    left: ast.Node = node.left
    while type(left) is ast.ArithmeticExpression:
        chain.append(left)
        left = left.left
    value = _value(left)
    for item in reversed(chain):
        assert isinstance(item, ast.ArithmeticExpression)
        value = Call(item.operator, value, _value(item.right))
    return value


def _other_operation(node: ast.ComparisonExpression) -> object:
    return Call(node.operator, _value(node.left), _value(node.right))


def _unary(name: str) -> Callable[[ast.NotExpression], object]:
    def make(node: ast.NotExpression) -> object:
        return Call(name, _value(node.expr))

    return make


def _minus(node: ast.UnaryMinusExpression) -> object:
    expr = node.expr
    if isinstance(expr, ast.LiteralInteger | ast.LiteralFloat):
        return -expr.value
    return Call("-", _value(expr))


def _access(node: ast.AccessExpression) -> object:
    return Call("access", _value(node.left), *_values(node.keys))


def _call(node: ast.CallNamedFunctionExpression) -> object:
    name = "call" if node.rval_required else "invoke"
    return Call(name, _call_map(node.functor, node.arguments, node.block))


def _method(node: ast.CallMethodExpression) -> object:
    return Call("call-method", _call_map(node.functor, node.arguments, node.block))


def _call_map(
    functor: ast.Node, arguments: tuple[ast.Node, ...], block: ast.Node | None
) -> dict[str, object]:
    entries: dict[str, object] = {"functor": _value(functor), "args": _values(arguments)}
    if block is not None:
        entries["block"] = _value(block)
    return entries


def _case(node: ast.CaseExpression) -> object:
    return Call("case", _value(node.test), _values(node.options))


def _option(node: ast.CaseOption) -> object:
    return {"when": _values(node.values), "then": _statements(node.then_expr)}


def _collect(node: ast.CollectExpression) -> object:
    entries: dict[str, object] = {"type": _value(node.type_expr), "query": _value(node.query)}
    if node.operations:
        entries["ops"] = _values(node.operations)
    return Call("collect", entries)


def _query(name: str) -> Callable[[ast.VirtualQuery], object]:
    def make(node: ast.VirtualQuery) -> object:
        return Call(name) if node.expr is None else Call(name, _value(node.expr))

    return make


def _integer(node: ast.LiteralInteger) -> object:
    if node.radix == 10:
        return node.value
    return Call("int", {"radix": node.radix, "value": node.value})


def _regexp(node: ast.LiteralRegularExpression) -> object:
    """Return the pattern; Ruby gives one that needs UTF-8 an option, and then shows all of them."""
    pattern = node.pattern
    if not pattern.isascii() or re.search(r"(?<!\\)(?:\\\\)*\\[pPu]", pattern):
        pattern = f"(?-imx:{pattern})"
    return Call("regexp", pattern)


def _heredoc(node: ast.HeredocExpression) -> object:
    entries: dict[str, object] = {"syntax": node.syntax} if node.syntax else {}
    entries["text"] = _value(node.text)
    return Call("heredoc", entries)


def _if(name: str) -> Callable[[ast.IfExpression], object]:
    def make(node: ast.IfExpression) -> object:
        entries: dict[str, object] = {"test": _value(node.test)}
        if not _is_nop(node.then_expr):
            entries["then"] = _statements(node.then_expr)
        if not _is_nop(node.else_expr):
            entries["else"] = _statements(node.else_expr)
        return Call(name, entries)

    return make


def _parameters(parameters: tuple[ast.Parameter, ...]) -> dict[str, object]:
    listed = Pairs()
    for parameter in parameters:
        entries: dict[str, object] = {}
        if parameter.type_expr is not None:
            entries["type"] = _value(parameter.type_expr)
        if parameter.captures_rest:
            entries["splat"] = True
        if parameter.value is not None:
            entries["value"] = _value(parameter.value)
        listed.append((parameter.name, entries))
    return {"params": listed} if listed else {}


def _body(body: ast.Node | None) -> dict[str, object]:
    return {} if body is None else {"body": _statements(body)}


def _returns(node: ast.Node | None) -> dict[str, object]:
    return {} if node is None else {"returns": _value(node)}


def _lambda(node: ast.LambdaExpression) -> object:
    entries = _parameters(node.parameters)
    return Call("lambda", {**entries, **_returns(node.return_type), **_body(node.body)})


def _host_class(node: ast.HostClassDefinition) -> object:
    entries: dict[str, object] = {"name": node.name}
    if node.parent is not None:
        entries["parent"] = node.parent
    return Call("class", {**entries, **_parameters(node.parameters), **_body(node.body)})


def _define(node: ast.ResourceTypeDefinition) -> object:
    entries: dict[str, object] = {"name": node.name}
    return Call("define", {**entries, **_parameters(node.parameters), **_body(node.body)})


def _function(name: str) -> Callable[[ast.FunctionDefinition], object]:
    def make(node: ast.FunctionDefinition) -> object:
        entries: dict[str, object] = {"name": node.name, **_parameters(node.parameters)}
        return Call(name, {**entries, **_body(node.body), **_returns(node.return_type)})

    return make


def _node(node: ast.NodeDefinition) -> object:
    entries: dict[str, object] = {"matches": _values(node.matches)}
    if node.parent is not None:
        entries["parent"] = _value(node.parent)
    return Call("node", {**entries, **_body(node.body)})


def _resource(node: ast.ResourceExpression) -> object:
    entries = {"type": _value(node.type_name), "bodies": _values(node.bodies)}
    return Call("resource", entries | _form(node.form))


def _resource_body(node: ast.ResourceBody) -> object:
    return {"title": _value(node.title), "ops": _values(node.operations)}


def _form(form: str) -> dict[str, object]:
    return {} if form == "regular" else {"form": form}


def _defaults(node: ast.ResourceDefaultsExpression) -> object:
    entries = {"type": _value(node.type_ref), "ops": _values(node.operations)}
    return Call("resource-defaults", entries | _form(node.form))


def _override(node: ast.ResourceOverrideExpression) -> object:
    entries = {"resources": _value(node.resources), "ops": _values(node.operations)}
    return Call("resource-override", entries | _form(node.form))


def _attribute(node: ast.AttributeOperation) -> object:
    return Call(node.operator, node.name, _value(node.value))


def _selector(node: ast.SelectorExpression) -> object:
    return Call("?", _value(node.left), _values(node.selectors))


def _type_definition(node: ast.TypeDefinition) -> object:
    return Call("type-definition", node.name, node.parent, _block(node.body))


def _block(node: ast.Node | None) -> object:
    return _value(node)


def _epp(node: ast.EppExpression) -> object:
    body = node.body
    if type(body) is ast.BlockExpression:
        return Call("epp", *_values(body.statements))
    return Call("epp")


_MAKE: dict[type[ast.Node], Callable[..., object]] = {
    ast.AccessExpression: _access,
    ast.AndExpression: _binary("and"),
    ast.ArithmeticExpression: _operation,
    ast.AssignmentExpression: _other_operation,
    ast.AttributeOperation: _attribute,
    ast.AttributesOperation: _unary("splat-hash"),
    ast.BlockExpression: lambda node: Call("block", *_values(node.statements)),
    ast.CallMethodExpression: _method,
    ast.CallNamedFunctionExpression: _call,
    ast.CaseExpression: _case,
    ast.CaseOption: _option,
    ast.CollectExpression: _collect,
    ast.ComparisonExpression: _other_operation,
    ast.ConcatenatedString: lambda node: Call("concat", *_values(node.segments)),
    ast.EppExpression: _epp,
    ast.ExportedQuery: _query("exported-query"),
    ast.FunctionDefinition: _function("function"),
    ast.HeredocExpression: _heredoc,
    ast.HostClassDefinition: _host_class,
    ast.IfExpression: _if("if"),
    ast.InExpression: _binary("in"),
    ast.KeyedEntry: lambda node: Call("=>", _value(node.key), _value(node.value)),
    ast.LambdaExpression: _lambda,
    ast.LiteralBoolean: lambda node: node.value,
    ast.LiteralDefault: lambda node: Call("default"),
    ast.LiteralFloat: lambda node: node.value,
    ast.LiteralHash: lambda node: Call("hash", *_values(node.entries)),
    ast.LiteralInteger: _integer,
    ast.LiteralList: lambda node: Call("array", *_values(node.values)),
    ast.LiteralRegularExpression: _regexp,
    ast.LiteralString: lambda node: node.value,
    ast.LiteralUndef: lambda node: None,
    ast.MatchExpression: _other_operation,
    ast.NamedAccessExpression: _binary("."),
    ast.NodeDefinition: _node,
    ast.Nop: lambda node: Call("nop"),
    ast.NotExpression: _unary("!"),
    ast.OrExpression: _binary("or"),
    ast.ParenthesizedExpression: _unary("paren"),
    ast.PlanDefinition: _function("plan"),
    ast.Program: lambda node: _value(node.body),
    ast.QualifiedName: lambda node: Call("qn", node.value),
    ast.QualifiedReference: lambda node: Call("qr", node.value),
    ast.RelationshipExpression: _other_operation,
    ast.RenderExpression: _unary("render"),
    ast.RenderStringExpression: lambda node: Call("render-s", node.value),
    ast.ReservedWord: lambda node: Call("reserved", node.word),
    ast.ResourceBody: _resource_body,
    ast.ResourceDefaultsExpression: _defaults,
    ast.ResourceExpression: _resource,
    ast.ResourceOverrideExpression: _override,
    ast.ResourceTypeDefinition: _define,
    ast.SelectorEntry: lambda node: Call("=>", _value(node.matching), _value(node.value)),
    ast.SelectorExpression: _selector,
    ast.TextExpression: _unary("str"),
    ast.TypeAlias: lambda node: Call("type-alias", node.name, _value(node.type_expr)),
    ast.TypeDefinition: _type_definition,
    ast.TypeMapping: lambda node: Call(
        "type-mapping", _value(node.type_expr), _value(node.mapping_expr)
    ),
    ast.UnaryMinusExpression: _minus,
    ast.UnfoldExpression: _unary("unfold"),
    ast.UnlessExpression: _if("unless"),
    ast.VariableExpression: lambda node: Call("var", node.name),
    ast.VirtualQuery: _query("virtual-query"),
}
