"""The cache of compiled files as processes see it: ``puppet-repl cache``, and who takes it up."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.frontends.cli.test_cli import run
from tests.language.compiler.test_stored import damaged

CODE = "include m"
MANIFEST = """
class m($count = 3) {
  Integer[1, $count].each |$number| { notify { m::name($number): } }
}
"""
FUNCTION = 'function m::name(Integer $number) >> String { "number ${number}" }'


class Place:
    """A directory with a module, and a cache of its own."""

    def __init__(self, root: Path) -> None:
        self.modules = root / "modules"
        self.environment = {"XDG_CACHE_HOME": os.fspath(root / "cache"), "PUPPET_REPL_NO_CACHE": ""}
        self.kept = root / "cache" / "puppet-repl" / "compiled"
        for name, text in (("manifests/init.pp", MANIFEST), ("functions/name.pp", FUNCTION)):
            path = self.modules / "m" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run(self, *arguments: str, **given: str) -> tuple[int, str, str]:
        return run(*arguments, environment={**self.environment, **given})

    def program(self, *options: str, **given: str) -> tuple[int, str, str]:
        return self.run("--modulepath", os.fspath(self.modules), *options, "-e", CODE, **given)

    def entries(self) -> list[Path]:
        return sorted(path for path in self.kept.rglob("*") if path.is_file())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


RESULT = (0, "[Class[m]]\n", "")


def test_the_files_of_a_program_are_taken_up_by_the_next_one(place: Place) -> None:
    assert place.program() == RESULT
    first = {path: path.stat().st_mtime_ns for path in place.entries()}
    assert len(first) == 2
    assert place.program() == RESULT
    assert {path: path.stat().st_mtime_ns for path in place.entries()} == first


@pytest.mark.parametrize(
    ("options", "given"),
    [(("--no-cache",), {}), (("--hermetic",), {}), ((), {"PUPPET_REPL_NO_CACHE": "1"})],
)
def test_switched_off(place: Place, options: tuple[str, ...], given: dict[str, str]) -> None:
    assert place.program(*options, **given) == RESULT
    assert not place.kept.parent.exists()


def test_requests_and_nodes_share_it(place: Place) -> None:
    request = {"code": CODE, "modulepath": [os.fspath(place.modules)], "mode": "catalog"}
    for options in (("--no-cache",), ()):
        status, shown, _ = run(
            *("batch", *options),
            given=json.dumps(request).encode() + b"\n",
            environment=place.environment,
        )
        assert status == 0 and len(json.loads(shown)["resources"]) == 4
        assert len(place.entries()) == (0 if options else 2)
    before = place.entries()
    modules = ("--modulepath", os.fspath(place.modules))
    status, shown, _ = place.run("compile", *modules, "--facts", "debian-12", "-e", CODE)
    assert status == 0 and "number 3" in shown
    assert place.entries() == before


def test_status_path_and_clear(place: Place) -> None:
    assert place.run("cache", "path") == (0, f"{place.kept}\n", "")
    head = f"directory  {place.kept}\n"
    none = "files      0 (0.0 MB of about 256 MB)\n"
    assert place.run("cache", "status") == (0, f"{head}{none}in use     yes\n", "")
    place.program()
    status, shown, _ = place.run("cache", "status")
    assert status == 0 and "files      2 (" in shown
    assert place.run("cache", "clear") == (0, "removed 2 files (0.0 MB)\n", "")
    assert place.run("cache", "clear") == (0, "removed 0 files (0.0 MB)\n", "")
    off = {"PUPPET_REPL_NO_CACHE": "1"}
    answer = (1, f"{head}{none}in use     no: PUPPET_REPL_NO_CACHE is set\n", "")
    assert place.run("cache", "status", **off) == answer


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_directory_that_others_may_use(place: Place) -> None:
    place.kept.mkdir(parents=True)
    place.kept.chmod(0o755)
    assert place.program() == RESULT
    reason = "others may use it: its mode is 0755, not 0700"
    status, shown, _ = place.run("cache", "status")
    assert status == 1 and shown.endswith(f"in use     no: {reason}\n")
    assert place.run("cache", "clear") == (1, "", f"puppet-repl: {place.kept}: {reason}\n")


def test_programs_at_the_same_time(place: Place) -> None:
    command = [
        sys.executable,
        "-m",
        "puppet_repl",
        "--modulepath",
        os.fspath(place.modules),
        "-e",
        CODE,
    ]
    environment = {**os.environ, **place.environment}
    running = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(4)
    ]
    for process in running:
        out, err = process.communicate()
        assert (process.returncode, out, err) == RESULT
    assert len(place.entries()) == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_programs_that_are_killed(place: Place) -> None:
    """Whatever a killed process leaves, the next one answers as ever."""
    command = [
        sys.executable,
        "-m",
        "puppet_repl",
        "--modulepath",
        os.fspath(place.modules),
        "-e",
        CODE,
    ]
    environment = {**os.environ, **place.environment}
    dice = random.Random(1)
    for _ in range(25):
        for path in place.entries():
            if dice.random() < 0.5:
                path.unlink()
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
        )
        time.sleep(0.1 + dice.random() * 0.2)
        process.kill()
        _, told = process.communicate()
        assert told == b""
    assert place.program() == RESULT


@pytest.mark.slow
def test_damaged_files_end_no_program(place: Place) -> None:
    """Bytes that marshal reads can end a process: they are never handed to it unchecked."""
    place.program()
    whole = {path: path.read_bytes() for path in place.entries()}
    for seed in range(20):
        for path, data in whole.items():
            path.write_bytes(damaged(data, random.Random(f"{seed} {path.name}")))
        assert place.program() == RESULT
