"""The origins of the value of an expression, as the code shows them: nothing is evaluated.

``Values.texts`` returns the texts that an expression may be or contain, ``Values.keys`` the keys of
the hashes that it may be. Both go through variables, parameters, lambdas and lookups.
"""

from __future__ import annotations

from typing import NamedTuple

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import Binding
from puppet_repl.tools.advice.nodes import bare, called, outcomes, string_of
from puppet_repl.tools.editing.scopes import plain, visible_at
from puppet_repl.tools.inspection.cursor_context import LOOKUPS
from puppet_repl.tools.renaming.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from puppet_repl.tools.renaming.sources import Code, Sources

    Origin: TypeAlias = "Written | Joined | Looked | Unknown"
    # "class" or "type", the name of the class or defined type, and values of its parameter.
    Given: TypeAlias = tuple[str, str, list[tuple[Code, ast.Node]]]

# Functions whose result has parts of their arguments.
_PASSING = frozenset(
    (
        *("any2array", "concat", "delete", "delete_undef_values", "difference", "filter"),
        *("deep_merge", "delete_values", "flatten", "intersection", "join_keys_to_values"),
        *("keys", "merge", "pick", "pick_default", "prefix", "reverse", "shuffle", "slice", "sort"),
        *("stdlib::merge", "then", "lest", "union", "unique", "values", "with"),
    )
)
_SAME_KEYS = frozenset(
    (
        *("deep_merge", "delete", "delete_undef_values", "delete_values", "filter", "lest"),
        *("merge", "pick", "pick_default", "stdlib::merge", "then", "with"),
    )
)
# Functions that give the parts of their first argument to a lambda.
_ITERATING = frozenset(
    (
        *(
            "all",
            "any",
            "each",
            "filter",
            "index",
            "lest",
            "map",
            "reduce",
            "reverse_each",
            "slice",
        ),
        *("then", "with", "tree_each"),
    )
)
_CALLS = (ast.CallMethodExpression, ast.CallNamedFunctionExpression)
_NO_TEXTS = (
    ast.LiteralBoolean,
    ast.LiteralDefault,
    ast.LiteralFloat,
    ast.LiteralInteger,
    ast.LiteralRegularExpression,
    ast.LiteralUndef,
    ast.ComparisonExpression,
    ast.InExpression,
    ast.MatchExpression,
    ast.NotExpression,
    ast.QualifiedReference,
    ast.Nop,
)


class Written(NamedTuple):
    """A literal or a word."""

    code: Code
    node: ast.Node
    text: str


class Joined(NamedTuple):
    """A text with interpolated parts: the certain parts, with unknown texts in between."""

    code: Code
    node: ast.Node
    parts: list[str]


class Looked(NamedTuple):
    """The value of a key of the data, or a part of it that is ``depth`` hashes further inside."""

    code: Code
    node: ast.Node
    key: str
    depth: int = 0


class Unknown(NamedTuple):
    """An expression whose value only a run would know."""

    code: Code
    node: ast.Node


class Values:
    """The values of the expressions of all code."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.settings = Settings(sources)

    # Texts

    def texts(self, code: Code, node: ast.Node) -> Iterator[Origin]:
        """Yield the texts that a value may be or contain."""
        return self._texts(code, node, set())

    def _texts(self, code: Code, node: ast.Node | None, seen: set[int]) -> Iterator[Origin]:
        for each in () if node is None else outcomes(node):
            if id(each) not in seen:
                seen.add(id(each))
                yield from self._text(code, each, seen)

    def _text(self, code: Code, node: ast.Node, seen: set[int]) -> Iterator[Origin]:
        if isinstance(node, ast.HeredocExpression):
            node = node.text
        text = string_of(node)
        if text is not None:
            yield Written(code, node, text)
        elif isinstance(node, ast.ConcatenatedString):
            yield Joined(code, node, self._parts(code, node))
        elif isinstance(node, ast.VariableExpression):
            yield from self._of_variable(code, node, seen)
        elif isinstance(node, _CALLS):
            yield from self._of_call(code, node, seen)
        elif isinstance(node, ast.AccessExpression):
            # Class['a'] has no text; of a hash or an array any part may be meant.
            yield from self._texts(code, node.left, seen)
        elif isinstance(node, ast.AssignmentExpression):
            yield from self._texts(code, node.right, seen)
        elif isinstance(
            node,
            ast.LiteralList
            | ast.LiteralHash
            | ast.KeyedEntry
            | ast.UnfoldExpression
            | ast.ArithmeticExpression,
        ):
            for child in node.children():
                yield from self._texts(code, child, seen)
        elif not isinstance(node, _NO_TEXTS):
            yield Unknown(code, node)

    def _parts(self, code: Code, node: ast.ConcatenatedString) -> list[str]:
        """Return the parts of a text that are certain; there, $module_name is the module's."""
        parts = [""]
        for segment in node.segments:
            inner = segment.expr if isinstance(segment, ast.TextExpression) else segment
            text = string_of(segment) if isinstance(segment, ast.LiteralString) else None
            if isinstance(inner, ast.VariableExpression) and inner.name == "module_name":
                text = self.settings.module_of(code)
            if text is None:
                parts.append("")
            else:
                parts[-1] += text
        return parts

    def _of_variable(
        self, code: Code, node: ast.VariableExpression, seen: set[int]
    ) -> Iterator[Origin]:
        bindings = self.bindings(code, node)
        if not bindings:
            yield Unknown(code, node)
        for place, binding in bindings:
            if isinstance(binding.node, ast.AssignmentExpression):
                yield from self._texts(place, binding.node.right, seen)
            elif isinstance(binding.scope, ast.LambdaExpression):
                yield from self._of_lambda(place, binding, node, seen)
            else:
                yield from self._of_parameter(place, binding, node, seen)

    def bindings(self, code: Code, node: ast.VariableExpression) -> list[tuple[Code, Binding]]:
        """Return what binds a variable: in its text, or in the class that its name has."""
        owner, _, name = node.name.removeprefix("::").rpartition("::")
        if not owner:
            found = visible_at(code.program, node.start).get(name)
            return [] if found is None else [(code, found)]
        return [
            (place, binding)
            for place, definition in self.settings.definitions("class", owner)
            for binding in self.settings.bound(place, definition, name)
        ]

    def _of_lambda(
        self, code: Code, binding: Binding, node: ast.Node, seen: set[int]
    ) -> Iterator[Origin]:
        call = code.parents.get(id(binding.scope))
        name = called(call)
        if name not in _ITERATING or not isinstance(call, _CALLS):
            yield Unknown(code, node)
            return
        for each in arguments(call):
            yield from self._texts(code, each, seen)

    def _of_parameter(
        self, code: Code, binding: Binding, node: ast.Node, seen: set[int]
    ) -> Iterator[Origin]:
        """Yield the default of a parameter, and what code and data set it to."""
        given = self._given(code, binding)
        if given is None:
            yield Unknown(code, node)
            return
        kind, owner, found = given
        for place, value in (*found, *self.settings.hashes(kind, owner)):
            yield from self._texts(place, value, seen)
        yield from self._of_data(code, binding, node, given)

    def _given(self, code: Code, binding: Binding) -> Given | None:
        """Return the owner of a parameter, and the values that its default and code give to it.

        None for a parameter of something else than a class or defined type.
        """
        scope, parameter = binding.scope, binding.node
        if not isinstance(
            scope, ast.HostClassDefinition | ast.ResourceTypeDefinition
        ) or not isinstance(parameter, ast.Parameter):
            return None
        kind = "class" if isinstance(scope, ast.HostClassDefinition) else "type"
        owner = plain(scope.name)
        found = [(code, parameter.value)] if parameter.value is not None else []
        return kind, owner, found + self.settings.values(kind, owner, parameter.name)

    def _of_data(
        self, code: Code, binding: Binding, node: ast.Node, given: Given, depth: int = 0
    ) -> Iterator[Origin]:
        """Yield the value that data give to a parameter, Unknown without any value."""
        kind, owner, found = given
        key = f"{owner}::{getattr(binding.node, 'name', '')}"
        if kind == "class" and self.sources.has_key(key):
            yield Looked(code, node, key, depth)
        elif not found:
            yield Unknown(code, node)

    def _of_call(self, code: Code, node: ast.Node, seen: set[int]) -> Iterator[Origin]:
        name, given = called(node), arguments(node)
        block = getattr(node, "block", None)
        if name in LOOKUPS and given:
            for key in self._texts(code, given[0], set()):
                yield (
                    Looked(code, node, key.text)
                    if isinstance(key, Written)
                    else Unknown(code, node)
                )
            for each in (*given[1:], block):
                body = each.body if isinstance(each, ast.LambdaExpression) else each
                yield from self._texts(code, body, seen)
        elif name == "map" and isinstance(block, ast.LambdaExpression):
            yield from self._texts(code, block.body, seen)
        elif name in _PASSING:
            for each in given:
                yield from self._texts(code, each, seen)
            if isinstance(block, ast.LambdaExpression) and name in ("then", "lest", "with"):
                yield from self._texts(code, block.body, seen)
        else:
            yield Unknown(code, node)

    # Keys of hashes

    def keys(self, code: Code, node: ast.Node, depth: int = 0) -> Iterator[Origin]:
        """Yield the keys of hashes, which are ``depth`` hashes inside of a value.

        Of a ``Looked`` the keys are those of the data. The elements of an array count as the array.
        """
        return self._keys(code, node, depth, set())

    def _keys(
        self, code: Code, node: ast.Node | None, depth: int, seen: set[tuple[int, int]]
    ) -> Iterator[Origin]:
        for each in () if node is None else outcomes(node):
            if (id(each), depth) not in seen:
                seen.add((id(each), depth))
                yield from self._key(code, each, depth, seen)

    def _key(
        self, code: Code, node: ast.Node, depth: int, seen: set[tuple[int, int]]
    ) -> Iterator[Origin]:
        node = bare(node)
        if isinstance(node, ast.LiteralHash):
            for entry in node.entries:
                if depth:
                    yield from self._keys(code, entry.value, depth - 1, seen)
                else:
                    yield from self._texts(code, entry.key, set())
        elif isinstance(node, ast.LiteralList | ast.ArithmeticExpression | ast.UnfoldExpression):
            for child in node.children():
                yield from self._keys(code, child, depth, seen)
        elif isinstance(node, ast.AssignmentExpression):
            yield from self._keys(code, node.right, depth, seen)
        elif isinstance(node, ast.AccessExpression) and not is_reference(node):
            yield from self._keys(code, node.left, depth + 1, seen)
        elif isinstance(node, ast.VariableExpression):
            yield from self._keys_of_variable(code, node, depth, seen)
        elif isinstance(node, _CALLS):
            yield from self._keys_of_call(code, node, depth, seen)
        elif isinstance(node, ast.LiteralUndef | ast.LiteralString | ast.Nop):
            return
        else:
            yield Unknown(code, node)

    def _keys_of_variable(
        self, code: Code, node: ast.VariableExpression, depth: int, seen: set[tuple[int, int]]
    ) -> Iterator[Origin]:
        found = self.bindings(code, node)
        if not found or self._is_read_again(code, node):
            yield Unknown(code, node)
            return
        for place, binding in found:
            scope = binding.scope
            if isinstance(binding.node, ast.AssignmentExpression):
                yield from self._keys(place, binding.node.right, depth, seen)
            elif isinstance(scope, ast.LambdaExpression):
                call = place.parents.get(id(scope))
                if called(call) not in ("each", "filter", "map", "reverse_each", "with", "then"):
                    yield Unknown(code, node)
                    continue
                is_value = len(scope.parameters) > 1 and scope.parameters[1] is binding.node
                for each in arguments(call)[:1]:
                    yield from self._keys(place, each, depth + is_value, seen)
            else:
                yield from self._keys_of_parameter(place, binding, node, depth, seen)

    def _keys_of_parameter(
        self,
        code: Code,
        binding: Binding,
        node: ast.Node,
        depth: int,
        seen: set[tuple[int, int]],
    ) -> Iterator[Origin]:
        given = self._given(code, binding)
        if given is None:
            yield Unknown(code, node)
            return
        for place, value in given[2]:
            yield from self._keys(place, value, depth, seen)
        yield from self._of_data(code, binding, node, given, depth)

    def _keys_of_call(
        self, code: Code, node: ast.Node, depth: int, seen: set[tuple[int, int]]
    ) -> Iterator[Origin]:
        name, given = called(node), arguments(node)
        if name in LOOKUPS and given:
            key = string_of(given[0])
            yield Unknown(code, node) if key is None else Looked(code, node, key, depth)
            for each in given[1:]:  # one of them may be a default value
                if isinstance(each, ast.LiteralHash) and key is not None:
                    yield from self._keys(code, each, depth, seen)
        elif name in _SAME_KEYS:
            for each in given:
                yield from self._keys(code, each, depth, seen)
        elif name == "values" and len(given) == 1:
            yield from self._keys(code, given[0], depth + 1, seen)
        else:
            yield Unknown(code, node)

    def _is_read_again(self, code: Code, node: ast.VariableExpression) -> bool:
        """Tell whether something else reads the hash, for which its keys may mean other things."""
        scope = self._scope(code, node)
        count = sum(
            isinstance(each, ast.VariableExpression)
            and each.name == node.name
            and not isinstance(code.parents.get(id(each)), ast.AssignmentExpression)
            and self._scope(code, each) is scope
            for each in code.nodes
        )
        return count > 1

    def _scope(self, code: Code, node: ast.VariableExpression) -> ast.Node | None:
        """Return what binds a variable of its text in itself; None if nothing in the text does."""
        found = visible_at(code.program, node.start).get(node.name)
        return None if found is None else found.scope


def arguments(call: ast.Node | None) -> tuple[ast.Node, ...]:
    """Return the arguments of a call, the value before the dot as the first."""
    if isinstance(call, ast.CallNamedFunctionExpression):
        return call.arguments
    if isinstance(call, ast.CallMethodExpression):
        return (call.functor.left, *call.arguments)
    return ()


def is_reference(node: ast.Node) -> bool:
    """Tell whether an expression is a reference to resources, ``A::B['x']``, or a data type."""
    return isinstance(node, ast.AccessExpression) and isinstance(node.left, ast.QualifiedReference)
