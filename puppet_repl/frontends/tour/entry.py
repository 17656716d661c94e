"""One entry of the prompt as the tour looks at it, and the questions that its steps ask."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.session.outcome import NOTHING
from puppet_repl.session.symbols import SessionSymbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias, TypeVar

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session
    from puppet_repl.session.outcome import Outcome

    Found = TypeVar("Found", bound=ast.Node)
    Condition: TypeAlias = Callable[["Entry"], bool]


class Entry:
    """Code that was run, or a command: then ``command`` is its name, and there is no outcome.

    ``shown_type`` is the type that was shown after the value. ``program`` is the tree of the code,
    None if it is not a program.
    """

    __slots__ = (
        "_nodes",
        "command",
        "failed",
        "outcome",
        "program",
        "session",
        "shown_type",
        "text",
    )

    def __init__(
        self,
        session: Session,
        text: str,
        *,
        outcome: Outcome | None = None,
        program: ast.Program | None = None,
        shown_type: str = "",
        command: str = "",
        failed: bool = False,
    ) -> None:
        self.session = session
        self.text = text
        self.outcome = outcome
        self.program = program
        self.shown_type = shown_type
        self.command = command
        self.failed = failed
        self._nodes: list[ast.Node] | None = None

    @property
    def value(self) -> Value:
        """The value of the code, or NOTHING."""
        return NOTHING if self.outcome is None else self.outcome.value

    @property
    def error(self) -> PuppetError | None:
        """The error of the code, or None."""
        return None if self.outcome is None else self.outcome.error

    @property
    def nodes(self) -> list[ast.Node]:
        """The nodes of the code in the order of the text; empty if it is not a program."""
        if self._nodes is None:
            self._nodes = [] if self.program is None else list(self.program.walk())
        return self._nodes

    def all_of(self, kind: type[Found]) -> Iterator[Found]:
        """Yield the nodes of a kind."""
        return (node for node in self.nodes if isinstance(node, kind))

    def calls(self) -> set[str]:
        """Return the names of the functions that the code calls, in both notations."""
        names = {str(getattr(call.functor, "value", "")) for call in self.all_of(_CALL)}
        methods = (call.functor.right for call in self.all_of(ast.CallMethodExpression))
        return names | {str(getattr(method, "value", "")) for method in methods}

    def variables(self) -> set[str]:
        """Return the names of the variables that the code has."""
        return {variable.name.removeprefix("::") for variable in self.all_of(_VARIABLE)}


_CALL = ast.CallNamedFunctionExpression
_VARIABLE = ast.VariableExpression


# What the conditions of steps are made from


def both(*conditions: Condition) -> Condition:
    """Return the condition that all of some are met."""
    return lambda entry: all(condition(entry) for condition in conditions)


def either(*conditions: Condition) -> Condition:
    """Return a condition that holds if any of these holds."""
    return lambda entry: any(condition(entry) for condition in conditions)


def reads(pattern: str) -> Condition:
    """Return the condition that a pattern is found in the code."""
    return lambda entry: not entry.command and re.search(pattern, entry.text) is not None


def misuses(*names: str) -> Condition:
    """Return the condition that the entry is one of some commands, and failed."""
    return lambda entry: entry.command in names and entry.failed


def runs(*names: str) -> Condition:
    """Return the condition that the entry is one of some commands, and did not fail."""
    return lambda entry: entry.command in names and not entry.failed


def asks(name: str, pattern: str) -> Condition:
    """Return the condition that the entry is a command with a pattern in it, and did not fail."""
    return lambda entry: runs(name)(entry) and re.search(pattern, entry.text) is not None


def explains(name: str) -> Condition:
    """Return the condition that the entry is a command with code, which may not hold."""
    return lambda entry: entry.command == name and len(entry.text.split()) > 1


def calls(*names: str) -> Condition:
    """Return the condition that the code ran, and calls one of some functions."""
    return lambda entry: not entry.failed and not entry.calls().isdisjoint(names)


def has(*kinds: type[ast.Node]) -> Condition:
    """Return the condition that the code ran, and has a node of one of some kinds."""
    return lambda entry: not entry.failed and any(isinstance(node, kinds) for node in entry.nodes)


def fails(*codes: str) -> Condition:
    """Return the condition that the code failed, with an error of one of some codes if given."""

    def met(entry: Entry) -> bool:
        return entry.error is not None and (not codes or entry.error.code in codes)

    return met


def fails_with(text: str) -> Condition:
    """Return the condition that the code failed with a message that has a text in it."""
    return lambda entry: entry.error is not None and text in entry.error.message


def has_bound(entry: Entry) -> bool:
    """Tell whether a variable of the user has a value."""
    names = entry.session.names
    own = set(names.variables()) - names.given_variables()
    return any(not name.startswith("_") for name in own)


def has_value(entry: Entry) -> bool:
    """Tell whether the code has a value that is not undef."""
    return not entry.failed and entry.value is not NOTHING and entry.value is not None


def is_undef(entry: Entry) -> bool:
    """Tell whether the value of the code is undef."""
    return not entry.failed and entry.value is None


def value_is(*kinds: type) -> Condition:
    """Return the condition that the code has a value of one of Python's classes."""
    return lambda entry: not entry.failed and isinstance(entry.value, kinds)


def reads_facts(entry: Entry) -> bool:
    """Tell whether the code uses the facts of the machine."""
    if "facts" in entry.variables() or "fact" in entry.calls():
        return True
    return "getvar" in entry.calls() and "facts." in entry.text


def shows_all_facts(entry: Entry) -> bool:
    """Tell whether the value of the code is the hash of all facts."""
    return has_value(entry) and entry.value is SessionSymbols(entry.session).facts()


def asks_for_type(entry: Entry) -> bool:
    """Tell whether the code asks whether a value matches a type."""
    if entry.failed:
        return False
    types = (ast.QualifiedReference, ast.AccessExpression)
    return any(isinstance(node.right, types) for node in entry.all_of(ast.MatchExpression)) or (
        "assert_type" in entry.calls()
    )


def calls_own_function(entry: Entry) -> bool:
    """Tell whether the code calls a function of the user, whatever comes of it."""
    return not entry.calls().isdisjoint(entry.session.names.functions())


def has_resources(entry: Entry) -> bool:
    """Tell whether the catalog has resources that somebody has declared."""
    return bool(SessionSymbols(entry.session).typed_resources())


def declares_class(entry: Entry) -> bool:
    """Tell whether the code declares a class, whatever comes of it."""
    named = (node.type_name for node in entry.all_of(ast.ResourceExpression))
    if any(getattr(name, "value", "") == "class" for name in named):
        return True
    return not entry.calls().isdisjoint(("include", "contain", "require"))


def defines_untyped_class(entry: Entry) -> bool:
    """Tell whether the code defines classes, and none has a parameter with a type."""
    classes = list(entry.all_of(ast.HostClassDefinition))
    return bool(classes) and not entry.failed and not any(map(typed_parameter, classes))


def typed_parameter(definition: ast.HostClassDefinition) -> ast.Parameter | None:
    """Return the first parameter of a class that has a type, None if none has."""
    return next((each for each in definition.parameters if each.type_expr is not None), None)


def has_wrong_argument(entry: Entry) -> bool:
    """Tell whether the code failed because of an argument that its parameter refuses."""
    return entry.error is not None and "parameter" in entry.error.message
