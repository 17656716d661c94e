"""The command that a message names for an optional package: it is one that works."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from puppet_repl.base import optional_packages
from puppet_repl.base.optional_packages import how_to_install

ROOT = Path(__file__).parents[2]
PRINT = "from puppet_repl.base.optional_packages import *; print(how_to_install('ruby'))"


@pytest.fixture
def distributed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The metadata of a distribution, in place of those that are installed."""
    directory = tmp_path / "puppet_repl-1.0.dist-info"
    directory.mkdir()
    (directory / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: puppet-repl\nVersion: 1.0\n"
        "Requires-Dist: pygments>=2.17\n"
        "Requires-Dist: wasmtime>=50; extra == 'ruby'\n"
        'Requires-Dist: bcrypt<6,>=4 ; extra == "crypto"\n'
        "Requires-Dist: cryptography>=42; (python_version < '3.99') and extra == 'crypto'\n"
        "Requires-Dist: rubyist; extra == 'ruby-docs'\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


@pytest.fixture
def with_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment whose pip is the one on the path."""
    program(tmp_path / "bin" / "pip")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))


def program(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


@pytest.mark.usefixtures("distributed", "with_pip")
def test_the_packages_of_an_extra_are_named() -> None:
    assert how_to_install("ruby") == "pip install 'wasmtime>=50'"
    assert how_to_install("crypto") == "pip install 'bcrypt<6,>=4' 'cryptography>=42'"


@pytest.mark.usefixtures("distributed")
@pytest.mark.parametrize("executable", [None, ""])
def test_a_program_that_embeds_python_names_no_executable(
    monkeypatch: pytest.MonkeyPatch, executable: str | None
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    assert how_to_install("ruby") == "python3 -m pip install 'wasmtime>=50'"


@pytest.mark.usefixtures("distributed")
def test_a_pip_of_another_environment_is_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "other" / "pip")
    monkeypatch.setenv("PATH", str(tmp_path / "other"))
    monkeypatch.setattr(sys, "executable", "/opt/a b/bin/python")
    assert how_to_install("ruby") == "'/opt/a b/bin/python' -m pip install 'wasmtime>=50'"


@pytest.mark.usefixtures("distributed")
def test_an_environment_without_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "other" / "uv")
    monkeypatch.setenv("PATH", str(tmp_path / "other"))
    monkeypatch.setattr(sys, "executable", "/opt/bin/python")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert how_to_install("ruby") == "uv pip install --python /opt/bin/python 'wasmtime>=50'"


def test_in_a_browser_nothing_can_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optional_packages, "IN_BROWSER", True)
    assert how_to_install("ruby") == "it cannot be installed in a browser"


def test_a_checkout_that_is_not_installed_is_named() -> None:
    """Without the packages of the environment there are no metadata either."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-S", "-c", PRINT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert shlex.split(done.stdout)[-1] == f"{ROOT}[ruby]"


@pytest.mark.parametrize("extra", ["crypto", "dask", "eyaml", "kernel", "ruby"])
def test_the_installed_distribution_has_each_extra(extra: str) -> None:
    required = metadata.requires("puppet-repl") or []
    named = shlex.split(how_to_install(extra).partition(" install ")[2])
    assert named
    assert all(any(each.startswith(f"{name};") for each in required) for name in named)
