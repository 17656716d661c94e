"""The result of one input of a session."""

from __future__ import annotations

from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.wording import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.base.errors import PuppetError

    # Resources and edges, in Puppet's catalog format.
    Added: TypeAlias = tuple[list[dict[str, Any]], list[dict[str, str]]]


class Nothing:
    """The class of NOTHING."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing()
"""The value of an input that has none: a failed one, an empty one, most commands."""


class Outcome:
    """The result of one input.

    ``logs`` are pairs of level and text in order; ``number`` is N of ``$_N``, None for an input
    that is not recorded. ``name`` is what messages call the input. ``defined`` tells what the input
    has defined, if it is recorded: ``function f``, ``class c``. ``entry`` is set by front ends: the
    number of the entry, from 0, that the user has typed it as, -1 for none. ``rows`` are the
    resources of a catalog that is finished, as its document has them.
    """

    __slots__ = ("_added", "defined", "entry", "error", "logs", "name", "number", "rows", "value")

    def __init__(
        self,
        value: Any = NOTHING,
        logs: list[tuple[str, str]] | None = None,
        error: PuppetError | None = None,
        number: int | None = None,
        added: Callable[[], Added] | None = None,
    ) -> None:
        self.value = value
        self.logs = logs if logs is not None else []
        self.error = error
        self.number = number
        self.name: str | None = None
        self.defined: tuple[str, ...] = ()
        self.entry: int | None = None
        self.rows: list[dict[str, Any]] | None = None
        self._added = added

    def unwrap(self) -> Any:
        """Return the value, or raise the error of an input that failed; undef is None."""
        if self.error is not None:
            raise self.error.with_traceback(None)  # not that of the interpreter
        return None if self.value is NOTHING else self.value

    def to_python(self) -> Any:
        """Return what ``unwrap`` does, with Python's own classes: see ``values.python``."""
        from puppet_repl.language.values.python import to_python

        return to_python(self.unwrap())

    def __repr__(self) -> str:
        what = f"value={self.value!r}" if self.error is None else f"error={str(self.error)!r}"
        return f"<Outcome {shortened(what)}{f' logs={len(self.logs)}' if self.logs else ''}>"

    @property
    def resources(self) -> list[dict[str, Any]]:
        """The resources that the input added to the catalog, in Puppet's catalog format.

        They are computed on access, which has to be before the next input.
        """
        return self._added_to_catalog()[0]

    @property
    def edges(self) -> list[dict[str, str]]:
        """The containment edges that the input added to the catalog; see ``resources``."""
        return self._added_to_catalog()[1]

    def _added_to_catalog(self) -> Added:
        if self._added is None:
            return [], []
        with deep_calls:
            return self._added()
