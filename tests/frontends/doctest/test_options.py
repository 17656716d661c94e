"""The options of the session that ``puppet-repl doctest`` takes, and that a saved test names."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from puppet_repl.frontends.cli.arguments import make_parser
from puppet_repl.frontends.commands import run
from puppet_repl.frontends.doctest.command import main
from puppet_repl.frontends.shared.entry_run import run_entry
from puppet_repl.host.session_options import host_of
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

HIERA = "version: 5\nhierarchy:\n  - name: n\n    paths: ['%{trusted.certname}.yaml', c.yaml]\n"
SITE = "$zone = 'dmz'\nnode db01.example.com { notify { 'db': message => a } }\nnode default { }\n"
INPUTS = (
    "lookup('port')",
    "\"${facts['os']['family']} ${facts['role']} ${trusted['extensions']['pp_role']}\"",
    "Notify['db']['message']",
    "$zone",
    "$nix",
)
OPTIONS = (
    *("--environment", ".", "--node", "db01.example.com", "--facts", "rocky-9"),
    *("--fact", "role=a b", "--trusted", "pp_role=db", "--strict", "warning"),
    "--no-strict-variables",
)


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make an environment the working directory."""
    (tmp_path / "data").mkdir()
    (tmp_path / "manifests").mkdir()
    (tmp_path / "hiera.yaml").write_text(HIERA)
    (tmp_path / "data/db01.example.com.yaml").write_text("port: 5432\n")
    (tmp_path / "data/c.yaml").write_text("port: 80\n")
    (tmp_path / "manifests/site.pp").write_text(SITE)
    monkeypatch.chdir(tmp_path)


def saved(arguments: tuple[str, ...], *commands: str, name: str = "x_spec.pp") -> str:
    """Save a session of these options as a test; return what is said."""
    host = host_of(make_parser().parse_args(list(arguments)))
    host.open_prompt()
    assert list(host.start()) == []
    for command in commands:
        run(host.session, command, host)
    for text in INPUTS:
        assert run_entry(host.session, text).outcome.error is None, text
    return plain(render_report(run(host.session, f":save {name}", host), 500))


def test_a_session_with_an_environment_holds_with_its_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    saved(OPTIONS)
    text = Path("x_spec.pp").read_text()
    assert "# => 5432\n" in text and "# => 'RedHat a b db'\n" in text and "# => 'dmz'\n" in text
    assert main([*OPTIONS, "x_spec.pp"]) == 0
    # The environment, the node, the facts and the certificate each count.
    assert main([*OPTIONS[2:], "x_spec.pp"]) == 1
    assert main([*OPTIONS[:2], *OPTIONS[4:], "x_spec.pp"]) == 1
    assert main([*OPTIONS[:4], *OPTIONS[6:], "x_spec.pp"]) == 1
    assert main([*OPTIONS[:-2], "error", "x_spec.pp"]) == 1
    capsys.readouterr()
    assert main(["x_spec.pp", *OPTIONS, "x_spec.pp"]) == 0
    assert capsys.readouterr().out == "10 examples, 10 hold, 0 differ\n"


def test_the_head_of_a_test_names_the_options() -> None:
    shown = saved(OPTIONS)
    first, second, third, *_ = Path("x_spec.pp").read_text().split("\n")
    assert first.startswith("# A session of puppet-repl")
    command = second.removeprefix("# Compare its results: ")
    assert command in shown
    program, subcommand, *words = shlex.split(command)
    assert (program, subcommand) == ("puppet-repl", "doctest")
    assert sorted(words) == sorted([*OPTIONS, "x_spec.pp"])
    assert third == ""
    assert main(words) == 0


def test_the_head_follows_what_the_session_has_chosen() -> None:
    saved(
        ("--environment", ".", "--no-strict-variables"),
        *(":node db01.example.com", ":facts rocky-9 role=x", ":facts set role='a b'"),
        *(":node pp_role=db", ":set strict warning"),
    )
    command = Path("x_spec.pp").read_text().split("\n")[1].removeprefix("# Compare its results: ")
    assert main(shlex.split(command)[2:]) == 0


def test_the_head_says_where_facts_differ_and_is_no_input() -> None:
    saved((*OPTIONS[:4], *OPTIONS[6:]))
    text = Path("x_spec.pp").read_text()
    assert text.split("\n")[2].startswith("# The session had no --facts")
    host = host_of(make_parser().parse_args([*OPTIONS[:4], *OPTIONS[6:]]))
    host.open_prompt()
    assert list(host.start()) == []
    run(host.session, ":load x_spec.pp", host)
    assert len(host.session.inputs) == len(INPUTS)
    report = plain(render_report(run(host.session, ":save! x_spec.pp", host), 500))
    assert report.startswith("overwrote")
    assert Path("x_spec.pp").read_text() == text


def test_manifests_that_fail_are_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    Path("manifests/site.pp").write_text("fail('not this site')")
    for name in ("a.md", "b.md"):
        Path(name).write_text("```puppet\n1 + 1 # => 2\n```\n")
    assert main(["--environment", ".", "a.md", "b.md"]) == 1
    out, err = capsys.readouterr()
    assert out == "2 examples, 2 hold, 0 differ\n"
    assert err.count("Error: Evaluation Error") == err.count("not this site (file:") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--nonsense", "a.md"), "unrecognized arguments: --nonsense"),
        (("a.md", "--nonsense", "b.md"), "unrecognized arguments: --nonsense"),
        (("--environment", "none", "a.md"), "--environment: none is not a directory"),
        (("--node", "", "a.md"), "--node: '' is not a valid node name"),
        (("--facts", "none.json", "a.md"), "none.json: No such file or directory"),
    ],
)
def test_the_word_at_fault_is_blamed(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.md").write_text("")
    Path("b.md").write_text("")
    try:
        status = main(list(arguments))
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    first = capsys.readouterr().err.split("\n")[0]
    assert first.startswith(f"puppet-repl doctest: {message}")
    assert "a.md" not in first and "b.md" not in first
