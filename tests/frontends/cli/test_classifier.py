"""``--enc``: a file, a directory with a file for each node, or a program says what a node gets."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import puppet_repl
from tests.frontends.cli.test_batch import ask
from tests.frontends.cli.test_cli import run

SITE = 'notify { "${role} in ${environment}": }\n'
WEB = 'class web($port = 80) { notify { "port ${port}": } }\n'
OF_WEB01 = """\
classes:
  web: {port: 8080}
parameters:
  role: frontend
environment: production
"""
PROGRAM = """\
#!/bin/sh
echo "about $1" >&2
test "$1" != bad || exit 3
echo "classes: [web]"
echo "parameters: {role: of $1}"
"""
needs_programs = pytest.mark.skipif(os.name != "posix", reason="the program is one of a shell")
NODES = ("--node", "web01", "--node", "db01")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory with an environment, a directory of classifications and a program."""
    for name, text in (
        ("site/manifests/site.pp", SITE),
        ("site/modules/web/manifests/init.pp", WEB),
        ("site/hiera.yaml", "version: 5\nhierarchy:\n- {name: r, path: '%{role}.yaml'}\n"),
        ("site/data/frontend.yaml", "key: of the frontend\n"),
        ("enc/web01.yaml", OF_WEB01),
        ("program", PROGRAM),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "program").chmod(0o755)
    return tmp_path


def compiled(site: Path, *arguments: str) -> tuple[int, list[str], str]:
    """Return the status, the titles of notify resources, and the errors."""
    status, out, err = run(
        "compile", "--environment", "site", "--format", "ndjson", *arguments, directory=site
    )
    documents = [json.loads(line) for line in out.splitlines()]
    titles = [
        each["title"]
        for document in documents
        for each in document.get("resources", ())
        if each["type"] == "Notify"
    ]
    return status, titles, err


def test_a_file_is_for_all_nodes(site: Path) -> None:
    status, titles, err = compiled(site, "--enc", "enc/web01.yaml", *NODES)
    assert status == 0
    assert titles == ["frontend in production", "port 8080"] * 2
    assert err == "2 of 2 catalogs compiled\n"


def test_a_directory_has_a_file_for_each_node(site: Path) -> None:
    status, titles, err = compiled(site, "--enc", "enc", *NODES)
    assert status == 1
    assert titles == ["frontend in production", "port 8080"]
    assert "db01: Error: Could not find node 'db01'; cannot compile\n" in err
    assert "hint: there is no db01.yaml or db01.json in enc\n" in err


@needs_programs
def test_a_program_is_called_with_the_name_of_the_node(site: Path) -> None:
    arguments = ("--enc", "./program", "--allow-generate", *NODES, "--node", "bad")
    status, titles, err = compiled(site, *arguments)
    assert status == 1
    assert sorted(titles) == ["of db01 in site", "of web01 in site", "port 80", "port 80"]
    said = f"Execution of '{site}/program bad' returned 3: about bad"
    assert f"bad: Error: Failed to find bad via exec: {said}\n" in err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "./program is a program, which runs only with --allow-generate"),
        (("--hermetic",), "./program is a program, and a hermetic session runs none"),
    ],
)
def test_a_program_runs_only_where_that_is_allowed(
    site: Path, arguments: tuple[str, ...], problem: str
) -> None:
    status, titles, err = compiled(site, "--enc", "./program", *arguments)
    assert (status, titles) == (2, [])
    assert f"--enc: {problem}\n" in err


@needs_programs
def test_a_program_ends_at_the_limit_of_time(site: Path) -> None:
    (site / "program").write_text("#!/bin/sh\nexec sleep 60\n")
    arguments = ("--enc", "./program", "--allow-generate", "--max-seconds", "0.5")
    status, titles, err = compiled(site, *arguments, "--node", "web01")
    assert (status, titles) == (1, [])
    assert "Time limit exceeded" in err


def test_a_hermetic_session_follows_no_link_out_of_the_directory(site: Path) -> None:
    (site / "enc" / "db01.yaml").symlink_to(site / "elsewhere.yaml")
    (site / "elsewhere.yaml").write_text("parameters: {role: secret}\n")
    status, titles, err = compiled(site, "--enc", "enc", "--hermetic", *NODES)
    assert status == 1
    assert titles == ["frontend in production", "port 8080"]
    assert "secret" not in err


def test_what_is_not_there_is_refused(site: Path) -> None:
    status, _, err = compiled(site, "--enc", "nothing.yaml")
    assert (status, err) == (2, "puppet-repl: --enc: there is no file nothing.yaml\n")


def test_the_prompt_asks_again_for_another_node(site: Path) -> None:
    (site / "enc" / "db01.yaml").write_text("parameters: {role: database}\n")
    code = "[$role, $environment, defined(Class[web])]"
    options = ("--environment", "site", "--enc", "enc", "--node", "web01")
    status, out, _ = run(*options, "-e", code, "-e", ":node db01", "-e", code, directory=site)
    assert status == 0
    assert "['database', 'site', false]" in out
    assert run(*options, "-e", code, directory=site)[1] == "['frontend', 'production', true]\n"


def test_classes_need_no_site(site: Path) -> None:
    options = ("--modulepath", "site/modules", "--enc", "enc", "--node", "web01")
    assert run(*options, "-e", "$web::port", directory=site)[1] == "8080\n"


def test_lookups_see_the_parameters(site: Path) -> None:
    options = ("--environment", "site", "--enc", "enc", "--node", "web01")
    for further in ((), ("--compile",)):
        status, out, _ = run("lookup", *options, *further, "key", directory=site)
        assert (status, out) == (0, "--- of the frontend\n")


def test_a_difference_of_two_environments(site: Path) -> None:
    (site / "other" / "manifests").mkdir(parents=True)
    (site / "other" / "manifests" / "site.pp").write_text("class web($port) { }\n")
    status, out, _ = run("diff", "site", "other", "--enc", "enc", "--node", "web01", directory=site)
    assert status == 1
    assert "- Notify['frontend in production']" in out


def test_requests_of_batch(site: Path) -> None:
    request = {
        "mode": "catalog", "environment": str(site / "site"), "node": "web01"
    }  # fmt: skip
    good, refused = ask(
        {**request, "enc": str(site / "enc")}, {**request, "enc": str(site / "program")}
    )
    titles = [each["title"] for each in good["resources"] if each["type"] == "Notify"]
    assert titles == ["frontend in production", "port 8080"]
    assert refused["error"]["message"].endswith("program is a program, and batch runs no programs")


def test_the_api(site: Path) -> None:
    catalog = puppet_repl.compile(environment=site / "site", node="web01", enc=site / "enc")
    assert "Notify[port 8080]" in catalog
    with pytest.raises(puppet_repl.CompileError, match="which runs only with allow_generate"):
        puppet_repl.compile(environment=site / "site", node="web01", enc=site / "program")
