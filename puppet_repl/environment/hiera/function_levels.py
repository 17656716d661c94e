"""Levels of data that a function provides: in Puppet or in Ruby, of a module or the environment."""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue, PuppetError, RuntimeFailure
from puppet_repl.environment.hiera.lookup_context import FunctionCache, LookupContext
from puppet_repl.environment.hiera.unasked import UnaskedLevels
from puppet_repl.environment.modules.ruby_functions import UnavailableFunction
from puppet_repl.environment.ruby.failures import RubyFailure
from puppet_repl.language.data.files import lookup_error
from puppet_repl.language.runtime.placeholders import advice, placeholders_of
from puppet_repl.language.runtime.signals import NoSuchKey
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.types.model.collection import HASH
from puppet_repl.language.types.model.data import LOOKUP_VALUE
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.hiera.config import Level
    from puppet_repl.environment.hiera.locations import Location
    from puppet_repl.environment.hiera.search import Search
    from puppet_repl.language.values.protocols import Value

DATA_HASHES = ("data_hash", "v4_data_hash")


class FunctionLevels:
    """The functions of one Hiera, with what they have returned and kept so far."""

    def __init__(self) -> None:
        self._caches: dict[tuple[str, str, str | None], FunctionCache] = {}
        self._files: dict[str, tuple[float, Value]] = {}
        self.unasked = UnaskedLevels()

    def forget(self) -> None:
        """Clear the caches for a new compilation."""
        self._caches.clear()
        self._files.clear()
        self.unasked.forget()

    def value(
        self,
        level: Level,
        location: Location | None,
        segments: tuple[Any, ...],
        module: str | None,
        search: Search,
    ) -> Value:
        """Return the value of a key at one location of a level, UNSET if there is none."""
        if location is not None and location.kind == "path":
            search.hiera.note_used(location.text, search.context)
            if location.is_missing:
                return UNSET
        place = None if location is None else location.text
        key = (level.config_path, level.name, place)
        cache = self._caches.get(key)
        if cache is None:
            cache = self._caches[key] = FunctionCache(self._files)
        asked = segments if level.kind == "data_dig" else segments[:1]
        attempt = place, () if level.kind in DATA_HASHES else asked
        reason = self.unasked.reason(level, attempt)
        if reason is None:
            call = _Call(level, location, cache, module, search)
            try:
                return call.value(segments)
            except PuppetError as error:
                if not call.is_unasked:
                    raise
                if placeholders_of(search.context) is None:
                    error.notes = (*error.notes, advice(search.context.options))
                    raise
                reason = self.unasked.add(level, None if call.is_impossible else attempt, error)
        self.unasked.pass_over(level, asked, reason, search)
        return UNSET


class _Call:
    """The call of a function for one key."""

    def __init__(
        self,
        level: Level,
        location: Location | None,
        cache: FunctionCache,
        module: str | None,
        search: Search,
    ) -> None:
        self.level = level
        self.location = location
        self.cache = cache
        self.module = module
        self.search = search
        self.context = search.context
        # Whether the call has failed because Ruby, the function or something it needs is missing,
        # and whether other calls would fail as well, as there is no function to call.
        self.is_unasked = False
        self.is_impossible = False

    def value(self, segments: tuple[Any, ...]) -> Value:
        """Return the value of the key with these segments."""
        if self.level.kind in DATA_HASHES:
            return self.data_hash(segments[0])
        if self.level.kind == "lookup_key":
            return self.lookup_key(segments[0])
        return self.data_dig(segments)

    def data_hash(self, key: str) -> Value:
        """Return the value that the hash of a data_hash function has."""
        data = self.cache.values.get("")
        if data is None:
            data = self._call()
            if data is UNSET:
                return UNSET
            if type(data) is not PuppetHash:
                raise lookup_error(value_mismatch(self._subject("Value"), HASH, data))
            data = self.cache.values[""] = self._own_keys(data)
        assert type(data) is PuppetHash
        if not data.has(key):
            return UNSET
        value = data[key]
        if not LOOKUP_VALUE.accepts_value(value):
            raise self._wrong_value(f"Value for key '{key}', in hash", value)
        return self.search.interpolated(value)

    def lookup_key(self, key: str) -> Value:
        """Return what a lookup_key function returns for a key."""
        known = self.cache.values
        if key not in known:
            value = self._call(key)
            if value is UNSET:
                return UNSET
            if not LOOKUP_VALUE.accepts_value(value):
                raise self._wrong_value(f"Value for key '{key}',", value)
            known[key] = value
        return known[key]

    def data_dig(self, segments: tuple[Any, ...]) -> Value:
        """Return what a data_dig function returns, at the place where the key looks for it."""
        known = self.cache.values
        if segments not in known:
            value = self._call(segments)
            if value is UNSET:
                return UNSET
            if not LOOKUP_VALUE.accepts_value(value):
                raise self._wrong_value(f"Value for key '{'.'.join(map(str, segments))}',", value)
            known[segments] = value
        found = known[segments]
        for segment in reversed(segments[1:]):
            if type(segment) is int:
                found = (*[None] * segment, found)
            else:
                found = PuppetHash([(segment, found)])
        return found

    def _call(self, *arguments: Value) -> Value:
        """Call the function; return UNSET if it has no value."""
        context = self.context
        name = self.level.function
        try:
            function = context.lookup_function(name)
        except RubyFailure:
            self.is_unasked = self.is_impossible = True
            raise
        if function is None:
            self.is_unasked = self.is_impossible = self.level.kind != "v4_data_hash"
            raise self._unknown(name)
        options = self.level.options if type(self.level.options) is PuppetHash else PuppetHash.EMPTY
        if self.location is not None:
            options = options.with_item(self.location.kind, self.location.text)
        self.is_unasked = self.is_impossible = isinstance(function, UnavailableFunction)
        lookup_context = LookupContext(
            self.cache, self.search, context.environment_name, self.module
        )
        given = (*arguments, options, lookup_context)
        if self.level.kind == "v4_data_hash":  # of a time before these existed
            given = ()
        outer = context.scope
        context.scope = self.search.scope
        try:
            value: Value = function.call(context, given)
        except NoSuchKey:
            return UNSET
        except RubyFailure as error:
            self.is_unasked = True
            if error.is_puppet_error:
                raise lookup_error(error.message) from None
            raise
        except (RuntimeFailure, EvaluationIssue) as error:
            located = context.locate(error)
            raise (error if located.source is None else located) from None
        finally:
            context.scope = outer
        return UNSET if isinstance(function, UnavailableFunction) else value

    def _unknown(self, name: str) -> PuppetError:
        module, colons, _ = name.partition("::")
        environment = self.context.environment
        if colons and module != "environment" and module not in getattr(environment, "modules", ()):
            return RuntimeFailure("undefined method `load_typed' for nil:NilClass")
        return lookup_error(
            f"Unable to find '{self.level.kind}' function named '{name}' "
            f"(file: {self.level.config_path})"
        )

    def _subject(self, what: str) -> str:
        kind = self.level.kind if self.level.kind != "v4_data_hash" else "deprecated API"
        text = f"{what} returned from {kind} function '{self.level.function}'"
        if self.location is None:
            return text
        return f"{text}, when using location '{self.location.text}',"

    def _wrong_value(self, what: str, value: Value) -> PuppetError:
        return lookup_error(
            f"{self._subject(what)} has wrong type, expects Puppet::LookupValue, got "
            f"{to_text(infer(value))}"
        )

    def _own_keys(self, data: PuppetHash) -> PuppetHash:
        """Return the data without keys that a module must not provide, with a warning for each."""
        if self.module is None:
            return data
        others = [key for key in data.keys() if not self._is_own(key)]
        for key in others:
            self.context.log(
                "warning",
                f"Module '{self.module}': {self._subject('Value')}"
                f"{'' if self.location else ','} must use keys qualified with the name of the "
                f"module; got {to_text(key)}",
            )
        return data.without(others)

    def _is_own(self, key: Value) -> bool:
        return type(key) is str and (key == "lookup_options" or key.startswith(f"{self.module}::"))
