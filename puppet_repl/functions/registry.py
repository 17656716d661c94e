"""Built-in functions as objects: declared in the themes, found by name, called with values.

A function holds its dispatches in the order in which Puppet tries them (inventory of the
functions, calling convention): the first whose signature accepts the arguments and the block
answers. The dispatches that can fit a number of arguments are worked out once for that number, so
that a call costs little more than the tests of its arguments.
"""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.index import THEMES
from puppet_repl.functions.signatures import Dispatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from puppet_repl.functions.signatures import Test
    from puppet_repl.runtime.closure import Closure
    from puppet_repl.runtime.context import Context

    Implementation = Callable[..., Any]
    Candidate = tuple[tuple[tuple[int, Test], ...], Test | None, Dispatch]


class Function:
    """A function of the language that is written in Python.

    ``doc`` begins with one sentence on a line of its own; ``examples`` are programs with their
    result behind ``# =>``, or with what they log behind ``# notice:``.
    """

    __slots__ = (
        "_candidates",
        "aliases",
        "dispatches",
        "doc",
        "examples",
        "name",
        "statement",
        "theme",
    )

    def __init__(
        self,
        name: str,
        *,
        theme: str,
        doc: str,
        examples: tuple[str, ...] = (),
        aliases: Mapping[str, str] | None = None,
        statement: bool = False,
    ) -> None:
        self.name = name
        self.theme = theme
        self.doc = doc
        self.examples = examples
        self.aliases = aliases or {}
        self.statement = statement
        self.dispatches: list[Dispatch] = []
        self._candidates: dict[int, tuple[Candidate, ...]] = {}

    def dispatch(
        self, signature: str, returns: str = "Any"
    ) -> Callable[[Implementation], Implementation]:
        """Declare one more signature, answered by the decorated callable."""

        def declare(implementation: Implementation) -> Implementation:
            self.dispatches.append(
                Dispatch(signature, returns, implementation, self.aliases, explains=False)
            )
            return implementation

        return declare

    def mismatch(self, signature: str) -> Callable[[Implementation], Implementation]:
        """Declare arguments that are always wrong: the decorated callable says why."""

        def declare(implementation: Implementation) -> Implementation:
            self.dispatches.append(
                Dispatch(signature, "Any", implementation, self.aliases, explains=True)
            )
            return implementation

        return declare

    def call(self, context: Context, args: tuple[Any, ...], block: Closure | None = None) -> Any:
        """The result of the first dispatch that accepts the arguments.

        Raises RuntimeFailure with Puppet's text when none does.
        """
        count = len(args)
        key = count if block is None else ~count
        candidates = self._candidates.get(key)
        if candidates is None:
            candidates = self._select(key, count, block is not None)
        for tests, block_test, dispatch in candidates:
            for index, accepts in tests:
                if not accepts(args[index]):
                    break
            else:
                if block is not None and block_test is not None and not block_test(block):
                    continue
                mode = dispatch.mode
                if dispatch.explains:
                    raise RuntimeFailure(f"'{self.name}' {dispatch.implementation(*args)}")
                if mode == 0:
                    return dispatch.implementation(*args)
                if mode == 2:
                    return dispatch.implementation(*args, block=block)
                if mode == 1:
                    return dispatch.implementation(*args, context=context)
                return dispatch.implementation(*args, context=context, block=block)
        raise self.rejection(args, block)

    def rejection(self, args: tuple[Any, ...], block: Closure | None) -> RuntimeFailure:
        """The error that says why no signature accepts these arguments."""
        from puppet_repl.types.text.signatures import signature_mismatch

        signatures = self.signatures()
        return RuntimeFailure(signature_mismatch(self.name, signatures, args, block))

    def signatures(self) -> list[Dispatch]:
        """The dispatches that can answer a call, in the order of their declaration."""
        signatures = [dispatch for dispatch in self.dispatches if not dispatch.explains]
        for dispatch in signatures:
            dispatch.prepare()
        return signatures

    def _select(self, key: int, count: int, has_block: bool) -> tuple[Candidate, ...]:
        candidates: list[Candidate] = []
        for dispatch in self.dispatches:
            dispatch.prepare()
            if dispatch.accepts_shape(count, has_block):
                block_test = dispatch.block_test() if has_block else None
                candidates.append((dispatch.tests(count), block_test, dispatch))
        selected = tuple(candidates)
        if count < 32:
            self._candidates[key] = selected
        return selected


class LegacyFunction(Function):
    """A function of Puppet's older kind (3.x), which only counts its arguments.

    ``arity`` n asks for n arguments, -n for at least n - 1. Its body takes the arguments as one
    tuple, converted as Puppet converts them for such functions.
    """

    __slots__ = ("arity", "body_of", "convert", "names_wanted")
    body_of: Implementation

    def __init__(
        self,
        name: str,
        arity: int,
        *,
        theme: str,
        doc: str,
        examples: tuple[str, ...] = (),
        statement: bool = False,
    ) -> None:
        super().__init__(name, theme=theme, doc=doc, examples=examples, statement=statement)
        self.arity = arity
        self.names_wanted = False
        self.convert: Callable[..., Any] | None = None

    def body(
        self, signature: str, returns: str = "Any"
    ) -> Callable[[Implementation], Implementation]:
        """Declare the callable, and a signature that documents it."""

        def declare(implementation: Implementation) -> Implementation:
            self.dispatch(signature, returns)(implementation)
            self.body_of = implementation
            code = implementation.__code__
            self.names_wanted = "context" in code.co_varnames[: code.co_argcount + 1]
            return implementation

        return declare

    def call(self, context: Context, args: tuple[Any, ...], block: Closure | None = None) -> Any:
        """The result, which is undef for a statement function."""
        convert = self.convert
        if convert is None:
            from puppet_repl.functions.legacy import converted

            convert = self.convert = converted
        keep = self.theme == "catalog"
        given = tuple([convert(arg, keep_references=keep) for arg in args])
        count = len(given)
        if self.arity >= 0:
            if count != self.arity:
                raise RuntimeFailure(
                    f"{self.name}(): Wrong number of arguments given ({count} for {self.arity})"
                )
        elif count < -self.arity - 1:
            raise RuntimeFailure(
                f"{self.name}(): Wrong number of arguments given "
                f"({count} for minimum {-self.arity - 1})"
            )
        if self.names_wanted:
            result = self.body_of(given, context=context)
        else:
            result = self.body_of(given)
        return None if self.statement else result


def find(name: str) -> Function | None:
    """The built-in function of that name, or None. Imports the module of its theme, no other."""
    theme = THEMES.get(name)
    if theme is None:
        return None
    return theme_functions(theme)[name]


def theme_functions(theme: str) -> dict[str, Function]:
    """The functions of one theme by name."""
    from importlib import import_module

    functions: dict[str, Function] = import_module(f"puppet_repl.functions.{theme}").FUNCTIONS
    return functions


def names() -> Iterator[str]:
    """The names of all built-in functions, in alphabetical order. Imports nothing."""
    return iter(sorted(THEMES))


def by_name(*functions: Function) -> dict[str, Function]:
    """The table of a theme."""
    return {function.name: function for function in functions}
