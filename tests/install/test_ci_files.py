"""The hooks, the action and the component, with all that they install."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.ci_files import BASH, HOOKS, SH, Action, Component, Script
from tests.docs.test_ci_files import BAD, DOUBTFUL, GOOD, OTHER_FORM, repository, write
from tests.install.environment import PROJECT, Environment


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("ci"), "pre-commit")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository of git with what pip needs of this project, as it is now."""
    directory = tmp_path_factory.mktemp("project") / "puppet-repl"
    left_out = shutil.ignore_patterns(
        ".git", ".venv", "build", "dist", "tests", "node_modules", "__pycache__"
    )
    shutil.copytree(PROJECT, directory, ignore=left_out)
    return repository(directory, {})


def hook(
    environment: Environment, project: Path, where: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run a hook of the project for all files of a repository, as ``pre-commit`` does."""
    return subprocess.run(
        [environment.directory / "bin/pre-commit", "try-repo", project, *arguments, "--all-files"],
        cwd=where,
        env=environment.variables | {"PRE_COMMIT_HOME": str(environment.directory / "hooks")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


MODULE = {
    "README.md": "# motd\n",
    "logo.png": "\x00",
    "manifests/init.pp": f"# @summary The message\n{GOOD}",
    ".github/workflows/test.yml": "on: push\non: pull_request\n",
}


def test_pre_commit_runs_every_hook(
    environment: Environment, project: Path, tmp_path: Path
) -> None:
    where = repository(tmp_path, MODULE)
    listed = hook(environment, project, where).stdout
    states = {
        name: line.rpartition(".")[2]
        for name in (each["name"] for each in HOOKS.values())
        for line in listed.splitlines()
        if line.startswith(f"{name}.")
    }
    assert states == {
        "puppet-repl validate": "Passed",
        "puppet-repl format": "Passed",
        "puppet-repl reference --check": "Failed",  # there is no REFERENCE.md
    }, listed


def test_pre_commit_stops_a_bad_file(
    environment: Environment, project: Path, tmp_path: Path
) -> None:
    where = repository(tmp_path, MODULE | {"manifests/bad.pp": BAD, "manifests/a.pp": OTHER_FORM})
    done = hook(environment, project, where, "puppet-repl-validate")
    assert done.returncode == 1 and "manifests/bad.pp, line: 3" in done.stdout
    assert "README.md" not in done.stdout
    done = hook(environment, project, where, "puppet-repl-format")
    assert done.returncode == 1 and "files were modified by this hook" in done.stdout


def test_pre_commit_passes_over_files_of_others(
    environment: Environment, project: Path, tmp_path: Path
) -> None:
    where = repository(tmp_path, {"README.md": "# motd\n"})
    done = hook(environment, project, where)
    assert done.returncode == 0 and done.stdout.count("(no files to check)Skipped") == len(HOOKS)


def installed(scripts: Iterator[Script], directory: Path, shell: tuple[str, ...]) -> Path:
    """Run the first script, which installs into an empty environment, and return its programs."""
    programs = Environment(directory).directory / "bin"
    done = next(scripts).run(directory, shell, programs)
    assert done.returncode == 0, done.stdout
    return programs


def test_the_action_installs_itself(tmp_path: Path) -> None:
    scripts = Action().scripts({"warnings": "fail"})
    programs = installed(scripts, tmp_path, BASH)
    (check,) = scripts
    for text, expected in ((GOOD, (0, False)), (DOUBTFUL, (1, True))):
        write(tmp_path / "motd", {"manifests/init.pp": text})
        done = check.run(tmp_path / "motd", BASH, programs)
        assert (done.returncode, "::warning file=" in done.stdout) == expected


def test_the_component_installs_from_its_source(project: Path, tmp_path: Path) -> None:
    scripts = Component().scripts({"source": f"git+file://{project}"})
    programs = installed(scripts, tmp_path, SH)
    (check,) = scripts
    write(tmp_path / "motd", {"manifests/init.pp": BAD})
    assert check.run(tmp_path / "motd", SH, programs).returncode == 1
    assert (tmp_path / "motd" / "puppet-repl.xml").stat().st_size
