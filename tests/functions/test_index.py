"""The static table of functions says what the theme modules hold."""

from __future__ import annotations

import subprocess
import sys

import pytest

from puppet_repl.functions import registry
from puppet_repl.functions.index import THEMES


@pytest.mark.parametrize("theme", sorted(set(THEMES.values())))
def test_table_agrees_with_theme(theme: str) -> None:
    listed = {name for name, where in THEMES.items() if where == theme}
    functions = registry.theme_functions(theme)
    assert set(functions) == listed
    for name, function in functions.items():
        assert function.name == name
        assert function.theme == theme


def test_there_are_104() -> None:
    assert len(THEMES) == 104
    assert list(registry.names()) == sorted(THEMES)


def test_unknown_name() -> None:
    assert registry.find("no_such_function") is None


@pytest.mark.parametrize("name", sorted(THEMES))
def test_every_function_is_documented(name: str) -> None:
    function = registry.find(name)
    assert function is not None
    first = function.doc.strip().splitlines()[0]
    assert first.endswith(".") and len(first) < 100
    assert function.signatures()
    if not name.endswith("_data") and name != "eyaml_lookup_key":
        assert function.examples


def test_finding_one_function_imports_one_theme() -> None:
    code = (
        "import sys\n"
        "from puppet_repl.functions.registry import find\n"
        "find('upcase').call(None, ('a',))\n"
        "themes = [name for name in sys.modules if name.startswith('puppet_repl.functions.')]\n"
        "print(sorted(themes))\n"
        "print('puppet_repl.types.model.base' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules, types_loaded = done.stdout.splitlines()
    wanted = ["index", "registry", "signatures", "strings"]
    assert modules == str([f"puppet_repl.functions.{name}" for name in wanted])
    assert types_loaded == "False"
