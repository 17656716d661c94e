"""Find and read the resource types that modules define in Ruby.

The definition is evaluated if there is a Ruby. Without Ruby, or if the definition needs features
that only an agent has, its text is read instead.
"""

from __future__ import annotations

import os

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.patterns import LatePattern
from puppet_repl.catalog.resource_types import NativeType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.modules.listings import Listings
    from puppet_repl.environment.modules.ruby_index import RubyIndex
    from puppet_repl.language.runtime.context import Context

_GENERATED = LatePattern(r"""Puppet::Resource::Param\(.*,\s*['"](\w+)['"]\s*(?:,\s*(true))?\s*\)""")


class ModuleTypes:
    """The resource types of an environment, each read again when its file has changed."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._known: dict[str, tuple[Stamp | None, bool, NativeType | None]] = {}

    def find(
        self,
        name: str,
        index: RubyIndex,
        directory: str | None,
        listings: Listings,
        *,
        evaluate: bool,
    ) -> NativeType | None:
        """Return a type from the modules, or from what Puppet generated in an environment.

        Without ``evaluate`` no Ruby runs, and nothing is raised.
        """
        path = index.types.get(name)
        reach = self.context.reach
        if path is not None and reach is not None and not reach.allows(path):
            path = None
        if path is not None:
            if not evaluate:
                return self._without_ruby(path)
            return self._load(name, path, has_provider=index.has_provider(name, listings))
        if directory is not None:
            path = os.path.join(directory, ".resource_types", f"{name}.pp")
            if (reach is None or reach.allows(path)) and os.path.isfile(path):
                return read_generated_type(path)
        return None

    def _load(self, name: str, path: str, *, has_provider: bool) -> NativeType | None:
        stamp = self.context.look.stamp(path)
        known = self._known.get(path)
        if known is None or known[:2] != (stamp, has_provider):
            shared = self.context.shared.resource_types
            # What a definition requires may come from other modules.
            environment = self.context.environment
            modulepath = () if environment is None else environment.modulepath
            key = (path, modulepath, self.context.options.ruby)
            known = None if self.context.options.hermetic else shared.get(key)
            if known is None or known[:2] != (stamp, has_provider):
                native, is_general = self._evaluate(name, path, stamp, has_provider=has_provider)
                known = (stamp, has_provider, native)
                if is_general:
                    shared[key] = known
            self._known[path] = known
        return known[2]

    def _without_ruby(self, path: str) -> NativeType | None:
        stamp = self.context.look.newest_stamp(path)
        known = self._known.get(path)
        if known is not None and known[0] == stamp:
            return known[2]
        return self._reading(path, stamp, has_provider=True)

    def _evaluate(
        self, name: str, path: str, stamp: Stamp | None, *, has_provider: bool
    ) -> tuple[NativeType | None, bool]:
        """Return a type, and whether every session with these modules may have the same.

        Not if code of others can have changed the answer of Ruby.
        """
        if not self.context.can_run_ruby:
            return self._reading(path, stamp, has_provider=has_provider), False
        from puppet_repl.environment.ruby.types import NotEvaluated, evaluate_type

        ruby = self.context.ruby
        is_general = True
        try:
            native = evaluate_type(ruby, name, path, has_provider=has_provider)
            is_general = native is not None and native.parse_title is None
        except NotEvaluated as reason:
            self.context.log("debug", f"{path} was read, not evaluated: {reason}")
            native = self._reading(path, stamp, has_provider=has_provider)
        return native, is_general and not (ruby.has_run_text or self.context.options.hermetic)

    def _reading(self, path: str, stamp: Stamp | None, *, has_provider: bool) -> NativeType | None:
        """Return a type read from its file, on which alone it depends: all sessions share it."""
        shared = self.context.shared.resource_types
        known = shared.get((path, has_provider))
        if known is None or known[0] != stamp:
            native = read_type(path, has_provider=has_provider)
            known = shared[path, has_provider] = (stamp, has_provider, native)
        return known[2]


def read_type(path: str, *, has_provider: bool = True) -> NativeType | None:
    """Return the resource type that a Ruby file defines, read without running it."""
    from puppet_repl.environment.reference.ruby.native_types import read_native_type

    try:
        text = read_text(path, errors="replace")
    except OSError:
        return None
    return read_native_type(text, path, has_provider=has_provider)


def read_generated_type(path: str) -> NativeType | None:
    """Return the resource type in a file that ``puppet generate types`` wrote."""
    try:
        text = read_text(path, errors="replace")
    except OSError:
        return None
    names = []
    namevars = []
    for name, is_name in _GENERATED.findall(text):
        names.append(name)
        if is_name:
            namevars.append(name)
    return NativeType(
        os.path.splitext(os.path.basename(path))[0],
        (),
        tuple(names),
        tuple(namevars) or ("name",),
        file=path,
    )
