"""Opening a stranger's repository starts no program, reads nothing outside of it, writes nothing.

The process notes what it opens, lists, writes and starts by an audit hook of Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.judge import write_files
from tests.environment.modules.checkouts import metadata
from tests.frontends.terminal.terminal_screen import TerminalScreen

HOOK = """
import os, sys
_note = os.open(os.environ["NOTES"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_READ = ("open", "os.listdir", "os.scandir")
_RUN = ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen")
_WRITTEN = ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.link", "os.chmod")

def _hook(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        kind = "write" if writes else "read"
    elif event in _READ or event in _RUN or event in _WRITTEN:
        path = arguments[0] if arguments else ""
        kind = "read" if event in _READ else "run" if event in _RUN else "write"
    else:
        return
    if isinstance(path, (str, bytes, os.PathLike)):
        os.write(_note, os.fsencode(f"{kind} {os.path.realpath(os.fsdecode(path))}\\n"))
    elif kind == "run":
        os.write(_note, os.fsencode(f"run {event}\\n"))

sys.addaudithook(_hook)
"""
MARK = "generate('/bin/sh', '-c', 'echo > {outside}/started') file('{outside}/secret')\n"
CONTROL = {
    ".puppet-repl.toml": "environment = '.'\nnode = 'a.b'\n",
    "environment.conf": "modulepath = modules:{outside}/modules\nconfig_version = {outside}/run\n",
    "Puppetfile": "system('echo > {outside}/started')\nmod 'me/web', :git => '{outside}'\n",
    "hiera.yaml": "version: 5\nhierarchy: [{{name: a, lookup_key: web::run}}]\n",
    "manifests/site.pp": MARK,
    "modules/web/manifests/init.pp": "class web {{ }}\n",
    "modules/web/lib/puppet/functions/web/run.rb": "system('echo > {outside}/started')\n",
    "modules/web/lib/facter/own.rb": "system('echo > {outside}/started')\n",
}
MODULE = {
    "metadata.json": metadata("me-web", "me/secret").replace("{", "{{").replace("}", "}}"),
    ".fixtures.yml": "fixtures: {{symlinks: {{secret: '{outside}/modules/secret'}}}}\n",
    "manifests/init.pp": "class web {{ }}\n",
    "lib/puppet/type/odd.rb": "system('echo > {outside}/started')\n",
    "lib/puppet/functions/web/run.rb": "system('echo > {outside}/started')\n",
    "hiera.yaml": "version: 5\nhierarchy: [{{name: a, lookup_key: web::run}}]\n",
}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a directory that is none of a repository's business; its run is a program."""
    directory = tmp_path / "outside"
    write_files(
        directory,
        {
            "secret": "words",
            "modules/secret/metadata.json": metadata("me-secret"),
            "modules/secret/manifests/init.pp": "class secret { }\n",
            "run": f"#!/bin/sh\necho > {directory}/started\n",
        },
    )
    (directory / "run").chmod(0o755)
    return directory


@pytest.fixture(params=["control", "module"])
def repository(request: pytest.FixtureRequest, tmp_path: Path, outside: Path) -> Path:
    """Return a stranger's repository, which has links and names of files out of it."""
    directory = tmp_path / "repository"
    files = CONTROL if request.param == "control" else MODULE
    write_files(directory, {name: text.format(outside=outside) for name, text in files.items()})
    (directory / ".git").mkdir()
    modules = directory / ("modules" if request.param == "control" else "spec/fixtures/modules")
    modules.mkdir(parents=True, exist_ok=True)
    (modules / "secret").symlink_to(outside / "modules" / "secret")
    return directory


@pytest.fixture
def variables(tmp_path: Path, outside: Path) -> Iterator[dict[str, str]]:
    """Return the variables of a process that notes what it does; its user has a Ruby."""
    write_files(
        tmp_path,
        {
            "hook/sitecustomize.py": HOOK,
            "config/puppet-repl/config.toml": f'ruby = "{outside}/run"\n',
        },
    )
    yield {
        "PYTHONPATH": str(tmp_path / "hook"),
        "NOTES": str(tmp_path / "notes"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    assert not (outside / "started").exists()


def deeds(tmp_path: Path) -> set[str]:
    """Return what was noted about the repository and what is outside of it, and what was run."""
    found = set()
    for line in (tmp_path / "notes").read_text().splitlines():
        kind, _, path = line.partition(" ")
        inside = path.removeprefix(f"{tmp_path}{os.sep}")
        if kind == "run":
            found.add(line)
        elif inside != path and inside.split(os.sep)[0] in ("outside", "repository"):
            found.add(f"{kind} {inside}")
    return found


def bad(found: set[str]) -> set[str]:
    return {each for each in found if not each.startswith("read repository")}


@pytest.mark.parametrize(
    "arguments",
    [
        ("-e", "1 + 1"),
        ("--plain", "-e", "1 + 1"),
        ("-e", ":environment"),
        ("-e", ":resources"),
        ("lookup", "nothing", "--hermetic"),
        ("validate", "manifests"),
    ],
)
def test_commands(
    arguments: tuple[str, ...], repository: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    subprocess.run(
        [sys.executable, "-m", "puppet_repl", *arguments],
        cwd=repository,
        env={**os.environ, **variables},
        capture_output=True,
        timeout=60,
    )
    assert bad(deeds(tmp_path)) == set()


def test_the_prompt(
    repository: Path,
    variables: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(repository)
    with TerminalScreen(tmp_path, **variables) as screen:
        screen.wait_for("puppet [1]>")
        screen.run("1 + 41")
        assert "42  Integer" in screen.text
        screen.type("include w\t")
        screen.settle()
        screen.type("\x15")
        screen.type("od\t")
        screen.settle()
    assert bad(deeds(tmp_path)) == set()
