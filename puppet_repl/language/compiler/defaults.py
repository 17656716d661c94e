"""The default ``$a::b`` of a parameter, which is read without code of its own."""

from __future__ import annotations

from puppet_repl.language.runtime.scope import find_qualified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.compiler.program import SourceTree
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value


class QualifiedDefault:
    """Returns the value that a variable with ``::`` in its name has for a scope.

    ``start`` is the offset of the variable in the text of ``tree``. Sessions may share it.
    """

    __slots__ = ("_start", "_tree", "variable")

    def __init__(self, variable: str, tree: SourceTree, start: int) -> None:
        self.variable = variable
        self._tree = tree
        self._start = start

    def __call__(self, scope: Scope) -> Value:
        try:
            found = find_qualified(scope.context, self.variable)
        except Exception:
            found = None  # it is raised again, with its location
        return self._tree.read_variable(self._start, scope) if found is None else found[0]
