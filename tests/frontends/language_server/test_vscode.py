"""The extension for VS Code says what the server has; TypeScript checks the rest, and packs it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.version import __version__
from puppet_repl.frontends.debug_adapter.launch import KEYS
from puppet_repl.frontends.language_server.capabilities import COMMANDS
from puppet_repl.frontends.language_server.settings import SECTION, Settings
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.session import Session
from tests.pygments.textmate import SYNTAXES

ROOT = Path(__file__).parents[3]
EXTENSION = SYNTAXES.parent
PACKAGE = json.loads((EXTENSION / "package.json").read_text("utf-8"))
CONTRIBUTES = PACKAGE["contributes"]
SETTINGS = CONTRIBUTES["configuration"]["properties"]
# The program is the extension's, and trust is that of VS Code.
OWN = {"command"}
NOT_SET = {"trust"}


class Asked(dict[str, Any]):
    """Settings that note which ones are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:  # type: ignore[override]
        self.names.add(name)
        return super().get(name, default)


def test_the_version_is_that_of_the_project() -> None:
    assert PACKAGE["version"] == __version__
    lock = json.loads((EXTENSION / "package-lock.json").read_text("utf-8"))
    assert lock["version"] == __version__


def test_addresses_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    urls = project.get("urls", {})
    assert PACKAGE.get("homepage") == urls.get("Documentation")
    assert PACKAGE.get("bugs", {}).get("url") == urls.get("Issues")
    assert PACKAGE.get("repository", {}).get("url") == urls.get("Source")


def test_settings_of_a_workspace_name_no_program_and_no_modules_without_trust() -> None:
    restricted = PACKAGE["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert set(restricted) == {f"{SECTION}.command", f"{SECTION}.modulePath"}


def test_the_readme_has_all_commands_and_settings() -> None:
    rows = (EXTENSION / "README.md").read_text("utf-8").splitlines()
    first = [row.split(" | ")[0].strip("| `") for row in rows if row.startswith("| ")]
    titles = [each["title"] for each in CONTRIBUTES["commands"]]
    assert first == ["command", "---", *titles, "setting", "---", *SETTINGS]


def test_settings_are_those_of_the_server() -> None:
    asked = Asked()
    Settings(asked)
    assert {name.removeprefix(f"{SECTION}.") for name in SETTINGS} - OWN == asked.names - NOT_SET


def test_defaults_are_those_of_the_server() -> None:
    defaults = {
        name.removeprefix(f"{SECTION}."): value["default"] for name, value in SETTINGS.items()
    }
    assert vars(Settings(defaults)) | {"_given": {}} == vars(Settings()), "the same settings"


@pytest.mark.parametrize("name", ["language", "strict"])
def test_choices_are_those_of_the_server(name: str) -> None:
    assert sorted(SETTINGS[f"{SECTION}.{name}"]["enum"]) == sorted(OPTIONS[name].choices)


def test_commands_have_names_of_their_own() -> None:
    """The client registers those of the server itself, and a name only once."""
    own = {each["command"] for each in CONTRIBUTES["commands"]}
    assert not own & set(COMMANDS)
    menus = [each["command"] for menu in CONTRIBUTES["menus"].values() for each in menu]
    assert own.issuperset(menus)
    code = (EXTENSION / "src" / "extension.ts").read_text("utf-8")
    assert all(f"command('{name.removeprefix(f'{SECTION}.')}'" in code for name in own)


def test_grammars_and_languages_are_there() -> None:
    for grammar in CONTRIBUTES["grammars"]:
        written = json.loads((EXTENSION / grammar["path"]).read_text("utf-8"))
        assert written["scopeName"] == grammar["scopeName"]
    assert {each["language"] for each in CONTRIBUTES["grammars"]} == {"puppet", "epp"}
    for language in CONTRIBUTES["languages"]:
        json.loads((EXTENSION / language["configuration"]).read_text("utf-8"))


def test_a_launch_has_the_arguments_of_the_debug_adapter() -> None:
    (debugger,) = CONTRIBUTES["debuggers"]
    attributes = set(debugger["configurationAttributes"]["launch"]["properties"])
    assert attributes == set(KEYS) - {"noDebug"}, "that one is the editor's"
    bodies = [each["body"] for each in debugger["configurationSnippets"]]
    for each in (*bodies, *debugger["initialConfigurations"]):
        assert set(each) - {"type", "request", "name"} <= attributes


COMMENTS = [
    (["  Listen 80"], ["  <%# Listen 80 %>"]),
    (["a <%= $x %> b", "", "c"], ["<%# a <%= $x %%> b %>", "", "<%# c %>"]),
    (["<%# a %>", "<% b %>"], ["<%# <%# a %%> %>", "<%# <% b %%> %>"]),
    (["50%%> 5%"], ["<%# 50%%%> 5% %>"]),
]
PROGRAM = """
import { endsInTag, toggled } from './src/comments';
const [lines, texts] = JSON.parse(process.argv[2]);
console.log(JSON.stringify([
  lines.map(toggled), lines.map(each => toggled(toggled(each))), texts.map(endsInTag)
]));
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm")
def test_lines_of_templates_become_comments(tmp_path: Path) -> None:
    subprocess.run(["make", "vscode"], cwd=ROOT, capture_output=True, check=True)
    built = ROOT / "build" / "vscode"
    script = tmp_path / "program.cjs"
    bundle = ["node_modules/.bin/esbuild", "--bundle", "--platform=node", "--loader=ts"]
    with script.open("wb") as output:
        subprocess.run(bundle, cwd=built, input=PROGRAM.encode(), stdout=output, check=True)
    lines = [before for before, _ in COMMENTS]
    asked = json.dumps([lines, ["a <% b", "a <% b %>", "<%% a", "<% a %%>"]])
    shown = subprocess.run(["node", script, asked], capture_output=True, check=True)
    once, twice, inside = json.loads(shown.stdout)
    assert once == [after for _, after in COMMENTS]
    assert twice == lines
    assert inside == [True, False, False, True]
    template = "\n".join(line for _, after in COMMENTS for line in after)
    outcome = Session().execute(f"inline_epp('{template}')")
    assert outcome.error is None
    assert str(outcome.value).strip() == ""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm")
def test_it_is_built(tmp_path: Path) -> None:
    """Types are checked, with --strict; the package has nothing but what it needs."""
    built = subprocess.run(["make", "vscode"], cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    with zipfile.ZipFile(ROOT / "build" / "vscode" / "puppet-repl.vsix") as package:
        names = {name.removeprefix("extension/") for name in package.namelist()}
        notices = package.read("extension/THIRD_PARTY_NOTICES.txt").decode()
    assert {"out/extension.js", "package.json", "syntaxes/puppet.tmLanguage.json"} <= names
    assert {"LICENSE.txt", "NOTICE", "logo.png"} <= names
    in_bundle = json.loads((ROOT / "build/vscode/out/meta.json").read_text("utf-8"))["inputs"]
    packages = {path.split("node_modules/")[-1].split("/")[0] for path in in_bundle}
    assert {"vscode-languageclient", "vscode-jsonrpc"} <= packages
    for name in packages - {"src"}:
        assert f"\n{name} " in notices, name
    assert notices.count("Permission is hereby granted") >= 2
    assert not [name for name in names if "node_modules" in name or name.endswith(".ts")]
