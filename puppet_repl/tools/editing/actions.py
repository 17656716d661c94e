"""What an editor offers to do about problems: fixes, and comments that silence a rule."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.tools.advice.rules import ASKED, RULE_OF
from puppet_repl.tools.editing.formatting import changes
from puppet_repl.tools.editing.templates import scan_of
from puppet_repl.tools.validation.kinds import PUPPET_CODE
from puppet_repl.tools.validation.manifests import fix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.tools.editing.documents import Document
    from puppet_repl.tools.editing.formatting import Edit
    from puppet_repl.tools.editing.problems import Problem
    from puppet_repl.tools.validation.file import File

    ActionKind: TypeAlias = Literal["fix", "silence", "fix all"]


class Action:
    """Edits of a document with a title, about a ``problem`` or about all of them (None).

    ``is_preferred`` says that its result is the same program, or a better one for sure.
    """

    __slots__ = ("edits", "is_preferred", "kind", "problem", "title")

    def __init__(
        self,
        kind: ActionKind,
        title: str,
        edits: list[Edit],
        problem: Problem | None = None,
        *,
        is_preferred: bool = False,
    ) -> None:
        self.kind: ActionKind = kind
        self.title = title
        self.edits = edits
        self.problem = problem
        self.is_preferred = is_preferred

    def __repr__(self) -> str:
        return f"<{self.kind} {self.title}>"


def actions(document: Document, problems: Iterable[Problem]) -> Iterator[Action]:
    """Yield the fixes of some problems of a document, and comments that silence their rules."""
    for problem in problems:
        if problem.edits:
            rule = RULE_OF.get(problem.code)
            yield Action(
                "fix",
                f"Fix: {problem.message}",
                list(problem.edits),
                problem,
                is_preferred=rule is None or rule.fix != ASKED,
            )
        comment = None if problem.code not in RULE_OF else _comment(document, problem)
        if comment is not None:
            title = f"Silence {problem.code} with a comment"
            yield Action("silence", title, [comment], problem)


def fix_all(file: File) -> Action | None:
    """Return the edits of ``validate --fix`` for a file, None if there are none."""
    if file.kind not in PUPPET_CODE:
        return None
    before = file.text
    try:
        counts = fix(file)
    except PuppetError:
        return None
    edits = changes(before, file.text)
    number = counts.total()
    title = f"Fix {number} warning{'s' if number > 1 else ''}"
    return Action("fix all", title, edits, is_preferred=True) if edits else None


def _comment(document: Document, problem: Problem) -> Edit | None:
    """Return the edit that writes a comment at the end of a problem's line.

    None in templates and where the line ends inside of a text: there the comment would belong to
    it.
    """
    if document.is_template:
        return None
    scan = scan_of(document)
    word = f"lint:ignore:{problem.code}"
    for line in range(
        document.lines.line_of(problem.start), document.lines.line_of(problem.end) + 1
    ):
        end = document.lines.span(line)[1]
        if any(start <= end <= stop for start, stop in scan.literals):
            continue
        for start, stop in scan.comments:
            if start < end <= stop:
                is_line = document.text.startswith("#", start)
                return (end, end, f" {word}") if is_line else None
        return end, end, f" # {word}"
    return None
