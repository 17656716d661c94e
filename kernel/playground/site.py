"""Write the directory that a static host serves: python -m playground.site TARGET.

It has all that the page and its worker load, so that nothing comes from another host: the files
of ``static``, what the bundler made of the editor, the archive with the engine, and of Pyodide the
files that start it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

from playground.directory import SiteError, replaced, run_writer
from playground.engine import ROOT, copy_engine, pack

STATIC = Path(__file__).parent / "static"
LABEXTENSION = ROOT / "kernel" / "labextension"
SHARING = LABEXTENSION / "static" / "sharing.js"
PREPARE = Path(__file__).with_name("prepare.mjs")
PYODIDE = ROOT / "build" / "pyodide" / "node_modules" / "pyodide"
# What the bundler has made of the editor.
EDITOR = ROOT / "build" / "playground"
# Of Pyodide; its list of packages is written without any.
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LIBRARY = "python_stdlib.zip"
LOCK = "pyodide-lock.json"
ARCHIVE = "engine.tar.gz"
# Keeps the other files in a browser.
KEEPER = "sw.js"
# Other files that contain the release.
MARKED = ("client.mjs", "worker.mjs")
RELEASE = re.compile(r"\bRELEASE = '\w*'")
# Of ``static``, what a session of a page loads; the other files are those of the page.
WORKER = ("client.mjs", "engine.mjs", "worker.mjs", KEEPER)


def write_site(target: Path) -> None:
    """Write the directory anew."""
    with replaced(target, "worker.mjs") as new:
        if not EDITOR.is_dir():
            raise SiteError("the editor is missing: make playground bundles it")
        shutil.copytree(STATIC, new)
        shutil.copytree(EDITOR, new, dirs_exist_ok=True)
        shutil.copy(SHARING, new)
        write_worker(new)


def write_worker(target: Path) -> None:
    """Write what a session of a page loads: its modules, the engine, Pyodide."""
    if not PYODIDE.is_dir():
        raise SiteError("Pyodide is missing: make playground installs it")
    target.mkdir(parents=True, exist_ok=True)
    for name in WORKER:
        shutil.copyfile(STATIC / name, target / name)
    python = target / "pyodide"
    python.mkdir(exist_ok=True)
    for name in PYTHON:
        shutil.copyfile(PYODIDE / name, python / name)
    lock = json.loads((PYODIDE / LOCK).read_text(encoding="utf-8"))
    (python / LOCK).write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        copy_engine(work / "engine")
        shutil.copyfile(PYODIDE / LIBRARY, work / LIBRARY)
        _prepare(work)
        shutil.copyfile(work / LIBRARY, python / LIBRARY)
        pack(work / "engine", target / ARCHIVE)
    write_keeper(target)


def _prepare(work: Path) -> None:
    """Compile what the start imports, and leave out of Python's library what nothing imports."""
    node = shutil.which("node")
    if node is None:
        raise SiteError("Node.js is missing: version 18 or later")
    done = subprocess.run(
        [node, str(PREPARE), str(PYODIDE), str(work)], text=True, stderr=subprocess.PIPE
    )
    if done.returncode != 0:
        raise SiteError(f"the engine cannot be prepared: {done.stderr}")


def write_keeper(target: Path) -> None:
    """Write the service worker with the digests of all files, and the release into who knows it.

    It is a digest of all files without it, so that this may be done again.
    """
    shutil.copyfile(STATIC / KEEPER, target / KEEPER)
    paths = [path for path in sorted(target.rglob("*")) if path.is_file()]
    marked = [target / name for name in (*MARKED, KEEPER)]
    for path in marked:
        _mark(path, "")
    release = sha256(json.dumps(_digests(target, paths)).encode()).hexdigest()
    for path in marked:
        _mark(path, release)
    paths.remove(target / KEEPER)
    files = json.dumps(_digests(target, paths), indent=2)
    keeper = (target / KEEPER).read_text(encoding="utf-8").replace("FILES = {}", f"FILES = {files}")
    (target / KEEPER).write_text(keeper, encoding="utf-8")


def _digests(target: Path, paths: list[Path]) -> dict[str, str]:
    return {
        path.relative_to(target).as_posix(): sha256(path.read_bytes()).hexdigest() for path in paths
    }


def _mark(path: Path, release: str) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(RELEASE.sub(f"RELEASE = '{release}'", text, count=1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(run_writer(write_site, "python -m playground.site", __doc__))
