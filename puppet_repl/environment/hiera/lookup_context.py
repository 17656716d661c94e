"""Puppet::LookupContext: what a function that provides data for lookup() gets as its context."""

from __future__ import annotations

import os

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.hiera.interpolation import interpolate
from puppet_repl.language.data.files import unreadable
from puppet_repl.language.runtime.signals import NoSuchKey
from puppet_repl.language.types.making.factory import lookup
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Members, Typed
from puppet_repl.language.values.symbol import RubySymbol
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.environment.hiera.interpolation import Lookup
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value


class FunctionCache:
    """The cache of a function between calls, for one level and location.

    ``values`` are the results of the function by key; ``entries`` are cached by the function
    itself; ``files`` are the contents of files by path, shared by all functions.
    """

    def __init__(self, files: dict[str, tuple[float, Value]]) -> None:
        self.values: dict[object, Value] = {}
        self.entries: PuppetHash = PuppetHash.EMPTY
        self.files = files


class LookupContext(Members, Typed):
    """The context of one call."""

    __slots__ = ("cache", "environment_name", "module_name", "search")
    ruby_class = "Puppet::Pops::Lookup::Context"

    def __init__(
        self,
        cache: FunctionCache,
        search: Lookup,
        environment_name: str,
        module_name: str | None,
    ) -> None:
        self.cache = cache
        self.search = search
        self.environment_name = environment_name
        self.module_name = module_name

    @property
    def puppet_type(self) -> PuppetType:
        """The type Puppet::LookupContext."""
        found = lookup("Puppet::LookupContext")
        assert found is not None
        return found

    def puppet_text(self) -> str:
        """Return the name of the type."""
        return "Puppet::LookupContext"

    def has_member(self, name: str) -> bool:
        """Tell whether the context has an attribute or function of that name."""
        return name in _MEMBERS

    def call_member(self, name: str, args: tuple[Value, ...], block: Value = None) -> Value:
        """Return the value of an attribute, or what a function returns."""
        return (_MEMBERS.get(name) or _RUBY_MEMBERS[name])(
            self, *args, **({} if block is None else {"block": block})
        )

    def _not_found(self) -> Value:
        raise NoSuchKey

    def _explain(self, block: Any = None) -> None:
        """Add the text that a block returns to the explanation, where somebody wants one."""
        explainer = self.search.explainer
        if explainer is not None:
            explainer.text(to_text(block()))

    def _explain_text(self, text: str) -> None:
        """Add a text to the explanation."""
        if self.search.explainer is not None:
            self.search.explainer.text(text)

    def _interpolate(self, value: Value) -> Value:
        return interpolate(value, self.search, methods=True)

    def _cache(self, key: Value, value: Value) -> Value:
        self.cache.entries = self.cache.entries.with_item(key, value)
        return value

    def _cache_all(self, entries: Any) -> None:
        self.cache.entries = self.cache.entries.merge(entries)

    def _cached_value(self, key: Value) -> Value:
        return self.cache.entries.get(key)

    def _cached_entries(self, block: Any = None) -> Value:
        entries = self.cache.entries
        if block is None:
            return tuple(entries.items())
        for key, value in entries.items():
            if block.max_arity == 1:
                block((key, value))
            else:
                block(key, value)
        return None

    def _cached_file_data(self, path: Any, block: Any = None) -> Value:
        """Return the text of a file, or what a block makes of it, until the file changes."""
        self.search.context.check_reach(path)
        if "\0" in path:
            raise RuntimeFailure("string contains null byte")
        try:
            changed = os.stat(path).st_mtime_ns
            known = self.cache.files.get(path)
            if known is None or known[0] != changed:
                text: Value = read_text(path)
                known = self.cache.files[path] = (changed, text if block is None else block(text))
        except OSError as error:
            raise unreadable(error, path) from None
        except UnicodeDecodeError as error:
            raise RuntimeFailure(f"{path}: {why_unusable(error)}") from None
        return known[1]


_MEMBERS: dict[str, Callable[..., Value]] = {
    "cache": LookupContext._cache,
    "cache_all": LookupContext._cache_all,
    "cache_has_key": lambda context, key: context.cache.entries.has(key),
    "cached_entries": LookupContext._cached_entries,
    "cached_file_data": LookupContext._cached_file_data,
    "cached_value": LookupContext._cached_value,
    "environment_name": lambda context: RubySymbol(context.environment_name),
    "explain": LookupContext._explain,
    "interpolate": LookupContext._interpolate,
    "module_name": lambda context: context.module_name,
    "not_found": LookupContext._not_found,
}
# What the class that Ruby code sees asks for.
_RUBY_MEMBERS: dict[str, Callable[..., Value]] = {
    "explain_text": LookupContext._explain_text,
    "explaining": lambda context: context.search.explainer is not None,
}
