"""``:environment`` and ``:modulepath``: what a session has of them, and taking others."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report
from tests.conformance.judge import write_files


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with one module, ``web``, that has a class."""
    module = tmp_path / "my modules" / "web"
    (module / "manifests").mkdir(parents=True)
    (module / "manifests" / "init.pp").write_text("class web { notice('hello') }")
    (module / "metadata.json").write_text(
        '{"name": "me-web", "version": "1.2.3", "author": "me", "license": "x", "source": "y",'
        ' "dependencies": []}'
    )
    return module.parent


def answer(session: Session, text: str) -> str:
    return plain(render_report(run(session, text), 100))


def test_no_modules() -> None:
    assert "no modules" in answer(Session(), ":modulepath")


def test_the_bundled_stdlib_is_listed() -> None:
    assert "9.7.0" in answer(Session(Options(stdlib="9")), ":modulepath")


def test_modules_are_found_and_listed(directory: Path) -> None:
    session = Session()
    session.execute("$x = 1")
    assert answer(session, f":modulepath '{directory}'").strip() == "1 module; session reset"
    assert "x" not in session.names.variables()
    outcome = session.execute("include web")
    assert outcome.error is None
    assert outcome.logs == [("notice", "hello")]
    assert "1.2.3" in answer(session, ":modulepath")


def test_several_directories_may_be_joined(directory: Path, tmp_path: Path) -> None:
    session = Session()
    empty = tmp_path / "empty"
    empty.mkdir()
    answer(session, f":modulepath {empty}:'{directory}'")
    assert session.options.modulepath == (str(empty), str(directory))


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("/no/such", "/no/such is not a directory"),
        ("'open", "cannot read ''open'"),
        ("/no/such\ninclude web", "/no/such is not a directory"),
    ],
)
def test_wrong_directories(argument: str, complaint: str) -> None:
    session = Session()
    session.execute("$x = 1")
    assert complaint in answer(session, f":modulepath {argument}")
    assert "x" in session.names.variables()


def test_code_may_follow_in_the_lines_below(directory: Path) -> None:
    logs: list[tuple[str, str]] = []
    session = Session(log=lambda level, text: logs.append((level, text)))
    shown = answer(session, f":modulepath '{directory}'\ninclude web\n$x = 1 + 1\n")
    assert shown.split("\n") == ["1 module; session reset", "2"]
    assert logs == [("notice", "hello")]
    assert session.names.variables()["x"] == 2
    assert [text for _, text, _ in session.inputs] == ["\ninclude web\n$x = 1 + 1"]


def test_errors_of_such_code_have_the_line_of_the_input(directory: Path) -> None:
    shown = answer(Session(), f":modulepath '{directory}'\n\nnotice(1) + $nope")
    assert "(line: 3, column: 13)" in shown


# Environments


FILES = {
    "environment.conf": "modulepath = site-modules:modules\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: common, path: common.yaml}\n",
    "data/common.yaml": "role::port: 8080\n",
    "manifests/site.pp": "notice('site')\n$from_site = 1\n",
    "manifests/nodes/a.pp": "notice('nodes')\n",
    "site-modules/role/manifests/init.pp": "class role(Integer $port) { notice($port) }\n",
}


def write(root: Path, files: dict[str, str]) -> Path:
    write_files(root, files)
    return root


@pytest.fixture
def control(tmp_path: Path) -> Path:
    return write(tmp_path / "production", FILES)


def ask(host: Host, text: str) -> list[str]:
    return plain(render_report(run(host.session, text, host), 200)).splitlines()


def make_host(**options: object) -> tuple[Host, list[str]]:
    host = Host(Options(**{"stdlib": "9", **options}), facts={})
    logs: list[str] = []
    host.session.log = lambda _, text: logs.append(text)
    return host, logs


def test_an_environment_is_taken_and_its_manifests_run(control: Path) -> None:
    host, logs = make_host()
    host.session.execute("$x = 1")
    assert ask(host, f":environment {control}") == [
        "production: 1 module, hiera.yaml with 1 level, 2 manifests; session reset",
        "it has no stdlib, and the bundled one is off; ':set stdlib 9' takes it",
    ]
    assert logs == ["nodes", "site"]
    assert "x" not in host.session.names.variables()
    assert host.session.execute("include role\n$environment").value == "production"
    assert logs[-1] == "8080"


def test_an_environment_is_described(control: Path) -> None:
    host, logs = make_host(environment=str(control), stdlib="off")
    assert [line.split(None, 1) for line in ask(host, ":environment")[1:]] == [
        ["name", "production"],
        ["directory", str(control)],
        ["modules", "site-modules (1 module)"],
        ["modules", "(no such directory)"],
        ["data", "hiera.yaml with 1 level"],
        ["manifests", "manifests/nodes/a.pp, manifests/site.pp"],
    ]
    assert not logs


def test_code_below_the_command_runs_in_the_environment(control: Path) -> None:
    host, logs = make_host()
    assert ask(host, f":environment '{control}'\ninclude role\n$from_site + 1")[-1] == "2"
    assert logs == ["nodes", "site", "8080"]


def test_an_environment_that_is_left(control: Path) -> None:
    host, _ = make_host()
    ask(host, f":environment {control}")
    assert host.session.options.stdlib == "off"
    assert ask(host, ":environment off") == ["no environment; session reset"]
    assert host.session.options.stdlib == "9"
    assert host.session.execute("include role").error is not None


def test_a_stdlib_that_the_user_has_chosen_stays(control: Path) -> None:
    host, _ = make_host()
    ask(host, ":set stdlib 9")
    assert len(ask(host, f":environment {control}")) == 1
    assert host.session.options.stdlib == "9"


def test_an_environment_is_offered_but_never_taken_by_itself(
    control: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, logs = make_host()
    monkeypatch.chdir(control)
    assert ask(host, ":environment") == [
        "no environment",
        "this directory has environment.conf, hiera.yaml and manifests: ':environment .' takes it",
    ]
    assert not logs
    assert ask(host, ":environment .")[0].startswith("production: 1 module")
    monkeypatch.chdir(tmp_path)
    ask(host, ":environment off")
    assert "this directory" not in ask(host, ":environment")[1]


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("nix", "nix is not a directory"),
        ("hiera.yaml", "hiera.yaml is not a directory"),
        ("a b", "give one directory"),
        ("'open", "cannot read ''open'"),
        (
            "bad",
            "Could not match line no setting (file: {bad}/environment.conf, line: 2",
        ),
    ],
)
def test_what_is_no_environment_leaves_the_session_alone(
    argument: str, complaint: str, control: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = write(control / "bad", {"environment.conf": "manifest = x\nno setting\n"})
    monkeypatch.chdir(control)
    host, _ = make_host()
    host.session.execute("$x = 1")
    shown = "\n".join(ask(host, f":environment {argument}"))
    assert complaint.replace("{bad}", str(bad)) in shown
    assert "x" in host.session.names.variables()
    assert host.session.options.environment is None


def test_a_site_that_fails_is_told_with_its_place(control: Path) -> None:
    write(control, {"manifests/site.pp": "\n  nix()\n"})
    host, _ = make_host(stdlib="off")
    shown = ask(host, f":environment {control}")
    assert shown[0].startswith("production: 1 module")
    assert f"Unknown function: 'nix'. (file: {control}/manifests/site.pp, line: 2" in shown[1]
    assert host.session.options.environment == str(control)


HINTS = [
    (
        {"site-modules/role/manifests/init.pp": ""},
        "site-modules is not on the module path; environment.conf has to say: "
        "modulepath = site-modules:modules:$basemodulepath",
    ),
    (
        {"Puppetfile": "forge 'x'\nmod 'me/a', '1'\nmod 'me-b',\n  :latest\nmod 'c'\n# mod 'd'\n",
         "modules/a/manifests/init.pp": ""},
        "Puppetfile names 2 modules that are not there (b, c);"
        " 'puppet-repl modules install' installs them",
    ),
    (
        {"Puppetfile": "moduledir 'thirdparty'\nmod('me/a', '1')\n"},
        "Puppetfile installs modules in thirdparty, which is not on the module path",
    ),
    (
        {"Puppetfile": "moduledir 'thirdparty'\nmod('me/a', '1')\n",
         "environment.conf": "modulepath = thirdparty\n",
         "thirdparty/a/manifests/init.pp": ""},
        None,
    ),
    ({"hiera.yaml": "a: [", "manifests/a.pp": ""}, None),
]  # fmt: skip


@pytest.mark.parametrize(("files", "hint"), HINTS)
def test_what_is_there_but_not_used_is_said(
    files: dict[str, str], hint: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = write(tmp_path / "e", files)
    monkeypatch.chdir(directory)
    host, _ = make_host(stdlib="off", environment=str(directory))
    shown = ask(host, ":environment")
    assert shown[-1] == hint if hint else shown[-1].startswith("manifests")
    if "hiera.yaml" in files:
        assert any("hiera.yaml that cannot be read" in line for line in shown)


def test_directories_complete(control: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(control)
    session = Session()
    for text, expected in (
        (":environment ", ["data/", "manifests/", "site-modules/"]),
        (":environment man", ["manifests/"]),
        (":modulepath site-modules modules site", ["site-modules/"]),
        (":environment manifests/", ["nodes/"]),
    ):
        items = session.complete(text, len(text)).items
        assert sorted(item.text for item in items) == expected


def test_a_broken_file_is_shown_with_what_there_is(control: Path) -> None:
    write(control, {"environment.conf": "modulepath = x\nno setting\n"})
    host, _ = make_host(stdlib="off", environment=str(control))
    shown = "\n".join(ask(host, ":environment"))
    assert "modules (no such directory)" in shown
    assert f"Could not match line no setting (file: {control}/environment.conf, line: 2" in shown


def test_long_paths_are_wrapped_at_their_parts(tmp_path: Path) -> None:
    directory = tmp_path / "a-long-name-of-a-directory" / "another-one-below-it" / "production"
    (directory / "modules").mkdir(parents=True)
    (directory / "environment.conf").write_text("modulepath = modules:site:$basemodulepath\n")
    session = Session(facts={})
    run(session, f":environment {directory}")
    lines = plain(render_report(run(session, ":environment"), 60)).split("\n")
    assert max(map(len, lines)) <= 60
    assert str(directory) in "".join(line[13:].strip() for line in lines)
    parts = set(str(directory).split("/"))
    words = {part for line in lines for part in line.replace("'", " ").replace("/", " ").split()}
    assert parts - {""} <= words
