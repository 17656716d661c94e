"""Compiling a validated tree to a code object, and running it."""

from __future__ import annotations

import _ast
from itertools import islice

from puppet_repl.base.memory import (
    NO_ALLOCATION,
    ExtraMemory,
    clear_frames,
    pause_collection,
    resume_collection,
)
from puppet_repl.compiler.build import function
from puppet_repl.compiler.lowerings import start_lowering
from puppet_repl.compiler.names import names_in, provide
from puppet_repl.compiler.statements import emit_body
from puppet_repl.compiler.unit import Unit, may_match, visible_builtin
from puppet_repl.errors import PuppetError
from puppet_repl.runtime.signals import Signal
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

    from puppet_repl.compiler.build import Span
    from puppet_repl.compiler.definitions import Plan
    from puppet_repl.compiler.unit import ProgramLowering
    from puppet_repl.runtime.context import Context
    from puppet_repl.runtime.declarations import Definition
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.values.protocols import Value


class LoweredProgram:
    """The Python module of a program, before it is compiled."""

    __slots__ = ("lowering", "plans", "tree")

    def __init__(
        self, tree: _ast.Module, lowering: ProgramLowering, plans: tuple[Plan, ...]
    ) -> None:
        self.tree = tree
        self.lowering = lowering
        self.plans = plans


def lower_program(program: ast.Program, context: Context) -> LoweredProgram:
    """Lower a program to a Python module: its definitions, and ``main(scope)``."""
    lowering = start_lowering(program.source, context, program.definitions)
    plans: tuple[Plan, ...] = ()
    if program.definitions:
        from puppet_repl.compiler.definitions import emit_definitions

        plans = emit_definitions(lowering, program.definitions)
    span = lowering.span(program.body)
    unit = Unit(lowering, "scope", None, program.body, is_main=may_match(program.body))
    emit_body(unit, program.body, span)
    main = function("main", ("scope",), unit.prologue(span) + unit.statements, span)
    tree = _ast.Module([*lowering.module, main], [])
    return LoweredProgram(tree, lowering, plans)


class ProgramCode:
    """What a program was compiled to; sessions may share it, if it fits them.

    ``lower`` makes the Python module of the tree.
    """

    __slots__ = (
        "_builtin_callers",
        "_builtins",
        "_callers",
        "_cells",
        "_constants",
        "_names",
        "code",
        "plans",
        "tree",
    )

    def __init__(
        self,
        tree: ast.Program,
        context: Context,
        lower: Callable[[ast.Program, Context], LoweredProgram] = lower_program,
    ) -> None:
        self.tree = tree
        try:
            pause_collection()
            lowered = lower(tree, context)
            self.code = compile(lowered.tree, tree.source.name or "<puppet>", "exec")
        except RecursionError:
            raise _too_deep(tree) from None
        except PuppetError:
            raise
        except Exception as error:
            # A defect of the compiler ends the input, not the session.
            raise located(error) from None
        finally:
            resume_collection()
        lowering = lowered.lowering
        self.plans = lowered.plans
        self._names = names_in(self.code)
        self._constants = lowering.constants
        self._builtins = lowering.builtins
        self._callers = tuple(lowering.callers)
        self._builtin_callers = tuple(lowering.builtin_callers)
        self._cells = tuple(lowering.cells)

    def fits(self, context: Context) -> bool:
        """Tell whether the functions that a session has are those that the code was made for."""
        for name, builtin in self._builtins.items():
            if visible_builtin(name, context) is not builtin:
                return False
        return True

    def names(self, context: Context) -> dict[str, Any]:
        """Return the global names that the code needs to run in a session."""
        provide(self._names, context)
        for function_name, count in self._callers:
            context.call_names.name_for(function_name, count)
        for function_name in self._builtin_callers:
            context.call_names.name_for_builtin(function_name)
        names: dict[str, Any] = dict(self._constants)
        for cell in self._cells:
            names[cell] = type(names[cell])()  # it remembers a type of one session
        names["__builtins__"] = context.names
        return names


class CompiledProgram:
    """A program ready to run in a session. ``definitions`` are its classes, defines and nodes."""

    is_template = False

    def __init__(self, code: ProgramCode, context: Context, module_name: str | None = None) -> None:
        self.tree = code.tree
        self.source = code.tree.source
        self.context = context
        self.module_name = module_name
        self._nodes: dict[Span, ast.Node] | None = None
        self.definitions: tuple[Definition, ...] = ()
        self._plans = code.plans
        self.names = names = code.names(context)
        names["__puppet__"] = self
        exec(code.code, names)
        self._main: Callable[[Scope], Value] = names["main"]

    @property
    def nodes(self) -> dict[Span, ast.Node]:
        """The nodes by the positions that their code carries; made for the first error."""
        if self._nodes is None:
            from puppet_repl.compiler.locations import nodes_by_span

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
            from puppet_repl.compiler.registration import register

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
    from puppet_repl.compiler.failures import keep_failure
    from puppet_repl.compiler.locations import locate

    made = locate(error)
    keep_failure(error, made)
    if isinstance(error, (PuppetError, Signal, RecursionError, *NO_ALLOCATION)):
        error.__traceback__ = None
        made.__cause__ = None
    return made


def _too_deep(tree: ast.Program) -> PuppetError:
    return PuppetError("The program is nested too deeply", source=tree.source, start=0)
