"""The index of functions agrees with the declarations, and a stale one does no harm."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from puppet_repl.language.functions import indexing, registry
from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.functions.registry import FunctionTable
from puppet_repl.language.functions.stdlib.declaring import TABLES

ROOT = Path(registry.__file__).parents[3]


def recipe() -> str:
    """The declaration that CONTRIBUTING.md shows as its recipe for a function."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("### A function\n")[2]
    return "\n\n" + section.partition("```python\n")[2].partition("```\n")[0]


SHOUT = recipe()
NAMES = [
    pytest.param(table, name, id=f"{label}-{name}")
    for label, table in {"puppet": registry.BUILTINS, **TABLES}.items()
    for name in table.names()
]
WITHOUT_EXAMPLES = (
    "eyaml_lookup_key",
    "hocon_data",
    "json_data",
    "yaml_data",
    "private",  # a reserved word
)


def test_index_is_up_to_date() -> None:
    for path, text in indexing.index_texts().items():
        assert Path(path).read_text("utf-8") == text, f"run: {indexing.COMMAND}"


def test_names_are_sorted() -> None:
    assert list(registry.BUILTINS.names()) == sorted(THEMES)


def test_unknown_name() -> None:
    assert registry.find("no_such_function") is None


@pytest.mark.parametrize(("table", "name"), NAMES)
def test_every_function_is_documented(table: FunctionTable, name: str) -> None:
    function = table.find(name)
    assert function is not None
    assert (function.name, function.theme) == (name, table.themes[name])
    first = function.doc.strip().splitlines()[0]
    assert first.endswith(".") and len(first) < 100
    assert function.signatures()
    if name not in WITHOUT_EXAMPLES:
        assert function.examples


def test_finding_one_function_imports_one_theme() -> None:
    code = (
        "import sys\n"
        "from puppet_repl.language.functions.registry import find\n"
        "find('upcase').call(None, ('a',))\n"
        "start = 'puppet_repl.language.functions.'\n"
        "themes = [name for name in sys.modules if name.startswith(start)]\n"
        "print(sorted(themes))\n"
        "print('puppet_repl.language.types.model.base' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules, types_loaded = done.stdout.splitlines()
    expected = ["index", "registry", "signatures", "strings"]
    assert modules == str([f"puppet_repl.language.functions.{name}" for name in expected])
    assert types_loaded == "False"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to declare functions in."""
    target = tmp_path_factory.mktemp("source") / "puppet_repl"
    shutil.copytree(
        ROOT / "puppet_repl", target, ignore=shutil.ignore_patterns("__pycache__", "factsets")
    )
    return target


def evaluate(package: Path, code: str) -> str:
    command = [sys.executable, "-m", "puppet_repl", "-e", code]
    done = subprocess.run(command, cwd=package.parent, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_recipe_of_contributing(copied: Path) -> None:
    theme = copied / "language" / "functions" / "strings.py"
    before = theme.read_text("utf-8")
    theme.write_text(before + SHOUT, "utf-8")
    assert evaluate(copied, "shout('hey')") == "'HEY!'\n"
    assert "expects a String value, got Integer" in evaluate(copied, "shout(1)")
    theme.write_text(before, "utf-8")


def test_function_in_another_theme_than_the_index_says(copied: Path) -> None:
    strings = copied / "language" / "functions" / "strings.py"
    before = strings.read_text("utf-8")
    index = copied / "language" / "functions" / "index.py"
    listed = index.read_text("utf-8")
    for theme in ("math", "removed_theme"):
        index.write_text(listed.replace('"abs"', f'"shout": "{theme}",\n    "abs"'), "utf-8")
        strings.write_text(before + SHOUT, "utf-8")
        assert evaluate(copied, "shout('hey')") == "'HEY!'\n"
    strings.write_text(before, "utf-8")
    assert "Unknown function: 'shout'" in evaluate(copied, "shout('hey')")
    index.write_text(listed, "utf-8")


def test_command_writes_the_index(copied: Path) -> None:
    theme = copied / "language" / "functions" / "shouting.py"
    theme.write_text(
        "from puppet_repl.language.functions.registry import function\n" + SHOUT, "utf-8"
    )
    command = [sys.executable, *indexing.COMMAND.split()[1:]]
    subprocess.run(command, cwd=copied.parent, check=True)
    written = (copied / "language" / "functions" / "index.py").read_text("utf-8")
    assert '        "shouting": "shout",\n' in written
    theme.unlink()
    subprocess.run(command, cwd=copied.parent, check=True)
    for path, text in indexing.index_texts().items():
        relative = Path(path).relative_to(ROOT / "puppet_repl")
        assert (copied / relative).read_text("utf-8") == text
