"""Commands in a module or a control repository find it by themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from puppet_repl.session import Options, Session
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


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"name": "me-web",', "metadata.json: not JSON: "),
        ('{"name": 5}', "metadata.json: its name is not that of a module: 5"),
        ('["me-web"]', "metadata.json: not a JSON object"),
    ],
)
def test_the_hint_says_why_a_module_is_not_used(root: Path, text: str, why: str) -> None:
    write_files(root, {"web/metadata.json": text, "web/.git/HEAD": ""})
    for code in ("include web", "include web::a", "web::f()"):
        status, _, logged = run(root / "web", "-e", code)
        assert status == 1
        assert f"; the module of this directory has {why}" in logged
    (root / "web/metadata.json").write_text(metadata("me-web"))
    logged = run(root / "web", "-e", "include web::a::b, nix")[2]
    assert "this directory" not in logged


OPTIONS_FILE = """environment = "control"
strict = "warning"

[profiles.db]
node = "db.example.com"
facts = "rocky-9"

[profiles.web]
modulepath = ["web", "elsewhere", "puppet-base"]
"""
ASKED = "[$facts['os']['name'], $trusted['certname']]"


@pytest.fixture
def with_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(root, {".puppet-repl.toml": OPTIONS_FILE, ".git/HEAD": "", "config/a": ""})
    monkeypatch.setenv("XDG_CONFIG_HOME", str(root / "config"))
    return root


def test_a_file_of_options(with_file: Path) -> None:
    assert run(with_file, "-e", "include role")[2] == "Notice: port 8080\n"
    assert run(with_file / "elsewhere", "-e", "$nix")[0] == 1
    status, shown, _ = run(with_file, "-e", "[$environment, $settings::strict]")
    assert (status, shown) == (0, "['control', 'warning']\n")
    assert run(with_file, "--strict", "off", "-e", "$settings::strict")[1] == "'off'\n"
    assert run(with_file, "lookup", "role::port", "--facts", "debian-12")[1] == "--- 8080\n"


def test_profiles(with_file: Path) -> None:
    site = "Notice: site runs\nNotice: port 8080\n"
    shown = "['Rocky', 'db.example.com']\n"
    assert run(with_file, "@db", "-e", ASKED) == (0, shown, site)
    assert run(with_file, "--profile", "db", "-e", ASKED) == (0, shown, site)
    assert run(with_file, "@db", "--node", "a.b", "-e", "$trusted['certname']")[1] == "'a.b'\n"
    assert run(with_file, "@web", "-e", "include base")[:2] == (0, "[Class[base]]\n")
    status, shown, logged = run(with_file, "compile", "@db", "--format", "table")
    assert (status, "Class['role']" in shown) == (0, True)
    assert logged.startswith("db.example.com: Notice: site runs\n")
    assert run(with_file, "compile", "@notify { 'a': } realize Notify['a']")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("lookup", "role::port", "@db"), "@db comes first: puppet-repl lookup @db ..."),
        (("-e", "1", "@db"), "@db comes first: puppet-repl @db ..."),
        (("diff", "--rev", "HEAD", "@db"), "@db comes first: puppet-repl diff @db ..."),
        (("compile", "--format", "table", "@db"), "@db comes first: puppet-repl compile @db ..."),
        (("@db", "@web"), "there is one profile only: @db, or @web"),
        (("lookup", "@db", "role::port", "@db"), "there is one profile only: @db, or @db"),
        (("@db", "--profile", "web"), "argument --profile: there is one profile only: db, or web"),
    ],
)
def test_a_profile_comes_first(with_file: Path, arguments: tuple[str, ...], why: str) -> None:
    status, shown, logged = run(with_file, *arguments)
    assert (status, shown) == (2, "")
    assert logged.splitlines()[0].partition(": ")[2] == why


def test_a_word_that_looks_like_a_profile(with_file: Path) -> None:
    assert run(with_file, "@db", "--profile", "db", "-e", "1")[:2] == (0, "1\n")
    assert run(with_file, "-e", "@db")[0] == 1  # an option has it: code
    status, _, logged = run(with_file, "-e", ":lookup role::port @db")
    assert (status, "@db comes first" in logged) == (1, True)
    write_files(with_file, {"control/data/all.yaml": "'@db': 7\n"})
    status, shown, _ = run(with_file, "-e", ":lookup '@db'")
    assert (status, "7" in shown) == (0, True)


def test_options_of_the_command_line_come_before_a_profile(with_file: Path) -> None:
    assert run(with_file, "@db", "--environment", "off", "-e", f"[$environment, {ASKED}]") == (
        0,
        "['production', ['Rocky', 'db.example.com']]\n",
        "",
    )
    text = OPTIONS_FILE.replace("[profiles.db]\n", "[profiles.db]\nenvironment = 'control'\n")
    (with_file / ".puppet-repl.toml").write_text(text)
    assert run(with_file, "@db", "--environment", "off", "-e", "$environment")[1:] == (
        "'production'\n",
        "",
    )
    other = ("@db", "--environment", "web", "-e", "$environment")
    assert run(with_file, *other)[1] == "'web'\n"


def test_a_hermetic_session_has_the_profile_that_is_named(with_file: Path) -> None:
    site = "Notice: site runs\nNotice: port 8080\n"
    shown = "['Rocky', 'db.example.com']\n"
    assert run(with_file, "@db", "--hermetic", "-e", ASKED) == (0, shown, site)
    status, _, logged = run(
        with_file, "@db", "--hermetic", "-e", f"file('{with_file}/web/metadata.json')"
    )
    assert (status, "is outside of the modules and the environment" in logged) == (1, True)


def test_only_the_profile_in_use_needs_its_files(with_file: Path) -> None:
    path = with_file / ".puppet-repl.toml"
    path.write_text(OPTIONS_FILE + "[profiles.gone]\nfacts = 'gone.yaml'\nenc = 'gone'\n")
    assert run(with_file, "-e", "1") == (0, "1\n", "")
    assert run(with_file, "@web", "-e", "1")[:2] == (0, "1\n")
    why = "puppet-repl: .puppet-repl.toml:11: facts: there is no gone.yaml\n"
    assert run(with_file, "@gone", "-e", "1") == (2, "", why)


def test_own_profiles_come_first(with_file: Path) -> None:
    write_files(
        with_file,
        {"config/puppet-repl/config.toml": "[profiles.db]\nnode = 'own'\n[profiles.mine]\n"},
    )
    assert run(with_file, "@db", "-e", "$trusted['certname']") == (
        0,
        "'own'\n",
        "puppet-repl: the profile 'db' is that of config.toml, not of .puppet-repl.toml\n"
        "Notice: site runs\nNotice: port 8080\n",
    )
    assert run(with_file, "@mine", "-e", "1")[1] == "1\n"
    assert "config.toml" not in run(with_file, "-i", "-e", "1", text=":quit\n")[2]
    assert run(with_file, "@mien", "-e", "1") == (
        2,
        "",
        "puppet-repl: there is no profile 'mien'; did you mean mine?\n",
    )


def test_a_file_that_is_refused(with_file: Path) -> None:
    (with_file / ".puppet-repl.toml").write_text("strict = 'off'\nruby = 'system'\n")
    why = (
        ".puppet-repl.toml:2: 'ruby' cannot be set in the file of a repository:"
        " only 'off' or 'sandbox' start no program\n"
    )
    assert run(with_file, "-e", "1") == (2, "", f"puppet-repl: {why}")
    assert run(with_file / "web", "compile", "-e", "1") == (2, "", f"puppet-repl: ../{why}")
    assert run(with_file, "lookup", "a") == (2, "", f"Error: {why}")
    for options in (("--hermetic",), ("--environment", "off")):
        assert run(with_file, *options, "-e", "1") == (0, "1\n", "")


def test_the_node_of_a_file_runs_no_site(with_file: Path) -> None:
    """Who opens a stranger's repository has not asked for its manifests."""
    (with_file / ".puppet-repl.toml").write_text("environment = 'control'\nnode = 'a.b'\n")
    assert run(with_file, "-e", "$trusted['certname']") == (0, "'a.b'\n", "")
    assert run(with_file, "--node", "c.d", "-e", "1")[2].startswith("Notice: site runs\n")
    (with_file / "enc.yaml").write_text("classes: [role]\n")
    (with_file / ".puppet-repl.toml").write_text(
        "modulepath = 'control/site-modules'\nenc = 'enc.yaml'\n"
    )
    assert run(with_file, "-e", "1") == (0, "1\n", "")
    assert "Class[Role]" in run(with_file, "--node", "c.d", "-e", "1")[2]
    (with_file / ".puppet-repl.toml").write_text("environment = 'control'\nnode = 'a.b'\n")
    assert run(with_file, "-e", ":node a.b")[2].startswith("Notice: site runs\n")


def test_a_profile_in_a_session(with_file: Path) -> None:
    site = "Notice: site runs\nNotice: port 8080\n"
    (with_file / ".puppet-repl.toml").write_text(
        "[profiles.db]\nenvironment = 'control'\nnode = 'db.example.com'\nfacts = 'rocky-9'\n"
        "trusted = {pp_role = 'db'}\n[profiles.classified]\nenc = 'control'\n"
        "[profiles.web]\nmodulepath = ['web', 'elsewhere', 'puppet-base']\n"
    )
    shown = f"[{ASKED}, $trusted['extensions'], $environment]"
    status, output, logged = run(with_file, "-e", ":node @db", "-e", shown)
    assert (status, logged) == (0, site)
    assert output.splitlines()[-1] == (
        "[['Rocky', 'db.example.com'], {'pp_role' => 'db'}, 'control']"
    )
    assert run(with_file, "-e", ":node @web", "-e", "include base")[0] == 0
    for name, why in (
        ("classified", "a session that runs cannot change enc"),
        ("nix", "there is no profile 'nix'; there are db, classified, web"),
    ):
        status, _, logged = run(with_file, "-e", f":node @{name}")
        assert (status, why in logged) == (1, True)
    status, _, logged = run(with_file, "--hermetic", "-e", ":node @db")
    assert (status, "a hermetic session has no profiles" in logged) == (1, True)


TWO_PROFILES = """facts = "debian-12"

[profiles.a]
node = "a.b"
facts = "rocky-9"
trusted = { pp_role = "a" }
environment = "control"
secrets = "placeholder"

[profiles.b]
node = "b.b"

[profiles.c]
node = "c.b"
secrets = "placeholder"
strict = "off"

[profiles.d]
node = "d.b"
enc = "enc.yaml"
"""
STATE = (
    "[$facts['os']['name'], $trusted['certname'], $trusted['extensions'],"
    " $environment, $settings::strict]"
)


@pytest.mark.parametrize("name", ["a", "b", "c"])
@pytest.mark.parametrize("before", [("-e", ":node @a"), ("@a",), ("@a", "-e", ":node @c"), ()])
def test_a_profile_in_a_session_is_as_at_its_start(
    with_file: Path, name: str, before: tuple[str, ...]
) -> None:
    (with_file / ".puppet-repl.toml").write_text(TWO_PROFILES)
    expected = run(with_file, f"@{name}", "-e", f"{STATE}", "-e", ":set secrets")[1]
    shown = run(with_file, *before, "-e", f":node @{name}", "-e", STATE, "-e", ":set secrets")[1]
    lines = expected.splitlines()
    assert len(lines) > 1
    assert shown.splitlines()[-len(lines) :] == lines


@pytest.mark.parametrize(
    ("options", "name", "shown"),
    [
        (("--fact", "role=x"), "a", "['Rocky', 'x']"),
        (("--fact", "role=x"), "b", "['Debian', 'x']"),
        (("--facts", "ubuntu-24.04"), "b", "['Ubuntu', undef]"),
        (("--facts", "ubuntu-24.04", "--fact", "role=x"), "b", "['Ubuntu', 'x']"),
        (("@a", "--fact", "role=x"), "b", "['Debian', 'x']"),
        (("@a", "-e", ":facts role=x"), "b", "['Debian', 'x']"),
        (("--facts", "ubuntu-24.04"), "a", "['Rocky', undef]"),
    ],
)
def test_facts_that_a_user_has_named_stay(
    with_file: Path, options: tuple[str, ...], name: str, shown: str
) -> None:
    (with_file / ".puppet-repl.toml").write_text(TWO_PROFILES)
    asked = "[$facts['os']['name'], $facts['role']]"
    again = (f":node @{name}", f":node @{name}")  # as often as one likes
    answers = run(with_file, *options, *(f"-e{each}" for each in again), "-e", asked)
    assert answers[1].splitlines()[-1] == shown


def test_names_of_profiles_are_completed(
    with_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write_files(tmp_path, {"own/puppet-repl/config.toml": "[profiles.mine]\n"})
    (with_file / ".puppet-repl.toml").write_text(TWO_PROFILES)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    monkeypatch.chdir(with_file)
    for text, names in ((":node @", ["@mine", "@a", "@b", "@c", "@d"]), (":node @m", ["@mine"])):
        found = Session().complete(text, len(text))
        assert (found.start, sorted(each.text for each in found.items)) == (6, sorted(names))
    assert not Session(Options(hermetic=True)).complete(":node @", 7).items
    (with_file / ".puppet-repl.toml").write_text("unknown = 1\n")
    assert not Session().complete(":node @", 7).items


def test_options_that_a_session_has_from_its_start(with_file: Path) -> None:
    write_files(with_file, {"enc.yaml": "classes: []\n"})
    (with_file / ".puppet-repl.toml").write_text(TWO_PROFILES)
    refused = "a session that runs cannot change enc"
    for given in (("@a", "-e", ":node @d"), ("@d", "-e", ":node @b")):
        status, _, logged = run(with_file, *given)
        assert (status, refused in logged) == (1, True)
    for same in (("@d",), ("--enc", "enc.yaml"), ("--enc", str(with_file / "enc.yaml"))):
        assert run(with_file, *same, "-e", ":node @d", "-e", "1")[0] == 0


def test_settings_of_puppet(with_file: Path) -> None:
    """They come from the file of the repository, or from the user's own for a prompt."""
    (with_file / ".puppet-repl.toml").write_text("puppet_settings = {ca_server = 'repo'}\n")
    write_files(
        with_file, {"config/puppet-repl/config.toml": "puppet_settings = {ca_server = 'own'}\n"}
    )
    asked = "$settings::ca_server"
    assert run(with_file, "-e", asked)[1] == "'repo'\n"
    assert run(with_file, "--setting", "ca_server=line", "-e", asked)[1] == "'line'\n"
    assert run(with_file, "--environment", "off", "-i", text=f"{asked}\n")[1].count("'own'") == 1
    (with_file / ".puppet-repl.toml").write_text("puppet_settings = {nix = 'repo'}\n")
    assert run(with_file, "-e", "1")[2] == "puppet-repl: --setting: Puppet has no setting 'nix'\n"
