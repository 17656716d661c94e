"""``pip install`` in a checkout, into an empty environment: ``make test-install``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.install.environment import PROJECT, Environment

NOTEBOOK = PROJECT / "notebooks" / "01-first-steps.ipynb"


def files(root: Path) -> set[Path]:
    return {path.relative_to(root) for path in root.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("checkout"), f"{PROJECT}[kernel]", "nbclient")


def test_the_kernel_is_there_after_pip_install(environment: Environment) -> None:
    directory = environment.kernels()["puppet"]
    assert directory == environment.directory / "share" / "jupyter" / "kernels" / "puppet"
    assert {path.name for path in directory.iterdir()} == {
        "kernel.json",
        "logo-svg.svg",
        "logo-64x64.png",
    }


def test_the_labextension_is_there_after_pip_install(environment: Environment) -> None:
    installed = environment.directory / "share" / "jupyter" / "labextensions" / "puppet-repl"
    source = PROJECT / "kernel" / "labextension"
    assert files(installed) == files(source)
    package = json.loads((installed / "package.json").read_text("utf-8"))
    assert installed / package["jupyterlab"]["_build"]["load"] in installed.rglob("*.js")


def test_jupyterlab_finds_the_labextension(environment: Environment) -> None:
    pytest.importorskip("jupyterlab", reason="JupyterLab is not one of the tests' requirements")
    listed = subprocess.run(
        [sys.executable, "-m", "jupyter", "labextension", "list"],
        env=environment.variables
        | {"JUPYTER_PATH": str(environment.directory / "share" / "jupyter")},
        capture_output=True,
        text=True,
    )
    assert re.search(r"puppet-repl v\S+ \S*enabled\S* +\S*OK", listed.stdout + listed.stderr)


def test_a_notebook_runs(environment: Environment) -> None:
    copy = environment.directory.parent / "lesson.ipynb"
    copy.write_bytes(NOTEBOOK.read_bytes())
    environment.run("jupyter", "execute", "--inplace", "--kernel_name=puppet", str(copy))
    cells = json.loads(copy.read_text("utf-8"))["cells"]
    assert any(cell.get("outputs") for cell in cells)


def test_the_terminal_and_the_lexer_are_there_too(environment: Environment) -> None:
    assert environment.run("puppet-repl", "-e", "[1, 2].map |$x| { $x * 2 }") == "[2, 4]\n"
    assert environment.run("python", "-m", "pygments", "-L", "lexer").count("puppet8") == 1
    assert "puppet-pygments" in environment.distributions()


def test_the_bundled_modules_are_complete(environment: Environment) -> None:
    (installed,) = environment.directory.rglob(
        "site-packages/puppet_repl/environment/modules/bundled"
    )
    bundled = PROJECT / "puppet_repl" / "environment" / "modules" / "bundled"

    assert {path.suffix for path in files(bundled)} == {".json", ".pp", ".rb"}
    assert files(installed) == files(bundled)
    code = "['/x' =~ Stdlib::Absolutepath, stdlib::ensure(true, 'service')]"
    assert environment.run("puppet-repl", "--stdlib", "9", "-e", code) == "[true, 'running']\n"


def test_an_absolute_interpreter_for_a_jupyter_elsewhere(environment: Environment) -> None:
    elsewhere = environment.directory.parent / "elsewhere"
    environment.run("puppet-repl", "kernel", "install", "--prefix", str(elsewhere))
    directory = elsewhere / "share" / "jupyter" / "kernels" / "puppet"
    interpreter = json.loads((directory / "kernel.json").read_text("utf-8"))["argv"][0]
    assert interpreter == str(environment.directory / "bin" / "python")
    path = str(elsewhere / "share" / "jupyter")
    assert environment.kernels(JUPYTER_PATH=path)["puppet"] == directory
    environment.run("puppet-repl", "kernel", "uninstall", JUPYTER_PATH=path)
    assert list(elsewhere.rglob("*puppet*")) == []


def test_uninstalling_leaves_nothing(environment: Environment) -> None:
    environment.run(
        *("python", "-m", "pip", "uninstall", "--quiet", "--yes", "puppet-repl", "puppet-pygments")
    )
    assert [str(path) for path in environment.directory.rglob("*puppet*")] == []
    assert "puppet" not in environment.kernels()
