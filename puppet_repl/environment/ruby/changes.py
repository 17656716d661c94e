"""Arrays and hashes that Ruby code has changed in place: the variables that have them change.

Values are immutable here: a variable gets another value, and if it is a parameter of a class or
define, the resource gets that value, too. Ruby tells which have changed; see shim/shared.rb.
"""

from __future__ import annotations

import sys

from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog.resource import Resource
from puppet_repl.environment.ruby.functions import RubyFunction, RubyLegacyFunction
from puppet_repl.environment.ruby.numbers import next_number
from puppet_repl.environment.ruby.variables import visible_value
from puppet_repl.language.functions.registry import Function, LegacyFunction
from puppet_repl.language.runtime.closure import Closure
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import Any

    from puppet_repl.language.compiler.program import CompiledProgram
    from puppet_repl.language.runtime.closure import CallableSpec
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.layers import AnyFunction
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value

    # A variable, a parameter, or an argument with the frame of the call.
    Origin = tuple[Scope | Resource, str] | tuple[Value, FrameType, Scope]

# Parameters of resources are values of variables, and classes have bodies that run.
_READING = (ast.QualifiedReference, ast.ResourceExpression)

# Variables of the top scope that are no facts.
_OF_TOP_SCOPE = frozenset(("environment", "module_name", "name", "title"))

_ALWAYS_FROZEN = ("title", "name", "module_name", "caller_module_name")

# Functions that make new strings, which may be the same objects here. Strings with ${} are others.
_MAKING_STRINGS = frozenset(
    (
        *("camelcase", "capitalize", "chomp", "chop", "downcase", "join", "lstrip", "regsubst"),
        *("rstrip", "sprintf", "strip", "upcase"),
    )
)


class Changes:
    """The arrays and hashes that Ruby code has got while a call lasts, by number."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._variables: dict[tuple[int, str], int] = {}
        self._origins: dict[int, Origin] = {}
        # The strings that a text gives to variables and attributes, by the identity of the text.
        self._given: dict[int, tuple[Source, dict[str, Given]]] = {}
        # The facts with all that is in them, by identity, and the facts that were looked through.
        self._constants: dict[int, Value] = {}
        self._searched: dict[str, Value] = {}

    def number_of_variable(
        self, scope: Scope, name: str, value: Value, *, with_strings: bool = False
    ) -> int | None:
        """Return the number of a variable, the same whenever it is read.

        None for values that cannot change: flat ones, and facts by any name.
        """
        kind = type(value)
        if kind is not tuple and kind is not PuppetHash and not (with_strings and kind is str):
            return None
        if (kind is not str and id(value) in self.constants()) or self.is_fact(scope, name):
            return None
        key = id(scope), name
        number = self._variables.get(key)
        if number is None:
            number = self._variables[key] = next_number()
            self._origins[number] = scope, name
        return number

    @property
    def any_numbered(self) -> bool:
        """Whether Ruby code has any that it may have changed."""
        return bool(self._origins)

    def number_of_parameter(self, resource: Resource, name: str, value: Value) -> int | None:
        """Return the number of a parameter, that of its variable; None for flat values."""
        if type(value) is not tuple and type(value) is not PuppetHash:
            return None
        scope: Scope | None = self.context.scope
        while scope is not None and scope.resource is not resource:
            scope = scope.outer
        if resource.is_class:
            scope = self.context.catalog.bodies.class_scope(resource.title)
        if scope is not None and scope.variables.get(name) is value:
            return self.number_of_variable(scope, name, value)
        number = next_number()
        self._origins[number] = resource, name
        return number

    def numbers_of_arguments(self, args: tuple[Value, ...]) -> list[tuple[int, int]]:
        """Return index and number of each argument that is an array or hash."""
        found: list[tuple[int, int]] = []
        for index, value in enumerate(args):
            if type(value) is tuple or type(value) is PuppetHash:
                if id(value) in self.constants():
                    continue
                number = next_number()
                frame = sys._getframe(1)
                self._origins[number] = value, _calling(frame), self.context.scope
                found.append((index, number))
        return found

    def is_fact(self, scope: Scope, name: str) -> bool:
        """Tell whether a variable is a fact or the like, which Ruby code cannot change."""
        return scope is self.context.top and name in self.context.fixed

    def constants(self) -> dict[int, Value]:
        """Return the facts that have been read, with all that is in them, by identity."""
        top = self.context.top.variables
        for name in self.context.fixed:
            value = top.get(name)
            if self._searched.get(name) is not value and name not in _OF_TOP_SCOPE:
                self._searched[name] = value
                _add_parts(value, self._constants)
        return self._constants

    def is_known(self, number: int) -> bool:
        """Whether this is the number of a variable, parameter or argument of the call."""
        return number in self._origins

    def make(self, number: int, new: Value) -> None:
        """Give the variable or argument of a number its changed value."""
        origin = self._origins[number]
        if len(origin) == 2:
            at, name = origin
            if isinstance(at, Resource):
                self._set_parameter(at, name, at.value(name), new)
            else:
                others = self._same_variables(at, name, at.variables[name])
                for holder, leaf in ((at, name), *others):
                    self._assign(holder, leaf, new)
            return
        old, frame, scope = origin
        self._origins[number] = new, frame, scope
        # Equal literals may be one object, so only the variables of the call count.
        for name in _names_read(frame):
            where, leaf = self.place(scope, name)
            if where is not None:
                value = where.variables[leaf]
                changed = replaced(value, {id(old): new})
                if changed is not value:
                    self._assign(where, leaf, changed)

    def frozen_strings(self, scope: Scope, name: str, value: Value) -> set[str]:
        """Return the strings of a variable that are frozen in Ruby: literals and those of facts.

        All that are computed or read otherwise are not. A string that is equal to a literal that
        the program gives the variable is taken for it.
        """
        found: set[str] = set()
        is_made = False
        resource = scope.resource
        sources = [program.source for program in _programs()]
        if scope.source is not None:
            sources.append(scope.source.source)
        if resource is not None and scope.kind in ("class", "define"):
            if name in _ALWAYS_FROZEN and isinstance(scope.variables.get(name), str):
                found.add(scope.variables[name])
            parameter = resource.parameters.get(name)
            if parameter is not None and parameter.source is not None:
                sources.append(parameter.source)
        for source in sources:
            if id(source) not in self._given:
                self._given[id(source)] = source, _given(source)
            given = self._given[id(source)][1].get(name)
            if given is not None:
                found |= given.literals
                is_made = is_made or given.is_made
        if not is_made and self.constants():
            _add_texts(value, self.constants(), found)
        return found

    def _same_variables(self, scope: Scope, name: str, value: Value) -> list[tuple[Scope, str]]:
        """Return the variables that the calling program assigns the variable to, or from.

        The same value is not enough: equal literals may be one object.
        """
        found = []
        for left, right in _assignments(_calling(sys._getframe(1))):
            for one, other in ((left, right), (right, left)):
                where, leaf = self.place(scope, other) if one == name else (None, "")
                if where is not None and where.variables.get(leaf) is value:
                    found.append((where, leaf))
        return found

    def place(self, scope: Scope, name: str) -> tuple[Scope | None, str]:
        """Return the scope that has a variable, and the last part of its name."""
        class_name, _, leaf = name.removeprefix("::").rpartition("::")
        if not class_name:
            return visible_value(self.context.top if "::" in name else scope, leaf)[1], leaf
        at = self.context.catalog.bodies.class_scope(class_name)
        while at is not None and leaf not in at.variables:
            at = at.inherited
        return at, leaf

    def _assign(self, scope: Scope, name: str, value: Value) -> None:
        if self.is_fact(scope, name):  # an empty array, which is the same object everywhere
            return
        old = scope.variables[name]
        if scope.kind in ("class", "node"):
            self.context.catalog.state.keep(Bindings(scope))
        scope.variables[name] = value
        resource = scope.resource
        if resource is not None and scope.kind in ("class", "define"):
            self._set_parameter(resource, name, old, value)

    def _set_parameter(self, resource: Resource, name: str, old: Value, new: Value) -> None:
        """Set a parameter that had the value, for all titles of the statement that set it."""
        parameter = resource.parameters.get(name)
        if parameter is None or parameter.value is not old:
            return
        catalog = self.context.catalog
        changed = parameter.with_value(new)
        for each in (resource, *catalog.tables.members):
            if each.parameters.get(name) is parameter:
                catalog.state.touch(each)
                each.parameters[name] = changed
                each.checked = False

    def clear(self) -> None:
        """Forget all, when the outermost call has ended."""
        self._variables.clear()
        self._origins.clear()


class Readers:
    """The functions and lambdas that may read variables; each lambda is looked through once."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._known: dict[CallableSpec, bool] = {}

    def has_function(self, function: AnyFunction) -> bool:
        """Tell whether a function may read variables, apart from those in a lambda for it.

        The code of one in Ruby asks for each variable that it reads.
        """
        if isinstance(function, (RubyFunction, RubyLegacyFunction)):
            return False
        if type(function) is not Function and type(function) is not LegacyFunction:
            return True
        for dispatch in function.dispatches:
            dispatch.prepare()
        return any(dispatch.wants_context for dispatch in function.dispatches)

    def has_block(self, block: Value) -> bool:
        """Tell whether a lambda may read variables other than its own."""
        if not isinstance(block, Closure):
            return True
        known = self._known.get(block.spec)
        if known is None:
            known = self._known[block.spec] = self._reads(block.spec.node)
        return known

    def clear(self) -> None:
        """Forget all, when the outermost call has ended."""
        self._known.clear()

    def _reads(self, node: ast.Node) -> bool:
        parts = [*node.walk()]
        own = {part.name for part in parts if isinstance(part, ast.Parameter)}
        for part in parts:
            if isinstance(part, _READING):
                return True
            if isinstance(part, ast.VariableExpression) and part.name not in own:
                return True
            if isinstance(part, ast.CallNamedFunctionExpression):
                called = part.functor
            elif isinstance(part, ast.CallMethodExpression):
                called = part.functor.right
            else:
                continue
            name = called.value if isinstance(called, ast.QualifiedName) else ""
            function = self.context.lookup_function(name)
            if function is None or self.has_function(function):
                return True
        return False


class Bindings:
    """The variables of a scope, as a part of the state that is marked."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def mark(self) -> dict[str, Any]:
        """Return them."""
        return dict(self._scope.variables)

    def return_to(self, mark: dict[str, Any]) -> None:
        """Set them to a mark, earlier or later."""
        self._scope.variables.clear()
        self._scope.variables.update(mark)


class Given:
    """What a text gives a variable: the literal strings, and whether it makes others."""

    __slots__ = ("is_made", "literals")

    def __init__(self) -> None:
        self.literals: set[str] = set()
        self.is_made = False


def _add_parts(value: Any, found: dict[int, Value]) -> None:
    """Add a value and all in it by identity: strings, arrays and hashes, but not ``[]``."""
    parts = _parts(value)
    if (parts or type(value) is PuppetHash or type(value) is str) and id(value) not in found:
        found[id(value)] = value
        for part in parts:
            _add_parts(part, found)


def _add_texts(value: Any, constants: dict[int, Value], found: set[str]) -> None:
    """Add the strings in a value that are among the constants."""
    if type(value) is str and id(value) in constants:
        found.add(value)
    for part in _parts(value):
        _add_texts(part, constants, found)


def _parts(value: Any) -> tuple[Any, ...]:
    """Return the items of an array, or the keys and values of a hash."""
    if type(value) is PuppetHash:
        return (*value, *value.values())
    return value if type(value) is tuple else ()


def replaced(value: Any, made: dict[int, Value]) -> Value:
    """Return a value with other ones in place of objects in it; else the same value.

    ``made`` has the other ones by the identity of the object, and gets those of shared parts.
    """
    is_hash = type(value) is PuppetHash
    if not is_hash and type(value) is not tuple:
        return value
    if id(value) not in made:
        old = [*value.values()] if is_hash else value
        new = [replaced(item, made) for item in old]
        if all(one is other for one, other in zip(new, old, strict=True)):
            made[id(value)] = value
        else:
            made[id(value)] = PuppetHash(zip(value, new, strict=True)) if is_hash else tuple(new)
    return made[id(value)]


def _calling(frame: FrameType | None) -> FrameType:
    """Return the frame of Puppet code that called."""
    while frame is not None and "__puppet__" not in frame.f_globals:
        frame = frame.f_back
    return sys._getframe() if frame is None else frame


def _names_read(frame: FrameType) -> Iterator[str]:
    """Yield the names of the variables in the call that a frame of Puppet code is at."""
    program = frame.f_globals.get("__puppet__")
    node = None if program is None else program.node_of(frame.f_code, frame.f_lasti)
    if node is not None:
        for part in node.walk():
            if isinstance(part, ast.VariableExpression):
                yield part.name


def _programs() -> Iterator[CompiledProgram]:
    """Yield the programs whose code is running."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        program = frame.f_globals.get("__puppet__")
        if program is not None:
            yield program
        frame = frame.f_back


def _given(source: Source) -> dict[str, Given]:
    """Return what variables and attributes get by name; literals are bare words and ``'...'``."""
    found: dict[str, Given] = {}
    try:
        tree = parse(source)
    except PuppetError:  # a template has a syntax of its own
        return found
    for node in tree.walk():
        if isinstance(node, ast.AssignmentExpression):
            if not isinstance(node.left, ast.VariableExpression):
                continue
            name, value = node.left.name, node.right
        elif isinstance(node, (ast.Parameter, ast.AttributeOperation)) and node.value is not None:
            name, value = node.name, node.value
        else:
            continue
        given = found.setdefault(name, Given())
        for part in value.walk():
            is_string = isinstance(part, ast.LiteralString) and source.text[part.start] == "'"
            if is_string or isinstance(part, ast.QualifiedName):
                assert isinstance(part, (ast.LiteralString, ast.QualifiedName))
                given.literals.add(part.value)
            elif _makes_strings(part):
                given.is_made = True
    return found


def _makes_strings(node: ast.Node) -> bool:
    if isinstance(node, ast.CallNamedFunctionExpression):
        called: ast.Node = node.functor
    elif isinstance(node, ast.CallMethodExpression):
        called = node.functor.right
    else:
        return isinstance(node, ast.ConcatenatedString)
    return isinstance(called, ast.QualifiedName) and called.value in _MAKING_STRINGS


def _assignments(frame: FrameType) -> Iterator[tuple[str, str]]:
    """Yield the names in each ``$a = $b`` of the program that a frame is of."""
    program = frame.f_globals.get("__puppet__")
    for node in () if program is None else program.tree.walk():
        if isinstance(node, ast.AssignmentExpression):
            left, right = node.left, node.right
            if isinstance(left, ast.VariableExpression) and isinstance(
                right, ast.VariableExpression
            ):
                yield left.name, right.name
