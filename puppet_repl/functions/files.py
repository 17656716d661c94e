"""Files of modules and of the machine: file, find_file, module_directory and their like."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.registry import Function, LegacyFunction, by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.runtime.context import Context


def _find(context: Context, kind: str, reference: str) -> str | None:
    """The path of a file: an absolute one as it is, ``module/name`` in the modules."""
    import os

    if os.path.isabs(reference):
        return reference if os.path.exists(reference) else None
    if context.environment is None:
        return None
    path: str | None = context.environment.find_file(kind, reference)
    return path


def _first(context: Context, kind: str, references: Iterable[Any]) -> str | None:
    for reference in references:
        path = _find(context, kind, reference)
        if path is not None:
            return path
    return None


def _read_bytes(path: str, function: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise RuntimeFailure(f"{function}(): cannot read {path}: {error.strerror}") from None


file = LegacyFunction(
    "file",
    -2,
    theme="files",
    doc="""Answer the text of the first of the given files that exists.

    A file is named by an absolute path, or as 'module/name' for a file in the files folder of
    a module. It is an error if none exists.
    """,
    examples=(
        "file('/no/such/file')  # error: Evaluation Error: Error while evaluating a Function Call,"
        " Could not find any files from /no/such/file",
    ),
)


@file.body("String +$paths", returns="String")
def _file(values: tuple[Any, ...], *, context: Context) -> str:
    references = [value for value in values if type(value) is str]
    path = _first(context, "files", references)
    if path is None:
        from puppet_repl.values.ruby import ruby_text

        names = ", ".join([ruby_text(value) for value in values])
        raise RuntimeFailure(f"Could not find any files from {names}")
    try:
        return _read_bytes(path, "file").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RuntimeFailure(
            f"file(): {path} is not UTF-8 text (byte {error.start}); use binary_file()"
        ) from None


binary_file = Function(
    "binary_file",
    theme="files",
    doc="""Answer the content of a file as a Binary.

    The file is named by an absolute path, or as 'module/name' for a file in the files folder
    of a module.
    """,
    examples=(
        "binary_file('no_module/x')  # error: Evaluation Error: Error while evaluating a "
        "Function Call, binary_file(): The given file 'no_module/x' does not exist",
    ),
)


@binary_file.dispatch("String $path", returns="Binary")
def _binary_file(reference: str, *, context: Context) -> Any:
    from puppet_repl.values.binary import Binary

    path = _find(context, "files", reference)
    if path is None:
        raise RuntimeFailure(f"binary_file(): The given file '{reference}' does not exist")
    return Binary(_read_bytes(path, "binary_file"))


def _finder(name: str, kind: str, doc: str, *examples: str) -> Function:
    function = Function(name, theme="files", doc=doc, examples=examples)

    @function.dispatch("String *$paths", returns="Optional[String]")
    def find_of_texts(*references: str, context: Context) -> str | None:
        return _first(context, kind, references)

    @function.dispatch("Array[String] *$paths_array", returns="Optional[String]")
    def find_of_arrays(*lists: Any, context: Context) -> str | None:
        return _first(context, kind, [one for references in lists for one in references])

    return function


find_file = _finder(
    "find_file",
    "files",
    """Answer the path of the first of the given files that exists, or undef.

    A file is named by an absolute path, or as 'module/name' for a file in the files folder of
    a module. The names may also be given in an Array.
    """,
    "find_file('/no/such/file', 'no_module/name')  # => undef",
)

find_template = _finder(
    "find_template",
    "templates",
    """Answer the path of the first of the given templates that exists, or undef.

    A template is named by an absolute path, or as 'module/name' for a file in the templates
    folder of a module. The names may also be given in an Array.
    """,
    "find_template('no_module/a.epp')  # => undef",
)

module_directory = Function(
    "module_directory",
    theme="files",
    doc="""Answer the folder of the first of the given modules that exists, or undef.

    The names may also be given in an Array.
    """,
    examples=("module_directory('no_such_module')  # => undef",),
)


def _directory(context: Context, names: Iterable[Any]) -> str | None:
    if context.environment is None:
        return None
    for name in names:
        path: str | None = context.environment.module_directory(name)
        if path is not None:
            return path
    return None


@module_directory.dispatch("String *$names", returns="Optional[String]")
def _directory_of_texts(*names: str, context: Context) -> str | None:
    return _directory(context, names)


@module_directory.dispatch("Array[String] *$names", returns="Optional[String]")
def _directory_of_arrays(*lists: Any, context: Context) -> str | None:
    return _directory(context, [name for names in lists for name in names])


generate = LegacyFunction(
    "generate",
    -2,
    theme="files",
    doc="""Run a program on this machine and answer what it prints.

    The program is named by its full path, of letters, digits, dashes and slashes only. A
    session refuses this unless it was started with the permission to run programs.
    """,
    examples=(
        "generate('date')  # error: Evaluation Error: Error while evaluating a Function Call, "
        "Generators must be fully qualified",
    ),
)


@generate.body("String $command, String *$arguments", returns="String")
def _generate(values: tuple[Any, ...], *, context: Context) -> str:
    import re

    words = [_word(value) for value in values]
    command = words[0]
    if not command.startswith("/"):
        raise RuntimeFailure("Generators must be fully qualified")
    if not re.fullmatch(r"[-a-zA-Z0-9_./]+", command):
        raise RuntimeFailure(
            "Generators can only contain alphanumerics, file separators, and dashes"
        )
    if ".." in command:
        raise RuntimeFailure("Can not use generators with '..' in them.")
    if not context.options.allow_generate:
        raise RuntimeFailure(
            f"generate(): running {command} is not allowed in this session; "
            "start it with --allow-generate to permit it"
        )
    return _output(command, words)


def _word(value: Any) -> str:
    from puppet_repl.values.ruby import ruby_text

    return ruby_text(value)


def _output(command: str, words: list[str]) -> str:
    import subprocess

    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except OSError as error:
        raise RuntimeFailure(f"Failed to execute generator {command}: {error}") from None
    output = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        raise RuntimeFailure(
            f"Failed to execute generator {command}: Execution of '{' '.join(words)}' "
            f"returned {done.returncode}: {output}"
        )
    return output


FUNCTIONS = by_name(file, binary_file, find_file, find_template, module_directory, generate)
