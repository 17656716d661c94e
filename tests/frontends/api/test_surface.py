"""The public face: its names and signatures, what it costs, and that programs are typed."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import inspect
import re
import runpy
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet
from tests.docs.shell_blocks import DOCS, File, steps

pytestmark = pytest.mark.untraced


HERE = Path(__file__).parent
GOLDEN = HERE / "signatures.txt"
GUIDE = DOCS / "howto" / "python.md"
PAGES = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("api.md", "api-tools.md"))
CONSTRUCTED = ("Options", "PuppetHash", "Sensitive", "Session", "Shared")
"""The classes of which programs make objects."""
FIVE = ("family.py", "check.py", "test_motd.py", "classes.py", "render.py")


def programs() -> dict[str, str]:
    """Return the Python programs that the guide shows, by name."""
    parts = steps(GUIDE.read_text(encoding="utf-8"))
    return {
        each.name: each.text
        for each in parts
        if isinstance(each, File) and each.name.endswith(".py")
    }


def public_classes() -> dict[str, list[str]]:
    """Return the classes on the pages of the API, each with the members that it names."""
    found = re.findall(
        r"^\.\. auto(?:class|exception):: (\w+)(?:\(\))?\n(?:   :members: (.*)\n)?",
        PAGES,
        re.MULTILINE,
    )
    return {name: members.split(", ") if members else [] for name, members in found}


def described(name: str, members: list[str]) -> list[str]:
    """Return a line for a public name, and one for each public member of a class."""
    value = getattr(puppet, name)
    if not inspect.isclass(value):
        return [name + _signature(value)]
    bases = ", ".join(base.__name__ for base in value.__bases__)
    constructor = _signature(value) if name in CONSTRUCTED else ""
    lines = [f"class {name}({bases}){constructor}"]
    return lines + [
        f"{name}.{member}{_signature(getattr(value, member, None))}" for member in members
    ]


def _signature(value: Any) -> str:
    return str(inspect.signature(value)) if callable(value) else ""


def test_names_and_signatures_stay(update_goldens: bool) -> None:
    """Programs rely on them: what is taken away or changes needs a reason, and the changelog."""
    classes = public_classes()
    functions = {name for name in puppet.__all__ if inspect.isfunction(getattr(puppet, name))}
    assert all(f".. autofunction:: {name}\n" in PAGES for name in functions)
    assert set(puppet.__all__) - functions - {"NOTHING", "__version__"} == classes.keys()
    lines = [
        line for name in sorted(puppet.__all__) for line in described(name, classes.get(name, []))
    ]
    text = "\n".join(lines) + "\n"
    if update_goldens:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def documented_functions() -> dict[str, Any]:
    """Return the public functions that take arguments of several kinds, by name."""
    plain = {"Deferred", "function", "from_python", "to_json", "to_python"}
    found = {name: getattr(puppet, name) for name in set(puppet.__all__) - plain}
    return {name: value for name, value in found.items() if inspect.isfunction(value)}


def test_each_parameter_is_described_and_always_the_same() -> None:
    texts: dict[str, set[str]] = {}
    for name, function in documented_functions().items():
        described = re.findall(
            r"^:param (\w+): (.*?)(?=\n:param|\Z)", inspect.getdoc(function) or "", re.M | re.S
        )
        assert [each for each, _ in described] == list(inspect.signature(function).parameters), name
        for parameter, text in described:
            texts.setdefault(parameter, set()).add(" ".join(text.split()))
    common = ("node", "modulepath", "environment", "hiera", "variables", "log", "options")
    assert {each: len(texts[each]) for each in common} == dict.fromkeys(common, 1)


def test_signatures_on_the_site_name_nothing_that_is_internal() -> None:
    """Aliases are of use in the code; a reader of the site cannot look them up."""
    expand = runpy.run_path(str(DOCS / "_ext" / "api_signatures.py"))["without_aliases"]
    known = {*puppet.__all__, *dir(builtins), *typing.__all__, *collections.abc.__all__}
    known |= {"PathLike", "Executor", "PuppetObject", "UNSET"}
    lines = GOLDEN.read_text(encoding="utf-8").replace("'", "").splitlines()
    shown = [line for line in lines if not line.startswith(("class ", "Session.", "PuppetHash."))]
    names = {name for line in shown for name in re.findall(r"\b[A-Z]\w+", expand(line))}
    assert sorted(names - known) == []


def test_every_name_is_there() -> None:
    assert set(puppet.__all__) <= set(dir(puppet))
    for name in puppet.__all__:
        value = getattr(puppet, name)
        assert inspect.isclass(value) or not callable(value) or value.__doc__, name
        if callable(value):
            assert value.__name__ == name
    assert puppet.__version__
    with pytest.raises(AttributeError, match="'nothing'"):
        puppet.nothing  # noqa: B018


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(puppet.__file__ or "").read_text(encoding="utf-8"))
    typed = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname is not None
    }
    assert typed.keys() == set(puppet.__all__)
    for name, path in typed.items():
        module, _, inner = path.rpartition(".")
        assert getattr(sys.modules[module], inner) is getattr(puppet, name)


def loaded(code: str) -> set[str]:
    """Return the modules of the project, and heavy ones of others, that code loads."""
    program = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_import_is_cheap() -> None:
    found = loaded("import puppet_repl as puppet; dir(puppet); puppet.__all__")
    assert {each for each in found if each.startswith("puppet_repl")} == {
        "puppet_repl",
        "puppet_repl.base",
        "puppet_repl.base.modules",
    }
    assert not found & {"argparse", "dataclasses", "inspect", "json", "typing"}
    version = loaded("import puppet_repl; puppet_repl.__version__")
    assert version - found == {"puppet_repl.base.version"}


def test_an_evaluation_on_the_command_line_loads_nothing_of_it() -> None:
    found = loaded("from puppet_repl.frontends.cli import main; main(['-e', '1'])")
    assert "puppet_repl.session" in found
    assert not {each for each in found if each.startswith("puppet_repl.frontends.api")}
    assert "puppet_repl.language.values.python" not in found


def test_importing_everything_hides_no_function() -> None:
    """A package of the same name as a function would take its place."""
    code = (
        "import pkgutil, puppet_repl, types\n"
        "names = [each.name for each in pkgutil.iter_modules(puppet_repl.__path__)]\n"
        "assert not set(names) & set(puppet_repl.__all__), names"
    )
    assert "puppet_repl" in loaded(code)


@pytest.mark.parametrize("name", FIVE)
def test_the_five_programs_have_at_most_five_lines(name: str) -> None:
    lines = [line for line in programs()[name].splitlines() if line.strip()]
    assert 0 < len(lines) <= 5
    assert max(map(len, lines)) <= 100


@pytest.mark.slow
def test_the_programs_of_the_guide_are_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    shown = programs()
    assert shown.keys() >= set(FIVE)
    for name, text in shown.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "misused.py").write_text(
        "import puppet_repl as puppet\n"
        "x: int = puppet.render('a')\n"
        "puppet.compile('', strict='no')\n"
        "puppet.compile('')['a'].nothing\n"
        "puppet.nothing\n"
        "for each in puppet.validate('.'): each.line + 1\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir"]
    done = subprocess.run(
        [*command, str(tmp_path / "cache"), *sorted([*shown, "misused.py"])],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    refused = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    assert all(line.startswith("misused.py") for line in done.stdout.splitlines()), done.stdout
    assert refused == {2, 3, 4, 5, 6}, done.stdout
