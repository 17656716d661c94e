"""The result of a command: parts that each front end shows in its own way, perhaps an action.

Nothing here is styled: ``reports.report`` turns it into text, ``reports.html`` into HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.catalog.difference import Difference
    from puppet_repl.frontends.commands.watch import Watch
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Outcome
    from puppet_repl.tools.graph.model import Graph
    from puppet_repl.tools.inspection.documentation import Documentation

    Language: TypeAlias = Literal[
        "puppet", "python", "json", "yaml", "mermaid", "dot", "svg", "text"
    ]
    ActionKind: TypeAlias = Literal["quit", "edit", "run", "watch", "pipe"]


class Part:
    """A part of a report; the function that shows it is found by its class."""

    __slots__ = ()

    @property
    def error(self) -> PuppetError | None:
        """The error of Puppet code that is shown."""
        return None

    @property
    def failed(self) -> bool:
        """Whether the command failed, as this part says."""
        return self.error is not None

    def value_after(self, before: Value) -> Value:
        """Return the value that this part shows, or ``before``, the value of earlier parts."""
        return before


class Cell(Part):
    """A string in a table or a message, with a role that its colour depends on."""

    __slots__ = ("style", "text")

    def __init__(self, text: str, style: str = "") -> None:
        self.text = text
        self.style = style


class ValueCell:
    """A Puppet value in a table, shown shortened."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


class CodeCell:
    """An input in a table, with its lines; in a column of a terminal that is cut, on one line."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Message(Part):
    """One or more lines of text."""

    __slots__ = ("style", "text")

    def __init__(self, text: str, style: str = "") -> None:
        self.text = text
        self.style = style


class Complaint(Part):
    """A wrong use of the command; ``hint`` is the right one."""

    __slots__ = ("hint", "message")

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint

    @property
    def failed(self) -> bool:
        return True


class Table(Part):
    """Rows of cells under headings; ``empty`` is shown when there are no rows.

    ``kept`` are the numbers of columns that are cut only where cutting the others is not enough.
    ``whole`` are those that are never cut, but wrapped: different cells never look the same.
    """

    __slots__ = ("empty", "headings", "kept", "rows", "title", "whole")

    def __init__(
        self,
        headings: Sequence[str],
        rows: Iterable[Sequence[str | Cell | ValueCell | CodeCell]],
        *,
        title: str | None = None,
        empty: str = "nothing to show",
        kept: Sequence[int] = (),
        whole: Sequence[int] = (),
    ) -> None:
        self.headings = tuple(headings)
        self.rows = [tuple(row) for row in rows]
        self.title = title
        self.empty = empty
        self.kept = kept
        self.whole = whole


class Code(Part):
    """Code in a language.

    ``text`` may be a function, which is called when the code is first shown. ``readable`` is shown
    beside a diagram, and in its place where diagrams cannot be drawn. ``graph`` is what a diagram
    shows, for those who draw it themselves and need no code.
    """

    __slots__ = ("_text", "graph", "language", "readable")

    def __init__(
        self,
        text: str | Callable[[], str],
        language: Language = "puppet",
        readable: Part | None = None,
        graph: Graph | None = None,
    ) -> None:
        self._text = text
        self.language: Language = language
        self.readable = readable
        self.graph = graph

    @property
    def text(self) -> str:
        """The code itself."""
        if not isinstance(self._text, str):
            self._text = self._text()
        return self._text


class Drawing(Part):
    """The graph of a catalog: a picture where there can be one, unless ``as_text``, else a tree."""

    __slots__ = ("as_text", "graph")

    def __init__(self, graph: Graph, *, as_text: bool = False) -> None:
        self.graph = graph
        self.as_text = as_text


class Shown(Part):
    """A Puppet value, shortened unless ``full`` is set."""

    __slots__ = ("full", "value")

    def __init__(self, value: Value, *, full: bool = False) -> None:
        self.value = value
        self.full = full

    def value_after(self, before: Value) -> Value:
        return self.value


class Excerpt(Part):
    """Lines of code around one that is marked; ``context`` is how many above and below."""

    __slots__ = ("context", "line", "source")

    def __init__(self, source: Source, line: int, context: int) -> None:
        self.source = source
        self.line = line
        self.context = context


class Logged(Part):
    """A message that code has logged, where it is not shown by itself."""

    __slots__ = ("level", "message")

    def __init__(self, level: str, message: str) -> None:
        self.level = level
        self.message = message


class Failure(Part):
    """An error in the Puppet code of the argument; ``label`` names typed text (``In[3]``)."""

    __slots__ = ("_error", "label")

    def __init__(self, error: PuppetError, label: str | None = None) -> None:
        self._error = error
        self.label = label

    @property
    def error(self) -> PuppetError:
        return self._error


class Document(Part):
    """Documentation of one name."""

    __slots__ = ("documentation",)

    def __init__(self, documentation: Documentation) -> None:
        self.documentation = documentation


class Ran(Part):
    """The outcome of Puppet code that the command ran; its logs have been shown already."""

    __slots__ = ("label", "outcome")

    def __init__(self, outcome: Outcome, label: str | None = None) -> None:
        self.outcome = outcome
        self.label = label

    @property
    def error(self) -> PuppetError | None:
        return self.outcome.error

    def value_after(self, before: Value) -> Value:
        return self.outcome.value


class Differences(Part):
    """What differs between two catalogs."""

    __slots__ = ("difference",)

    def __init__(self, difference: Difference) -> None:
        self.difference = difference


class MachineRow:
    """What code did on one machine.

    It has an ``error`` of Puppet, a ``problem`` with the machine itself, or else the ``value`` of
    the code and the ``resources`` that it added, each as its reference and its attributes. An error
    that ``is_earlier`` is one of the inputs before. ``logs`` are pairs of level and text. It
    ``has_both`` if the value is shown beside the resources, and ``has_others`` if resources are
    shown, and there are some that the code has not added.
    """

    __slots__ = (
        *("error", "has_both", "has_others", "is_earlier"),
        *("logs", "name", "problem", "resources", "value"),
    )

    def __init__(
        self,
        name: str,
        *,
        value: Value = None,
        resources: Sequence[tuple[str, PuppetHash]] = (),
        error: PuppetError | None = None,
        problem: str | None = None,
        is_earlier: bool = False,
        has_both: bool = False,
        has_others: bool = False,
        logs: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.name = name
        self.value = value
        self.resources = resources
        self.error = error
        self.problem = problem
        self.is_earlier = is_earlier
        self.has_both = has_both
        self.has_others = has_others
        self.logs = logs

    def as_hash(self) -> PuppetHash:
        """Return it with ``value``, ``resources``, ``messages``, and ``error`` (a text or undef).

        ``resources`` are hashes of attributes by reference.
        """
        entries = (
            ("value", self.value),
            ("resources", PuppetHash(self.resources)),
            ("messages", hashes_of_logs(self.logs)),
            ("error", self.problem if self.error is None else str(self.error)),
        )
        return PuppetHash(entries)


class OnMachines(Part):
    """What the same code did on several machines."""

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[MachineRow]) -> None:
        self.rows = rows

    @property
    def some_failed(self) -> bool:
        """Whether the code, or an input before it, failed on a machine."""
        return any(row.error is not None or row.problem is not None for row in self.rows)

    def value_after(self, before: Value) -> Value:
        return PuppetHash((row.name, row.as_hash()) for row in self.rows)


def hashes_of_logs(logs: Iterable[tuple[str, str]]) -> tuple[PuppetHash, ...]:
    """Return logged messages, pairs of level and text, as values."""
    return tuple(PuppetHash((("level", level), ("message", text))) for level, text in logs)


class Action:
    """Something that only a front end can do.

    "quit" leaves it, "edit" opens ``text`` in an editor and runs the result, "run" runs
    ``texts`` one after the other as if they were typed, up to one that fails. "watch" runs
    ``watch`` again and again. "pipe" gives ``texts`` to the shell's command ``text``.
    """

    __slots__ = ("kind", "text", "texts", "watch")

    def __init__(
        self,
        kind: ActionKind,
        text: str = "",
        texts: Sequence[str] = (),
        watch: Watch | None = None,
    ) -> None:
        self.kind: ActionKind = kind
        self.text = text
        self.texts = tuple(texts)
        self.watch = watch


class Report:
    """The result of one command: its parts in order, and what the front end has to do.

    ``newest_last`` is set where its end is what most want to see first, ``wraps`` where lines that
    are too long for a screen may end at any blank.
    """

    __slots__ = ("action", "newest_last", "parts", "wraps")

    def __init__(
        self,
        *parts: Part,
        action: Action | None = None,
        newest_last: bool = False,
        wraps: bool = False,
    ) -> None:
        self.parts: list[Part] = list(parts)
        self.action = action
        self.newest_last = newest_last
        self.wraps = wraps

    @property
    def failed(self) -> bool:
        """Whether the command failed."""
        return any(part.failed for part in self.parts)

    @property
    def is_partial(self) -> bool:
        """Whether the command did its work, but not on all machines."""
        return any(isinstance(part, OnMachines) and part.some_failed for part in self.parts)


class CommandError(Exception):
    """A wrong use of a command, raised inside of it; becomes a Complaint.

    Without a ``hint`` the usage of the command is shown.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
