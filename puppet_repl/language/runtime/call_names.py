"""The global names by which compiled code calls functions.

Each user-defined function has a name for each number of arguments. The name is bound to its Python
function, so that a call needs no lookup, and bound again when the function is redefined. A built-in
function has one name, which is bound to a user-defined function that replaces it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


class CallNames:
    """The names by which the code of one session calls functions; ``context.names`` has them."""

    __slots__ = ("_builtins", "_context", "_direct", "_wanted")

    def __init__(self, context: Context) -> None:
        self._context = context
        # The numbers of arguments that code calls a function with.
        self._wanted: dict[str, set[int]] = {}
        # The built-in functions that code calls.
        self._builtins: set[str] = set()
        # Names that call a function directly in this input, and what looks it up again.
        self._direct: list[tuple[str, object, object]] = []

    def name_for(self, name: str, count: int) -> str:
        """Return the global name by which code calls ``name`` with ``count`` arguments."""
        wanted = self._wanted.setdefault(name, set())
        if count not in wanted:
            wanted.add(count)
            self._bind(name, count)
        return f"f_{name}_{count}"

    def name_for_builtin(self, name: str) -> str:
        """Return the global name by which code calls a built-in function, with any arguments.

        The function of that name takes the context, a tuple of arguments, and a block or None.
        """
        if name not in self._builtins:
            self._builtins.add(name)
            self._bind_builtin(name)
        return f"b_{name}"

    def bind(self, name: str) -> None:
        """Let all code call the function that has the name now."""
        if name in self._builtins:
            self._bind_builtin(name)
        for count in self._wanted.get(name, ()):
            self._bind(name, count)

    def bind_all(self) -> None:
        """Let all code call the functions that there are now."""
        self._direct.clear()
        for name in {*self._wanted, *self._builtins}:
            self.bind(name)

    def _bind_builtin(self, name: str) -> None:
        context = self._context
        function = (
            context.given.get(name) or context.functions.get(name) or context.find_builtin(name)
        )
        assert function is not None  # built-in functions stay
        context.names[f"b_{name}"] = function.call

    def _bind(self, name: str, count: int) -> None:
        context = self._context
        function = None if name in context.given else context.functions.get(name)
        key = f"f_{name}_{count}"
        if (
            function is not None
            and function.spec.misplaced is None
            and function.min_arity <= count
            and (function.max_arity is None or count <= function.max_arity)
        ):
            context.names[key] = function.function
            return

        def call_late(*args: Value) -> Any:
            function = context.lookup_function(name)
            make_direct = getattr(function, "direct", None)
            direct = None if make_direct is None else make_direct(context, count)
            if direct is None:
                return context.call_function(name, args)
            self._direct.append((key, direct, call_late))
            context.names[key] = direct
            return direct(*args)

        context.names[key] = call_late

    def unbind_direct(self) -> None:
        """Look functions up again: their files, or the modules, may have changed."""
        names = self._context.names
        for key, direct, call_late in self._direct:
            if names[key] is direct:
                names[key] = call_late
        self._direct.clear()
