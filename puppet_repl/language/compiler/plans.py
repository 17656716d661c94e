"""What definitions and templates are made from once their code exists: names, and plain data."""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    NodeData: TypeAlias = list[object]

    Defined: TypeAlias = (
        ast.FunctionDefinition
        | ast.TypeAlias
        | ast.HostClassDefinition
        | ast.ResourceTypeDefinition
        | ast.NodeDefinition
    )

    PlanKind: TypeAlias = Literal["function", "type", "class", "define", "node"]

    NodeMatch: TypeAlias = tuple[Literal["regexp", "name", "default"], str, str, int]

_KINDS: dict[type[ast.Node], PlanKind] = {
    ast.FunctionDefinition: "function",
    ast.TypeAlias: "type",
    ast.HostClassDefinition: "class",
    ast.ResourceTypeDefinition: "define",
    ast.NodeDefinition: "node",
}


class Plan:
    """One definition: its text, and the names of the functions that it was compiled to.

    ``at`` and ``end`` are offsets. ``parameters`` belong to a class or define, ``parent`` to a
    class, as it is written, and ``matches`` to a node block; ``aliased`` is the right side of a
    type alias, which code from a cache decodes at first use.
    """

    __slots__ = (
        "_aliased",
        "at",
        "body",
        "defaults",
        "end",
        "kind",
        "matches",
        "name",
        "parameter_types",
        "parameters",
        "parent",
        "spec",
        "types",
    )

    def __init__(self, kind: PlanKind, name: str, at: int, end: int) -> None:
        self.kind = kind
        self.name = name
        self.at = at
        self.end = end
        self.parameters: tuple[str, ...] = ()
        self.parent: str | None = None
        self.matches: tuple[NodeMatch, ...] = ()
        self._aliased: ast.Node | NodeData | None = None
        self.body: str | None = None
        self.spec = ""
        self.types: str | None = None
        self.parameter_types: tuple[str | None, ...] = ()
        self.defaults: tuple[str | None, ...] = ()

    @property
    def aliased(self) -> ast.Node | None:
        """The right side of a type alias."""
        aliased = self._aliased
        if isinstance(aliased, list):
            aliased = self._aliased = node_of(aliased)
        return aliased

    @aliased.setter
    def aliased(self, node: ast.Node) -> None:
        self._aliased = node


class TemplateParameter:
    """A parameter of a template; functions of its name give its default and its type."""

    __slots__ = ("has_default", "has_type", "name")

    def __init__(self, name: str, has_default: bool, has_type: bool) -> None:
        self.name = name
        self.has_default = has_default
        self.has_type = has_type


class Template:
    """What a template declares: ``declares_any`` is true of an empty list of parameters too."""

    __slots__ = ("declares_any", "parameters")

    def __init__(self, parameters: tuple[TemplateParameter, ...], *, declares_any: bool) -> None:
        self.parameters = parameters
        self.declares_any = declares_any


def plan_of(node: Defined, text: str) -> Plan:
    """Return the plan of a definition in a text; the names of functions are still to come."""
    name = "" if isinstance(node, ast.NodeDefinition) else node.name
    plan = Plan(_KINDS[type(node)], name, node.at, node.end)
    if isinstance(node, ast.HostClassDefinition | ast.ResourceTypeDefinition):
        plan.parameters = tuple([parameter.name for parameter in node.parameters])
    if isinstance(node, ast.HostClassDefinition):
        plan.parent = node.parent
    elif isinstance(node, ast.TypeAlias):
        plan.aliased = node.type_expr
    elif isinstance(node, ast.NodeDefinition):
        plan.matches = tuple([_match(match, text) for match in node.matches])
    return plan


def _match(node: ast.Node, text: str) -> NodeMatch:
    written = text[node.at : node.end]
    if isinstance(node, ast.LiteralRegularExpression):
        return "regexp", node.pattern, written, node.at
    if isinstance(node, ast.LiteralDefault):
        return "default", "default", written, node.at
    name = node.value.lower() if isinstance(node, ast.LiteralString) else ""
    return "name", name, written, node.at


def plan_data(plan: Plan) -> tuple[object, ...]:
    """Return a plan as data that marshal can write; raise TypeError if that is impossible."""
    return (
        *(plan.kind, plan.name, plan.at, plan.end, plan.parameters, plan.parent, plan.matches),
        None if plan.aliased is None else node_data(plan.aliased),
        *(plan.body, plan.spec, plan.types, plan.parameter_types, plan.defaults),
    )


def plan_from(data: tuple[Any, ...]) -> Plan:
    """Return the plan of data."""
    plan = Plan(*data[:4])
    plan.parameters, plan.parent, plan.matches, plan._aliased, *names = data[4:]
    plan.body, plan.spec, plan.types, plan.parameter_types, plan.defaults = names
    return plan


_PLAIN = frozenset((str, int, float, bool, type(None)))


def node_data(node: ast.Node) -> NodeData:
    """Return a node as plain data that marshal can write; TypeError if it holds anything else."""
    name = type(node).__name__
    return [name, *[_data(getattr(node, slot)) for slot in _slots(name)]]


def node_of(data: NodeData) -> ast.Node:
    """Return the node of data."""
    name, *values = data
    assert isinstance(name, str)
    kind: type[ast.Node] = getattr(ast, name)
    node = kind.__new__(kind)
    for slot, value in zip(_slots(name), values, strict=True):
        setattr(node, slot, _value(value))
    return node


_known_slots: dict[str, tuple[str, ...]] = {}


def _slots(name: str) -> tuple[str, ...]:
    """Return what a node of a class holds; a subclass may name a slot again."""
    if name not in _known_slots:
        names: dict[str, None] = {}
        for each in getattr(ast, name).__mro__:
            names.update(dict.fromkeys(getattr(each, "__slots__", ())))
        _known_slots[name] = tuple(names)
    return _known_slots[name]


def _data(value: object) -> object:
    if isinstance(value, ast.Node):
        return node_data(value)
    if type(value) is tuple:
        return tuple([_data(item) for item in value])
    if type(value) in _PLAIN:
        return value
    raise TypeError(f"a {type(value).__name__} in the tree")


def _value(data: object) -> object:
    if type(data) is list:
        return node_of(data)
    if type(data) is tuple:
        return tuple([_value(item) for item in data])
    return data
