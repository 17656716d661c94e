"""Compiled files and templates, kept for other sessions and for the next time.

What is kept belongs to a text, not to the time of a file: a file is read each time, and compiled
if its text is another one. Code that depends on functions which a session has defined under the
names of built-in ones is compiled anew there.
"""

from __future__ import annotations

from puppet_repl.compiler.program_code import compile_tree, lower_program
from puppet_repl.syntax.outline import outline_of
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.source_tree import SourceTree
from puppet_repl.syntax.validate import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.compiler.program_code import LoweredProgram, ProgramCode
    from puppet_repl.runtime.context import Context
    from puppet_repl.syntax.outline import Outline
    from puppet_repl.syntax.source import Source

# Characters of text whose code is kept; the code takes some 20 times as many bytes.
MAX_KEPT = 3_000_000


class Kept:
    """The code of a text, and what was logged about it."""

    __slots__ = ("code", "logs")

    def __init__(self, code: ProgramCode, logs: tuple[tuple[str, str], ...]) -> None:
        self.code = code
        self.logs = logs


class ProgramCache:
    """Compiled files by their names, for sessions that share it; the oldest make room."""

    __slots__ = ("_kept", "_size")

    def __init__(self) -> None:
        self._kept: dict[object, Kept] = {}
        self._size = 0

    def find(self, key: object, text: str, context: Context) -> Kept | None:
        """Return what is kept of a text, if its code can be used in a session."""
        found = self._kept.get(key)
        if found is None or found.code.tree.source.text != text or not found.code.fits(context):
            return None
        return found

    def keep(self, key: object, made: Kept) -> None:
        """Keep the code of a text instead of an earlier one."""
        self._remove(key)
        self._kept[key] = made
        self._size += len(made.code.tree.source.text)
        while self._size > MAX_KEPT:
            self._remove(next(iter(self._kept)))

    def _remove(self, key: object) -> None:
        earlier = self._kept.pop(key, None)
        if earlier is not None:
            self._size -= len(earlier.code.tree.source.text)


def compile_file(
    source: Source,
    context: Context,
    *,
    module_file: str | None = None,
    check: Callable[[Outline], None] | None = None,
    lower: Callable[[SourceTree, Context], LoweredProgram] = lower_program,
    epp: bool = False,
) -> ProgramCode:
    """Parse, validate and compile a file or a template, if that has not been done.

    ``module_file`` is passed to validate(); ``check`` may raise further errors about what the file
    defines.
    """
    shared = context.shared
    cache = shared.programs
    if cache is None:
        cache = shared.programs = ProgramCache()
    language, strict = context.options.language, context.options.strict
    name = source.text if source.name is None else source.name
    key = (name, module_file, language, strict, epp)
    found = cache.find(key, source.text, context)
    if found is not None:
        _log(found.logs, context)
        if check is not None:
            check(found.code.outline)
        return found.code
    program = parse(source, epp=epp)
    wrong = validate(program, language=language, strict=strict, module_file=module_file)
    logs = tuple([(report.level, report.message) for report in (*program.warnings, *wrong)])
    _log(logs, context)
    if check is not None:
        check(outline_of(program))
    code = compile_tree(SourceTree(source, program, is_epp=epp), context, lower)
    cache.keep(key, Kept(code, logs))
    return code


def _log(logs: tuple[tuple[str, str], ...], context: Context) -> None:
    for level, message in logs:
        context.log(level, message)
