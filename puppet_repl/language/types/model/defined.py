"""Types with a definition of their own, which is read at first use.

A definition names other types. If such a name is defined again, the type is out of date (the module
``stale`` finds such types), and ``renewed`` reads the definition again.
"""

from __future__ import annotations

from puppet_repl.language.types.model.base import PuppetType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.user_types import TypeOrigin


# What reads definitions, and the session that it reads them in.
_READERS = frozenset(
    ("_complete", "_define", "_initialise", "_resolve", "context", "implementation", "origin")
)


class DefinedType(PuppetType):
    """A type that a program or the language names.

    ``generation`` distinguishes the types to which a session has given the same name. It is 0 for
    types of the language and of signatures. ``origin`` is where a session has the definition from.
    ``identity`` is the same for all types that were read from one definition.
    """

    __slots__ = ("generation", "identity", "origin")

    def __init__(self) -> None:
        self.generation = 0
        self.origin: TypeOrigin | None = None
        self.identity: object = object()

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        """Read the definition: a copy for another process has it, but nothing to read it again."""
        self.settled()
        nothing, state = super().__getstate__()
        return nothing, {**state, **dict.fromkeys(_READERS & state.keys())}

    def key_parts(self) -> tuple[PuppetType, ...]:
        return ()

    @property
    def is_read(self) -> bool:
        """Whether the definition has been read."""
        raise NotImplementedError

    def read_parts(self) -> tuple[PuppetType, ...]:
        """Return the types that the definition names, as far as it has been read."""
        raise NotImplementedError

    def renewed(self) -> DefinedType:
        """Return a type with the same definition, which has not been read."""
        raise NotImplementedError
