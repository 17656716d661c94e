"""Installing Ruby for the sandbox: download it, check it, compile it, keep the result."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from puppet_repl.base.optional_packages import how_to_install
from puppet_repl.base.programs import find_program
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.ruby.engine import EngineFailure
from puppet_repl.environment.ruby.sandbox import libraries, store

INTEGRITY = (
    "biSN8Ar3Rw4ERzESnAa/VFnoJiJmwgU9Gqj+dXXAffM5Uqft+slS4ndtS3DMgOzkcVLCaPxtDbshsQVHyIvBqQ=="
)
"""The SHA-512 of the package, as npm writes it."""

WASM_INTEGRITY = (
    "/+RSFoTG5VubIvRZzGb98rynhFgoW07i+p5RpeN2nZI6F+rEFIZyDNvApe4JDutQMdd43SF8kpcHyKnZZviSOQ=="
)
"""The SHA-512 of the file of the package that is used."""

MEMBER = "package/dist/ruby+stdlib.wasm"
_NEEDED = 100 << 20  # bytes on the disk

Say = Callable[[str], None]


class InstallationError(Exception):
    """The installation has failed; the text says why."""


def install(source: Path | None, say: Say, tick: Say | None = None) -> Path:
    """Install Ruby from a file, or from npm; return the directory that it is in.

    ``say`` receives a line for each step; ``tick``, if there is one, what to show while a step
    takes its time. Raises InstallationError, and OSError where the result cannot be written.
    """
    version = store.wasmtime_version()
    if version is None:
        raise InstallationError(f"wasmtime is missing: {how_to_install('ruby')}")
    files = store.files()
    problem = files.problem()
    if problem is not None:
        raise InstallationError(f"{files.directory}: {problem}")
    with tempfile.TemporaryDirectory(prefix="puppet-repl-") as name:
        directory = Path(name)
        if source is None:
            say(f"Downloading {store.PACKAGE} {store.VERSION} (31 MB)")
            source = _download(directory, tick)
        wasm = _read_wasm(source)
    say("Compiling Ruby, which is done once")
    compiled = _compile(wasm, tick)
    _check_room(Path(store.root()), len(compiled))
    name = store.keep_compiled(version, compiled)
    say("Preparing the first start")
    _prepare(name)
    store.remove_unused(version)
    return Path(store.root())


def _download(directory: Path, tick: Say | None) -> Path:
    try:
        npm = find_program("npm")
    except FileNotFoundError:
        raise InstallationError(
            "npm is missing, which downloads Ruby. Install it, or get the package elsewhere by "
            f"'npm pack {store.PACKAGE}@{store.VERSION}' and name the file: --from FILE"
        ) from None
    command = [npm, "pack", f"{store.PACKAGE}@{store.VERSION}", "--silent", "--pack-destination"]
    with tempfile.TemporaryFile() as written:
        process = subprocess.Popen(
            [*command, str(directory)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=written,
            cwd=directory,
        )
        try:
            _watch(lambda: process.poll() is not None, tick)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
        written.seek(0)
        text = written.read().decode("utf-8", "replace").strip()
    packages = sorted(directory.glob("*.tgz"))
    if process.returncode or not packages:
        reason = f":\n{text}" if text else f" (exit status {process.returncode})"
        raise InstallationError(f"npm could not download {store.PACKAGE}{reason}")
    return packages[0]


def _read_wasm(source: Path) -> bytes:
    """Return the module from a package or from a file of its own; raise InstallationError."""
    try:
        raw = source.read_bytes()
    except OSError as error:
        raise InstallationError(f"cannot read {source}: {why_unusable(error)}") from None
    if raw.startswith(b"\0asm"):
        _check(raw, WASM_INTEGRITY, f"{source} is not the file ruby+stdlib.wasm")
        return raw
    _check(raw, INTEGRITY, f"{source} is not the package")
    try:
        with tarfile.open(source) as archive:
            member = archive.extractfile(MEMBER)
            if member is None:
                raise InstallationError(f"there is no file {MEMBER} in {source}")
            return member.read()
    except OSError as error:
        raise InstallationError(f"cannot unpack {source}: {why_unusable(error)}") from None
    except (tarfile.TarError, KeyError, EOFError) as error:
        raise InstallationError(f"cannot unpack {source}: {error}") from None


def _check(raw: bytes, expected: str, problem: str) -> None:
    found = base64.b64encode(hashlib.sha512(raw).digest()).decode()
    if found != expected:
        raise InstallationError(
            f"{problem} of {store.PACKAGE} {store.VERSION}: its SHA-512 differs from the known one"
        )


def _compile(wasm: bytes, tick: Say | None) -> bytes:
    """Return the compiled module. This takes about 10 seconds of two processors."""
    from puppet_repl.environment.ruby.sandbox.compilation import compile_module

    results: list[bytes] = []
    problems: list[str] = []

    def work() -> None:
        try:
            results.append(compile_module(wasm))
        except (EngineFailure, MemoryError) as error:
            problems.append(str(error))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    _watch(lambda: not thread.is_alive(), tick)
    if not results:
        raise InstallationError(f"Ruby cannot be compiled: {''.join(problems)}")
    return results[0]


def _watch(is_done: Callable[[], bool], tick: Say | None) -> None:
    """Wait, and show the seconds that it takes."""
    start = time.monotonic()
    while not is_done():
        time.sleep(0.05)
        if tick is not None:
            tick(f"{time.monotonic() - start:.0f} s")


def _check_room(directory: Path, size: int) -> None:
    while not directory.exists():
        directory = directory.parent
    free = shutil.disk_usage(directory).free
    if free < size + _NEEDED // 10:
        raise InstallationError(
            f"there is no room in {directory}: {size >> 20} MB are needed, {free >> 20} MB are free"
        )


def _prepare(name: str) -> None:
    """Start Ruby once, which writes its snapshot; raise InstallationError."""
    from puppet_repl.environment.ruby.sandbox.compilation import start_once

    try:
        libraries.repair()
        start_once(name)
    except EngineFailure as failure:
        store.remove_compiled(name)
        raise InstallationError(f"Ruby does not start: {failure.message}") from None
