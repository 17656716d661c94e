"""The code of a text as bytes that can be kept in a file, and back.

A file belongs to a key, which is made of everything that the code depends on: the text, the options
it was checked and compiled for, the compiler itself, and Python.
"""

from __future__ import annotations

import _imp
import marshal
import os
import sys
from functools import cache

from puppet_repl.base.version import __version__
from puppet_repl.language.compiler.plans import Template, TemplateParameter, plan_data, plan_from
from puppet_repl.language.compiler.program import ProgramCode, SourceTree
from puppet_repl.language.syntax.outline import Outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.language.syntax.source import Source

    # Level and text of the messages that were logged when a text was compiled.
    Logs: TypeAlias = tuple[tuple[str, str], ...]

_DIGEST_SIZE = 20
_ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# The parts of the project that decide on the code, constants and log messages of a text.
_DECISIVE = (
    "base",
    os.path.join("language", "compiler"),
    os.path.join("language", "runtime"),
    os.path.join("language", "syntax"),
    os.path.join("language", "types"),
    os.path.join("language", "values"),
)
_INDEX = os.path.join("language", "functions", "index.py")
# Importing hashlib loads the libraries of OpenSSL.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b
# Sets the file name in code, as Python's import does for a module that was moved.
_rename: Callable[[Any, str], None] | None = getattr(_imp, "_fix_co_filename", None)


@cache
def compiler_digest() -> bytes | None:
    """Return a digest of the compiler and of Python; None without files of the compiler.

    The digest includes the files of the project, since these may change without the version.
    """
    digest = blake2b(digest_size=_DIGEST_SIZE)
    try:
        for part in _DECISIVE:
            _add_files(os.path.join(_ROOT, part), digest.update)
        digest.update(str(os.stat(os.path.join(_ROOT, _INDEX)).st_mtime_ns).encode())
    except OSError:
        return None
    flags = sys.flags.optimize
    digest.update(f"{__version__} {sys.version} {sys.implementation.cache_tag} {flags}".encode())
    return digest.digest()


def digest_with(part: str) -> bytes | None:
    """Return a digest of the compiler and of the files in another directory of the project."""
    compiler = compiler_digest()
    if compiler is None:
        return None
    digest = blake2b(compiler, digest_size=_DIGEST_SIZE)
    try:
        _add_files(os.path.join(_ROOT, part), digest.update)
    except OSError:
        return None
    return digest.digest()


def _add_files(directory: str, add: Callable[[bytes], None]) -> None:
    with os.scandir(directory) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if entry.name.endswith((".py", ".rb")):
                status = entry.stat()
                add(f"{entry.path}\0{status.st_size} {status.st_mtime_ns}\0".encode())
            elif entry.name != "__pycache__" and entry.is_dir():
                _add_files(entry.path, add)


def key_of(text: str, parts: tuple[object, ...]) -> str | None:
    """Return the key of a text that is compiled for ``parts``; None if code cannot be kept.

    It names a file in one of 16 rooms.
    """
    compiler = compiler_digest()
    if compiler is None:
        return None
    digest = blake2b(compiler, digest_size=_DIGEST_SIZE)
    digest.update(repr(parts).encode("utf-8", "backslashreplace") + b"\0")
    digest.update(text.encode("utf-8", "surrogatepass"))
    key = digest.hexdigest()
    return f"{key[0]}/{key[1:]}"


def dump(code: ProgramCode, logs: Logs) -> bytes | None:
    """Return the bytes to store; None for code that cannot be stored."""
    if not code.is_general or (code.constants and not code.recipes):
        return None  # it depends on a session, or has run since it was loaded
    outline = code.outline
    template = code.template
    # Without _rename() the code is that of the file for good.
    name = code.tree.source.name if _rename is None else None
    try:
        parts: tuple[Any, ...] = (
            name,
            logs,
            (outline.definitions, outline.aliases, outline.is_single),
            code.code,
            tuple([plan_data(plan) for plan in code.plans]),
            None if template is None else _template_data(template),
            code.names_in_code,
            code.recipes if isinstance(code.recipes, bytes) else marshal.dumps(code.recipes),
            code.cells,
            tuple(code.builtins),
            code.callers,
            code.builtin_callers,
        )
        return marshal.dumps(parts)
    except (RecursionError, TypeError, ValueError):  # nested too deeply, or no plain data
        return None


def load(
    data: bytes | memoryview, source: Source, *, is_epp: bool
) -> tuple[ProgramCode, Logs] | None:
    """Return the code and the logs of a file from the bytes that were stored for its text.

    None if they belong to a file with another name.
    """
    name, logs, outline, code, plans, template, *rest = marshal.loads(data)
    if name is not None and name != source.name:
        return None
    made = ProgramCode()
    made.tree = SourceTree(source, is_epp=is_epp)
    definitions, aliases, is_single = outline
    made.outline = Outline(definitions, aliases, is_single=is_single)
    if _rename is not None:
        _rename(code, source.name or "<puppet>")
    made.code = code
    made.plans = tuple([plan_from(each) for each in plans])
    made.template = None if template is None else _template(template)
    made.names_in_code, made.recipes, made.cells, builtins, *callers = rest
    made.constants = None
    made.builtins = dict.fromkeys(builtins)
    made.is_general = True
    made.callers, made.builtin_callers = callers
    return made, logs


def _template_data(template: Template) -> tuple[Any, ...]:
    parameters = [(each.name, each.has_default, each.has_type) for each in template.parameters]
    return tuple(parameters), template.declares_any


def _template(data: tuple[Any, ...]) -> Template:
    parameters, declares_any = data
    made = tuple([TemplateParameter(*each) for each in parameters])
    return Template(made, declares_any=declares_any)
