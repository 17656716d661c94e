"""What several sessions have in common."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.catalog.resource_types import NativeType
    from puppet_repl.environment.listings import Listings
    from puppet_repl.environment.metadata import Findings
    from puppet_repl.environment.ruby_index import RubyIndexes
    from puppet_repl.environment.shared_data import SharedData
    from puppet_repl.ruby.engines import Started


class Shared:
    """What sessions may share so that it is done once; each part is made when it is first needed.

    ``listings`` is what directories hold, ``metadata`` what files of modules say of these,
    ``ruby_indexes`` where modules have what, ``resource_types`` what they define in Ruby.
    ``data`` is what data files hold. ``engines`` has the Ruby that a session has left for the next
    one, by what it sees; None where each session starts its own.
    """

    __slots__ = ("data", "engines", "listings", "metadata", "resource_types", "ruby_indexes")

    def __init__(self) -> None:
        self.data: SharedData | None = None
        self.engines: dict[object, Started] | None = None
        self.listings: Listings | None = None
        self.metadata: Findings = {}
        self.ruby_indexes: RubyIndexes | None = None
        self.resource_types: dict[object, tuple[Stamp | None, bool, NativeType | None]] = {}
