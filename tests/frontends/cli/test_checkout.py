"""Commands in a module or a control repository find it by themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.judge import write_files
from tests.environment.modules.checkouts import metadata

FILES = {
    "control/environment.conf": "modulepath = site-modules:modules\n",
    "control/hiera.yaml": "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n",
    "control/data/all.yaml": "role::port: 8080\n",
    "control/manifests/site.pp": "notice('site runs')\nnode default { include role }\n",
    "control/site-modules/role/manifests/init.pp": 'class role($port) { notice("port ${port}") }\n',
    "control/site-modules/role/a.pp": "include role",
    "web/metadata.json": metadata("me-web", "me/base"),
    "web/hiera.yaml": "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n",
    "web/data/all.yaml": "web::port: 80\n",
    "web/manifests/init.pp": "class web($port) { include base, other notify { 'w': } }\n",
    "web/.fixtures.yml": "fixtures: {symlinks: {other: '#{source_dir}/../elsewhere'}}\n",
    "elsewhere/metadata.json": metadata("me-other"),
    "elsewhere/manifests/init.pp": "class other { }\n",
    "puppet-base/metadata.json": metadata("me-base"),
    "puppet-base/manifests/init.pp": "class base { }\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


def run(directory: Path, *arguments: str, text: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", *arguments],
        input=text,
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("where", "arguments", "shown", "logged"),
    [
        ("control", ("-e", "1"), "1\n", ""),
        ("control", ("-e", "include role"), "[Class[role]]\n", "Notice: port 8080\n"),
        ("control", ("--ruby", "off", "-e", "1"), "1\n", ""),
        ("control/site-modules", ("role/a.pp",), "[Class[role]]\n", "Notice: port 8080\n"),
        (
            "control/data",
            ("-e", "1", "--node", "a"),
            "1\n",
            "Notice: site runs\nNotice: port 8080\n",
        ),
        ("control/data", ("lookup", "role::port", "--facts", "debian-12"), "--- 8080\n", ""),
        ("web/data", ("lookup", "web::port", "--facts", "debian-12"), "--- 80\n", ""),
        ("web/spec", ("-e", "include web"), "[Class[web]]\n", ""),
    ],
)
def test_code_and_data(
    root: Path, where: str, arguments: tuple[str, ...], shown: str, logged: str
) -> None:
    (root / "web/spec").mkdir()
    assert run(root / where, *arguments) == (0, shown, logged)


def test_catalogs(root: Path) -> None:
    status, shown, logged = run(root / "control" / "manifests", "compile", "--node", "a")
    assert (status, logged) == (0, "a: Notice: site runs\na: Notice: port 8080\n")
    catalog = json.loads(shown)
    assert "Role" in [each["title"] for each in catalog["resources"]]
    named = json.loads(run(root / "control", "compile", "--environment", ".", "--node", "a")[1])
    assert named["resources"] == catalog["resources"]
    status, shown, _ = run(root / "web", "compile", "-e", "include web", "--format", "code")
    assert (status, "notify { 'w':" in shown) == (0, True)
    status, shown, _ = run(root / "control", "diff", "debian-12", "rocky-9", "--node", "a")
    assert (status, "no difference" in shown) == (0, True)


def test_a_pipe(root: Path) -> None:
    assert run(root / "web", text="include web") == (0, "[Class[web]]\n", "")
    assert run(root / "control", text="$environment") == (0, "'control'\n", "")


@pytest.mark.parametrize(
    "options",
    [("--environment", "off"), ("--hermetic",), ("--modulepath", "data"), ("--environment", "..")],
)
def test_who_names_something_has_only_that(root: Path, options: tuple[str, ...]) -> None:
    (root / "web/.git").write_text("")
    (root / "environment.conf").write_text("")
    status, _, logged = run(root / "web", *options, "-e", "include web")
    assert status == 1
    assert "Could not find class ::web" in logged


def test_services_have_nothing_of_their_directory(root: Path) -> None:
    request = json.dumps({"code": "include role"})
    for options in ((), ("--hermetic",)):
        status, shown, _ = run(root / "control", "batch", *options, text=request)
        assert status == 0
        assert "Could not find class ::role" in json.loads(shown)["error"]["message"]


def test_a_directory_that_is_gone(root: Path) -> None:
    command = f"cd gone && rmdir ../gone && exec {sys.executable} -P -m puppet_repl -e 1"
    (root / "gone").mkdir()
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=root,
        capture_output=True,
        text=True,
        env={**os.environ},
        timeout=60,
    )
    assert done.stdout == "1\n"
