"""Compiling a validated tree to a code object, and running it."""

from __future__ import annotations

import _ast
import marshal
from itertools import islice

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.memory import (
    NO_ALLOCATION,
    ExtraMemory,
    clear_frames,
    pause_collection,
    resume_collection,
)
from puppet_repl.base.recursion import RoomForCalls
from puppet_repl.language.compiler.build import function
from puppet_repl.language.compiler.lowerings import start_lowering
from puppet_repl.language.compiler.names import names_in, provide
from puppet_repl.language.compiler.statements import emit_body, emit_scope_function
from puppet_repl.language.compiler.unit import Unit, may_match, visible_builtin
from puppet_repl.language.runtime.signals import Signal
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

    from puppet_repl.language.compiler.build import Span
    from puppet_repl.language.compiler.constants import Recipe
    from puppet_repl.language.compiler.plans import Plan, Template
    from puppet_repl.language.compiler.unit import ProgramLowering
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.outline import Outline
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value


class SourceTree:
    """A well-formed text, and its tree, made at first use.

    Code from a cache runs without the tree. Only locations of errors, the debugger and the calls of
    blocks need it.
    """

    __slots__ = ("_is_epp", "_program", "_variables", "source")

    def __init__(
        self, source: Source, program: ast.Program | None = None, *, is_epp: bool = False
    ) -> None:
        self.source = source
        self._program = program
        self._is_epp = is_epp
        self._variables: dict[int, ProgramCode] = {}

    @property
    def program(self) -> ast.Program:
        """The tree; always the same object."""
        program = self._program
        if program is None:
            with RoomForCalls():  # calls that are too deep are located by the tree
                program = self._program = parse(self.source, epp=self._is_epp)
        return program

    def drop(self) -> None:
        """Forget the tree; it is parsed again for those who ask."""
        self._program = None

    def node(self, start: int, end: int) -> ast.Node:
        """Return the function or lambda that reaches from an offset of the text to another one."""
        for node in self.program.walk():
            if (
                node.start == start
                and node.end == end
                and isinstance(node, ast.FunctionDefinition | ast.LambdaExpression)
            ):
                return node
        raise LookupError(f"no function from {start} to {end}")

    def read_variable(self, start: int, scope: Scope) -> Value:
        """Return the value of the variable at an offset, as code of its own reads it in a scope.

        So an error or a warning has its location.
        """
        context = scope.context
        code = self._variables.get(start)
        if code is None or not code.fits(context):
            code = compile_tree(
                self, context, lambda tree, context: _lower_variable(tree, start, context)
            )
            self._variables[start] = code
            self.drop()
        return CompiledProgram(code, context)._main(scope)


class LoweredProgram:
    """The Python module of a program, before compilation; ``template`` is a declared template."""

    __slots__ = ("lowering", "module", "plans", "template")

    def __init__(
        self,
        module: _ast.Module,
        lowering: ProgramLowering,
        plans: tuple[Plan, ...],
        template: Template | None = None,
    ) -> None:
        self.module = module
        self.lowering = lowering
        self.plans = plans
        self.template = template


def lower_program(tree: SourceTree, context: Context) -> LoweredProgram:
    """Lower a program to a Python module: its definitions, and ``main(scope)``.

    The module of a single definition, as in the files of modules, has no ``main``.
    """
    program = tree.program
    lowering = start_lowering(tree, context)
    plans: tuple[Plan, ...] = ()
    if program.definitions:
        from puppet_repl.language.compiler.definitions import emit_definitions

        plans = emit_definitions(lowering, program.definitions)
        if program.body is program.definitions[0]:
            return LoweredProgram(_ast.Module(lowering.module, []), lowering, plans)
    span = lowering.span(program.body)
    unit = Unit(lowering, "scope", None, program, is_main=may_match(program))
    emit_body(unit, program.body, span)
    main = function("main", ("scope",), unit.prologue(span) + unit.statements, span)
    module = _ast.Module([*lowering.module, main], [])
    return LoweredProgram(module, lowering, plans)


def _lower_variable(tree: SourceTree, start: int, context: Context) -> LoweredProgram:
    """Lower the variable at an offset to a Python module with ``main(scope)``."""
    lowering = start_lowering(tree, context)
    variable = next(
        node
        for node in tree.program.walk()
        if node.start == start and isinstance(node, ast.VariableExpression)
    )
    emit_scope_function(lowering, "main", variable, lowering.span(variable))
    return LoweredProgram(_ast.Module(lowering.module, []), lowering, ())


class ProgramCode:
    """The code that a program was compiled to; sessions may share it, if it fits them.

    ``constants`` are the values of its global names that Python has no literals for; code from a
    cache that has not run yet has None. They are made from ``recipes``, which come from a cache as
    bytes of marshal. Each session has its own ``cells``. ``builtins`` are the built-in functions
    that the code was compiled for, None for a name that the session had defined; the code
    ``is_general`` if the session had defined none of these names. ``callers`` and
    ``builtin_callers`` are functions that the code calls.
    """

    __slots__ = (
        "_outline",
        "builtin_callers",
        "builtins",
        "callers",
        "cells",
        "code",
        "constants",
        "is_general",
        "names_in_code",
        "plans",
        "recipes",
        "template",
        "tree",
    )

    tree: SourceTree
    code: CodeType
    _outline: Outline | None
    plans: tuple[Plan, ...]
    template: Template | None
    names_in_code: tuple[str, ...]
    recipes: dict[str, Recipe] | bytes
    constants: dict[str, object] | None
    cells: tuple[str, ...]
    builtins: dict[str, Function | None]
    is_general: bool
    callers: tuple[tuple[str, int], ...]
    builtin_callers: tuple[str, ...]

    @property
    def outline(self) -> Outline:
        """What the program defines."""
        if self._outline is None:
            from puppet_repl.language.syntax.outline import outline_of

            self._outline = outline_of(self.tree.program)
        return self._outline

    @outline.setter
    def outline(self, outline: Outline) -> None:
        self._outline = outline

    def fits(self, context: Context) -> bool:
        """Tell whether the functions that a session has are those that the code was made for."""
        if self.is_general:
            return context.functions.keys().isdisjoint(self.builtins)
        for name, builtin in self.builtins.items():
            if visible_builtin(name, context) is not builtin:
                return False
        return True

    def names(self, context: Context) -> dict[str, Any]:
        """Return the global names that the code needs to run in a session."""
        provide(self.names_in_code, context)
        for function_name, count in self.callers:
            context.call_names.name_for(function_name, count)
        for function_name in self.builtin_callers:
            context.call_names.name_for_builtin(function_name)
        names: dict[str, Any] = dict(self._made_constants(context))
        for cell in self.cells:
            names[cell] = type(names[cell])()  # it remembers a type of one session
        names["__builtins__"] = context.names
        return names

    def _made_constants(self, context: Context) -> dict[str, object]:
        """Return the constants; PuppetError where they cannot be made, as in compile_tree()."""
        recipes = self.recipes  # read first: another thread may make the constants and drop them
        constants = self.constants
        if constants is None:
            from puppet_repl.language.compiler.constants import constant_of

            tree = self.tree
            if isinstance(recipes, bytes):
                recipes = marshal.loads(recipes)
            try:
                constants = {
                    name: constant_of(recipe, tree, context) for name, recipe in recipes.items()
                }
            except Exception as error:
                raise _not_compiled(error, tree.source) from None
            self.constants = constants
            self.recipes = {}
        return constants


def _not_compiled(error: Exception, source: Source) -> PuppetError:
    """Return the error of an input whose compilation has ended with an exception."""
    if isinstance(error, RecursionError):
        return PuppetError("The program is nested too deeply", source=source, start=0)
    # A defect of the compiler ends the input, not the session.
    return error if isinstance(error, PuppetError) else located(error)


def _python_code(module: _ast.Module, file: str) -> CodeType:
    try:
        return compile(module, file, "exec")
    except RecursionError:
        from puppet_repl.language.compiler.flattening import flatten

        flatten(module)
        return compile(module, file, "exec")


def compile_tree(
    tree: SourceTree,
    context: Context,
    lower: Callable[[SourceTree, Context], LoweredProgram] = lower_program,
) -> ProgramCode:
    """Compile a validated tree; ``lower`` makes its Python module. Raises PuppetError."""
    source = tree.source
    made = ProgramCode()
    try:
        pause_collection()
        lowered = lower(tree, context)
        made.code = _python_code(lowered.module, source.name or "<puppet>")
    except Exception as error:
        raise _not_compiled(error, source) from None
    finally:
        resume_collection()
    lowering = lowered.lowering
    made.tree = tree
    made._outline = None
    made.plans = lowered.plans
    made.template = lowered.template
    made.names_in_code = names_in(made.code)
    made.recipes = lowering.recipes
    made.constants = lowering.constants
    made.cells = tuple(lowering.cells)
    made.builtins = lowering.builtins
    made.is_general = context.functions.keys().isdisjoint(lowering.builtins)
    made.callers = tuple(lowering.callers)
    made.builtin_callers = tuple(lowering.builtin_callers)
    return made


def _do_nothing(_: Scope) -> None:
    """Stand for the code outside of definitions where there is none."""


class CompiledProgram:
    """A program ready to run in a session. ``definitions`` are its classes, defines and nodes."""

    is_template = False

    def __init__(self, code: ProgramCode, context: Context, module_name: str | None = None) -> None:
        self._code = code
        self._tree = code.tree
        self.source = code.tree.source
        self.context = context
        self.module_name = module_name
        self._nodes: dict[Span, ast.Node] | None = None
        self.definitions: tuple[Definition, ...] = ()
        self._plans = code.plans
        self.names = names = code.names(context)
        names["__puppet__"] = self
        exec(code.code, names)
        self._main: Callable[[Scope], Value] = names.get("main", _do_nothing)

    @property
    def outline(self) -> Outline:
        """What the program defines."""
        return self._code.outline

    @property
    def tree(self) -> ast.Program:
        """The tree of the program; code from a cache has it parsed at the first question."""
        return self._tree.program

    @property
    def nodes(self) -> dict[Span, ast.Node]:
        """The nodes by the positions that their code carries; made for the first error."""
        if self._nodes is None:
            from puppet_repl.language.compiler.locations import nodes_by_span

            self._nodes = nodes_by_span(self)
        return self._nodes

    def node_of(self, code: CodeType, instruction: int) -> ast.Node | None:
        """Return the node whose code an instruction (the offset of its bytes) belongs to."""
        position = next(islice(code.co_positions(), instruction // 2, None), None)
        if position is None:
            return None
        line, end_line, column, end_column = [part or 0 for part in position]
        return self.nodes.get((line, column, end_line, end_column))

    def define(self, *, declare: bool = False) -> None:
        """Define functions and types, and make the Definitions of classes, defines and nodes.

        With ``declare`` the catalog gets these too.
        """
        if self._plans:
            from puppet_repl.language.compiler.registration import register

            self.definitions = register(self, self._plans, declare=declare)

    def define_all(self) -> None:
        """Make known what the program defines; the catalog gets classes, defines and nodes."""
        try:
            self.define(declare=True)
        except Exception as error:
            raise located(error) from None

    def evaluate(self, scope: Scope | None = None) -> Value:
        """Evaluate the code outside of definitions in a scope, by default the top scope."""
        try:
            return self._main(self.context.top if scope is None else scope)
        except Exception as error:
            raise located(error) from None

    def run(self) -> Value:
        """Define what the program defines, then evaluate it in the top scope."""
        self.define_all()
        return self.evaluate()


def located(error: BaseException) -> PuppetError:
    """Return the finished error for what left compiled code.

    The traceback is cleared: its frames would keep all values of the program alive.
    """
    if isinstance(error, NO_ALLOCATION):
        clear_frames(error)
        with ExtraMemory():
            return _located(error)
    return _located(error)


def _located(error: BaseException) -> PuppetError:
    from puppet_repl.language.compiler.failures import keep_failure
    from puppet_repl.language.compiler.locations import locate

    made = locate(error)
    keep_failure(error, made)
    if isinstance(error, (PuppetError, Signal, RecursionError, *NO_ALLOCATION)):
        error.__traceback__ = None
        made.__cause__ = None
    return made
