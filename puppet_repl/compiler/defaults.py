"""The default ``$a::b`` of a parameter, which is read without code of its own.

Where that fails, code is made for it: an error or a warning has its location from there.
"""

from __future__ import annotations

import _ast
from functools import partial

from puppet_repl.compiler.lowerings import start_lowering
from puppet_repl.compiler.program import CompiledProgram, LoweredProgram, compile_tree
from puppet_repl.compiler.statements import emit_scope_function
from puppet_repl.runtime.scope import find_qualified
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.compiler.program import ProgramCode, SourceTree
    from puppet_repl.runtime.context import Context
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.values.protocols import Value

_FUNCTION = "default"


class QualifiedDefault:
    """Returns the value that a variable with ``::`` in its name has for a scope.

    ``start`` is the offset of the variable in the text of ``tree``. Sessions may share it.
    """

    __slots__ = ("_code", "_start", "_tree", "variable")

    def __init__(self, variable: str, tree: SourceTree, start: int) -> None:
        self.variable = variable
        self._tree = tree
        self._start = start
        self._code: ProgramCode | None = None

    def __call__(self, scope: Scope) -> Value:
        try:
            found = find_qualified(scope.context, self.variable)
        except Exception:
            found = None  # it is raised again by the code
        return self._run(scope) if found is None else found[0]

    def _run(self, scope: Scope) -> Value:
        context = scope.context
        if self._code is None or not self._code.fits(context):
            self._code = compile_tree(self._tree, context, partial(_lower, start=self._start))
        return CompiledProgram(self._code, context).names[_FUNCTION](scope)


def _lower(tree: SourceTree, context: Context, start: int) -> LoweredProgram:
    lowering = start_lowering(tree, context)
    node = next(
        each
        for each in tree.program.walk()
        if each.start == start and isinstance(each, ast.VariableExpression)
    )
    emit_scope_function(lowering, _FUNCTION, node, lowering.span(node))
    return LoweredProgram(_ast.Module(lowering.module, []), lowering, ())
