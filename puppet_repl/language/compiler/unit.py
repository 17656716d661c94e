"""Units: the Python functions that a Puppet program becomes, while they are being made.

The main program and the bodies of classes, defines and nodes are scope units: their variables
live in the scope object that they get. Functions and lambdas are local units: their variables are
Python locals, prefixed with ``v_``, and a lambda finds those around it through Python's closures.
A lambda becomes a ``def`` in front of the statement that it is in.
"""

from __future__ import annotations

from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.compiler.build import (
    Spans,
    assign,
    attribute,
    call,
    item,
    name,
    tuple_of,
    walrus,
)
from puppet_repl.language.compiler.names import local_name
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal, TypeAlias, TypeVar

    from puppet_repl.language.compiler.build import Expr, Span, Stmt
    from puppet_repl.language.compiler.constants import Recipe
    from puppet_repl.language.compiler.program import SourceTree
    from puppet_repl.language.compiler.static_kinds import StaticKind
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Fixed

    T = TypeVar("T")
    UnitKind: TypeAlias = Literal["scope", "function", "lambda"]
    # Whether a local variable has a value for sure, or perhaps.
    Bound: TypeAlias = dict[str, Literal["set", "maybe"]]
    # What turns nodes of a class into an expression, or into statements of a unit.
    Lowering: TypeAlias = Callable[["Unit", Any], Expr]
    Emitter: TypeAlias = Callable[["Unit", Any, bool], None]
    Lowerings: TypeAlias = Mapping[type[ast.Node], Lowering]
    Emitters: TypeAlias = Mapping[type[ast.Node], Emitter]

READS_VARIABLES_BY_NAME = frozenset(
    (
        "call",
        "defined",
        "epp",
        "getvar",
        "hiera",
        "hiera_array",
        "hiera_hash",
        "hiera_include",
        "inline_epp",
        "inline_template",
        "lookup",
        "template",
    )
)
"""Functions that may read the variables of their caller."""

# Cheap filters: if nothing of them is in a source, no code there reads $0, $1 ...
_MATCH_VARIABLE = LatePattern(r"\$\{?\s*\d")
_IN_READERS = ("call", "defined", "epp", "getvar", "hiera", "lookup", "template")
"""Each name in READS_VARIABLES_BY_NAME contains one of these words."""


def _may_read_matches(text: str) -> bool:
    """Tell whether code of this text may read match variables."""
    for word in _IN_READERS:
        if word in text:
            return True
    return _MATCH_VARIABLE.search(text) is not None


class ProgramLowering:
    """The state that all units of one program share: constants, positions, functions.

    ``lowerings`` and ``emitters`` have a function for each class of nodes: see the module
    lowerings.
    """

    def __init__(
        self,
        tree: SourceTree,
        context: Context,
        lowerings: Lowerings,
        emitters: Mapping[type[ast.Node], Emitter | None],
    ) -> None:
        self.lowerings = lowerings
        self.emitters = emitters
        self.tree = tree
        self.source = source = tree.source
        self.context = context
        self.defined_functions = frozenset(
            [
                node.name
                for node in tree.program.definitions
                if isinstance(node, ast.FunctionDefinition)
            ]
        )
        text = source.text
        self.can_read_matches = len(text) > 1 and _may_read_matches(text)
        self._mentioned: dict[str, bool] = {}
        self.module: list[Stmt] = []
        self.constants: dict[str, object] = {}
        self.recipes: dict[str, Recipe] = {}
        self._constant_names: dict[int, str] = {}
        self._fixed: dict[Recipe, str] = {}
        self._last_number = 0
        spans = Spans(source)
        self.span, self.line = spans.of, spans.line
        self.kinds: dict[int, StaticKind | None] = {}
        self.no_trees: set[int] = set()
        self.no_types: set[int] = set()
        # The additions that may change their left operand, by id: see the module accumulation.
        self.growing: set[int] = set()
        # What of the session the code depends on: see ProgramCode.fits.
        self.builtins: dict[str, Function | None] = {}
        self.callers: dict[tuple[str, int], None] = {}
        self.builtin_callers: dict[str, None] = {}
        self.cells: list[str] = []

    def mentions(self, word: str) -> bool:
        """Tell whether a word is anywhere in the text, which costs less than going through it."""
        known = self._mentioned.get(word)
        if known is None:
            known = self._mentioned[word] = word in self.source.text
        return known

    def find_builtin(self, function: str) -> Function | None:
        """Return the built-in function of a name; None if the program defines that name."""
        if function in self.defined_functions:
            return None
        found = self.builtins[function] = visible_builtin(function, self.context)
        return found

    def calls_builtin(self, function: str) -> bool:
        """Tell whether a name is that of a built-in function that nothing has replaced so far."""
        return (
            function not in self.defined_functions
            and visible_builtin(function, self.context) is not None
        )

    def builtin_caller(self, function: str) -> str:
        """Return the global name by which code calls a built-in function, or what replaces it."""
        self.builtin_callers[function] = None
        return self.context.call_names.name_for_builtin(function)

    def caller(self, function: str, count: int) -> str:
        """Return the global name by which code calls a user's function with ``count`` arguments."""
        self.callers[function, count] = None
        return self.context.call_names.name_for(function, count)

    def number(self) -> int:
        """Return a number that no earlier call has returned."""
        self._last_number += 1
        return self._last_number

    def constant(self, value: object, recipe: Recipe, hint: str) -> str:
        """Return the global name of a value that Python has no literal for, made by a recipe."""
        known = self._constant_names.get(id(value))
        if known is None:
            known = f"{hint}{len(self.constants)}"
            self.constants[known] = value
            self.recipes[known] = recipe
            self._constant_names[id(value)] = known
        return known

    def fixed(self, value: Fixed, recipe: Recipe) -> str:
        """Return the global name of what returns the value of a recipe."""
        known = self._fixed.get(recipe)
        if known is None:
            known = self._fixed[recipe] = self.constant(value, ("fixed", recipe), "fixed_")
        return known


def visible_builtin(function: str, context: Context) -> Function | None:
    """Return the built-in function of a name; None if the session defines that name."""
    return None if function in context.functions else context.find_builtin(function)


class Unit:
    """One Python function under construction.

    ``bound`` says of each local variable whether it surely has a value here ("set") or perhaps
    ("maybe"). ``match`` is the local that holds the last match, None if nobody can read it.
    """

    def __init__(
        self,
        program: ProgramLowering,
        kind: UnitKind,
        parent: Unit | None = None,
        node: ast.Node | None = None,
        *,
        is_main: bool = False,
    ) -> None:
        self.program = program
        self.span, self.line = program.span, program.line
        self.kind = kind
        self.parent = parent
        # Not the root itself: a cycle would keep the trees of a program until garbage is collected.
        self.root_kind: UnitKind = kind if parent is None else parent.root_kind
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.statements: list[Stmt] = []
        self.bound: Bound = {}
        self.kinds: dict[str, StaticKind | None] = {}
        self.names: dict[str, str] = {}
        self.pending: tuple[str, ...] = ()
        self.current_parameter: str | None = None
        self.closure_name: str | None = None
        # How many names of temporaries and of lambdas the statement so far has taken.
        self.taken = 0
        self.unset: dict[str, None] = {}
        self.checks_result: Callable[[Expr, Span], Expr] | None = None
        self.tracks_match: bool
        self.match: str | None
        if parent is None:
            self.tracks_match = node is not None and program.can_read_matches and _reads_match(node)
            self.match = "m0" if self.tracks_match or is_main else None
        else:
            self.tracks_match = parent.tracks_match
            self.match = parent.match if self.tracks_match else None
            if self.tracks_match and node is not None and may_match(node):
                self.match = f"m{self.depth}"

    def sibling(self) -> Unit:
        """Return a unit for another function at the same point, which sees the same variables."""
        unit = Unit(self.program, self.kind, self.parent)
        unit.tracks_match = self.tracks_match
        unit.bound = self.bound
        unit.kinds = self.kinds
        return unit

    # Names of the runtime

    @property
    def variables(self) -> str:
        """The Python name of the dict that holds variables of the scope around."""
        return "V" if self.root_kind == "scope" else "T"

    @property
    def scope(self) -> str:
        """The Python name of the scope object around."""
        return "scope" if self.root_kind == "scope" else "TOP"

    def local(self, variable: str) -> str:
        """Return the Python name of a local variable."""
        return self.names.get(variable) or local_name(variable)

    def name_local(self, variable: str) -> str:
        """Choose the Python name of a variable that is bound here.

        A lambda that reads a variable of the unit around it before it binds its own needs another
        name than that one's, for in Python a name is local to all of a function or to none of it.
        """
        level = self.parent
        while level is not None and level.kind != "scope":
            if variable in level.bound:
                self.names[variable] = f"v{self.depth}_{variable}"
                break
            level = level.parent
        return self.local(variable)

    def temporary(self, hint: str = "t") -> str:
        """Return a Python local that nothing else uses in this statement or those around it.

        The next statement uses it again: what Python's compiler does for a function is in
        proportion to its locals times the functions in it, and a long program has many of both.
        """
        self.taken += 1
        return f"{hint}{self.taken}"

    def constant(self, value: object, recipe: Recipe, span: Span, hint: str) -> Expr:
        """Return a reference to a value that Python has no literal for."""
        return name(self.program.constant(value, recipe, hint), span)

    # Lowering

    def lower(self, node: ast.Node) -> Expr:
        """Return the Python expression for a Puppet expression."""
        return self.program.lowerings[type(node)](self, node)

    def lower_all(self, nodes: Iterable[ast.Node]) -> list[Expr]:
        """Lower several nodes."""
        return [self.lower(node) for node in nodes]

    def set_match(self, found: Expr, span: Span) -> Expr:
        """Keep a match. Classes that are evaluated from here see that of their scope too."""
        assert self.match is not None
        if self.kind == "scope":
            found = call("set_match", [name("scope", span), found], span)
        return walrus(self.match, found, span)

    def saved_match(self, node: ast.Node, make: Callable[[], Expr], span: Span) -> Expr:
        """Return an expression after which the match variables are what they were before it."""
        if self.match is None or not may_match(node):
            return make()
        saved = self.temporary()
        before = walrus(saved, name(self.match, span), span)
        value = make()
        after = self.set_match(name(saved, span), span)
        return item(tuple_of([before, value, after], span), 1, span)

    # Branches

    def branch(self, work: Callable[[], T]) -> tuple[T, Bound]:
        """Lower code that may not be evaluated; return also the variables that it binds."""
        before = self.bound
        kinds = self.kinds
        self.bound = dict(before)
        self.kinds = dict(kinds)
        result = work()
        after = self.bound
        self.bound = before
        self.kinds = kinds
        return result, after

    def merge(self, branches: list[Bound], exhaustive: bool) -> None:
        """Take over what branches bound: surely where all of them did and one must run."""
        names: dict[str, None] = {}
        for branch in branches:
            names.update(dict.fromkeys(branch))
        for variable in names:
            if self.bound.get(variable) == "set":
                continue
            if exhaustive and all(branch.get(variable) == "set" for branch in branches):
                self.bound[variable] = "set"
            else:
                self.bound[variable] = "maybe"
                self.unset[variable] = None
            self.kinds.pop(variable, None)

    def block(self, work: Callable[[], None]) -> list[Stmt]:
        """Return the statements that ``work`` emits."""
        outer = self.statements
        made: list[Stmt] = []
        self.statements = made
        work()
        self.statements = outer
        return made

    def _first_match(self, span: Span) -> Expr:
        """Return the match that is visible where the unit begins."""
        if self.parent is not None:
            return name(self.parent.match or "None_", span)
        if self.kind == "scope":
            return call("visible_match", [name("scope", span)], span)
        return name("None_", span)

    def prologue(self, span: Span) -> list[Stmt]:
        """Return the statements that precede the body."""
        made: list[Stmt] = []
        if self.parent is None and self.kind == "scope":
            made.append(assign("V", attribute("scope", "variables", span), span))
        if self.match == f"m{self.depth}":
            made.append(assign(self.match, self._first_match(span), span))
        for variable in self.unset:
            made.append(assign(self.local(variable), name("UNSET", span), span))
        return made


def _reads_match(node: ast.Node) -> bool:
    """Tell whether anything in here can read match variables, directly or by name."""
    pending = [node]
    first = True
    while pending:
        part = pending.pop()
        if type(part) in _LEAVES:
            continue
        functor: ast.Node | None = None
        if isinstance(part, ast.VariableExpression):
            if part.name[:1].isdigit():
                return True
            continue
        if isinstance(part, ast.CallNamedFunctionExpression):
            functor = part.functor
        elif isinstance(part, ast.NamedAccessExpression):
            functor = part.right
        elif isinstance(part, _DEFINITIONS) and not first:
            continue
        if isinstance(functor, ast.QualifiedName) and functor.value in READS_VARIABLES_BY_NAME:
            return True
        first = False
        pending.extend(part.children())
    return False


def may_match(node: ast.Node) -> bool:
    """Tell whether evaluating this, lambdas and definitions aside, can set match variables."""
    pending = [node]
    first = True
    while pending:
        part = pending.pop()
        if type(part) in _LEAVES:
            continue
        if isinstance(part, ast.MatchExpression | ast.InExpression):
            return True
        if isinstance(part, ast.CaseOption):
            if not all(type(value) in _LEAVES for value in part.values):
                return True
        elif isinstance(part, ast.SelectorEntry):
            if type(part.matching) not in _LEAVES:
                return True
        elif isinstance(part, _APART) and not first:
            continue
        first = False
        pending.extend(part.children())
    return False


_DEFINITIONS = (
    ast.HostClassDefinition,
    ast.ResourceTypeDefinition,
    ast.NodeDefinition,
    ast.FunctionDefinition,
    ast.TypeAlias,
)
_APART = (ast.LambdaExpression, *_DEFINITIONS)
_LEAVES = frozenset(
    (
        ast.LiteralInteger,
        ast.LiteralFloat,
        ast.LiteralString,
        ast.LiteralBoolean,
        ast.LiteralUndef,
        ast.LiteralDefault,
        ast.QualifiedName,
        ast.QualifiedReference,
    )
)
