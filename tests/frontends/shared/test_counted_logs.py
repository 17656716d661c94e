"""Messages that ``compile`` and ``diff`` count: failed interpolations, and placeholders."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.frontends.cli import main
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files

ENCRYPTED = """
version: 5
hierarchy:
  - name: paths
    paths: [{paths}]
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options: {{pkcs7_private_key_env_var: NOT_SET_HERE, pkcs7_public_key_env_var: NOT_SET_HERE}}
"""
DATA = "one: ENC[GPG,AAAA]\ntwo: ENC[GPG,BBBB]\n"
SITE = """
node 'a.lan' { notify { lookup('one'): } }
node 'b.lan' { notify { lookup('two'): } notify { 'b': message => lookup('one') } }
"""
ARGUMENTS = ("--facts", "debian-12", "--node", "a.lan", "--node", "b.lan", "--no-color")
REPORT = (
    "Warning: 2 encrypted values of one and two are placeholders: "
    "values of the kind GPG cannot be decrypted here, those of PKCS7 can"
)


def write(root: Path, *names: str) -> str:
    """Write an environment whose hiera.yaml names unknown variables; return its directory."""
    paths = ", ".join(f"'%{{{name}}}.yaml'" for name in names)
    files = {"hiera.yaml": ENCRYPTED.format(paths=paths), "data/secrets.eyaml": DATA}
    write_files(root, {**files, "manifests/site.pp": SITE})
    return str(root)


def run(*arguments: str) -> int:
    try:
        return main([*arguments])
    except SystemExit as end:
        return int(end.code or 0)


def warnings(text: str) -> list[str]:
    return [line for line in text.splitlines() if "Warning: " in line]


def test_compile_counts_them_for_all_nodes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write(tmp_path, *"pqrstuv")
    assert run("compile", "--environment", root, "--secrets", "placeholder", *ARGUMENTS) == 0
    counted = (
        "Warning: hiera.yaml found no value for 7 variables: p, q, r, s, t and 2 more "
        "(compile --format json and lookup --explain show Puppet's messages)"
    )
    assert warnings(capsys.readouterr().err) == [counted, REPORT]


def test_one_message_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write(tmp_path, "p")
    assert run("compile", "--environment", root, "--secrets", "placeholder", *ARGUMENTS) == 0
    message = "Warning: Interpolation failed with 'p', but compilation continuing; "
    assert warnings(capsys.readouterr().err) == [message, REPORT]


def test_quiet_shows_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write(tmp_path, "p", "q")
    options = ("--secrets", "placeholder", "--quiet")
    assert run("compile", "--environment", root, *options, *ARGUMENTS) == 0
    assert warnings(capsys.readouterr().err) == []


@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_with_json_the_log_is_that_of_puppet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    root = write(tmp_path, "p", "q")
    options = ("--secrets", "placeholder", "--format", form)
    assert run("compile", "--environment", root, *options, *ARGUMENTS) == 0
    shown = warnings(capsys.readouterr().err)
    for node in ("a.lan", "b.lan"):
        for name in "pq":
            message = f"Warning: Interpolation failed with '{name}', but compilation continuing; "
            assert f"{node}: {message}" in shown
    assert len(shown) == 6


def test_diff_counts_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = write(tmp_path / "old", "p", "q"), write(tmp_path / "new", "q", "r")
    assert run("diff", old, new, "--secrets", "placeholder", *ARGUMENTS) == 0
    counted = (
        "Warning: hiera.yaml found no value for 3 variables: p, q and r "
        "(compile --format json and lookup --explain show Puppet's messages)"
    )
    assert warnings(capsys.readouterr().err) == [counted, REPORT]


COUNTED = "hiera.yaml found no value for 2 variables: p and q ({0})"
SHOWS = "compile --format json and lookup --explain show Puppet's messages"
FAILED = "Interpolation failed with '{0}', but compilation continuing; "


def test_lookup_counts_them_unless_it_explains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("lookup", "one", "--environment", write(tmp_path, "p", "q"), *ARGUMENTS[:2])
    options = ("--secrets", "placeholder", "--no-color")
    assert run(*command, *options) == 0
    assert f"Warning: {COUNTED.format(SHOWS)}" in warnings(capsys.readouterr().err)
    assert run(*command, *options, "--explain") == 0
    shown = warnings(capsys.readouterr().err)
    assert [f"Warning: {FAILED.format(name)}" in shown for name in "pq"] == [True, True]


def host_of(root: Path) -> tuple[Host, list[str]]:
    """Return a host with an environment, and the list of the messages that it shows."""
    options = Options(environment=write(root, "p", "q"), secrets="placeholder")
    host = Host(options, facts={"kernel": "Linux"})
    shown: list[str] = []
    host.show_logs(lambda level, text: shown.append(text))
    return host, shown


def test_the_prompt_counts_them_for_each_input(tmp_path: Path) -> None:
    host, shown = host_of(tmp_path)
    outcome = host.session.execute("lookup('one')")
    request = ":set log_level info, then :reset shows Puppet's messages"
    assert shown[-1] == COUNTED.format(request)
    assert len(shown) == 2
    # The messages of the outcome are Puppet's.
    texts = [text for _, text in outcome.logs]
    assert [any(text.startswith(FAILED.format(name)) for text in texts) for name in "pq"] == [
        True,
        True,
    ]
    host.session.execute("lookup('one')")
    assert len(shown) == 2


def test_a_lower_log_level_shows_them(tmp_path: Path) -> None:
    host, shown = host_of(tmp_path)
    host.settings.set("log_level", "info")
    host.session.execute("lookup('one')")
    assert len(shown) == 3
    assert not any(text.startswith("hiera.yaml") for text in shown)
    host.settings.set("log_level", "notice")
    host.session.reset()
    host.session.execute("lookup('one')")
    assert shown[-1].startswith("hiera.yaml found no value for 2 variables")


def test_an_input_that_fails_shows_them_as_well(tmp_path: Path) -> None:
    host, shown = host_of(tmp_path)
    assert host.session.execute("lookup('none')").error is not None
    assert [text[:10] for text in shown] == ["hiera.yaml"]


def test_messages_of_the_api_are_those_of_puppet(tmp_path: Path) -> None:
    session = Session(Options(environment=write(tmp_path, "p", "q")), facts={})
    shown: list[str] = []
    session.log = lambda level, text: shown.append(text)
    session.lookup("none")
    assert [text.split("\n")[0] for text in shown] == [FAILED.format(name) for name in "pq"]


@pytest.mark.parametrize("enc", [None, "environment: staging\n"])
def test_a_path_of_a_server_is_told_once_for_all_nodes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], enc: str | None
) -> None:
    datadir = "/etc/puppetlabs/code/environments/%{environment}/values"
    defaults = f"defaults:\n  datadir: {datadir}\n  data_hash: yaml_data\n"
    config = f"version: 5\n{defaults}hierarchy:\n  - {{name: a, path: a.yaml}}\n"
    write_files(
        tmp_path / "here",
        {
            "hiera.yaml": config,
            "values/a.yaml": "one: 1\n",
            "manifests/site.pp": "notify { 'x': message => lookup('one') }\n",
        },
    )
    arguments = [*ARGUMENTS, "--environment", str(tmp_path / "here")]
    if enc is not None:
        (tmp_path / "enc.yaml").write_text(enc)
        arguments += ["--enc", str(tmp_path / "enc.yaml")]
    assert run("compile", *arguments) == 0
    shown = capsys.readouterr()
    assert shown.out.count('"message": 1') == 2
    name = "here" if enc is None else "staging"
    told = f"Notice: hiera.yaml names {datadir.replace('%{environment}', name)}"
    assert shown.err.count(told) == 1 and shown.err.count("Notice: ") == 1
