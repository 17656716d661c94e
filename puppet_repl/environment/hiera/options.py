"""lookup_options: the data that say how other data are merged and converted."""

from __future__ import annotations

from puppet_repl.language.data.files import lookup_error
from puppet_repl.language.data.merge import HASH
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.hiera.config import Config
    from puppet_repl.environment.hiera.search import Search
    from puppet_repl.language.values.protocols import Value

OPTIONS = "lookup_options"


class LookupOptions:
    """The options of all keys, looked up once for each module; ``forget`` before each input."""

    def __init__(self) -> None:
        self._known: dict[str | None, Value] = {}
        self._defaults: dict[str, Value] = {}
        self._shared: Value = None  # of global layer and environment; None before they are known
        self._global: Value = None  # of the global layer; None before the first lookup

    def forget(self) -> None:
        """Forget all options."""
        self._known.clear()
        self._defaults.clear()
        self._shared = self._global = None

    def of(self, key: str, module: str | None, search: Search) -> PuppetHash:
        """Return the options of a key that belongs to a module, or to none."""
        known = self._known
        if module not in known:
            known[module] = self._look_up(module, search)
        return options_for(key, known[module])

    def of_defaults(self, module: str, search: Search, config: Config) -> Value:
        """Return all options in the default_hierarchy of a module, UNSET where there are none."""
        known = self._defaults
        if module not in known:
            options = search.default_options(module, config)
            _check(options, module)
            known[module] = options
        return known[module]

    def _look_up(self, module: str | None, search: Search) -> Value:
        explainer = search.explainer
        if explainer is None:
            return self._in_layers(module, search)
        with explainer.step("options", OPTIONS):
            return self._in_layers(module, search)

    def _in_layers(self, module: str | None, search: Search) -> Value:
        if self._shared is None:
            self._shared = self._of_all(search)
        shared = self._shared
        if module is None:
            return shared
        self._known.setdefault(None, shared)
        own = search.in_module(OPTIONS, module, HASH)
        _check(own, module)
        if shared is UNSET or own is UNSET:
            return own if shared is UNSET else shared
        return _together(shared, own, module, search)

    def _of_all(self, search: Search) -> Value:
        """Return the options of the given data, the global layer and the environment."""
        if self._global is None:
            # Options that need a lookup find none here, and are recursive in the environment.
            self._global = UNSET
            given = search.in_given(OPTIONS, HASH)
            _check(given, None)
            own = search.in_global(OPTIONS, HASH)
            _check(own, None)
            self._global = _one_or_both(given, own)
        top = self._global
        own = search.in_environment(OPTIONS, HASH)
        _check(own, None)
        return _one_or_both(top, own)


def _one_or_both(top: Value, own: Value) -> Value:
    if top is UNSET or own is UNSET:
        return own if top is UNSET else top
    return HASH.two(top, own)


def _together(shared: Value, own: Value, module: str, search: Search) -> Value:
    value = HASH.two(shared, own)
    explainer = search.explainer
    if explainer is not None:
        with explainer.step("merge", HASH.name):
            for name, options in (("Global and Environment", shared), (f"Module {module}", own)):
                with explainer.step("scope", name):
                    explainer.end("found", OPTIONS, options)
            explainer.end("result", value=value)
    return value


def _check(options: Value, module: str | None) -> None:
    if options is UNSET:
        return
    if type(options) is not PuppetHash:
        raise lookup_error(f"value of {OPTIONS} must be a hash")
    if module is None:
        return
    for key in options.keys():
        problem = problem_of_key(key, module)
        if problem is not None:
            raise lookup_error(problem)


def problem_of_key(key: str, module: str) -> str | None:
    """Return Puppet's message for a key that is not one of a module, in whose options it is."""
    prefix = f"{module}::"
    if key.startswith("^"):
        if not key[1:].startswith(prefix):
            return f"all {OPTIONS} patterns must match a key starting with module name '{module}'"
    elif not key.startswith(prefix):
        return f"all {OPTIONS} keys must start with module name '{module}'"
    return None


def options_for(key: str, options: Value) -> PuppetHash:
    """Return the options of a key: by its name, else by the first pattern that matches."""
    if type(options) is not PuppetHash:
        return PuppetHash.EMPTY
    own = options.get(key)
    if type(own) is PuppetHash:
        return own
    for name, value in options.items():
        if name.startswith("^") and Regexp(name).matches(key):
            return value if type(value) is PuppetHash else PuppetHash.EMPTY
    return PuppetHash.EMPTY
