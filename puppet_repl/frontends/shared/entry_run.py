"""Running an entry of the terminal or its line mode, with the inputs that it continues."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.patterns import LatePattern
from puppet_repl.base.recursion import deep_calls
from puppet_repl.frontends.commands.entries import is_complete, with_previous, without_semicolon
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.advice.inputs import advise_input
from puppet_repl.tools.hints.habits import note_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session
    from puppet_repl.session.outcome import Outcome
    from puppet_repl.tools.advice.model import Advice

# A longer input is not a single word that is known from elsewhere.
_LONGEST_WORD = 20
_LONGEST_NAME = 100
_NAME = LatePattern(r"[a-z]\w*(?:::[a-z]\w*)*")


class Run:
    """An entry that was run: ``label`` names it in messages, ``quiet`` says to hide its result.

    ``text`` is the code, with the code of the entries that it continues. Its tree and its warnings
    are computed once, at the first use.
    """

    __slots__ = ("_advice", "_program", "label", "outcome", "quiet", "text")

    def __init__(self, text: str, label: str, outcome: Outcome, *, quiet: bool = False) -> None:
        self.text = text
        self.label = label
        self.outcome = outcome
        self.quiet = quiet
        self._program: ast.Program | None = None
        self._advice: list[Advice] | None = None

    @property
    def program(self) -> ast.Program | None:
        """The tree of the code; None if it is not a program."""
        if self._program is None:
            try:
                with deep_calls:
                    self._program = parse(Source(self.text, self.label))
            except PuppetError:
                return None
        return self._program

    @property
    def last_statement(self) -> ast.Node | None:
        """The expression whose value is that of the code; None if there is none."""
        body = None if self.program is None else self.program.body
        if isinstance(body, ast.BlockExpression):
            return body.statements[-1]
        return None if isinstance(body, ast.Nop) else body

    @property
    def is_assignment(self) -> bool:
        """Whether the code has a value that is that of an assignment."""
        if self.outcome.error is not None:
            return False
        return isinstance(self.last_statement, ast.AssignmentExpression)

    def advice(self, session: Session) -> list[Advice]:
        """Return the warnings about the code; none if it failed."""
        if self._advice is None:
            program = self.program if self.outcome.error is None else None
            self._advice = [] if program is None else advise_input(session, program)
        return self._advice


def run_entry(session: Session, text: str, *, show_assignments: bool = True) -> Run:
    """Run an entry, together with the inputs that it continues (``else``, an arrow or a dot).

    The entry replaces these inputs, unless it fails. The value of an entry that ends in an
    assignment is hidden unless ``show_assignments`` is set.
    """
    joined, count = with_previous(session, text)
    joined, quiet = without_semicolon(session, joined)
    if count and not is_complete(session, joined):
        joined, quiet = without_semicolon(session, text)
        count = 0
    label = f"In[{session.count - count + 1}]"
    if count:
        outcome = session.replace_inputs(count, joined, label)
    else:
        outcome = session.execute(joined, label)
    run = Run(joined, label, outcome)
    if outcome.error is None:
        run.quiet = quiet or (not show_assignments and run.is_assignment)
    note_habit(session, text, outcome)
    return run


def note_habit(session: Session, text: str, outcome: Outcome) -> None:
    """Log a note about an input of one word, such as exit, which is only a string."""
    if outcome.error is not None or len(text) > _LONGEST_NAME or session.log is None:
        return
    word = text.strip()
    note = note_on(word, set(session.names.functions())) if len(word) <= _LONGEST_WORD else None
    if note is None and outcome.value == word and _NAME.fullmatch(word):
        if word in SessionSymbols(session).class_names():
            note = f"'{word}' is a string in Puppet; include {word} declares the class"
    if note is not None:
        session.log(NOTE, note)
