"""``puppet-repl modules``: what it prints, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.environment.installation.server import ForgeServer, running
from tests.environment.installation.test_git import commit, repository
from tests.frontends.cli.test_cli import run

PUPPETFILE = """
mod 'a/one', '1.0.0'
mod 'a-two', :latest
mod 'own', git: '{origin}', tag: 'v1'
mod 'mine', local: true
"""


@pytest.fixture
def server() -> Iterator[ForgeServer]:
    with running(ForgeServer()) as server:
        needs = {
            "a/two": ">= 1.0.0 < 2.0.0",
            "a-three": ">= 1.0.0",
            "puppetlabs-cron_core": "1.0.0",
        }
        server.release("a-one", "1.0.0", {"manifests/init.pp": "class one {}"}, dependencies=needs)
        server.release("a-one", "1.1.0")
        server.release("a-two", "2.0.0", {"manifests/init.pp": "class two {}"})
        yield server


@pytest.fixture
def control(tmp_path: Path, server: ForgeServer) -> Path:
    origin = repository(tmp_path / "origin")
    commit(origin, {"manifests/init.pp": "class own {}"})
    subprocess.run(["git", "tag", "v1"], cwd=origin, check=True)
    directory = tmp_path / "control"
    directory.mkdir()
    forge = f"forge '{server.address}'\n"
    (directory / "Puppetfile").write_text(forge + PUPPETFILE.format(origin=origin))
    return directory


def test_from_install_to_outdated(control: Path, server: ForgeServer) -> None:
    status, out, _ = run("modules", "list", directory=control)
    assert status == 1
    assert "a-one   1.0.0   missing    modules/one\n" in out

    status, out, err = run("modules", "install", directory=control)
    assert (status, err) == (0, "")
    *lines, last = out.splitlines()
    assert sorted(line.split()[0] for line in lines) == ["one", "own", "two"]
    assert last == "3 modules installed"
    assert run("--environment", ".", "-e", "include one, two, own", directory=control)[0] == 0

    inner = control / "modules" / "one" / "manifests"  # the Puppetfile is that of a directory above
    status, out, err = run("modules", "install", directory=inner)
    assert (status, err) == (0, "")
    assert out == "nothing to do: 3 modules of the Puppetfile are there\n"

    status, out, _ = run("modules", "list", str(control))
    assert status == 1
    assert "a-two   latest" in out
    assert out.endswith(
        "a-one needs a-two >= 1.0.0 < 2.0.0, which is 2.0.0\n"
        "a-one needs a-three >= 1.0.0, which is missing\n"
    )

    server.release("a-two", "2.1.0")
    server.release("a-two", "1.9.9")
    status, out, err = run("modules", "outdated", directory=control)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "module  installed  allowed  newest",
        "a-one   1.0.0      1.1.0    1.1.0",
        "a-two   2.0.0      2.0.0    2.1.0",
    ]


def test_lists_as_json(control: Path) -> None:
    assert run("modules", "install", str(control / "Puppetfile"))[0] == 0
    status, out, _ = run("modules", "list", "--format", "json", directory=control)
    data = json.loads(out)
    assert status == 1
    assert data["local"] == ["mine"]
    assert [(row["name"], row["installed"]) for row in data["modules"]] == [
        ("a-one", "1.0.0"),
        ("a-two", "2.0.0"),
        ("own", ""),
    ]
    assert [each["name"] for each in data["modules"][0]["unmet"]] == ["a-two", "a-three"]
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"],
        cwd=control.parent / "origin",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    own = data["modules"][2]
    assert (own["wanted"], own["commit"]) == ("v1", head)
    assert f"v1 ({head[:12]})" in run("modules", "list", directory=control)[1]
    status, out, _ = run("modules", "outdated", "--format", "json", directory=control)
    newer = {"name": "a-one", "installed": "1.0.0", "allowed": "1.1.0", "newest": "1.1.0"}
    assert (status, json.loads(out)) == (0, {"newer": [newer], "failed": [], "refused": []})


def test_a_forge_that_does_not_answer(control: Path, server: ForgeServer) -> None:
    with (control / "Puppetfile").open("a") as file:
        file.write("mod 'old', svn: 'u'\nmod 'a-three', '1.0.0'\n")
    server.release("a-one", "1.1.0")
    server.failures["/v3/modules/a-three"] = [403, 403]
    reason = f"{server.address}/v3/modules/a-three cannot be read: 403 Forbidden"
    refused = "not installed: it is from svn (known are the Forge, git and tarball)"
    status, out, err = run("modules", "outdated", "--format", "json", directory=control)
    data = json.loads(out)
    assert (status, err) == (1, "")
    assert [each["name"] for each in data["newer"]] == ["a-one"]
    assert data["failed"] == [{"name": "a-three", "reason": reason}]
    assert data["refused"] == [{"name": "old", "reason": refused, "line": 7}]
    status, out, err = run("modules", "outdated", directory=control)
    assert (status, len(out.splitlines())) == (1, 2)
    assert err.splitlines() == [
        f"puppet-repl: a-three: {reason}",
        f"puppet-repl: old: {refused} (file: Puppetfile, line: 7)",
    ]


def test_a_hidden_module(control: Path) -> None:
    """Puppet uses the first one on the module path."""
    (control / "Puppetfile").write_text("mod 'a/two', '2.0.0'\n")
    (control / "environment.conf").write_text("modulepath = site:modules\n")
    for name in ("site", "modules"):
        (control / name / "two").mkdir(parents=True)
        metadata = {"name": "a-two", "version": "2.0.0"}
        (control / name / "two" / "metadata.json").write_text(json.dumps(metadata))
    status, out, _ = run("modules", "list", directory=control)
    assert status == 1
    assert out.splitlines()[1:] == [
        "a-two   2.0.0   2.0.0      modules/two",
        "a-two in modules/two is hidden by site/two",
    ]
    (control / "environment.conf").write_text("modulepath = modules:site\n")
    status, out, _ = run("modules", "list", directory=control)
    assert (status, len(out.splitlines())) == (0, 2)


def test_each_failure_is_a_line(control: Path, server: ForgeServer) -> None:
    with (control / "Puppetfile").open("a") as file:
        file.write("mod 'a/none', '1.0.0'\nmod 'old', svn: 'u'\nmod 'a/bad', '1.0.0'\n")
    server.release("a-bad", "1.0.0", archive=b"no archive")
    status, out, err = run("modules", "install", directory=control)
    assert status == 1
    assert out.splitlines()[-1] == "3 modules installed, 3 failed"
    bad, none, old = sorted(err.splitlines())
    assert bad.startswith("puppet-repl: bad: the archive is broken: ")
    assert none == f"puppet-repl: none: {server.address} has no release a-none-1.0.0"
    assert old.startswith("puppet-repl: old: not installed: it is from svn")
    assert old.endswith(" (file: Puppetfile, line: 8)")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["modules"], "the following arguments are required: ACTION"),
        (["modules", "instal"], "invalid choice: 'instal'"),
        (["modules", "install", "--jobs", "0"], "not a number of modules: '0'"),
        (["modules", "install", "--forge", "ftp://x", "."], "is not the address of a Forge"),
        (["modules", "list", "nowhere"], "nowhere has no Puppetfile"),
        (["modules", "list", "--hermetic"], "unrecognized arguments: --hermetic"),
    ],
)
def test_wrong_usage(words: list[str], message: str, control: Path, server: ForgeServer) -> None:
    status, out, err = run(*words, directory=control)
    assert (status, out) == (2, "")
    assert message in err
    assert not server.requests


def test_a_directory_without_a_puppetfile(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    status, _, err = run("modules", "install", directory=tmp_path)
    assert (status, err) == (2, "puppet-repl: there is no Puppetfile here: name its directory\n")


def test_an_interrupt_leaves_nothing_half(control: Path, server: ForgeServer) -> None:
    """What was complete stays and is recorded; the old version of the other one stays, too."""
    assert run("modules", "install", directory=control)[0] == 0
    text = (control / "Puppetfile").read_text().replace("'1.0.0'", "'1.1.0'")
    (control / "Puppetfile").write_text(f"{text}mod 'a-more', '1.0.0'\n")
    server.release("a-more", "1.0.0")
    path = "/v3/files/a-one-1.1.0.tar.gz"
    server.silent.add(path)
    process = subprocess.Popen(
        [sys.executable, "-m", "puppet_repl", "modules", "install", str(control)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "more 1.0.0\n"
    until = time.monotonic() + 20
    while not server.requests[path] and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "")
    assert sorted(os.listdir(control / "modules")) == ["more", "one", "own", "two"]
    metadata = json.loads((control / "modules" / "one" / "metadata.json").read_text())
    record = json.loads((control / "Puppetfile-lock.json").read_text())["modules"]
    assert metadata["version"] == record["one"]["version"] == "1.0.0"
    assert record["more"]["version"] == "1.0.0"
