"""What an editor offers to do about problems: fixes, new files, comments that silence a rule."""

from __future__ import annotations

import re
from typing import NamedTuple

from puppet_repl.base.errors import PuppetError
from puppet_repl.tools.advice.rules import ASKED, RULE_OF
from puppet_repl.tools.editing.formatting import changes
from puppet_repl.tools.editing.templates import scan_of
from puppet_repl.tools.validation.kinds import PUPPET_CODE
from puppet_repl.tools.validation.manifests import fix
from puppet_repl.tools.validation.rules import REPOSITORY_RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.tools.editing.documents import Document
    from puppet_repl.tools.editing.formatting import Edit
    from puppet_repl.tools.editing.problems import Problem
    from puppet_repl.tools.validation.file import File

    ActionKind: TypeAlias = Literal["create", "fix", "fix all", "replace", "silence"]


_RULES = frozenset((*RULE_OF, *(rule.name for rule in REPOSITORY_RULES)))
"""The rules that comments in manifests switch off."""
_FILE = re.compile(r"(?P<module>\w+)/(?P<inside>[\w.-]+(?:/[\w.-]+)*)")


class NewFile(NamedTuple):
    """A file to create: its path, the path inside of its module, and its text."""

    path: str
    inside: str
    text: str


class Action:
    """Edits of a document with a title, about a ``problem`` or about all of them (None).

    An action that creates a ``file`` has no edits. ``is_preferred`` says that its result is the
    same program, or a better one for sure; a preferred replacement has no alternative.
    """

    __slots__ = ("edits", "file", "is_preferred", "kind", "problem", "title")

    def __init__(
        self,
        kind: ActionKind,
        title: str,
        edits: list[Edit],
        problem: Problem | None = None,
        *,
        file: NewFile | None = None,
        is_preferred: bool = False,
    ) -> None:
        self.kind: ActionKind = kind
        self.title = title
        self.edits = edits
        self.file = file
        self.problem = problem
        self.is_preferred = is_preferred

    def __repr__(self) -> str:
        return f"<{self.kind} {self.title}>"


def actions(
    document: Document,
    problems: Iterable[Problem],
    directory_of: Callable[[str], str | None] = lambda _: None,
) -> Iterator[Action]:
    """Yield the fixes of some problems of a document, and comments that silence their rules.

    Names that may have been meant are offered, too.
    Missing files are created in the modules of which ``directory_of`` returns the directory.
    """
    for problem in problems:
        if problem.edits:
            rule = RULE_OF.get(problem.code)
            yield Action(
                "fix",
                _fixing(problem.message),
                list(problem.edits),
                problem,
                is_preferred=rule is None or rule.fix != ASKED,
            )
        yield from replacements(document, [problem])
        written = document.text[problem.start : problem.end]
        file = _new_file(problem, written, directory_of)
        if file is not None:
            yield Action("create", f"Create {file.inside}", [], problem, file=file)
        comment = _comment(document, problem) if problem.code in _RULES else None
        if comment is not None:
            title = f"Silence {problem.code} with a comment"
            yield Action("silence", title, [comment], problem)


def replacements(document: Document, problems: Iterable[Problem]) -> Iterator[Action]:
    """Yield the replacements of problems; the only replacement of a problem is preferred."""
    for problem in problems:
        is_only = len(problem.replacements) == 1 and not problem.edits
        for edit in problem.replacements:
            title = _replacing(document.text[edit[0] : edit[1]], edit[2])
            yield Action("replace", title, [edit], problem, is_preferred=is_only)


def _fixing(message: str) -> str:
    """Return the title of a fix: the last part of a message, or the whole message."""
    written = re.search(r": (write [^:]+(?:::[^:]+)*)\Z", message)
    return f"Fix: {message}" if written is None else f"Fix: {written[1]}"


def _replacing(old: str, new: str) -> str:
    """Return the title of an action, with quotes around texts that have none themselves."""
    if "'" in old + new or '"' in old + new:
        return f"Replace {old} with {new}"
    return f"Replace '{old}' with '{new}'"


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


def _new_file(
    problem: Problem, written: str, directory_of: Callable[[str], str | None]
) -> NewFile | None:
    """Return the file that a problem misses, None if the problem is another.

    ``written`` is the text that the problem is about, ``directory_of`` returns the directory of a
    module by its name, None if files cannot be created there.
    """
    found = _FILE.fullmatch(problem.missing)
    if found is None or ".." in found["inside"].split("/"):
        return None
    directory = directory_of(found["module"])
    if directory is None:
        return None
    inside = found["inside"]
    text = _definition(problem.code, inside, written.strip("'\"@").removeprefix("::"))
    return NewFile(f"{directory}/{inside}", inside, text)


def _definition(rule: str, inside: str, name: str) -> str:
    """Return the text of a new file in a module, which defines a name; templates are empty."""
    directory = inside.partition("/")[0]
    if directory == "functions":
        return f"function {name.lower()}() {{\n}}\n"
    if directory == "types":
        return f"type {name} = Any\n"
    if directory == "manifests":
        word = "class" if rule == "unknown_class" else "define"
        return f"{word} {name.lower()} {{\n}}\n"
    return ""
