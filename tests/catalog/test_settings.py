"""``$settings::NAME`` has what Puppet's settings are on a server; settings.rb has recorded them."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.modules.environment_conf import code_directory
from puppet_repl.language.runtime import options
from puppet_repl.language.runtime.puppet_settings import OPTIONS
from puppet_repl.language.runtime.puppet_settings_table import SETTINGS
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session import Options, Session
from tests.recorded import Case, read

CASES = read(Path(__file__).with_name("settings.jsonl"))
DEFAULTS = CASES[0]
NODE = "server.example.com"


def _plain(value: Any) -> object:
    """Return a value as the recording has it."""
    if isinstance(value, PuppetHash):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and math.isinf(value):
        return {"float": "Infinity"}
    return value


def _read(code: str, case: Case, environment: Path | None = None) -> Case:
    try:
        given = Options(
            node=NODE,
            storeconfigs=False,
            puppet_settings=case["settings"],
            environment=environment,
        )
    except ValueError as problem:
        return {"error": str(problem)}
    outcome = Session(given, facts={}).execute(code)
    if outcome.error is not None:
        return {"error": outcome.error.message}
    return {"value": _plain(outcome.value)}


def test_every_setting_has_puppets_value() -> None:
    found = _read("$settings::all_local", DEFAULTS)["value"]
    assert repr(found) == repr(DEFAULTS["all_local"])  # 1 and true differ, and the order counts
    assert len(found) > 230
    names = ", ".join(f"$settings::{name}" for name in DEFAULTS["names"])
    assert _read(f"[{names}]", DEFAULTS)["value"] == DEFAULTS["values"]


@pytest.mark.parametrize(
    "case", [case for case in CASES[1:] if "conf" not in case], ids=lambda case: str(case["id"])
)
def test_a_given_setting_is_converted_and_changes_others(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")  # where relative paths begin
    found = _read("$settings::all_local", case)
    if "error" in case:
        # Puppet's message begins with the first setting that it reads, ours with the one given.
        given = f"Error converting value for param '{next(iter(case['settings']))}'"
        _, begin, rest = case["error"].rpartition(given)
        assert found == {"error": begin + rest}
        return
    changed = {
        name: value
        for name, value in found["value"].items()
        if repr(value) != repr(DEFAULTS["all_local"][name])
    }
    assert repr(changed) == repr(case["all_local"])


@pytest.mark.parametrize(
    "case", [case for case in CASES if "conf" in case], ids=lambda case: str(case["id"])
)
def test_an_environment_has_settings_of_its_own(case: Case, tmp_path: Path) -> None:
    directory = tmp_path / "etc/puppetlabs/code/environments/production"
    directory.mkdir(parents=True)
    (directory / "environment.conf").write_text(case["conf"])
    if "error" in case:
        session = Session(Options(environment=directory, node=NODE), facts={})
        error = session.compile_site("notice(1)").error
        assert error is not None
        assert (error.message, error.file) == (case["error"], f"{directory}/environment.conf")
        assert error.line == case["conf"].count("\n")
        return
    found = _read("$settings::all_local", case, directory)["value"]
    # The modules of the agent are no directory of the environment's place.
    expected = {
        name: value.replace(":/opt/puppetlabs/puppet/modules", "")
        if name == "modulepath" and "basemodulepath" not in case["settings"]
        else value
        for name, value in case["all_local"].items()
    }
    here = {
        name: value.replace(str(tmp_path), "") if isinstance(value, str) else value
        for name, value in found.items()
        if name in expected
    }
    assert here == expected
    assert code_directory(str(directory)) == str(tmp_path / "etc/puppetlabs/code")


def test_the_certname_is_that_of_the_node_the_facts_name(tmp_path: Path) -> None:
    (tmp_path / "environment.conf").write_text("modulepath = $hostcert\n")
    for settings in ({}, {"codedir": "/srv/$certname"}):
        given = Options(environment=tmp_path, puppet_settings=settings)
        session = Session(given, facts={"clientcert": "web.lan"})
        found = session.execute("[$settings::modulepath, $settings::codedir]").value
        code = "/srv/web.lan" if settings else "/etc/puppetlabs/code"
        assert found == ("/etc/puppetlabs/puppet/ssl/certs/web.lan.pem", code)


def test_openvox_9_has_settings_of_its_own() -> None:
    session = Session(Options(language="openvox-9"), facts={})
    outcome = session.execute(
        "$settings::all_local.filter |$k, $v| { $k in ['reports', 'pluginsync'] }"
    )
    assert _plain(outcome.value) == {"reports": "none"}
    error = session.execute("$settings::pluginsync").error
    assert error is not None
    assert error.message == "Evaluation Error: Unknown variable: 'settings::pluginsync'."


def test_an_environment_in_another_setting_stays_as_written() -> None:
    given = Options(puppet_settings={"logdir": "/var/log/$environment"})
    outcome = Session(given, facts={}).execute("$settings::logdir")
    assert outcome.value == "/var/log/$environment"
    assert outcome.logs == [
        (
            "warning",
            "You cannot interpolate $environment within 'logdir' when using directory"
            " environments. Its value will remain /var/log/$environment.",
        )
    ]


def test_settings_that_are_options_are_refused() -> None:
    assert set(OPTIONS) == set(SETTINGS).intersection(options.OPTIONS)
    for name in OPTIONS:
        with pytest.raises(ValueError, match=f"^the setting '{name}' is an option of its own$"):
            Options(puppet_settings={name: "x"})


def test_a_setting_that_refers_to_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="the setting 'ca_port' refers to itself"):
        Options(puppet_settings={"masterport": "$ca_port"})


def test_no_table_of_settings_is_loaded_before_one_is_read() -> None:
    code = (
        "import sys; from puppet_repl.session import Session; s = Session(); "
        "s.execute('include stdlib'); s.execute('notify { $facts[os][family]: }'); "
        "print('puppet_repl.language.runtime.puppet_settings_table' in sys.modules); "
        "s.execute('$settings::ssldir'); "
        "print('puppet_repl.language.runtime.puppet_settings_table' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\nTrue\n"


def test_the_name_of_the_node_is_known_before_a_fact_is_read() -> None:
    first, second = "$settings::certname", "$trusted['certname']"
    for one, other in ((first, second), (second, first)):
        found = Session().execute(f"[{one}, {other}]").value
        assert len(set(found)) == 1
