"""What the kernel tells the toolbar: the machine, the choices, which cells have run."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient

from puppet_kernel.editor_requests import EditorRequests
from puppet_repl.frontends.commands import run as run_command
from puppet_repl.host.host import Host
from puppet_repl.session import DEFAULT_STDLIB, Options
from tests.kernel.inside import inside_kernel
from tests.kernel.messages import run
from tests.kernel.test_checks import ask

SITE = "node 'web01.example.com', /^db/ { }\nnode default { }\n"
FACTS = "os: {family: Plan9}\n"


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """A session in a directory with files of facts and an environment."""
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("facts/two words.yaml", FACTS),
        ("facts/README", FACTS),
        ("other.yaml", FACTS),
        ("environment.conf", ""),
        ("manifests/site.pp", SITE),
    ):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    return Host(Options(stdlib=DEFAULT_STDLIB))


def machine(host: Host) -> str:
    return str(EditorRequests(host).body("machines", {})["machine"])


@pytest.mark.parametrize(
    ("commands", "wanted"),
    [
        ([], "this machine"),
        ([":facts rocky-9"], "rocky-9"),
        ([":facts rocky-9 other.yaml"], "rocky-9 + other.yaml"),
        ([":facts rocky-9", ":facts os.family=Plan9"], "rocky-9, changed"),
        ([":facts os.family=Plan9"], "this machine, changed"),
        ([":node web01.example.com"], "web01.example.com (this machine)"),
        ([":node web01.example.com", ":facts macos"], "web01.example.com (macos)"),
        ([":facts rocky-9", ":facts use local"], "this machine"),
        ([":facts nix.yaml"], "this machine"),
    ],
)
def test_the_machine_is_that_of_the_session(host: Host, commands: list[str], wanted: str) -> None:
    for command in commands:
        run_command(host.session, command, host)
    assert machine(host) == wanted


def test_each_choice_makes_the_machine_that_it_names(host: Host) -> None:
    requests = EditorRequests(host)
    run_command(host.session, ":environment .", host)
    run_command(host.session, ":facts other.yaml", host)
    requests.body("machines", {})
    run_command(host.session, ":facts use local", host)
    groups = requests.body("machines", {})["choices"]
    labels = [[each["label"] for each in group] for group in groups]
    assert labels[0][:2] == ["this machine", "debian-12"] and "windows-2022" in labels[0]
    # Beside the files of the directory those that the session has had.
    assert labels[1:] == [["facts/two words.yaml", "other.yaml"], ["node web01.example.com"]]
    for group in groups:
        for choice in group:
            report = run_command(host.session, choice["command"], host)
            assert not report.failed, choice
            body = requests.body("machines", {})
            assert body["machine"].startswith(choice["label"].removeprefix("node ")), choice
            current = [e["label"] for g in body["choices"] for e in g if e["is_current"]]
            assert choice["label"] in current


def test_names_that_no_command_can_have_are_no_choices(host: Host) -> None:
    Path("facts/a\n:environment .\n.yaml").write_text(FACTS, encoding="utf-8")
    labels = [each["label"] for each in EditorRequests(host).body("machines", {})["choices"][1]]
    assert labels == ["facts/two words.yaml"]


def test_nodes_are_there_though_the_site_fails_for_another(host: Host) -> None:
    Path("manifests/site.pp").write_text("node 'web01.example.com' { }", encoding="utf-8")
    requests = EditorRequests(host)
    for command, wanted in (
        (":environment .", ["node web01.example.com"]),
        (":facts other.yaml", ["node web01.example.com"]),
        (":environment off", ["other.yaml"]),
    ):
        run_command(host.session, command, host)
        groups = requests.body("machines", {})["choices"]
        assert [each["label"] for each in groups[-1]][-1:] == wanted, command


def test_a_hermetic_session_has_a_set_for_this_machine_and_reads_nothing_else(
    host: Host, tmp_path: Path
) -> None:
    hermetic = Host(Options(stdlib=DEFAULT_STDLIB, hermetic=True))
    body = EditorRequests(hermetic).body("machines", {})
    assert body["machine"] == "debian-12"
    assert [group[0]["label"] for group in body["choices"]] == ["debian-12"]
    run_command(hermetic.session, ":facts rocky-9", hermetic)
    report = run_command(hermetic.session, ":facts use local", hermetic)
    assert report.parts[0].text == "facts of debian-12; session reset"  # type: ignore[union-attr]
    assert machine(hermetic) == "debian-12"


def test_cells_that_have_run_are_named_by_their_notebook() -> None:
    with inside_kernel() as inside:
        for code, metadata, options in (
            ("1", {"cellId": "a"}, {}),
            ("fail('x')", {"cellId": "b"}, {}),
            ("1", {"cellId": "a"}, {}),
            ("1", {"cellId": "c"}, {"silent": True}),
            ("1", {"cellId": ["d"]}, {}),
            ("1", {}, {}),
        ):
            inside.run(code, metadata, **options)
        assert inside.kernel.editor_requests.body("machines", {})["ran"] == ["a", "b"]


@pytest.mark.slow
def test_a_silent_command_chooses_and_the_next_question_tells(
    client: BlockingKernelClient,
) -> None:
    reply, published = run(client, ":facts use fedora", silent=True)
    assert reply["status"] == "ok" and published == []
    answer = ask(client, "machines")
    assert answer["success"] and answer["body"]["machine"] == "fedora"
    reply, _ = run(client, f":facts use {shlex.quote('no such.yaml')}", silent=True)
    assert reply["status"] == "error" and "no such.yaml" in reply["evalue"]
    assert ask(client, "machines")["body"]["machine"] == "fedora"
