"""An index of the Ruby files in modules that define resource types and functions.

A catalog asks a hundred modules for each type, and most do not have it. So the files are listed
once, and listed again for a module if one of its directories has changed.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.environment.modules.listings import Listing, Listings
    from puppet_repl.environment.modules.modules import Module

    Files = dict[str, str]


class OwnRuby:
    """What one module, or the directory of an environment, has below ``lib/puppet``.

    ``types`` are the files of resource types by their names, ``data_types`` those of data types,
    ``providers`` the directory with those of providers, if there is one. Functions are apart by
    their kind: ``newer`` (4.x) and ``older`` ones (3.x).
    """

    __slots__ = ("_listings", "data_types", "newer", "older", "providers", "types")

    def __init__(self, path: str, listings: Listings) -> None:
        root = os.path.join(path, "lib", "puppet")
        self._listings: dict[str, Listing] = {}
        self.types: Files = {}
        self.providers: str | None = None
        self.data_types: Files = {}
        self.newer: Files = {}
        self.older: Files = {}
        top = self._of(root, listings)
        names = {*top.directories, *top.links}
        if "type" in names:
            directory = os.path.join(root, "type")
            for name in self._of(directory, listings).files:
                if name.endswith(".rb"):
                    self.types[name[:-3]] = os.path.join(directory, name)
        if "provider" in names:
            self.providers = os.path.join(root, "provider")
        if "functions" in names:
            self.newer = self._named(os.path.join(root, "functions"), listings)
        if "parser" in names:
            self.older = self._named(os.path.join(root, "parser", "functions"), listings)
        if "datatypes" in names:
            self.data_types = self._named(os.path.join(root, "datatypes"), listings)

    def _of(self, directory: str, listings: Listings) -> Listing:
        listing = self._listings[directory] = listings.of(directory)
        return listing

    def _named(self, root: str, listings: Listings) -> Files:
        found, looked_at = _files_below(root, listings)
        self._listings |= looked_at
        return found

    def is_current(self, listings: Listings) -> bool:
        """Tell whether the directories hold what they held."""
        return listings.are_current(self._listings)


class RubyIndex:
    """What all modules have together: of two of a name the one of the first module counts.

    ``functions`` and ``legacy`` are all functions and those of 3.x alone, ``data_types`` those that
    Ruby creates, by name with their files; a qualified name has to begin with that of its module.
    """

    __slots__ = (
        *("_parts", "_provided", "_providers"),
        *("data_types", "functions", "legacy", "shared", "types"),
    )

    def __init__(self, parts: tuple[tuple[str, str, bool, OwnRuby], ...]) -> None:
        self._parts = parts
        self.types: Files = {}
        self.data_types: Files = {}
        self.functions: Files = {}
        self.legacy: Files = {}
        # Names of functions that several modules have.
        self.shared: set[str] = set()
        self._providers: list[str] = []
        # A directory with a provider of a type: a look at it tells whether that is still there.
        self._provided: dict[str, str] = {}
        for owner, _, is_left_out, own in parts:
            for name, file in own.older.items():
                self.legacy.setdefault(name, file)
            for name, file in _usable(owner, own, is_left_out=is_left_out):
                if self.functions.setdefault(name, file) != file:
                    self.shared.add(name)
            for name, file in own.data_types.items():
                if is_left_out or name == owner:
                    continue  # a global type with the name of the module would be a type set
                if "::" not in name or name.startswith(f"{owner}::"):
                    self.data_types.setdefault(name, file)
            if owner == ENVIRONMENT:
                continue  # Puppet looks for types in modules only
            for name, file in own.types.items():
                self.types.setdefault(name, file)
            if own.providers is not None:
                self._providers.append(own.providers)

    def owners(self, name: str) -> Files:
        """Return the files that have a function, by their owners, in the order of the modules."""
        return {
            owner: file
            for owner, _, is_left_out, own in self._parts
            for each, file in _usable(owner, own, is_left_out=is_left_out)
            if each == name
        }

    def is_of(self, parts: tuple[tuple[str, str, bool, OwnRuby], ...]) -> bool:
        """Return whether the index was made of these modules in their present state."""
        return self._parts == parts

    def has_provider(self, type_name: str, listings: Listings) -> bool:
        """Tell whether a module has a provider for a resource type."""
        known = self._provided.get(type_name)
        if known is not None and _has_ruby(known, listings):
            return True
        for root in self._providers:
            found = listings.of(root)
            if type_name in found.directories or type_name in found.links:
                directory = os.path.join(root, type_name)
                if _has_ruby(directory, listings):
                    self._provided[type_name] = directory
                    return True
        return False


def _files_below(root: str, listings: Listings) -> tuple[dict[str, str], dict[str, Listing]]:
    """Return the Ruby files below a directory by the names of functions that they can define.

    The other part are the directories that were looked at, with what they hold.
    """
    files: dict[str, str] = {}
    looked_at: dict[str, Listing] = {}
    for path in listings.files_below(root, ".rb", looked_at):
        files[path[:-3].replace(os.sep, "::")] = f"{root}{os.sep}{path}"
    return files, looked_at


def _has_ruby(directory: str, listings: Listings) -> bool:
    return any(name.endswith(".rb") for name in listings.of(directory).files)


def _usable(owner: str, own: OwnRuby, *, is_left_out: bool) -> Iterator[tuple[str, str]]:
    """Yield the functions that code can call; qualified names begin with that of the module."""
    for name, file in (own.older if is_left_out else {**own.older, **own.newer}).items():
        is_own = name in own.newer and name.startswith(f"{owner}::")
        if is_left_out or "::" not in name or is_own:
            yield name, file


# The owner of files of the environment itself; a module cannot have this name.
ENVIRONMENT = "environment"


class RubyIndexes:
    """The indexes of environments, and what their modules have; sessions may share them."""

    __slots__ = ("_indexes", "_owned")

    def __init__(self) -> None:
        self._owned: dict[str, OwnRuby] = {}
        self._indexes: dict[tuple[tuple[str, ...], str | None], RubyIndex] = {}

    def index(
        self,
        modulepath: tuple[str, ...],
        modules: Iterable[Module],
        left_out: Iterable[Module],
        directory: str | None,
        listings: Listings,
    ) -> RubyIndex:
        """Return the index of the modules on a path, and of the directory of an environment.

        Of modules that are ``left_out`` types and 3.x functions count, after those of all others.
        """
        owners = [(module.name, module.path, False) for module in modules]
        owners += [(module.name, module.path, True) for module in left_out]
        if directory is not None:
            owners.insert(0, (ENVIRONMENT, directory, False))
        parts = tuple([(*owner, self._own(owner[1], listings)) for owner in owners])
        index = self._indexes.get((modulepath, directory))
        if index is None or not index.is_of(parts):
            index = self._indexes[modulepath, directory] = RubyIndex(parts)
        return index

    def _own(self, path: str, listings: Listings) -> OwnRuby:
        own = self._owned.get(path)
        if own is None or not own.is_current(listings):
            own = self._owned[path] = OwnRuby(path, listings)
        return own
