"""Opening a stranger's repository starts no program, reads nothing outside of it, writes nothing.

The process notes what it opens, lists, writes and starts by an audit hook of Python.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from puppet_repl.base.programs import find_program
from puppet_repl.frontends.language_server.worker_requests import RESTRICTED
from tests.conformance.judge import write_files
from tests.environment.modules.checkouts import metadata
from tests.frontends.language_server.client import Message, Process
from tests.frontends.terminal.terminal_screen import TerminalScreen

GIT = find_program("git")
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
    elif event in _READ or event in _RUN:
        path = arguments[0] if arguments else ""
        kind = "read" if event in _READ else "run"
    elif event in _WRITTEN:
        # Links are written, and not what they lead to. The last one may be that of a directory.
        path = os.fsdecode(arguments[1 if event in ("os.symlink", "os.link") else 0])
        place = arguments[-1]
        if isinstance(place, int) and place >= 0 and not os.path.isabs(path):
            path = os.path.join(os.readlink(f"/proc/self/fd/{place}"), path)
        kind = "write"
    else:
        return
    if isinstance(path, (str, bytes, os.PathLike)):
        path = os.fsdecode(path)
        if kind == "write":
            directory, name = os.path.split(path)
            path = os.path.join(os.path.realpath(directory), name)
        elif kind == "read":
            path = os.path.realpath(path)
        os.write(_note, os.fsencode(f"{kind} {path}\\n"))
    elif kind == "run":
        os.write(_note, os.fsencode(f"run {event}\\n"))

sys.addaudithook(_hook)
"""
MARK = "generate('/bin/sh', '-c', 'echo > {outside}/started') file('{outside}/secret')\n"
CONTROL = {
    ".puppet-repl.toml": "environment = '.'\nnode = 'a.b'\n[profiles.web]\nnode = 'web.b'\n",
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
    hostile = f"[core]\n\tfsmonitor = {outside}/run\n\thooksPath = {outside}\n"
    hostile += f'[filter "a"]\n\tclean = {outside}/run\n\tsmudge = {outside}/run\n'
    modules = directory / ("modules" if request.param == "control" else "spec/fixtures/modules")
    modules.mkdir(parents=True, exist_ok=True)
    (modules / "secret").symlink_to(outside / "modules" / "secret")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "first")):
        subprocess.run([*git, *words], cwd=directory, check=True)
    (directory / ".gitattributes").write_text("* filter=a\n")
    with (directory / ".git" / "config").open("a") as file:
        file.write(hostile)
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


# Arguments, and the exit status in a control repository and in a module. The facts of this machine
# would ask a program of the system.
COMMANDS = [
    (("-e", "1 + 1"), 0, 0),
    (("--plain", "-e", "1 + 1"), 0, 0),
    (("-e", ":environment"), 0, 0),
    (("-e", ":resources"), 0, 0),
    (("lookup", "nothing", "--hermetic"), 1, 1),
    (("validate", "manifests"), 0, 0),
    (("--hermetic", "--profile", "web", "-e", "1 + 1"), 1, 2),
    (("--profile", "web", "-e", "1 + 1"), 1, 2),
    (("compile", "--facts", "debian-12"), 1, 2),
    (("compile", "--facts", "debian-12", "-e", "include web"), 0, 0),
    (("compile", "--hermetic", "--environment", ".", "-e", "include web"), 0, 1),
    (("diff", "--rev", "HEAD", "--hermetic"), 2, 2),
]


@pytest.mark.parametrize(("arguments", "in_control", "in_module"), COMMANDS)
def test_commands(
    arguments: tuple[str, ...],
    in_control: int,
    in_module: int,
    repository: Path,
    variables: dict[str, str],
    tmp_path: Path,
) -> None:
    done = run(repository, variables, *arguments)
    assert bad(deeds(tmp_path)) == set()
    is_module = (repository / "metadata.json").exists()
    assert done.returncode == (in_module if is_module else in_control), done.stderr


def run(
    directory: Path, variables: dict[str, str], *arguments: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a directory, noting what it does."""
    return subprocess.run(
        [sys.executable, "-m", "puppet_repl", *arguments],
        cwd=directory,
        env={**os.environ, **variables},
        capture_output=True,
        timeout=60,
    )


def test_the_difference_from_a_revision(
    repository: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    """Git runs no filter and no hook of the repository, and nothing in it is written."""
    done = run(repository, variables, "diff", "--rev", "HEAD", "--facts", "debian-12")
    is_module = (repository / "metadata.json").exists()
    assert done.returncode == (0 if is_module else 2), done.stderr
    found = bad(deeds(tmp_path)) - {f"run {GIT}"}
    # The sides count as environments that the user has named: so does their module path.
    allowed = set() if is_module else {"read outside/modules"}
    assert {each for each in found if not each.startswith("read outside/modules/")} <= allowed


# An editor


def words_of(text: str) -> Iterator[dict[str, int]]:
    """Yield the positions of the words of a text."""
    for number, line in enumerate(text.split("\n")):
        for word in re.finditer(r"\w+", line):
            yield {"line": number, "character": word.start() + 1}


def texts_of(repository: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a repository that an editor would open."""
    for path in sorted(repository.rglob("*")):
        if path.is_file() and ".git" not in path.parts and "secret" not in path.parts:
            yield path, path.read_text()


ASKED = ("completion", "definition", "documentHighlight", "hover", "references", "signatureHelp")


def look_around(client: Process, repository: Path) -> list[Message]:
    """Open all files and ask everything about them; return the documents."""
    documents = []
    for path, text in texts_of(repository):
        document = client.open(path.as_uri(), text, "puppet" if path.suffix == ".pp" else "other")
        documents.append(document)
        for name in ("codeLens", "documentLink", "documentSymbol", "foldingRange"):
            found = client.ask(f"textDocument/{name}", document)
            for each in found if name == "codeLens" else ():
                client.ask("codeLens/resolve", each)
        for position in list(words_of(text))[:40]:
            for name in ASKED:
                more = {"context": {"includeDeclaration": True}} if name == "references" else {}
                client.request(f"textDocument/{name}", {**document, "position": position, **more})
    client.ask("workspace/symbol", {"query": "web"})
    client.ask("workspace/executeCommand", {"command": "puppet-repl.nodes", "arguments": []})
    return documents


def evaluate(client: Process, documents: list[Message]) -> list[Message]:
    """Run all commands that evaluate for all documents; return the responses."""
    responses = []
    for document in documents:
        for name in ("catalog", "difference", "evaluate", "graph"):
            given = {"command": f"puppet-repl.{name}", "arguments": [document]}
            responses.append(client.request("workspace/executeCommand", given))
    given = {**documents[0], "key": "web::port"}
    command = {"command": "puppet-repl.explain", "arguments": [given]}
    return [*responses, client.request("workspace/executeCommand", command)]


def test_an_editor_opens_it(repository: Path, variables: dict[str, str], tmp_path: Path) -> None:
    with Process(variables=variables) as client:
        client.start(repository)
        look_around(client, repository)
        assert client.end()[0] == 0
    assert bad(deeds(tmp_path)) == set()


def test_an_editor_without_trust(
    repository: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    with Process(variables=variables) as client:
        client.start(repository, initializationOptions={"trust": False})
        given = {"settings": {"puppet-repl": {"trust": True}}}
        client.tell("workspace/didChangeConfiguration", given)
        documents = look_around(client, repository)
        for each in evaluate(client, documents):
            assert each["error"]["message"] == RESTRICTED
        assert client.end()[0] == 0
    assert bad(deeds(tmp_path)) == set()


def test_commands_of_an_editor(repository: Path, variables: dict[str, str], tmp_path: Path) -> None:
    """They start the worker, and git for the difference; code starts nothing."""
    with Process(variables=variables) as client:
        client.start(repository)
        documents = look_around(client, repository)
        responses = evaluate(client, documents)
        assert client.end()[0] == 0
    assert any("result" in each for each in responses)
    assert "words" not in str(responses)
    assert bad(deeds(tmp_path)) == {f"run {sys.executable}", f"run {GIT}"}


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
