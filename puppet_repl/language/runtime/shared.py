"""What several sessions have in common."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.stamp import Look, Stamp
    from puppet_repl.catalog.resource_types import NativeType
    from puppet_repl.environment.modules.listings import Listings
    from puppet_repl.environment.modules.metadata import Findings
    from puppet_repl.environment.modules.modules import ModuleSet
    from puppet_repl.environment.modules.ruby_index import RubyIndexes
    from puppet_repl.environment.modules.shared_files import SharedFiles
    from puppet_repl.environment.ruby.engines import Started


class Shared:
    """What sessions may share so that it is done once; each part is made when it is first needed.

    ``listings`` is what directories hold, ``metadata`` what files of modules say of these,
    ``ruby_indexes`` where modules have what, ``resource_types`` what they define in Ruby.
    ``data`` is what data files hold, ``sources`` the texts of files in Puppet. ``engines`` has the
    Ruby that a session has left for the next one, by what it sees; None if each session starts
    its own. ``look`` is what files were like, ``module_sets`` what modules there were then.

    With ``is_lasting`` sessions see the files as they were when the first of them looked, and leave
    their Ruby to each other: they work for one command.
    """

    __slots__ = (
        "_is_lasting",
        "_look",
        "data",
        "engines",
        "listings",
        "metadata",
        "module_sets",
        "resource_types",
        "ruby_indexes",
        "sources",
    )

    def __init__(self, *, is_lasting: bool = False) -> None:
        self._is_lasting = is_lasting
        self._look: Look | None = None
        self.module_sets: dict[object, ModuleSet] = {}
        self.sources: SharedFiles | None = None
        self.data: SharedFiles | None = None
        self.engines: dict[object, Started] | None = {} if is_lasting else None
        self.listings: Listings | None = None
        self.metadata: Findings = {}
        self.ruby_indexes: RubyIndexes | None = None
        self.resource_types: dict[object, tuple[Stamp | None, bool, NativeType | None]] = {}

    @property
    def look(self) -> Look:
        """What files are like for the input that runs."""
        if self._look is None:
            # A program without an environment looks at none.
            from puppet_repl.base.stamp import Look

            self._look = Look(is_lasting=self._is_lasting)
        return self._look

    def begin_input(self) -> None:
        """Let files be looked at again, unless the look is to last."""
        if self._look is not None:
            self._look.renew()

    def look_anew(self) -> None:
        """Take another look, also where looks last."""
        if self._look is not None:
            self._look.take()
        if self._is_lasting:
            # Of files that had just been written the time may not tell that they have changed.
            self.sources = None

    def close(self) -> None:
        """End what sessions have left to each other; the next one looks at files again."""
        self.look_anew()
        engines = self.engines or {}
        while engines:
            engines.popitem()[1].engine.close()
