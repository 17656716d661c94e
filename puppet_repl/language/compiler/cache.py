"""Compiled files and templates, kept for other sessions and for the next time.

The key is a text, not the time of a file: a file is read each time, and compiled if its text has
changed. Code that depends on functions which a session has defined under the names of built-in ones
is compiled again there.

The code is in memory for all sessions of the process, and in the user's cache directory for later
ones. Hermetic sessions leave that alone; the option ``cache`` and the variable NO_CACHE of the
environment switch it off.
"""

from __future__ import annotations

import os
from functools import cache

from puppet_repl.base.private_store import PrivateStore
from puppet_repl.base.user_directories import user_cache
from puppet_repl.language.compiler.program import SourceTree, compile_tree, lower_program
from puppet_repl.language.compiler.stored import dump, key_of, load
from puppet_repl.language.syntax.outline import outline_of
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.validate import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from puppet_repl.language.compiler.program import LoweredProgram, ProgramCode
    from puppet_repl.language.compiler.stored import Logs
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.syntax.outline import Outline
    from puppet_repl.language.syntax.source import Source

NO_CACHE = "PUPPET_REPL_NO_CACHE"
"""The variable of the environment that switches the directory off, unless it is empty."""

# Characters of text whose code is kept in memory; text and code take some 7 times as many bytes.
MAX_KEPT = 8_000_000
MAX_BYTES = 256 << 20
"""The size of the directory, about."""

_DIRECTORY = "compiled"
_PLACE = "\0file\0"  # the name of the file in log messages that are kept
_ROOMS = 16  # one for each first letter of a key


class Kept:
    """The code of a text, and the log messages from when it was compiled."""

    __slots__ = ("code", "logs")

    def __init__(self, code: ProgramCode, logs: Logs) -> None:
        self.code = code
        self.logs = logs


class ProgramCache:
    """Compiled files in memory, by their names; the oldest make room.

    Threads may use it: single steps on a dict are atomic.
    """

    __slots__ = ("_kept", "_size")

    def __init__(self) -> None:
        self._kept: dict[object, Kept] = {}
        self._size = 0

    def find(self, key: object, text: str, context: Context) -> Kept | None:
        """Return the code and logs of a text, if the session can use the code."""
        found = self._kept.get(key)
        if found is None or found.code.tree.source.text != text or not found.code.fits(context):
            return None
        return found

    def keep(self, key: object, made: Kept) -> None:
        """Keep the code of a text instead of an earlier one."""
        self._remove(key)
        self._kept[key] = made
        self._size += len(made.code.tree.source.text)
        if self._size > MAX_KEPT:
            for oldest in list(self._kept):
                self._remove(oldest)
                if self._size <= MAX_KEPT:
                    break

    def clear(self) -> None:
        """Forget everything."""
        self._kept = {}
        self._size = 0

    def _remove(self, key: object) -> None:
        earlier = self._kept.pop(key, None)
        if earlier is not None:
            self._size -= len(earlier.code.tree.source.text)


@cache
def programs() -> ProgramCache:
    """Return the code that all sessions of this process share."""
    return ProgramCache()


def store(*, even_if_off: bool = False) -> PrivateStore | None:
    """Return the store in the user's cache directory, None if it is switched off."""
    is_off = os.environ.get(NO_CACHE) and not even_if_off
    directory = None if is_off else user_cache()
    return None if directory is None else _store(os.path.join(directory, _DIRECTORY))


def store_of(context: Context) -> PrivateStore | None:
    """Return the store that a session may use; it looks at the environment's variables once."""
    options = context.options
    if not options.cache or options.hermetic:
        return None
    found = context.program_store
    if found is None:
        found = context.program_store = (store(),)
    return found[0]


@cache
def _store(directory: str) -> PrivateStore:
    return PrivateStore(directory, MAX_BYTES // _ROOMS, names_per_search=64)


def _renamed(logs: Logs, old: str | None, new: str | None) -> Logs:
    """Return log messages with another name of the file: another checkout has the same text."""
    if old is None or new is None:
        return logs
    return tuple((level, text.replace(old, new)) for level, text in logs)


class CachedFile:
    """The cached code of a file or a template; ``module_file`` is its path below a module.

    The code of a text that ``is_inline`` is not written to the disk, since the text may hold
    secrets.
    """

    __slots__ = (
        "_context",
        "_is_epp",
        "_is_inline",
        "_key",
        "_name",
        "_parts",
        "_source",
        "_store",
    )

    def __init__(
        self,
        source: Source,
        context: Context,
        *,
        module_file: str | None = None,
        is_epp: bool = False,
        is_inline: bool = False,
    ) -> None:
        options = context.options
        self._source = source
        self._context = context
        self._is_epp = is_epp
        self._parts = (module_file, options.language, options.strict, is_epp)
        self._is_inline = is_inline or source.name is None
        self._name = (source.text if self._is_inline else source.name, source.name, *self._parts)
        self._store: PrivateStore | None = None
        self._key: str | None = None

    def find(self) -> Kept | None:
        """Return the code and logs of the file, if the session can use the code."""
        found = programs().find(self._name, self._source.text, self._context)
        return self._load() if found is None else found

    def _load(self) -> Kept | None:
        if self._is_inline:
            return None
        self._store = store_of(self._context)
        if self._store is None:
            return None
        self._key = key_of(self._source.text, self._parts)
        data = None if self._key is None else self._store.read(self._key)
        if data is None:
            return None
        loaded = load(data, self._source, is_epp=self._is_epp)
        if loaded is None:
            return None
        code, logs = loaded
        found = Kept(code, _renamed(logs, _PLACE, self._source.name))
        if not found.code.fits(self._context):
            return None
        programs().keep(self._name, found)
        return found

    def keep(self, code: ProgramCode, logs: Logs) -> None:
        """Keep the code that was made because none was found."""
        programs().keep(self._name, Kept(code, logs))
        if self._store is not None and self._key is not None:
            data = dump(code, _renamed(logs, self._source.name, _PLACE))
            if data is not None:
                self._store.write(self._key, data)
        code.recipes = {}
        code.tree.drop()


def compile_file(
    source: Source,
    context: Context,
    *,
    module_file: str | None = None,
    check: Callable[[Outline], None] | None = None,
    lower: Callable[[SourceTree, Context], LoweredProgram] = lower_program,
    epp: bool = False,
    is_inline: bool = False,
) -> ProgramCode:
    """Parse, validate and compile a file or a template, if that has not been done.

    ``module_file`` is passed to validate(); ``check`` may raise further errors about what the file
    defines. A text that ``is_inline`` is not a file, whatever its name is.
    """
    cached = CachedFile(source, context, module_file=module_file, is_epp=epp, is_inline=is_inline)
    found = cached.find()
    if found is not None:
        log_all(found.logs, context)
        if check is not None:
            check(found.code.outline)
        return found.code
    options = context.options
    program = parse(source, epp=epp)
    wrong = validate(
        program, language=options.language, strict=options.strict, module_file=module_file
    )
    logs = tuple([(report.level, report.logged) for report in (*program.warnings, *wrong)])
    log_all(logs, context)
    outline = outline_of(program)
    if check is not None:
        check(outline)
    code = compile_tree(SourceTree(source, program, is_epp=epp), context, lower)
    code.outline = outline  # the tree is dropped
    cached.keep(code, logs)
    return code


def log_all(logs: Iterable[tuple[str, str]], context: Context) -> None:
    """Repeat the log messages from when a text was compiled."""
    for level, message in logs:
        context.log(level, message)
