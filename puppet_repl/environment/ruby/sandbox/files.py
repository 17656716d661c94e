"""The files that Ruby in the sandbox may see: those of modules, read only, under their own paths.

Visible are some directories of each module with all that is in them, and what the caller adds. A
symbolic link counts where it leads to, and one in place of such a directory has to lead to
something in a module, so that a module cannot make other files visible. The directories above
exist for Ruby, but hold nothing except what leads to a visible one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence

from puppet_repl.environment.ruby.sandbox.scratch import Scratch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.reach import Reach
    from puppet_repl.environment.ruby.sandbox.observations import Observations

SHIM = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "shim"))
"""The directory of the Ruby files that every Ruby has loaded."""

# Those of a module's entries that code in Ruby reads.
_OF_MODULES = ("data", "files", "lib", "metadata.json", "templates")
# Seconds between looking for modules that were added.
_LISTED_EVERY = 1.0


class Hidden(Exception):
    """A path that Ruby may not see, whether it exists or not."""


class VisibleFiles:
    """Decides which paths are visible.

    ``modulepath`` are directories of modules, ``roots`` further files and directories, which may
    not exist yet. ``scratch`` has the files in memory. With a ``reach``, only paths within it and
    the paths in ``always`` are visible. ``observed`` notes the files that Ruby looks at.
    """

    __slots__ = (
        "_above",
        "_always",
        "_listed",
        "_modulepath",
        "_reach",
        "_real",
        "_roots",
        "observed",
        "scratch",
    )

    def __init__(
        self,
        modulepath: Sequence[str] = (),
        roots: Sequence[str] = (),
        scratch: Scratch | None = None,
        *,
        reach: Reach | None = None,
        always: Sequence[str] = (),
        observed: Observations | None = None,
    ) -> None:
        self.observed = observed
        self.scratch = Scratch() if scratch is None else scratch
        self._modulepath = [os.path.abspath(path) for path in modulepath]
        self._roots = [os.path.abspath(path) for path in (*always, *roots)]
        self._reach = reach
        self._always = {os.path.realpath(path) for path in always}
        self._real: set[str] = set()
        self._above: dict[str, set[str]] = {}
        self._listed = 0.0

    def _list(self) -> bool:
        """Look for visible directories; tell whether that was due."""
        now = time.monotonic()
        if self._listed and now - self._listed < _LISTED_EVERY:
            return False
        self._listed = now
        self._above = {}
        visible = [
            (path, real)
            for path, real in (*self._in_roots(), *self._in_modules())
            if self._is_within(path, real)
        ]
        self._real = {real for _, real in visible}
        for path in (*[path for path, _ in visible], *self._real, *self._modulepath):
            while (parent := os.path.dirname(path)) != path:
                names = self._above.setdefault(parent, set())
                name = os.path.basename(path)
                if name in names:
                    break  # the directories above are known, too
                names.add(name)
                path = parent
        return True

    def _in_roots(self) -> Iterator[tuple[str, str]]:
        """Yield the roots that exist, and their real paths."""
        for path in self._roots:
            if os.path.exists(path):
                yield path, os.path.realpath(path)

    def _in_modules(self) -> Iterator[tuple[str, str]]:
        """Yield the visible paths in modules, and their real paths.

        There may be hundreds of modules, so the real path of each is found only once.
        """
        for directory in self._modulepath:
            try:
                names = os.listdir(directory)
            except OSError:
                continue
            # A module may be a link itself: whoever has set up the module path has made it.
            home = os.path.realpath(directory)
            modules = {directory: home}
            if "metadata.json" not in names:
                modules = {os.path.join(directory, name): _real(home, name) for name in names}
            homes = (home, *modules.values())
            for module, real_module in modules.items():
                for name in _OF_MODULES:
                    path = os.path.join(module, name)
                    real = _real(real_module, name)
                    if os.path.exists(real) and (
                        real == os.path.join(real_module, name) or _is_in(real, homes)
                    ):
                        yield path, real

    def is_above(self, path: str) -> bool:
        """Tell whether a normalized path is a directory that leads to a visible one."""
        return path in self._above or (self._list() and path in self._above)

    def locate(self, path: str) -> str:
        """Return the real path of something visible, which may be missing; raise Hidden.

        ``path`` is absolute and normalized.
        """
        real = os.path.realpath(path)
        if (
            self._is_visible(path, real)
            or self._is_in_module(path, real)
            or (self._list() and self._is_visible(path, real))
        ):
            return real
        raise Hidden(path)

    def _is_in_module(self, path: str, real: str) -> bool:
        """Tell whether a path is visible in a module, without a look at all modules."""
        if self._reach is not None:
            return False
        for directory in self._modulepath:
            start = os.path.join(directory, "")
            module, _, rest = path[len(start) :].partition(os.sep)
            name, _, below = rest.partition(os.sep)
            if not path.startswith(start) or name not in _OF_MODULES:
                continue
            root = os.path.join(_real(os.path.realpath(directory), module), name)
            # Then no part of the path is a link, except for the module and directories above it.
            is_plain = real == os.path.normpath(os.path.join(root, below)) and os.path.exists(root)
            if is_plain and not os.path.exists(os.path.join(directory, "metadata.json")):
                self._real.add(root)
                return True
        return False

    def _is_visible(self, path: str, real: str) -> bool:
        root = real
        while root not in self._real:
            parent = os.path.dirname(root)
            if parent == root:
                return False
            root = parent
        return self._is_within(path, root)

    def _is_within(self, path: str, root: str) -> bool:
        """Tell whether a path below the real path of a directory is within the reach."""
        return self._reach is None or root in self._always or self._reach.allows(path)

    def names(self, path: str) -> list[str]:
        """Return the names in a directory, sorted; raise OSError or Hidden."""
        try:
            return sorted(os.listdir(self.locate(path)))
        except Hidden:
            if self.is_above(path):
                return sorted(self._above[path])
            raise


def _real(directory: str, name: str) -> str:
    """Return the real path of something in a directory, whose own real path is given."""
    path = os.path.join(directory, name)
    return os.path.realpath(path) if os.path.islink(path) else path


def _is_in(path: str, directories: Sequence[str]) -> bool:
    return any(path.startswith(os.path.join(directory, "")) for directory in directories)
