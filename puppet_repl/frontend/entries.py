"""How an entry is taken before it is run, in the terminal and in its line mode."""

from __future__ import annotations

import re

from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.recursion import deep_calls
from puppet_repl.commands import is_command, parse_command
from puppet_repl.commands.registry import find_command
from puppet_repl.outcome import NOTHING
from puppet_repl.syntax import ast
from puppet_repl.syntax.completeness import Complete, Incomplete
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.outcome import Outcome
    from puppet_repl.session import Session
    from puppet_repl.syntax.beginnings import Beginnings

# A longer input is no single word that is known from elsewhere.
_LONGEST_WORD = 20
# Lines that are looked at together at least.
_MIN_AHEAD = 16
# An entry that begins so continues the one before it.
_CONTINUES = re.compile(r"\s*(?:else\b|elsif\b|->|~>|<-|<~|\.(?=[a-z_]))")


def is_complete(session: Session, text: str) -> bool:
    """Tell whether a text can be run as it is."""
    return isinstance(session.check(text), Complete)


def next_indent(session: Session, text: str) -> str | None:
    """Return the indentation of the line that an incomplete text lacks; None for other texts."""
    state = session.check(text)
    return state.indent if isinstance(state, Incomplete) else None


def without_semicolon(session: Session, text: str) -> tuple[str, bool]:
    """Return a complete text without the semicolon at its end, and whether there was one.

    A semicolon says that no result is to be shown; to Puppet itself the text would be incomplete.
    """
    stripped = text.rstrip()
    if stripped.endswith(";") and is_complete(session, stripped[:-1]):
        return stripped[:-1], True
    return text, False


def ends_in_assignment(text: str) -> bool:
    """Tell whether the value of a program, which has run, is that of an assignment."""
    node = parse(Source(text)).body
    if isinstance(node, ast.BlockExpression):
        node = node.statements[-1]
    return isinstance(node, ast.AssignmentExpression)


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
    joined, count = _with_previous(session, text)
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


def _with_previous(session: Session, text: str) -> tuple[str, int]:
    """Return an entry together with those that it continues, and how many inputs these are.

    A dot continues the last value. Comments between an ``if`` and its ``else`` are passed over;
    nothing goes on with what stands before a ``:forget``.
    """
    if not continues(text):
        return text, 0
    if text.lstrip().startswith("."):
        return "$_" + text.lstrip(), 0
    if not session.ends_in_input:
        return text, 0
    count = 0
    joined = text
    for _, before, outcome in reversed(session.inputs):
        joined = f"{before.rstrip()}\n{joined.lstrip()}"
        count += 1
        if outcome.value is not NOTHING or outcome.defined or not _is_comment(before):
            break
    return joined, count


def _is_comment(text: str) -> bool:
    return all(line.lstrip()[:1] in ("#", "") for line in text.split("\n"))


def wants_more(session: Session, text: str) -> bool:
    """Tell whether Enter opens a line rather than running the entry."""
    code = _code_of(session, text)
    if code is None or without_semicolon(session, code)[1] or is_question(text):
        return False
    return next_indent(session, code) is not None


def is_question(text: str) -> bool:
    """Tell whether a text asks for documentation as in IPython: ``each?``, to be run as it is."""
    if not text.rstrip().endswith("?"):
        return False
    from puppet_repl.inspection import habits

    return habits.is_question(text)


def _code_of(session: Session, text: str) -> str | None:
    """Return the code that an entry runs, together with what it continues; None without any.

    It ends as the entry does.
    """
    if not text.strip():
        return None
    parsed = parse_command(text)
    if parsed is not None:
        command = find_command(parsed[0])
        if command is None or not command.takes_code or not parsed[1]:
            return None
        text = parsed[1]
        if command.completes[0] == "machine":
            from puppet_repl.frontend.machine_words import split_machines

            text = text[split_machines(text, session)[1] :]
    return _with_previous(session, text)[0]


def split_commands(session: Session, text: str) -> list[str]:
    """Return the inputs of a program that may have commands at the beginnings of its lines.

    Empty lines before code keep its line numbers right.
    """
    lines = text.split("\n")
    inputs = []
    for start, end in input_lines(session, lines):
        part = "\n".join(lines[start:end])
        inputs.append(part if is_command(part) else "\n" * start + part)
    return [each for each in inputs if each.strip()] or [text]


def input_lines(session: Session, lines: list[str]) -> list[tuple[int, int]]:
    """Return the first line of each input of a program, and the line behind its last one.

    A command ends with its line, or with the code in its argument; within a bracket, string or
    heredoc there is none.
    """
    ranges = []
    start = 0
    ahead = _LookAhead(session, lines, start)
    for number in range(1, len(lines)):
        # Code goes on until a command; the first character is quick to look at.
        if not (_may_be_command(lines[number]) or ahead.is_command):
            continue
        if ahead.is_incomplete(number):
            continue
        before = "\n".join(lines[start:number])
        if is_command(lines[number]) or is_command(before):
            if wants_more(session, before):
                ahead.look(number)
                continue
            ranges.append((start, number))
            start = number
            ahead = _LookAhead(session, lines, start)
    return [*ranges, (start, len(lines))]


class _LookAhead:
    """What is known of the lines of an input, so that not each is checked with all above it."""

    __slots__ = ("_beginnings", "_ends", "_lines", "_session", "_start", "is_command")

    def __init__(self, session: Session, lines: list[str], start: int) -> None:
        self._session = session
        self._lines = lines
        self._start = start
        self._beginnings: Beginnings | None = None
        # Where the lines that are known end in the code of the input.
        self._ends: list[int] = []
        self.is_command = is_command(lines[start])

    def is_incomplete(self, number: int) -> bool:
        """Tell whether the input is incomplete for sure above a line."""
        known = self._beginnings
        index = number - self._start - 1
        return (
            known is not None and index < len(self._ends) and known.is_incomplete(self._ends[index])
        )

    def look(self, number: int) -> None:
        """Look as far ahead again as the input has come; it is incomplete above the line."""
        count = number - self._start
        if count <= len(self._ends):
            return
        from puppet_repl.syntax.beginnings import Beginnings

        lines = self._lines[self._start : number + count + _MIN_AHEAD]
        text = "\n".join(lines).rstrip()
        code = _code_of(self._session, text)
        assert code is not None  # its beginning wants more
        end = len(code) - len(text) - 1
        self._ends = []
        for line in lines:
            end += len(line) + 1
            self._ends.append(min(end, len(code)))
        with deep_calls:
            self._beginnings = Beginnings(code)


def _may_be_command(line: str) -> bool:
    """Tell whether a line below code begins as a command; a percent sign may divide, too."""
    if not line.startswith("%"):
        return line.startswith(":")
    parsed = parse_command(line)
    if parsed is None or parsed[1].startswith("("):
        return False
    return find_command(parsed[0]) is not None


def continues(text: str) -> bool:
    """Tell whether an entry can only be meant as the continuation of the one before it."""
    return _CONTINUES.match(text) is not None
