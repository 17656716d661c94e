"""The optional record of a lookup, step by step.

The Explainer of a lookup writes a tree of steps and becomes an Explanation, which has the tree, for
the text of ``puppet lookup --explain`` (see ``explain_text``), and a list of places: one for each
file, or other source, that was read for the key.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.modules import import_package
from puppet_repl.base.yaml_nodes import key_lines
from puppet_repl.environment.hiera.explain_data import explain_data
from puppet_repl.environment.hiera.explain_text import explain_text
from puppet_repl.language.data.files import LOOKUP_ERRORS
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.python import to_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal, TypeAlias

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.language.values.protocols import Value

    Kind: TypeAlias = Literal[
        "root",
        "key",
        "options",
        "invalid key",
        "merge source",
        "merge",
        "layer",
        "level",
        "path",
        "uri",
        "module",
        "scope",
        "sub key",
        "segment",
        "interpolation",
    ]

    Event: TypeAlias = Literal[
        "found",
        "in overrides",
        "in defaults",
        "not found",
        "not asked",
        "missing",
        "result",
        "no module",
        "no data",
    ]

    Status: TypeAlias = Literal["found", "not found", "not asked", "missing"]


class Step:
    """One step of a lookup, with those inside of it.

    ``name`` is what the kind calls for: a key, a strategy, a layer, a level, a path, an expression.
    ``event`` says how it ended, ``key`` and ``value`` what it found; ``texts`` are remarks of
    functions. Further attributes count for some kinds only: ``options`` of a merge; ``title``, what
    Puppet calls a layer or level; ``config``, the hiera.yaml of a layer, and ``owner``, its module;
    ``original``, a location as it is in hiera.yaml; ``raw``, the value before interpolation, of a
    level, path or uri; ``empty``, the expressions that were empty, of an interpolation, a path or
    uri.
    """

    __slots__ = (
        "config",
        "empty",
        "event",
        "key",
        "kind",
        "name",
        "options",
        "original",
        "owner",
        "parent",
        "raw",
        "steps",
        "texts",
        "title",
        "value",
    )

    def __init__(self, kind: Kind, name: str, parent: Step | None = None) -> None:
        self.kind: Kind = kind
        self.name = name
        self.parent = parent
        self.event: Event | None = None
        self.key: str | None = None
        self.value: Value = UNSET
        self.raw: Value = UNSET
        self.options: PuppetHash = PuppetHash.EMPTY
        self.config: str | None = None
        self.owner: str | None = None
        self.original = ""
        self.title = ""
        self.empty: list[str] = []
        self.texts: list[str] = []
        self.steps: list[Step] = []


class Explainer:
    """Writes the steps of a lookup down. With ``options_only`` the options of a key are all."""

    def __init__(self, *, options_only: bool = False) -> None:
        self.options_only = options_only
        self.root = Step("root", "")
        self.current = self.root

    @contextmanager
    def step(self, kind: Kind, name: str) -> Iterator[Step]:
        """Return a context in which everything belongs to a new step."""
        outer = self.current
        self.current = step = Step(kind, name, outer)
        outer.steps.append(step)
        try:
            yield step
        finally:
            self.current = outer

    def note(self, kind: Kind, name: str, event: Event | None = None) -> None:
        """Add a step that has nothing inside."""
        step = Step(kind, name, self.current)
        step.event = event
        self.current.steps.append(step)

    def end(self, event: Event, key: str | None = None, value: Value = UNSET) -> None:
        """Say how the current step ended."""
        step = self.current
        step.event = event
        if key is not None:
            step.key = key
        if event not in ("not found", "not asked", "missing"):
            step.value = value

    def text(self, text: str) -> None:
        """Add a remark to the current step."""
        self.current.texts.append(text)

    def explanation(self, key: str | tuple[str, ...], error: PuppetError | None) -> Explanation:
        """Return the explanation of the lookup of a key, with the error of the lookup."""
        # An error that has a place comes from Puppet code, and a lookup passes it on as its own.
        told = error is not None and (error.code in LOOKUP_ERRORS or error.source is not None)
        if told:
            self.root.texts.append(str(error))
        keys = key if isinstance(key, str) else ", ".join(key)
        return Explanation(keys, self.root, tells_error=told)


class Place:
    """A source that was looked at for a key.

    ``layer`` is "global", "environment" or "module NAME"; ``level`` the name in hiera.yaml;
    ``default`` tells whether it is a level of the default_hierarchy. ``location`` is the path or
    URI, None for a function without one, and ``original`` that of hiera.yaml, with expressions.
    ``status`` is "found", "not found", "missing" (there is no such file) or "not asked" (a function
    cannot be called here). ``raw`` is the value
    before and ``value`` that after interpolation, both UNSET where nothing was found; ``empty`` are
    expressions in the location or in the value that were empty. ``taken`` tells whether the result
    has something of it.
    """

    def __init__(self, layer: Step, level: Step, step: Step, *, default: bool) -> None:
        self.layer = layer.name.lower() if layer.owner is None else f"module {layer.owner}"
        self.config = layer.config
        self.level = level.name
        self.default = default
        located = step is not level
        self.location: str | None = step.name if located else None
        self.original: str | None = step.original if located else None
        self.status: Status = "not found"
        if step.event == "found" or step.event == "missing" or step.event == "not asked":
            self.status = step.event
        self.key = step.key
        self.value = step.value
        self.raw = step.value if step.raw is UNSET else step.raw
        self.path_empty = tuple(step.empty)
        self.value_empty = tuple(
            [expression for part in _interpolations(step) for expression in part.empty]
        )
        self.taken = False

    def __repr__(self) -> str:
        return f"<Place {self.location or self.level}: {self.status}>"

    @property
    def empty(self) -> tuple[str, ...]:
        """The expressions that were empty, those of the location first."""
        return (*self.path_empty, *self.value_empty)

    @property
    def line(self) -> int | None:
        """The line of the key in the file, None if that is not known."""
        if self.status != "found" or self.location is None or self.key is None:
            return None
        return line_of(self.location, self.key) if os.path.isfile(self.location) else None


class Explanation:
    """The explained lookup of a key; ``root`` has the steps.

    ``str`` returns the text of ``puppet lookup --explain``. ``tells_error`` says whether the lookup
    ended with an error that is its last remark.
    """

    def __init__(self, key: str, root: Step, *, tells_error: bool = False) -> None:
        self.key = key
        self.root = root
        self.tells_error = tells_error

    def __str__(self) -> str:
        return explain_text(self)

    def __repr__(self) -> str:
        return f"<Explanation of {self.key}: {self.places()}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as the JSON of ``puppet lookup --explain`` has it."""
        data: dict[str, Any] = to_python(explain_data(self))
        return data

    @property
    def top(self) -> Step | None:
        """The step of the key itself; None if the lookup did not reach it."""
        return next((step for step in self.root.steps if step.kind == "key"), None)

    @property
    def merge(self) -> str:
        """The strategy that was used for the key; "first" is the default."""
        top = self.top
        found = None if top is None else next(_nearest(top, "merge"), None)
        return "first" if found is None else found.name

    @property
    def merge_from_options(self) -> bool:
        """Whether the strategy comes from lookup_options."""
        return any(step.kind == "merge source" for step in self.root.steps)

    def places(self) -> list[Place]:
        """Return the sources that were looked at for the key itself, in their order."""
        top = self.top
        return [] if top is None else _places(top, takes_first=self.merge == "first")

    def option_places(self) -> list[Place]:
        """Return the sources that were looked at for the lookup_options."""
        tops = [step for step in self.root.steps if step.kind in ("options", "merge")]
        return [place for top in tops for place in _places(top, takes_first=False)]

    @property
    def is_found(self) -> bool:
        """Whether any of the places has a value for the key."""
        return any(place.status == "found" for place in self.places())

    @property
    def empty(self) -> tuple[str, ...]:
        """All expressions that were empty on the way to the key, each once."""
        listed = [expression for place in self.places() for expression in place.empty]
        return tuple(dict.fromkeys(listed))


def _places(top: Step, *, takes_first: bool) -> list[Place]:
    places = []
    for layer in _nearest(top, "layer"):
        default = any(_above(layer, top, "scope"))
        if default and _is_for_options(layer, top):
            continue
        for level in _nearest(layer, "level"):
            found = list(_nearest(level, "path", "uri")) or [level]
            places += [Place(layer, level, step, default=default) for step in found]
    for place in places:
        if place.status == "found":
            place.taken = True
            if takes_first:
                break
    return places


def _nearest(step: Step, *kinds: Kind) -> Iterator[Step]:
    """Yield the outermost steps of some kinds, without lookups for interpolations."""
    for inner in step.steps:
        if inner.kind in kinds:
            yield inner
        elif inner.kind not in ("interpolation", "key", "options"):
            yield from _nearest(inner, *kinds)


def _interpolations(step: Step) -> Iterator[Step]:
    return _nearest_interpolations(step)


def _nearest_interpolations(step: Step) -> Iterator[Step]:
    """Yield the interpolations of a value, and those inside of them that are of no other key."""
    for inner in step.steps:
        if inner.kind == "interpolation":
            yield inner
            yield from _nearest_interpolations(inner)


def _above(step: Step, top: Step, kind: Kind) -> Iterator[Step]:
    parent = step.parent
    while parent is not None and parent is not top:
        if parent.kind == kind:
            yield parent
        parent = parent.parent


def _is_for_options(layer: Step, top: Step) -> bool:
    return any('"lookup_options"' in step.name for step in _above(layer, top, "scope"))


def line_of(path: str, key: str) -> int | None:
    """Return the line of a top-level key of a YAML or JSON file; None if it is unknown.

    The last of duplicate keys counts, as for its value.
    """
    yaml = import_package("yaml")

    try:
        lines = key_lines(read_text(path))
    except (OSError, UnicodeError, yaml.YAMLError):
        return None
    other = key[1:] if key[:1] == ":" else f":{key}"
    return max((lines[name] for name in (key, other) if name in lines), default=None)
