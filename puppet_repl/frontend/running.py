"""Running an entry of the terminal or its line mode, with the inputs that it continues."""

from __future__ import annotations

from puppet_repl.base.log_levels import NOTE
from puppet_repl.frontend.entries import is_complete, with_previous, without_semicolon
from puppet_repl.syntax import ast
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.outcome import Outcome
    from puppet_repl.session import Session

# A longer input is no single word that is known from elsewhere.
_LONGEST_WORD = 20


class Run:
    """An entry that was run: ``label`` names it in messages, ``quiet`` says to hide its result.

    ``text`` is the code, with that of the entries that it continues.
    """

    __slots__ = ("label", "outcome", "quiet", "text")

    def __init__(self, text: str, label: str, outcome: Outcome, *, quiet: bool) -> None:
        self.text = text
        self.label = label
        self.outcome = outcome
        self.quiet = quiet


def run_entry(session: Session, text: str, *, show_assignments: bool = True) -> Run:
    """Run an entry; one that begins with else, an arrow or a dot together with what it continues.

    The inputs that become a part of it are replaced by it, unless it fails. The value of one that
    ends in an assignment is hidden unless ``show_assignments`` is set.
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
    if not show_assignments and outcome.error is None:
        quiet = quiet or ends_in_assignment(joined)
    note_habit(session, text, outcome)
    return Run(joined, label, outcome, quiet=quiet)


def note_habit(session: Session, text: str, outcome: Outcome) -> None:
    """Tell what was probably meant by an input of one word, such as exit, that is a string."""
    if outcome.error is not None or len(text) > _LONGEST_WORD or session.log is None:
        return
    from puppet_repl.inspection.habits import note_on

    note = note_on(text, set(session.names.functions()))
    if note is not None:
        session.log(NOTE, note)


def ends_in_assignment(text: str) -> bool:
    """Tell whether the value of a program, which has run, is that of an assignment."""
    node = parse(Source(text)).body
    if isinstance(node, ast.BlockExpression):
        node = node.statements[-1]
    return isinstance(node, ast.AssignmentExpression)
