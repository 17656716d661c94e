"""The profile of the language, as each front end lets one choose it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from puppet_kernel.session_arguments import host_of_arguments
from puppet_repl.environment.facts.facts import bundled_facts
from puppet_repl.frontends.cli.batch import answer_lines
from puppet_repl.frontends.commands import run as run_command
from puppet_repl.frontends.terminal.panels import SettingsPanel
from puppet_repl.host.host import Host
from puppet_repl.host.settings import AT_PROMPT
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report
from tests.frontends.cli.test_cli import run

CODE = "regsubst('a', 'a', 'b', 'G', 'N')"
REFUSAL = "'regsubst' expects between 3 and 4 arguments, got 5"
DEFINITION = "type A inherits B { }\n"
NINE = ("--language", "openvox-9")


def answers(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer_lines(json.dumps(each) for each in requests)]


def answer(host: Host, text: str) -> str:
    return plain(render_report(run_command(host.session, text, host)))


def test_programs(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text(f"notice({CODE})\n")
    for arguments in (("-e", CODE), ("a.pp",)):
        assert run(*arguments, directory=tmp_path)[0] == 0
        status, _, err = run(*NINE, *arguments, directory=tmp_path)
        assert (status, REFUSAL in err) == (1, True)
    assert run("--language", "puppet-8", "-e", CODE)[1] == "'b'\n"


def test_pipes_and_commands() -> None:
    status, _, err = run(*NINE, given=CODE.encode())
    assert (status, REFUSAL in err) == (1, True)
    status, out, _ = run(*NINE, "-e", ":set language")
    assert (status, out.splitlines()[0]) == (0, "language = openvox-9")


def test_catalogs(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("notify { $server_facts['serverversion']: }\nzone { 'z': }\n")
    status, out, _ = run("compile", "a.pp", directory=tmp_path)
    assert (status, "8.11.0" in out, '"Zone"' in out) == (0, True, True)
    status, out, err = run("compile", *NINE, "a.pp", directory=tmp_path)
    assert (status, out) == (1, "")
    assert "Unknown resource type: 'zone'" in err


@pytest.mark.parametrize("command", ["parse", "validate"])
def test_syntax(command: str, tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text(DEFINITION)
    for arguments, product in (((), "Puppet"), (NINE, "OpenVox")):
        status, out, err = run(command, *arguments, "a.pp", directory=tmp_path)
        assert (status, out) == (1, "")
        assert f"not supported in this version of {product} (file: a.pp, line: 1" in err


@pytest.mark.parametrize(
    "arguments",
    [(), ("compile",), ("diff", "a", "b"), ("lookup", "k"), ("parse",), ("validate",)],
    ids=" ".join,
)
def test_unknown_names(arguments: tuple[str, ...]) -> None:
    status, out, err = run(*arguments, "--language", "openvox-10")
    assert (status, out) == (2, "")
    assert err.splitlines()[0].endswith(
        ": argument --language: invalid choice: 'openvox-10' (choose from 'puppet-8', 'openvox-9')"
    )


def test_requests() -> None:
    given, refused, parsed, unknown = answers(
        {"code": CODE, "language": "puppet-8"},
        {"code": CODE, "language": "openvox-9"},
        {"code": DEFINITION, "mode": "parse", "language": "openvox-9"},
        {"code": CODE, "language": "openvox"},
    )
    assert given["value"] == "'b'"
    assert refused["error"]["message"].endswith(REFUSAL)
    assert parsed["error"]["message"].endswith("in this version of OpenVox")
    assert unknown["error"] == {
        "message": "'language' has to be one of puppet-8, openvox-9",
        "code": "REQUEST",
    }


def test_sessions_of_requests_keep_their_language() -> None:
    first, again, other = answers(
        {"code": "1", "session": "a", "language": "openvox-9"},
        {"code": CODE, "session": "a"},
        {"code": "1", "session": "a", "language": "puppet-8"},
    )
    assert first["value"] == "1"
    assert again["error"]["message"].endswith(REFUSAL)
    assert other["error"]["message"] == "session 'a' has the language 'openvox-9'"


def test_requests_of_two_languages_share_no_code(tmp_path: Path) -> None:
    path = tmp_path / "m" / "manifests" / "init.pp"
    path.parent.mkdir(parents=True)
    path.write_text(f"class m {{ notice({CODE}) }}\n")
    found = answers(
        *(
            {"code": "include m", "modulepath": [str(tmp_path)], "language": language}
            for language in ("puppet-8", "openvox-9", "puppet-8")
        )
    )
    assert ["error" in each for each in found] == [False, True, False]


def test_the_setting_begins_the_session_anew() -> None:
    host = Host(facts=bundled_facts("debian-12"))
    assert host.session.execute(f"$x = {CODE}").error is None
    told = answer(host, ":set language openvox-9")
    assert told == "openvox-9: the language of OpenVox 9; session reset"
    assert not host.session.names.has_variable("x")
    outcome = host.session.execute(CODE)
    assert outcome.error is not None
    assert outcome.error.message.endswith(REFUSAL)
    version = host.session.execute("$facts['puppetversion']").value
    assert version == "9.0.0"


def test_the_setting_that_is_in_force_already_resets_nothing() -> None:
    host = Host()
    host.session.execute("$x = 1")
    assert answer(host, ":set language puppet-8") == ""
    assert host.session.names.has_variable("x")


def test_the_setting_refuses_unknown_names() -> None:
    host = Host()
    told = answer(host, ":set language puppet")
    assert told == "Error: language is one of puppet-8, openvox-9, not 'puppet'"
    assert host.session.options.language == "puppet-8"


def test_the_configuration_file(config: Path) -> None:
    (config / "config.toml").write_text('language = "openvox-9"\n')
    host = Host(facts=bundled_facts("debian-12"))
    host.read_user_files()
    assert host.session.execute("$facts['puppetversion']").value == "9.0.0"
    chosen = Host(overrides={"language": "puppet-8"})
    chosen.read_user_files()
    assert chosen.session.execute(CODE).value == "b"


def test_the_arguments_of_kernels() -> None:
    host, problems = host_of_arguments(list(NINE))
    assert problems == []
    outcome = host.session.execute(CODE)
    assert outcome.error is not None
    assert outcome.error.message.endswith(REFUSAL)


def test_the_panel_of_settings_resets_no_session() -> None:
    host = Host()
    panel = SettingsPanel(host.settings)
    panel.index = [setting.name for setting in AT_PROMPT].index("language")
    panel.change(1)
    assert host.settings["language"] == host.session.options.language == "puppet-8"
    assert "resets the session" in panel.chosen.help
