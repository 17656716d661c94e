"""What a session says of loaded files that have changed on disk, once for each change."""

from __future__ import annotations

import os

from puppet_repl.base.stamp import stamp_of
from puppet_repl.base.wording import some_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.modules import Module

# Names of files in one line.
_MAX_NAMES = 4


class Changes:
    """The changes of files that were told.

    An input that fails takes back what it has loaded, so that a change is found again and again.
    """

    def __init__(self) -> None:
        self._told: dict[str, Stamp | None] = {}

    def lines(
        self, paths: Iterable[str], modules: Callable[[], Mapping[str, Module]]
    ) -> Iterator[str]:
        """Yield a line for each module that has new changes; what belongs to none comes last.

        ``paths`` are loaded files that have changed. Those that were told before count as well: one
        that had an error was not loaded again. ``modules`` is called where there are changes.
        """
        new: dict[str, bool] = {}
        for path in sorted({*paths, *self._told}):
            stamp = stamp_of(path)
            if path not in self._told or self._told[path] != stamp:
                self._told[path] = stamp
                new[path] = stamp is not None
        for module in modules().values() if new else ():
            beginning = module.path + os.sep
            own = {path: there for path, there in new.items() if path.startswith(beginning)}
            names = {_short(path[len(beginning) :]): there for path, there in own.items()}
            yield from _told(f"module {module.name}: ", names)
            for path in own:
                del new[path]
        yield from _told("", new)


def _short(path: str) -> str:
    """Return the path of a file in a module as people call it: manifests are the usual ones."""
    return path.removeprefix("manifests" + os.sep)


def _told(owner: str, names: dict[str, bool]) -> Iterator[str]:
    """Yield what is said of files by name; of those that are not there any more by themselves."""
    changed = [name for name, is_there in names.items() if is_there]
    gone = [name for name, is_there in names.items() if not is_there]
    if changed:
        verb = "has" if len(changed) == 1 else "have"
        yield f"{owner}{some_of(changed, _MAX_NAMES)} {verb} changed, loaded again"
    if gone:
        yield f"{owner}{some_of(gone, _MAX_NAMES)} {'is' if len(gone) == 1 else 'are'} gone"
