"""Make the start short and the files small. Runs in Pyodide, once for a release: see prepare.mjs.

``/release/engine`` has the packages of the engine, ``/release/python_stdlib.zip`` Python's library.
Both are changed in place: the modules that are imported until the first answer are there as byte
code, and the library has only what the engine, Pyodide and those themselves import.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import marshal
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

ENGINE = Path("/release/engine")
LIBRARY = Path("/release/python_stdlib.zip")
# Where the modules are when they run, for tracebacks.
PLACES = ("/engine", "/lib/python314.zip")
REQUESTS = (
    {"type": "execute", "code": "notice('x') file { '/a': } [1, 2].map |$x| { $x + 1 }"},
    {"type": "execute", "code": "1 + $facts['kernel']"},
)
# What parts of the library, or of the engine, name for machines that can do more than a browser:
# servers, other processes, native libraries, Windows, debuggers and consoles.
LEFT_OUT = {
    *("email", "ftplib", "http", "smtplib", "socketserver", "urllib.request", "xmlrpc"),
    "importlib.metadata",  # which reads e-mail
    *("concurrent.futures.process", "ctypes", "multiprocessing", "sysconfig", "tarfile"),
    *("asyncio.proactor_events", "asyncio.windows_events", "asyncio.windows_utils", "plistlib"),
    *("_pyrepl", "bdb", "cmd", "code", "doctest", "pdb", "pydoc", "rlcompleter", "unittest"),
    *("pyodide.console", "statistics"),
    *("_pydatetime", "_pyio", "_py_abc"),  # they stand in where those in C are missing
}
# Imported by code in C.
IN_C = ("_pylong", "_strptime")
ENCODINGS = "ascii idna latin_1 punycode raw_unicode_escape unicode_escape utf_8_sig utf_8"
WIDE_ENCODINGS = "utf_16 utf_16_be utf_16_le utf_32 utf_32_be utf_32_le"
# The flags of a .pyc that is valid whatever its source is (PEP 552).
UNCHECKED = (0b01).to_bytes(4, "little")
_TIME = (1980, 1, 1, 0, 0, 0)


def imported_at_start() -> set[str]:
    """Return the names of the modules that are imported until there is an answer."""
    sys.path.insert(0, str(ENGINE))
    from puppet_kernel.worker import Worker

    worker = Worker(lambda text: None)
    for request in REQUESTS:
        worker.answer(json.dumps(request))
    return set(sys.modules)


def byte_code(source: bytes, place: str, optimize: int) -> bytes:
    """Return the content of a .pyc whose source nobody looks for."""
    code = compile(source, place, "exec", dont_inherit=True, optimize=optimize)
    parts = importlib.util.MAGIC_NUMBER, UNCHECKED, importlib.util.source_hash(source)
    return b"".join(parts) + marshal.dumps(code)


def module_name(file: str) -> str:
    """Return the name of the module that a file has."""
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def is_frozen(name: str) -> bool:
    """Return whether Python has a module in itself."""
    return name in sys.modules and getattr(sys.modules[name].__spec__, "origin", "") == "frozen"


def imports(source: bytes, file: str) -> Iterator[str]:
    """Yield what a module imports anywhere in it: modules, and what may be one."""
    package = module_name(file).split(".")
    if not file.endswith("__init__.py"):
        package.pop()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            parts = [*above, *([node.module] if node.module else [])]
            yield ".".join(parts)
            yield from (".".join([*parts, alias.name]) for alias in node.names)


def needed(library: dict[str, bytes], roots: set[str]) -> set[str]:
    """Return the files of the library that modules need which are imported somewhere."""
    files = {module_name(file): file for file in library if file.endswith(".py")}
    seen: set[str] = set()
    left = sorted(roots)
    while left:
        parts = left.pop().split(".")
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            if name in LEFT_OUT:
                break
            if name in files and name not in seen:
                seen.add(name)
                left += imports(library[files[name]], files[name])
    return {files[name] for name in seen if not is_frozen(name)}


def roots_of(library: dict[str, bytes], start: set[str]) -> set[str]:
    """Return the names that are imported by the start, the engine and Pyodide."""
    encodings = f"{ENCODINGS} {WIDE_ENCODINGS}".split()
    roots = {*start, *IN_C, *(f"encodings.{name}" for name in encodings)}
    for path in ENGINE.rglob("*.py"):
        roots.update(imports(path.read_bytes(), str(path.relative_to(ENGINE))))
    own = {name for name in map(module_name, library) if name.startswith(("pyodide", "_pyodide"))}
    return roots | own


def write_library(library: dict[str, bytes], start: set[str]) -> None:
    """Write the library with the modules that are needed."""
    kept = needed(library, roots_of(library, start))
    with zipfile.ZipFile(LIBRARY, "w") as archive:
        for file in sorted(kept):
            content = library[file]
            if module_name(file) in start:
                # Nothing here reads the docstrings of the library.
                content = byte_code(content, f"{PLACES[1]}/{file}", 2)
                file += "c"
            info = zipfile.ZipInfo(file, _TIME)
            archive.writestr(info, content, zipfile.ZIP_DEFLATED, compresslevel=9)


def compile_engine(start: set[str]) -> None:
    """Put byte code in the place of the modules of the start."""
    for path in sorted(ENGINE.rglob("*.py")):
        file = str(path.relative_to(ENGINE))
        if module_name(file) in start:
            # The documentation of a function of Puppet is its docstring.
            optimize = 0 if file.startswith("puppet_repl/language/functions/") else 2
            code = byte_code(path.read_bytes(), f"{PLACES[0]}/{file}", optimize)
            path.with_suffix(".pyc").write_bytes(code)
            path.unlink()


def main() -> None:
    """Change both in place."""
    start = imported_at_start()
    with zipfile.ZipFile(LIBRARY) as archive:
        library = {file: archive.read(file) for file in archive.namelist()}
    write_library(library, start)
    compile_engine(start)


main()
