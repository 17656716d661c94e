"""Files of modules and of the system: file, find_file, module_directory, generate..."""

from __future__ import annotations

import os
import re
from itertools import chain

from puppet_repl.base.browser import IN_BROWSER, NO_PROGRAMS
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.programs import run_in_time
from puppet_repl.base.wording import why_unusable
from puppet_repl.language.functions.paths import no_path
from puppet_repl.language.functions.registry import Function, function, legacy_function
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.binary import Binary
    from puppet_repl.language.values.protocols import Value


def _find(context: Context, kind: str, reference: str) -> str | None:
    """Return the path of a file that is named by an absolute path or as ``module/name``."""
    if os.path.isabs(reference):
        context.check_reach(reference)
        return reference if os.path.exists(reference) else None
    if context.environment is None:
        return None
    path: str | None = context.environment.find_file(kind, reference)
    return path


def _first(context: Context, kind: str, references: Iterable[Value]) -> str | None:
    for reference in references:
        if type(reference) is not str:
            raise no_path(reference, context)
        path = _find(context, kind, reference)
        if path is not None:
            return path
    return None


def _read_bytes(path: str, function: str) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise RuntimeFailure(f"{function}(): cannot read {path}: {why_unusable(error)}") from None


@legacy_function(
    "file",
    "String +$paths",
    returns="String",
    examples=(
        "file('/no/such/file')  # error: Evaluation Error: Error while evaluating a Function Call,"
        " Could not find any files from /no/such/file",
    ),
)
def file(values: tuple[Value, ...], *, context: Context) -> str:
    """Return the content of the first of the given files that exists.

    A file is named by an absolute path, or as 'module/name' for a file in the directory files of a
    module. If none of them exists, the call is an error.

    @param paths absolute paths, or 'module/name'
    """
    path = _first(context, "files", values)
    if path is None:
        names = ", ".join([ruby_text(value) for value in values])
        raise RuntimeFailure(f"Could not find any files from {names}")
    try:
        return _read_bytes(path, "file").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RuntimeFailure(
            f"file(): {path} is not UTF-8 text (byte {error.start}); use binary_file()"
        ) from None


@function(
    "binary_file",
    "String $path",
    returns="Binary",
    examples=(
        "binary_file('no_module/x')  # error: Evaluation Error: Error while evaluating a "
        "Function Call, binary_file(): The given file 'no_module/x' does not exist",
    ),
)
def binary_file(reference: str, *, context: Context) -> Binary:
    """Return the content of a file as a Binary.

    The file is named by an absolute path, or as 'module/name' for a file in the directory files
    of a module.

    @param path an absolute path, or 'module/name'
    """
    path = _find(context, "files", reference)
    if path is None:
        raise RuntimeFailure(f"binary_file(): The given file '{reference}' does not exist")
    return Binary(_read_bytes(path, "binary_file"))


def _finder(name: str, kind: str, doc: str, *examples: str) -> Function:
    """Declare a function that finds a file in one kind of directory of a module."""

    @function(name, "String *$paths", returns="Optional[String]", doc=doc, examples=examples)
    def finder(*references: str, context: Context) -> str | None:
        return _first(context, kind, references)

    @finder.dispatch("Array[String] *$paths_array", returns="Optional[String]")
    def find_in_arrays(*arrays: tuple[str, ...], context: Context) -> str | None:
        return _first(context, kind, chain.from_iterable(arrays))

    return finder


find_file = _finder(
    "find_file",
    "files",
    """Return the path of the first of the given files that exists, or undef.

    A file is named by an absolute path, or as 'module/name' for a file in the directory files
    of a module. The names may also be given in an Array.

    @param paths absolute paths, or 'module/name'
    @param paths_array the same in an Array
    """,
    "find_file('/no/such/file', 'no_module/name')  # => undef",
)

find_template = _finder(
    "find_template",
    "templates",
    """Return the path of the first of the given templates that exists, or undef.

    A template is named by an absolute path, or as 'module/name' for a file in the directory
    templates of a module. The names may also be given in an Array.

    @param paths absolute paths, or 'module/name'
    @param paths_array the same in an Array
    """,
    "find_template('no_module/a.epp')  # => undef",
)


def _directory(context: Context, names: Iterable[str]) -> str | None:
    if context.environment is None:
        return None
    for name in names:
        path: str | None = context.environment.module_directory(name)
        if path is not None:
            return path
    return None


@function(
    "module_directory",
    "String *$names",
    returns="Optional[String]",
    examples=("module_directory('no_such_module')  # => undef",),
)
def module_directory(*names: str, context: Context) -> str | None:
    """Return the directory of the first of the given modules that exists, or undef.

    The names may also be given in an Array.

    @param names names of modules
    """
    return _directory(context, names)


@module_directory.dispatch("Array[String] *$names", returns="Optional[String]")
def _directory_of_arrays(*arrays: tuple[str, ...], context: Context) -> str | None:
    return _directory(context, chain.from_iterable(arrays))


@legacy_function(
    "generate",
    "String $command, String *$arguments",
    returns="String",
    examples=(
        "generate('date')  # error: Evaluation Error: Error while evaluating a Function Call, "
        "Generators must be fully qualified",
    ),
)
def generate(values: tuple[Value, ...], *, context: Context) -> str:
    """Run a program on this system and return its output.

    The program is named by its absolute path, which may contain letters, digits, dashes, dots,
    underscores and slashes. It is an error in sessions that were not started with the permission
    to run programs.

    @param command the absolute path of the program
    @param arguments the arguments of the program
    """
    words = [ruby_text(value) for value in values]
    command = words[0]
    if not command.startswith("/"):
        raise RuntimeFailure("Generators must be fully qualified")
    if not re.fullmatch(r"[-a-zA-Z0-9_./]+", command):
        raise RuntimeFailure(
            "Generators can only contain alphanumerics, file separators, and dashes"
        )
    if ".." in command:
        raise RuntimeFailure("Can not use generators with '..' in them.")
    if not context.options.may_run_programs:
        start = "start it with --allow-generate to permit it"
        if IN_BROWSER:
            start = NO_PROGRAMS
        elif context.options.hermetic:
            start = "a hermetic one runs no programs"
        raise RuntimeFailure(
            f"generate(): running {command} is not allowed in this session; {start}"
        )
    return _output(command, words)


def _output(command: str, words: list[str]) -> str:
    try:
        done = run_in_time(words)
    except OSError as error:
        reason = why_unusable(error)
        raise RuntimeFailure(f"Failed to execute generator {command}: {reason}") from None
    output = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        raise RuntimeFailure(
            f"Failed to execute generator {command}: Execution of '{' '.join(words)}' "
            f"returned {done.returncode}: {output}"
        )
    return output
