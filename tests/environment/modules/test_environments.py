"""Environments as Puppet has them: environment.conf, manifests, functions and types of their own.

The cases and answers were recorded by ``record_environments.rb``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.modules.environment_conf import SiteSettings, read_environment_conf
from puppet_repl.session import Options, Outcome, Session

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("environments.jsonl").read_text("utf-8").splitlines()
]
# Where Ruby's words are in Puppet's message, or nothing that helps.
OWN_WORDS = {
    "conf-bom": "Illegal UTF-8 Byte Order mark at beginning of input: [EF BB BF] - remove these"
    " from the puppet source (file: <environment>/environment.conf)",
    "conf-envconf-dir": "Could not read <environment>/environment.conf: Is a directory",
    "conf-manifest-pp-dir": "Could not read <environment>/m/x.pp: Is a directory",
}


def write(root: Path, files: dict[str, str]) -> None:
    root.mkdir(parents=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def needs_ruby(case: dict[str, Any]) -> bool:
    return any(name.endswith(".rb") for name in case["files"]) and "logs" in case


def hidden(text: str, code: Path) -> str:
    environment = str(code / "environments" / "oracle")
    return text.replace(environment, "<environment>").replace(str(code), "<code>")


def same_place(error: PuppetError) -> str:
    """Return an error as Puppet writes it; for a file of settings it names no column."""
    if error.code != "ENVIRONMENT_CONF":
        return str(error)
    if error.message.startswith("Could not match line"):
        return f"{error.message}\n (file: {error.file}, line: {error.line})"
    return error.message


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_an_environment_is_as_in_puppet(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if needs_ruby(case) and shutil.which("ruby") is None:
        pytest.skip("there is no ruby on the PATH")
    monkeypatch.chdir("/")
    code = tmp_path / "code"
    directory = code / "environments" / "oracle"
    files = {name: text.replace("<code>", str(code)) for name, text in case["files"].items()}
    write(directory, files)
    write(code / "modules", case.get("base", {}))
    settings = {
        name: text.replace("<code>", str(code)) for name, text in case.get("settings", {}).items()
    }
    if case.get("error", "").startswith("The 'default_manifest' setting"):
        with pytest.raises(ValueError, match=re.escape(case["error"])):
            Options(puppet_settings=settings)
        return
    options = Options(
        environment=str(directory), node="node.example.com", ruby="system", puppet_settings=settings
    )
    expected = {name: case[name] for name in ("modulepath", "manifest", "logs") if name in case}
    found: dict[str, Any] = {}
    if "modulepath" in case:
        try:
            given = SiteSettings(options.puppet_settings, lambda: "node.example.com")
            conf = read_environment_conf(str(directory), settings=given)
            found["modulepath"] = [hidden(path, code) for path in conf.modulepath]
            found["manifest"] = hidden(conf.manifest, code)
        except PuppetError:
            del expected["modulepath"], expected["manifest"]
    session = Session(options, facts={"kernel": "Linux"})
    logs: list[list[str]] = []
    session.log = lambda level, text: logs.append([level, hidden(text, code)])
    outcome = (session.execute(case["code"]) if case["code"] else session.run_site()) or Outcome()
    session.close()
    error = outcome.error
    logs = [each for each in logs if error is None or each[0] != "err"]  # as it was recorded
    if logs:
        found["logs"] = logs
    shown = None if error is None else hidden(same_place(error), code)
    assert (found, shown) == (expected, OWN_WORDS.get(case["id"], case.get("error")))


def session_in(directory: Path) -> Session:
    return Session(Options(environment=str(directory)), facts={})


def test_a_wrong_file_stops_what_needs_modules_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / "e", {"environment.conf": "modulepath = site\nno setting\n"})
    write(tmp_path / "e" / "site" / "m", {"manifests/init.pp": "class m { notice('m') }"})
    session = session_in(tmp_path / "e")
    site = session.run_site()
    assert site is not None
    for error in (site.error, session.execute("include m").error, site.error):
        assert error is not None
        assert error.message == "Could not match line no setting"
        assert (error.file, error.line) == (str(tmp_path / "e" / "environment.conf"), 2)
    assert session.execute("1 + 1").value == 2
    assert session.complete("include ", 8) is not None
    (tmp_path / "e" / "environment.conf").write_text("modulepath = site\n")
    assert session.execute("include m").error is None


def test_what_puppet_refuses_to_compile_is_refused_with_its_line(tmp_path: Path) -> None:
    write(tmp_path / "e", {"environment.conf": "# own\nmanifest = manifests\n"})
    settings = {"default_manifest": "/nowhere", "disable_per_environment_manifest": "true"}
    session = Session(Options(environment=tmp_path / "e", puppet_settings=settings), facts={})
    outcome = session.compile_site("notice(1)")
    error = outcome.error
    assert error is not None
    assert error.message.startswith("Compilation has been halted because: ")
    assert (error.file, error.line) == (str(tmp_path / "e" / "environment.conf"), 2)
    assert [level for level, _ in outcome.logs] == ["err"]


def test_a_change_of_the_modulepath_counts_at_the_next_input(tmp_path: Path) -> None:
    write(tmp_path / "e", {"environment.conf": "modulepath = one\n"})
    for name in ("one", "two"):
        write(tmp_path / "e" / name / "m", {"functions/f.pp": f"function m::f() {{ '{name}' }}"})
    session = session_in(tmp_path / "e")
    assert session.execute("m::f()").value == "one"
    (tmp_path / "e" / "environment.conf").write_text("# other\nmodulepath = two\n")
    assert session.execute("m::f()").value == "two"


@pytest.mark.parametrize(
    ("name", "code"), [("modules", "include m"), ("manifests", None), ("manifests/nodes", None)]
)
def test_a_directory_that_cannot_be_read_is_named(
    name: str, code: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "e", {"manifests/nodes/a.pp": "", "modules/m/manifests/init.pp": "class m {}"})
    refused = str(tmp_path / "e" / name)
    scandir = os.scandir

    def refuse(path: str) -> Any:
        if os.fspath(path) == refused:
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    session = session_in(tmp_path / "e")
    outcome = session.run_site() if code is None else session.execute(code)
    assert outcome is not None
    assert outcome.error is not None
    assert outcome.error.message == f"Could not read {refused}: Permission denied"
    monkeypatch.undo()
    assert session.run_site() is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [("testing", "testing"), ("my_env2", "my_env2"), ("control-repo", "production")],
)
def test_the_name_of_an_environment_is_one_that_puppet_accepts(
    name: str, expected: str, tmp_path: Path
) -> None:
    (tmp_path / name).mkdir()
    assert session_in(tmp_path / name).execute("$environment").value == expected


def test_functions_and_types_of_the_environment_complete_and_are_documented(tmp_path: Path) -> None:
    files = {
        "functions/greet_all.pp": "# Greets.\nfunction greet_all(String $x) { $x }\n",
        "functions/environment/shout.pp": "# Shouts.\nfunction environment::shout($x) { $x }\n",
        "functions/elsewhere/whisper.pp": "function elsewhere::whisper($x) { $x }\n",
        "types/tiny.pp": "type Tiny = Integer[0, 3]\n",
        "types/environment/mybig.pp": "type Environment::MyBig = Integer[9]\n",
    }
    write(tmp_path / "e", files)
    session = session_in(tmp_path / "e")
    for typed, expected in (
        ("greet_a", "greet_all"),
        ("environment::sh", "environment::shout"),
        ("1 =~ Tin", "Tiny"),
        ("1 =~ Environment::M", "Environment::MyBig"),
    ):
        assert session.complete(typed, len(typed)).items[0].text.startswith(expected)
    assert not any("whisper" in each.text for each in session.complete("elsewh", 6).items)
    for name, summary in (("greet_all", "Greets."), ("environment::shout", "Shouts.")):
        found = session.inspect(name, 3)
        assert found is not None
        assert summary in found.text
    assert session.inspect("Tiny", 2) is not None
    assert not session.names.functions()
