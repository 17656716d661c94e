"""What several sessions have in common."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from puppet_repl.base.stamp import Look, Stamp
    from puppet_repl.catalog.resource_types import NativeType
    from puppet_repl.environment.modules.listings import Listing
    from puppet_repl.environment.modules.metadata import Findings
    from puppet_repl.environment.modules.modules import ModuleSet
    from puppet_repl.environment.modules.ruby_index import RubyIndexes
    from puppet_repl.environment.modules.shared_files import SharedFiles
    from puppet_repl.environment.ruby.engines import Started


class Shared:
    """Data that sessions may share so that it is read once; each part is made at first use.

    ``listings`` are the entries of directories, ``metadata`` the metadata of modules,
    ``ruby_indexes`` the places of their Ruby definitions, ``resource_types`` their resource types
    in Ruby. ``data`` are the contents of data files, ``sources`` the texts of files in Puppet.
    ``engines`` are the Ruby engines that a session has left for the next one, by the files they
    see; None if each session starts an engine. ``module_sets`` are the modules found at a look.

    ``puppetdb`` is the content of the file of that option, with its path and its stamp.

    With ``is_lasting``, for the sessions of one command, all see the files as the first one saw
    them, and they pass their Ruby engine on. Otherwise each session has a look of its own: its
    inputs see no stamps from before their start, whatever other threads do. At the end of a
    ``with`` block it is closed.
    """

    __slots__ = (
        "_look",
        "data",
        "engines",
        "listings",
        "metadata",
        "module_sets",
        "puppetdb",
        "resource_types",
        "ruby_indexes",
        "sources",
    )

    def __init__(self, *, is_lasting: bool = False) -> None:
        self._look = _new_look(is_lasting=True) if is_lasting else None
        self.module_sets: dict[object, ModuleSet] = {}
        self.sources: SharedFiles | None = None
        self.data: SharedFiles | None = None
        self.engines: dict[object, Started] | None = {} if is_lasting else None
        self.listings: dict[str, Listing] = {}
        self.metadata: Findings = {}
        self.puppetdb: tuple[object, Any] | None = None
        self.ruby_indexes: RubyIndexes | None = None
        self.resource_types: dict[object, tuple[Stamp | None, bool, NativeType | None]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def new_look(self) -> Look:
        """Return the look of a session, which is that of all sessions if it lasts."""
        return _new_look(is_lasting=False) if self._look is None else self._look

    def look_anew(self) -> None:
        """Let the sessions with a lasting look see files as they are now."""
        if self._look is not None:
            self._look.take()
            # The time of a file that was just written may not show that the file has changed.
            self.sources = None

    def close(self) -> None:
        """Close the Ruby engines that sessions have left; the next session looks at files again."""
        self.look_anew()
        engines = self.engines or {}
        for left in [engines.pop(sight, None) for sight in list(engines)]:
            if left is not None:
                left.engine.close()


def _new_look(*, is_lasting: bool) -> Look:
    # A program without an environment looks at no file.
    from puppet_repl.base.stamp import Look

    return Look(is_lasting=is_lasting)
