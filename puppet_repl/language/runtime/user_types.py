"""The types that the inputs of a session and its modules define, by name.

Names bind late: when a name is defined again, all types whose definitions refer to it are read
again. Values of the old types keep these.
"""

from __future__ import annotations

from puppet_repl.language.runtime import issues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.defined import DefinedType

    TypesState: TypeAlias = "tuple[dict[str, DefinedType], dict[str, TypeOrigin], set[str], int]"

# All beginnings of a name are noted. Nobody defines longer names.
_LONGEST = 4096


class TypeOrigin:
    """The place of a definition: the source, the offsets of its name and its end."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def text(self) -> str:
        """The definition as it is written, from its name on."""
        return self.source.text[self.start : self.end]

    @property
    def location(self) -> str:
        """The location as messages about redefinitions write it."""
        return issues.origin(self.source, self.start)


class UserTypes:
    """``known`` are the types by their names in lower case, without leading colons."""

    __slots__ = ("_defined", "_generation", "_origins", "_unknown", "known")

    def __init__(self) -> None:
        self.known: dict[str, DefinedType] = {}
        self._origins: dict[str, TypeOrigin] = {}
        # Names that the current input has defined.
        self._defined: set[str] = set()
        # Grows with each change of ``known``, and is never rolled back: it also tells types apart.
        self._generation = 0
        # Names that were looked up in vain.
        self._unknown: set[str] = set()

    def begin_input(self) -> None:
        """Begin an input: it may define each name once."""
        self._defined = set()

    def add(self, key: str, type_: DefinedType, origin: TypeOrigin, *, once: bool) -> None:
        """Add a type, or replace one of that name from an earlier input if not ``once``.

        The same definition again gives the same type.
        """
        known = self.known.get(key)
        if known is not None and (once or key in self._defined):
            raise issues.redefinition("type", key, self._origins[key].location)
        self._defined.add(key)
        if known is not None and self._origins[key].text == origin.text:
            self._origins[key] = known.origin = origin
            return
        self._origins[key] = type_.origin = origin
        self._put(key, type_)
        if known is not None or key in self._unknown:
            self._renew()

    def is_new(self, key: str) -> bool:
        """Tell whether the current input has defined a name."""
        return key in self._defined

    def past_definitions(self, type_: PuppetType) -> list[str]:
        """Return a line for each outdated definition that a type refers to.

        The line says where the definition was, and whether the name was redefined or forgotten.
        """
        from puppet_repl.language.types.model.stale import past_types

        lines = []
        for past in past_types(type_, self.known):
            key = self._defining(past.name.lower())
            then, now = past.origin, self._origins.get(key)
            if then is None or then is now:
                continue
            if key not in self.known or now is None:
                change = "forgotten since"
            else:
                change = f"redefined in {now.source.name or 'a later input'}"
            lines.append(f"{past.name} of {then.source.name or 'an earlier input'}, {change}")
        return list(dict.fromkeys(lines))

    def _defining(self, key: str) -> str:
        """Return the name that was defined: a type in a set has the set's definition."""
        outer = key
        while outer and outer not in self._origins:
            outer = outer.rpartition("::")[0]
        return outer or key

    def note_unknown(self, key: str) -> None:
        """Note that a definition may have been read without the type of a name."""
        # A type set may bring the name later.
        while key:
            if len(key) <= _LONGEST:
                self._unknown.add(key)
            key = key.rpartition("::")[0]

    def drop(self, keys: Iterable[str]) -> bool:
        """Forget types by name; tell whether any of them was known."""
        self._generation += 1  # first: an interrupt after it is noticed by return_to()
        dropped = [self.known.pop(key, None) for key in keys]
        self._renew()
        return any(one is not None for one in dropped)

    def _renew(self) -> None:
        """Read the definitions again that refer to names which have been redefined."""
        if not self.known:
            return
        from puppet_repl.language.types.model.stale import stale_types

        for key in stale_types(self.known):
            known = self.known[key]
            renewed = known.renewed()
            renewed.origin = self._origins.get(key)
            renewed.identity = known.identity  # annotations of the type are kept
            self._put(key, renewed)

    def _put(self, key: str, type_: DefinedType) -> None:
        self._generation += 1
        type_.generation = self._generation
        self.known[key] = type_

    def mark(self) -> TypesState:
        """Return the types as they are, for ``return_to``."""
        return dict(self.known), dict(self._origins), set(self._defined), self._generation

    def return_to(self, mark: TypesState) -> None:
        """Return to a mark, earlier or later."""
        known, origins, defined, generation = mark
        self._origins = dict(origins)
        self._defined = set(defined)
        for key, type_ in known.items():
            type_.origin = origins.get(key)  # the same definition again has moved it
        if generation == self._generation:
            return
        self._generation += 1  # first: an interrupt after it is noticed by the next one
        self.known = dict(known)
        self._renew()  # a definition may have been read with names that are gone
