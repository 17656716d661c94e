"""The brackets of a text, each with its role, which the tree knows: ``{`` has many.

One walk over the tree notes offsets; then the atoms are nested by their brackets.
"""

from __future__ import annotations

from bisect import bisect_left

from puppet_repl.language.syntax import ast
from puppet_repl.tools.formatting.atoms import Atom, FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence
    from typing import TypeAlias

    Element: TypeAlias = "Atom | Bracket"

_STRINGS = (ast.ConcatenatedString, ast.HeredocExpression)
_CLOSERS = {"{": "}", "[": "]", "(": ")", "|": "|", "<|": "|>", "<<|": "|>>"}


class Bracket:
    """A pair of brackets, or of pipes, and the elements between them."""

    __slots__ = ("children", "closer", "has_comma", "opener", "role")

    def __init__(self, role: str, opener: Atom, *, has_comma: bool) -> None:
        self.role = role
        self.opener = opener
        self.closer = opener
        self.children: list[Element] = []
        self.has_comma = has_comma
        """Whether the grammar allows a comma after the last item."""

    @property
    def is_broken(self) -> bool:
        """Whether the author broke the line after the opening bracket."""
        return first_atom(self.children[0]).breaks if self.children else self.closer.breaks


class Structure:
    """What the tree says of a text's atoms."""

    __slots__ = ("chains", "operators", "roles", "starts", "unary", "without_comma")

    def __init__(self) -> None:
        self.roles: dict[int, str] = {}
        """The role of each opening bracket, by offset."""
        self.starts: set[int] = set()
        """The beginnings of statements and options."""
        self.operators: set[int] = set()
        """Operators with two sides."""
        self.unary: set[int] = set()
        self.chains: set[int] = set()
        """Arrows between resources."""
        self.without_comma: list[tuple[int, int]] = []
        """Spans of the types of parameters and results."""


def first_atom(element: Element) -> Atom:
    """Return the first atom of an element."""
    return element.opener if isinstance(element, Bracket) else element


def last_atom(element: Element) -> Atom:
    """Return the last atom of an element."""
    return element.closer if isinstance(element, Bracket) else element


def index_of(elements: Sequence[Element], kinds: Container[str]) -> int:
    """Return which element is an atom of one of these kinds; their number for none."""
    for number, element in enumerate(elements):
        if isinstance(element, Atom) and element.kind in kinds:
            return number
    return len(elements)


def read_structure(program: ast.Program, atoms: list[Atom]) -> Structure:
    """Walk over a tree and note what it says; names of nodes become one atom each."""
    reader = _Reader(atoms)
    reader.statements(program.body)
    pending: list[ast.Node] = [program.body]
    while pending:
        node = pending.pop()
        read = _READERS.get(type(node))
        if read is not None:
            read(reader, node)
        if type(node) not in _STRINGS:
            pending += node.children()
    return reader.found


def nested(atoms: Sequence[Atom], structure: Structure) -> list[Element]:
    """Return the elements of the whole text, the last of which is its end."""
    top: list[Element] = []
    stack: list[Bracket] = []
    current = top
    roles = structure.roles
    types = sorted(structure.without_comma)
    for atom in atoms:
        if stack and atom.text == _CLOSERS[stack[-1].opener.text]:
            stack.pop().closer = atom
            current = stack[-1].children if stack else top
            continue
        role = roles.get(atom.start)
        if role is None or atom.text not in _CLOSERS:
            if atom.text in ("{", "[", "(") and atom.kind == atom.text:
                raise FormatError("a bracket whose role is not known", None, atom.start)
            current.append(atom)
            continue
        bracket = Bracket(role, atom, has_comma=_allows_comma(role, atom.start, types))
        current.append(bracket)
        stack.append(bracket)
        current = bracket.children
    return top


_COMMAS = frozenset(("list", "hash", "selector", "attributes", "call", "access", "parameters"))


def _allows_comma(role: str, start: int, types: Sequence[tuple[int, int]]) -> bool:
    if role not in _COMMAS:
        return False
    at = bisect_left(types, (start + 1, 0)) - 1
    return role != "access" or at < 0 or not types[at][0] <= start < types[at][1]


class _Reader:
    """The walk: what each kind of node says about the atoms in its span."""

    def __init__(self, atoms: list[Atom]) -> None:
        self.atoms = atoms
        self.starts = [atom.start for atom in atoms]
        self.found = Structure()

    def opener(self, offset: int, text: str, role: str) -> int:
        """Give the first atom at or after an offset a role if it is this bracket."""
        number = bisect_left(self.starts, offset)
        atom = self.atoms[number]
        if atom.text == text and atom.kind == text:
            self.found.roles.setdefault(atom.start, role)
            return number
        return -1

    def statements(self, body: ast.Node | None) -> None:
        """Note where the statements of a body begin."""
        if isinstance(body, ast.BlockExpression):
            self.found.starts.update(each.start for each in body.statements)
        elif body is not None and not isinstance(body, ast.Nop):
            self.found.starts.add(body.start)

    def block(self, end: int, body: ast.Node | None) -> None:
        """Note the block that ends a definition, whose span ends at an offset."""
        number = bisect_left(self.starts, end) - 1
        depth = 0
        while True:
            kind = self.atoms[number].kind
            depth += (kind == "}") - (kind == "{")
            if not depth:
                break
            number -= 1
        self.found.roles[self.atoms[number].start] = "block"
        self.statements(body)

    def matching(self, number: int) -> int:
        """Return the atom that closes the brace of another one."""
        depth = 0
        while True:
            kind = self.atoms[number].kind
            depth += (kind == "{") - (kind == "}")
            if not depth:
                return number
            number += 1

    def binary(self, node: ast.BinaryExpression) -> None:
        self.found.operators.add(node.at)

    def chain(self, node: ast.RelationshipExpression) -> None:
        self.found.chains.add(node.at)

    def unary(self, node: ast.UnaryExpression) -> None:
        self.found.unary.add(node.start)

    def literal_list(self, node: ast.LiteralList) -> None:
        self.opener(node.start, "[", "list")

    def literal_hash(self, node: ast.LiteralHash) -> None:
        if not node.entries or node.start < node.entries[0].start:
            self.opener(node.start, "{", "hash")

    def parenthesized(self, node: ast.ParenthesizedExpression) -> None:
        self.found.roles[node.start] = "group"

    def access(self, node: ast.AccessExpression) -> None:
        self.opener(node.left.end, "[", "access")

    def call(self, node: ast.CallNamedFunctionExpression) -> None:
        number = bisect_left(self.starts, node.functor.end)
        start = self.atoms[number].start
        first = node.arguments[0] if node.arguments else None
        if not (isinstance(first, ast.ParenthesizedExpression) and first.start == start):
            self.opener(start, "(", "call")

    def method(self, node: ast.CallMethodExpression) -> None:
        self.opener(node.functor.end, "(", "method")

    def function(self, node: ast.LambdaExpression) -> None:
        if self.opener(node.start, "|", "lambda") < 0:
            return
        self.block(node.end, node.body)
        self.result(node.return_type)

    def result(self, node: ast.Node | None) -> None:
        if node is not None:
            self.found.without_comma.append((node.start, node.end))

    def parameter(self, node: ast.Parameter) -> None:
        self.result(node.type_expr)
        if node.captures_rest:
            self.found.unary.add(self.starts[bisect_left(self.starts, node.at) - 1])

    def condition(self, node: ast.IfExpression | ast.UnlessExpression) -> None:
        number = self.opener(node.test.end, "{", "block")
        self.statements(node.then_expr)
        number = self.matching(number) + 1
        if self.atoms[number].text == "else":
            self.opener(self.starts[number + 1], "{", "block")
            self.statements(node.else_expr)

    def case(self, node: ast.CaseExpression) -> None:
        self.opener(node.test.end, "{", "case")
        self.found.starts.update(option.start for option in node.options)

    def option(self, node: ast.CaseOption) -> None:
        self.opener(node.at + 1, "{", "block")
        self.statements(node.then_expr)

    def selector(self, node: ast.SelectorExpression) -> None:
        number = bisect_left(self.starts, node.at)
        if self.atoms[number].text != "?":
            number = bisect_left(self.starts, node.left.end)
        start = self.atoms[number + 1].start
        if not node.selectors or node.selectors[0].start > start:
            self.opener(start, "{", "selector")

    def resource(self, node: ast.ResourceExpression) -> None:
        self.opener(node.type_name.end, "{", "resource")

    def defaults(self, node: ast.ResourceDefaultsExpression) -> None:
        self.opener(node.type_ref.end, "{", "attributes")

    def override(self, node: ast.ResourceOverrideExpression) -> None:
        self.opener(node.resources.end, "{", "attributes")

    def collect(self, node: ast.CollectExpression) -> None:
        query = "<|" if isinstance(node.query, ast.VirtualQuery) else "<<|"
        self.opener(node.query.start, query, "query")
        self.opener(node.query.end, "{", "attributes")

    def definition(
        self,
        node: ast.HostClassDefinition
        | ast.ResourceTypeDefinition
        | ast.PlanDefinition
        | ast.FunctionDefinition,
    ) -> None:
        number = bisect_left(self.starts, node.start)
        self.opener(self.starts[number + 2], "(", "parameters")
        self.block(node.end, node.body)
        if isinstance(node, ast.FunctionDefinition | ast.PlanDefinition):
            self.result(node.return_type)

    def node(self, node: ast.NodeDefinition) -> None:
        self.block(node.end, node.body)
        for match in (*node.matches, node.parent):
            if isinstance(match, ast.LiteralString):
                self._quote(match)

    def _quote(self, name: ast.LiteralString) -> None:
        """Put quotes around the name of a node."""
        first, last = (bisect_left(self.starts, at) for at in (name.start, name.end))
        atom, *others = self.atoms[first:last]
        if atom.text[0] in "'\"@":
            return
        atom.text = f"'{name.value}'"
        atom.comments += [comment for other in others for comment in other.comments]
        atom.end = name.end
        del self.atoms[first + 1 : last], self.starts[first + 1 : last]

    def definition_of_type(self, node: ast.TypeDefinition) -> None:
        self.block(node.end, node.body)

    def mapping(self, node: ast.TypeMapping) -> None:
        self.result(node.type_expr)

    def apply(self, node: ast.ApplyExpression) -> None:
        number = bisect_left(self.starts, node.start)
        self.opener(self.starts[number + 1], "(", "call")
        self.block(node.end, node.body)


_READERS: dict[type[ast.Node], Callable[..., None]] = {
    ast.AndExpression: _Reader.binary,
    ast.OrExpression: _Reader.binary,
    ast.InExpression: _Reader.binary,
    ast.ArithmeticExpression: _Reader.binary,
    ast.ComparisonExpression: _Reader.binary,
    ast.MatchExpression: _Reader.binary,
    ast.AssignmentExpression: _Reader.binary,
    ast.RelationshipExpression: _Reader.chain,
    ast.NotExpression: _Reader.unary,
    ast.UnaryMinusExpression: _Reader.unary,
    ast.UnfoldExpression: _Reader.unary,
    ast.LiteralList: _Reader.literal_list,
    ast.LiteralHash: _Reader.literal_hash,
    ast.ParenthesizedExpression: _Reader.parenthesized,
    ast.AccessExpression: _Reader.access,
    ast.CallNamedFunctionExpression: _Reader.call,
    ast.CallMethodExpression: _Reader.method,
    ast.LambdaExpression: _Reader.function,
    ast.Parameter: _Reader.parameter,
    ast.IfExpression: _Reader.condition,
    ast.UnlessExpression: _Reader.condition,
    ast.CaseExpression: _Reader.case,
    ast.CaseOption: _Reader.option,
    ast.SelectorExpression: _Reader.selector,
    ast.ResourceExpression: _Reader.resource,
    ast.ResourceDefaultsExpression: _Reader.defaults,
    ast.ResourceOverrideExpression: _Reader.override,
    ast.CollectExpression: _Reader.collect,
    ast.HostClassDefinition: _Reader.definition,
    ast.ResourceTypeDefinition: _Reader.definition,
    ast.PlanDefinition: _Reader.definition,
    ast.FunctionDefinition: _Reader.definition,
    ast.NodeDefinition: _Reader.node,
    ast.TypeDefinition: _Reader.definition_of_type,
    ast.ApplyExpression: _Reader.apply,
    ast.TypeMapping: _Reader.mapping,
}
