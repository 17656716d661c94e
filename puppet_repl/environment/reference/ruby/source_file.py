"""What the readers of Ruby declarations share: the file that is read, and where docs are in it."""

from __future__ import annotations

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.model import Problem
from puppet_repl.environment.reference.parameter_docs import faults_of, outdented
from puppet_repl.environment.reference.ruby.literals import literal_text, scrubbed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.reference.ruby.nodes import Node


class Undocumentable(Exception):
    """A declaration that cannot be documented, with the reason and its ``line``."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


class RubyFile:
    """A file that is read: its text and its name, relative to the module."""

    __slots__ = ("file", "text")

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file

    def comment(self, node: Node) -> Comment:
        """Return the comment of a statement, an empty one if there is none."""
        return Comment(node.comment or "", node.comment_line)

    def faults(self, comment: Comment) -> tuple[Problem, ...]:
        """Return the faults of a comment by itself."""
        return faults_of(comment, self.file)

    def warning(self, rule: str, message: str, line: int) -> Problem:
        """Return a warning about a line."""
        return Problem("warning", rule, message, self.file, line)

    def source(self, node: Node) -> str:
        """Return the code of a statement, its lines as far to the left as its last one."""
        return outdented(self.text[node.start : node.end + self._below(node)])

    def _below(self, node: Node) -> int:
        """Return the size of heredocs that begin in a statement and are below its last line."""
        spans = (each.token.span for each in node.walk() if each.token is not None)
        return sum(span[1] - span[0] for span in spans if span and span[0] >= node.end)

    def name(self, node: Node) -> str | None:
        """Return the name that is the first argument of a call."""
        return literal_text(node.arguments[0], self.text) if node.arguments else None


class Docs:
    """A description in code, and its first line.

    ``text`` is None without a description; ``is_unreadable`` means that it is not a literal.
    """

    __slots__ = ("is_unreadable", "line", "text")

    def __init__(
        self, text: str | None = None, line: int = 0, *, is_unreadable: bool = False
    ) -> None:
        self.text = text
        self.line = line
        self.is_unreadable = is_unreadable


def find_docs(node: Node, file: RubyFile) -> Docs:
    """Return the first ``desc "..."`` or ``@doc = "..."`` in a statement."""
    for part in node.walk():
        value = _documented_by(part)
        if value is None:
            continue
        text = literal_text(value, file.text)
        if text is None:
            return Docs(None, value.line, is_unreadable=True)
        is_below = value.token is not None and value.token.kind == "heredoc"
        return Docs(scrubbed(text), value.line + 1 if is_below else value.line)
    return Docs()


def _documented_by(node: Node) -> Node | None:
    if node.kind == "assign" and len(node.parts) == 2:
        target = node.parts[0]
        if target.kind == "name" and target.token is not None and target.token.text == "@doc":
            return node.parts[1]
    if node.kind == "call" and node.name == "desc" and len(node.arguments) == 1:
        return node.arguments[0]
    return None
