"""The site manifests of an environment: read for a compilation, then watched for changes."""

from __future__ import annotations

import os

from puppet_repl.base.stamp import stamp_of
from puppet_repl.base.wording import some_of
from puppet_repl.environment.modules.environment_conf import manifest_files
from puppet_repl.language.syntax.source_files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.base.reach import Reach
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.language.syntax.source import Source

# Names of files in one line.
_MAX_NAMES = 4
_REMEDY = ":reset runs the site manifests again"


class SiteManifests:
    """The site manifests as they were read, and their changes since."""

    __slots__ = ("_directory", "_known", "_reach")

    def __init__(self, directory: str, reach: Reach | None) -> None:
        self._directory = directory
        self._reach = reach
        self._known: dict[str, Stamp | None] | None = None

    def read(self, manifest: str) -> list[Source]:
        """Return the manifests, by the setting of that name. Raises OSError and PuppetError."""
        self._known = self._now(manifest)
        return [read_source(path) for path, stamp in self._known.items() if stamp is not None]

    @property
    def broken(self) -> list[str]:
        """The manifests that are links to nothing, or to themselves."""
        return [path for path, stamp in (self._known or {}).items() if stamp is None]

    def changes(self, manifest: str) -> Iterator[str]:
        """Yield the changes since the last read or call; nothing before the first read."""
        if self._known is None:
            return
        try:
            now = self._now(manifest)
        except OSError:
            return  # the next reading says why
        known, self._known = self._known, now
        if now == known:
            return
        # A program of one input has no changes, and does not import what reports them.
        from puppet_repl.environment.modules.changes import syntax_error_in

        changed = [path for path, stamp in now.items() if path in known and known[path] != stamp]
        added = [path for path in now if path not in known]
        for path in (*changed, *added):
            error = syntax_error_in(path, self._reach)
            if error is not None:
                yield f"{self._name(path)} {error}"
        yield from self._told(changed, "has changed", "have changed")
        yield from self._told(added, "is new", "are new")
        yield from self._told([path for path in known if path not in now], "is gone", "are gone")

    def _told(self, paths: list[str], one: str, several: str) -> Iterator[str]:
        if paths:
            names = some_of([self._name(path) for path in paths], _MAX_NAMES)
            yield f"{names} {one if len(paths) == 1 else several}; {_REMEDY}"

    def _name(self, path: str) -> str:
        """Return the path of a manifest, in the environment from its directory."""
        return path.removeprefix(self._directory + os.sep)

    def _now(self, manifest: str) -> dict[str, Stamp | None]:
        return {path: stamp_of(path) for path in manifest_files(manifest, self._reach)}
