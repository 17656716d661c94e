"""The wheel in an environment that has nothing else: ``make test-install``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent.parent
NOTEBOOK = PROJECT / "notebooks" / "01-first-steps.ipynb"


class Environment:
    """A virtual environment with the wheel, and a home directory of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory / "environment"
        self.variables = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("JUPYTER", "XDG", "PYTHON", "VIRTUAL_ENV"))
        }
        self.variables |= {"HOME": str(directory), "JUPYTER_PLATFORM_DIRS": "0"}

    def run(self, program: str, *arguments: str, **variables: str) -> str:
        """Standard output of a program of the environment, which has to succeed."""
        done = subprocess.run(
            [self.directory / "bin" / program, *arguments],
            env=self.variables | variables,
            cwd=self.directory.parent,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def kernels(self, **variables: str) -> dict[str, Path]:
        """The kernels that Jupyter finds, and where."""
        listed = json.loads(self.run("jupyter", "kernelspec", "list", "--json", **variables))
        return {name: Path(spec["resource_dir"]) for name, spec in listed["kernelspecs"].items()}


def files(root: Path) -> set[Path]:
    return {path.relative_to(root) for path in root.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    directory = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", directory, PROJECT],
        check=True,
    )
    (wheel,) = directory.glob("*.whl")
    made = Environment(directory)
    venv.create(made.directory, with_pip=True)
    made.run("python", "-m", "pip", "install", "--quiet", f"{wheel}[kernel]", "nbclient")
    return made


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
    assert environment.run("python", "-m", "pygments", "-L", "lexer").count("puppet8")


def test_the_bundled_modules_are_complete(environment: Environment) -> None:
    (installed,) = environment.directory.rglob("site-packages/puppet_repl/environment/bundled")
    bundled = PROJECT / "puppet_repl" / "environment" / "bundled"

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
    environment.run("python", "-m", "pip", "uninstall", "--quiet", "--yes", "puppet-repl")
    assert [str(path) for path in environment.directory.rglob("*puppet*")] == []
    assert "puppet" not in environment.kernels()
