"""What a session says of the files it has used that have changed on disk, once for each change."""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.stamp import stamp_of
from puppet_repl.base.wording import some_of
from puppet_repl.environment.modules.autoloader import read_if_there
from puppet_repl.language.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from puppet_repl.base.reach import Reach
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.modules.autoloader import LoadedFile
    from puppet_repl.environment.modules.modules import Module
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition

# Names of files in one line.
_MAX_NAMES = 4
# Text after the name of one file, or after the names of several.
_LATER = (", loaded again at its next use", ", loaded again at their next use")
_CLASS = ("; already declared: include it again, or :reset",) * 2
_DEFINE = ("; already declared: :reset evaluates it again",) * 2


class Changes:
    """The changes of files that were reported.

    An input that fails unloads its files, so that the same change is found again.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        # The definitions of a file when it was last loaded: the catalog may have declared them.
        self._told: dict[str, tuple[Stamp | None, tuple[Definition, ...]]] = {}
        # Classes of the catalog that have used changed files, by path.
        self._users: Mapping[str, list[str]] = {}

    def lines(
        self, files: Mapping[str, LoadedFile], modules: Callable[[], Mapping[str, Module]]
    ) -> Iterator[str]:
        """Yield lines for each module with new changes, then for files outside of modules.

        ``files`` are changed files that were loaded, by path; what else classes of the catalog have
        used is looked up. Files that were reported before are checked as well: a file with an error
        was not loaded again. ``modules`` is called only if there are changes.
        """
        context = self._context
        self._users = context.catalog.used_files.users_of_changed() if context.has_catalog else {}
        new: dict[str, str] = {}
        for path in sorted({*files, *self._told, *self._users}):
            stamp = stamp_of(path)
            told = self._told.get(path)
            if told is None or told[0] != stamp:
                definitions = files[path].definitions if path in files else ()
                if not definitions and told is not None:
                    definitions = told[1]
                self._told[path] = stamp, definitions
                new[path] = path
        for module in modules().values() if new else ():
            beginning = module.path + os.sep
            own = {path: path[len(beginning) :] for path in new if path.startswith(beginning)}
            yield from self._lines_of(f"module {module.name}: ", own)
            for path in own:
                del new[path]
        yield from self._lines_of("", new)

    def _lines_of(self, owner: str, names: Mapping[str, str]) -> Iterator[str]:
        """Yield the lines about files, by path and name: files with the same fate share a line."""
        fates: dict[tuple[str, str], list[str]] = {}
        gone: list[str] = []
        for path, name in names.items():
            stamp, definitions = self._told[path]
            if stamp is None:
                gone.append(name)
                continue
            is_code = path.endswith(".pp")
            error = syntax_error_in(path, self._context.reach) if is_code else None
            if error is not None:
                yield f"{owner}{name} has changed and {error}"
            else:
                fates.setdefault(self._fate_of(path, definitions), []).append(name)
        for fate, each in fates.items():
            is_one = len(each) == 1
            end = fate[not is_one]
            yield f"{owner}{some_of(each, _MAX_NAMES)} {'has' if is_one else 'have'} changed{end}"
        if gone:
            yield f"{owner}{some_of(gone, _MAX_NAMES)} {'is' if len(gone) == 1 else 'are'} gone"

    def _fate_of(self, path: str, definitions: tuple[Definition, ...]) -> tuple[str, str]:
        """Return the message about a changed file that had these definitions."""
        declared = self._declared_of(definitions)
        if "class" in declared:
            return _CLASS
        users = self._users.get(path)
        if users:
            are_many = len(users) > 1
            names = f"class{'es' * are_many} {some_of(users, _MAX_NAMES)}"
            said = f"; {names} {'have' if are_many else 'has'} used {{}}: include "
            said += f"{'them' if are_many else 'it'} again, or :reset"
            return said.format("it"), said.format("them")
        return _DEFINE if "define" in declared else _LATER

    def _declared_of(self, definitions: tuple[Definition, ...]) -> set[str]:
        """Return the kinds of the definitions that the catalog has resources of."""
        if not definitions or not self._context.has_catalog:
            return set()
        names = {(each.kind, each.name) for each in definitions}
        return {
            resource.instance_of.kind
            for resource in list(self._context.catalog.state.tables.members)
            if resource.instance_of is not None
            and (resource.instance_of.kind, resource.instance_of.name) in names
        }


def syntax_error_in(path: str, reach: Reach | None) -> str | None:
    """Return that a file has a syntax error, and where; None if it has none."""
    try:
        source = read_if_there(path, reach)
    except PuppetError:
        return None  # its next use says why
    if source is None:
        return None
    try:
        parse(source)
    except PuppetError as error:
        where = "at its end" if error.line is None else f"in line {error.line}"
        return f"has a syntax error {where}"
    return None
