"""Write the archive with the engine that a browser loads: python -m playground.engine FILE.

It has the packages of the project's two distributions, and of those that they need in a browser, as
they are: all is pure Python. What only a terminal, a server or a build needs stays behind.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
OWN = (
    ROOT / "puppet_repl",
    ROOT / "kernel" / "puppet_kernel",
    ROOT / "lexer_pygments" / "puppet_pygments",
)
OTHERS = ("platformdirs", "pygments", "wcwidth", "yaml")
LEFT_OUT = (
    *("puppet_repl/terminal/", "puppet_repl/sphinx_domain/", "puppet_repl/ruby/shim/"),
    "puppet_kernel/logos/",
    *("pygments/formatters/", "pygments/styles/"),
    "wcwidth/table_grapheme_overrides/_known",  # of terminals
)
# Pygments has lexers for hundreds of languages.
LEXERS = ("__init__", "_mapping", "data", "javascript", "python", "_julia_builtins")
STATIC = Path(__file__).parent / "static"
SUFFIXES = (".py", ".json", ".pp", ".rb", ".typed")
_TIME = (1980, 1, 1, 0, 0, 0)


def packages() -> Iterator[Path]:
    """Yield the directories of the packages."""
    yield from OWN
    for name in OTHERS:
        found = find_spec(name)
        assert found is not None and found.origin is not None, f"{name} is not installed"
        yield Path(found.origin).parent


def members() -> Iterator[tuple[str, Path]]:
    """Yield the files of the archive: their names in it, and where they are."""
    for package in packages():
        for path in sorted(package.rglob("*")):
            name = path.relative_to(package.parent).as_posix()
            if path.suffix in SUFFIXES and path.is_file() and _belongs(name):
                yield name, path


def _belongs(name: str) -> bool:
    if name.startswith("pygments/lexers/"):
        return name.removeprefix("pygments/lexers/").removesuffix(".py") in LEXERS
    return not name.startswith(LEFT_OUT)


def write_archive(target: Path) -> None:
    """Write the archive; the same files make the same bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in members():
            archive.writestr(zipfile.ZipInfo(name, _TIME), path.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    write_archive(Path(sys.argv[1]))
