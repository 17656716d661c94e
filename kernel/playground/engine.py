"""The archive with the engine that a browser loads.

It has the packages of the project's two distributions, and of those that they need in a browser:
all is pure Python. What only a terminal, a server or a build needs stays behind.
"""

from __future__ import annotations

import gzip
import io
import shutil
import tarfile
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
    *(
        "puppet_repl/frontends/api/fleets.py",
        "puppet_repl/frontends/debug_adapter/",
        "puppet_repl/frontends/doctest/",
        "puppet_repl/frontends/language_server/",
        "puppet_repl/frontends/shared/catalog_comparison.py",
        "puppet_repl/frontends/shared/compiling.py",
        "puppet_repl/frontends/shared/dask_cluster.py",
        "puppet_repl/frontends/shared/fleet.py",
        "puppet_repl/frontends/shared/framing.py",
        "puppet_repl/frontends/shared/revision",
        "puppet_repl/frontends/shared/worker_processes.py",
        "puppet_repl/frontends/terminal/",
        "puppet_repl/integrations/",
        "puppet_repl/tools/editing/actions.py",
        "puppet_repl/tools/renaming/",
        "puppet_repl/tools/reports/differences_markdown.py",
        "puppet_repl/environment/installation/",
        "puppet_repl/environment/ruby/shim/",
    ),
    *(
        f"puppet_repl/environment/ruby/sandbox/{name}.py"
        for name in (
            *("compilation", "descriptors", "engine", "instance", "process", "snapshot"),
            *("startup", "wasi"),
        )
    ),
    *(
        f"puppet_repl/frontends/cli/{name}"
        for name in (
            *("cache", "changed", "checked", "compile", "diff", "finding", "fixes", "fleets"),
            *("format", "lookup", "modules", "parse", "progress_bar", "reference", "revision"),
            *("ruby", "shell", "validat"),
        )
    ),
    *(
        f"puppet_repl/tools/editing/{name}.py"
        for name in (
            *("data_completion", "data_uses", "default_attributes", "hiera_completion"),
            *("index", "parameter_values", "resource_data", "ruby_outline", "targets"),
        )
    ),
    "puppet_repl/environment/hiera/data_alone.py",
    *(
        f"puppet_repl/environment/reference/{name}.py"
        for name in ("checks", "displayed_tags", "json_form", "markdown")
    ),
    *(
        f"puppet_repl/tools/validation/{name}.py"
        for name in (
            *("hiera_config", "hiera_data", "licenses", "metadata", "nested_data", "tasks"),
            "yaml_plans",
        )
    ),
    *("puppet_kernel/language_server.py", "puppet_kernel/logos/"),
    *("pygments/cmdline.py", "pygments/formatters/", "pygments/sphinxext.py", "pygments/styles/"),
    *(
        f"platformdirs/{name}.py"
        for name in ("android", "ios", "macos", "pytest_plugin", "testing", "windows")
    ),
    "wcwidth/table_grapheme_overrides/_known",  # of terminals
)
# Pygments has lexers for hundreds of languages.
LEXERS = ("__init__", "_mapping", "data", "javascript", "python", "_julia_builtins")
SUFFIXES = (".py", ".json", ".pp", ".rb", ".typed")
# Longer names are not in the field of a header that the worker reads.
MAX_NAME = 100


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


def copy_engine(target: Path) -> None:
    """Copy the packages into a directory."""
    for name, path in members():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target / name)


def pack(directory: Path, archive: Path) -> None:
    """Write a directory as a compressed archive; the same files make the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(directory.rglob("*")):
            if path.is_file():
                name = path.relative_to(directory).as_posix()
                assert len(name) < MAX_NAME, name
                header = tarfile.TarInfo(name)
                header.size = path.stat().st_size
                with path.open("rb") as content:
                    tar.addfile(header, content)
    archive.write_bytes(gzip.compress(buffer.getvalue(), 9, mtime=0))
