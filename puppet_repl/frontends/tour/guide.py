"""The tour of one session: at which step it is, and what it says about an entry."""

from __future__ import annotations

import re

from puppet_repl.frontends.tour.entry import typed_parameter
from puppet_repl.frontends.tour.steps import NAMES, STEPS
from puppet_repl.language.syntax import ast
from puppet_repl.session.outcome import NOTHING
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import short_text
from puppet_repl.tools.rendering.width import ELLIPSIS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.tour.entry import Entry
    from puppet_repl.frontends.tour.steps import Step

# A longer value is not repeated in a sentence.
_LONGEST = 30
# What stands for a name or a value in the texts of the steps.
_NAME = re.compile(r"<(\w+)>")
_NUMBERS = re.compile(r"\b(?:Integer|Float|Numeric|Boolean)\b")


class Reaction:
    """What the tour says about an entry; with ``is_done`` it has gone on to the next step.

    ``code`` is what to type instead, '' for nothing.
    """

    __slots__ = ("code", "is_done", "text")

    def __init__(self, text: str, *, is_done: bool) -> None:
        self.text, _, self.code = text.partition("\n")
        self.is_done = is_done


class Tour:
    """The tour of a session: ``position`` is the number of its step, from 1.

    ``is_on`` is whether it reacts to entries.
    """

    __slots__ = ("_names", "is_on", "position")

    def __init__(self) -> None:
        self.position = 1
        self.is_on = False
        self._names = dict(NAMES)

    @property
    def count(self) -> int:
        """How many steps there are."""
        return len(STEPS)

    @property
    def step(self) -> Step:
        """The step that the tour is at."""
        return STEPS[self.position - 1]

    @property
    def code(self) -> str:
        """What the step proposes to type, with the names that the user has chosen."""
        return self._filled(self.step.code)

    def begin(self, position: int) -> None:
        """Go to a step, and react to entries from now on."""
        self.position = position
        self.is_on = True

    def end(self) -> None:
        """Leave the tour after its last step; the next one begins at the first."""
        self.position = 1
        self.is_on = False

    def see(self, entry: Entry) -> Reaction | None:
        """Return the reaction to an entry, None for an entry unrelated to the step.

        An entry that completes the step leads to the next step, or ends the tour.
        """
        step = self.step
        self._learn(entry)
        if step.done(entry):
            reaction = Reaction(self._filled(step.reaction, entry), is_done=True)
            if self.position == self.count:
                self.end()
            else:
                self.position += 1
            return reaction
        for condition, text in step.slips:
            if condition(entry):
                return Reaction(self._filled(text, entry), is_done=False)
        return None

    def _learn(self, entry: Entry) -> None:
        """Remember the names that the user has chosen."""
        if entry.failed:
            return
        for node in entry.nodes:
            if isinstance(node, ast.AssignmentExpression):
                if isinstance(node.left, ast.VariableExpression):
                    self._names["variable"] = node.left.name
            elif isinstance(node, ast.FunctionDefinition):
                self._names["function"] = node.name
                self._names["argument"] = _argument_for(node, entry.text)
            elif isinstance(node, ast.HostClassDefinition):
                parameter = typed_parameter(node)
                if parameter is not None:
                    is_number = _is_number(parameter, entry.text)
                    self._names["class"] = node.name
                    self._names["parameter"] = parameter.name
                    self._names["wrong"] = "'http'" if is_number else "80"

    def _filled(self, text: str, entry: Entry | None = None) -> str:
        words = dict(self._names)
        if entry is not None and entry.value is not NOTHING:
            shown = plain(short_text(entry.value, _LONGEST))
            words["value"] = shown if ELLIPSIS not in shown else "That"
            words["type"] = entry.shown_type or entry.session.type_text(entry.value)
        # At once: a value may have such a name in it.
        return _NAME.sub(lambda found: words.get(found[1], found[0]), text)


def _is_number(parameter: ast.Parameter, text: str) -> bool:
    """Tell whether the type of a parameter is one of numbers or Booleans, as it is written."""
    type_ = parameter.type_expr
    return type_ is not None and bool(_NUMBERS.search(text[type_.start : type_.end]))


def _argument_for(function: ast.FunctionDefinition, text: str) -> str:
    """Return arguments to call a function with, or dots where they are hard to tell."""
    if len(function.parameters) != 1:
        return "..." if function.parameters else ""
    (parameter,) = function.parameters
    type_ = parameter.type_expr
    if type_ is None or _is_number(parameter, text):
        return "21"
    return "'text'" if text[type_.start : type_.end].startswith("String") else "..."
