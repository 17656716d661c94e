"""A program ready to run in a session."""

from __future__ import annotations

from itertools import islice

from puppet_repl.base.memory import NO_ALLOCATION, ExtraMemory, clear_frames
from puppet_repl.errors import PuppetError
from puppet_repl.runtime.signals import Signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

    from puppet_repl.compiler.build import Span
    from puppet_repl.compiler.program_code import ProgramCode
    from puppet_repl.runtime.context import Context
    from puppet_repl.runtime.declarations import Definition
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.syntax import ast
    from puppet_repl.values.protocols import Value


class CompiledProgram:
    """A program ready to run in a session. ``definitions`` are its classes, defines and nodes."""

    is_template = False

    def __init__(self, code: ProgramCode, context: Context, module_name: str | None = None) -> None:
        self._tree = code.tree
        self.source = code.tree.source
        self.outline = code.outline
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
    def tree(self) -> ast.Program:
        """The tree of the program; code from a cache has it parsed at the first question."""
        return self._tree.program

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
