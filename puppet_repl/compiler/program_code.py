"""What a text is compiled to: a code object, and what it needs to run in a session."""

from __future__ import annotations

import _ast

from puppet_repl.base.memory import pause_collection, resume_collection
from puppet_repl.compiler.build import function
from puppet_repl.compiler.lowerings import start_lowering
from puppet_repl.compiler.names import names_in, provide
from puppet_repl.compiler.program import located
from puppet_repl.compiler.statements import emit_body
from puppet_repl.compiler.unit import Unit, may_match, visible_builtin
from puppet_repl.errors import PuppetError
from puppet_repl.syntax.outline import outline_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

    from puppet_repl.compiler.constants import Recipe
    from puppet_repl.compiler.plans import Plan, Template
    from puppet_repl.compiler.unit import ProgramLowering
    from puppet_repl.functions.registry import Function
    from puppet_repl.runtime.context import Context
    from puppet_repl.syntax.outline import Outline
    from puppet_repl.syntax.source_tree import SourceTree


class LoweredProgram:
    """The Python module of a program, before it is compiled; ``template`` is what one declares."""

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
    """Lower a program to a Python module: its definitions, and ``main(scope)``."""
    program = tree.program
    lowering = start_lowering(tree, context)
    plans: tuple[Plan, ...] = ()
    if program.definitions:
        from puppet_repl.compiler.definitions import emit_definitions

        plans = emit_definitions(lowering, program.definitions)
    span = lowering.span(program.body)
    unit = Unit(lowering, "scope", None, program.body, is_main=may_match(program.body))
    emit_body(unit, program.body, span)
    main = function("main", ("scope",), unit.prologue(span) + unit.statements, span)
    module = _ast.Module([*lowering.module, main], [])
    return LoweredProgram(module, lowering, plans)


class ProgramCode:
    """What a program was compiled to; sessions may share it, if it fits them.

    ``constants`` are the values of its global names that Python has no literals for, ``recipes``
    what they are made of; of ``cells`` each session has its own. ``builtins`` are the built-in
    functions that the code was compiled for, None where the session had another of that name; it is
    ``is_general`` if the session had none of these names itself. ``callers`` and
    ``builtin_callers`` are functions that the code calls.
    """

    __slots__ = (
        "builtin_callers",
        "builtins",
        "callers",
        "cells",
        "code",
        "constants",
        "is_general",
        "names_in_code",
        "outline",
        "plans",
        "recipes",
        "template",
        "tree",
    )

    tree: SourceTree
    code: CodeType
    outline: Outline
    plans: tuple[Plan, ...]
    template: Template | None
    names_in_code: tuple[str, ...]
    recipes: dict[str, Recipe]
    constants: dict[str, object]
    cells: tuple[str, ...]
    builtins: dict[str, Function | None]
    is_general: bool
    callers: tuple[tuple[str, int], ...]
    builtin_callers: tuple[str, ...]

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
        names: dict[str, Any] = dict(self.constants)
        for cell in self.cells:
            names[cell] = type(names[cell])()  # it remembers a type of one session
        names["__builtins__"] = context.names
        return names


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
        made.code = compile(lowered.module, source.name or "<puppet>", "exec")
    except RecursionError:
        message = "The program is nested too deeply"
        raise PuppetError(message, source=source, start=0) from None
    except PuppetError:
        raise
    except Exception as error:
        # A defect of the compiler ends the input, not the session.
        raise located(error) from None
    finally:
        resume_collection()
    lowering = lowered.lowering
    made.tree = tree
    made.outline = outline_of(tree.program)
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
