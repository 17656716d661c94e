"""Hermetic sessions: what they read, and what they refuse alike whether it exists or not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.reach import REASON, OutOfReach, Reach
from puppet_repl.environment.modules.environment_conf import EnvironmentConf, read_environment_conf
from puppet_repl.environment.modules.layout import doubt_of, parts_of
from puppet_repl.environment.ruby.host import RubyHost
from puppet_repl.frontends.cli import main
from puppet_repl.frontends.cli.batch import answer_lines
from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.host.machines import Machine, session_for
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report
from tests.environment.ruby.engine import needs_ruby

SECRET = "words that nobody may read"
HIERA = """version: 5
hierarchy:
  - name: all
    path: common.yaml
"""
CHOOSING = """version: 5
hierarchy:
  - name: by path
    paths: ['%{facts.level}.yaml', common.yaml]
  - name: by pattern
    glob: '%{facts.pattern}*.yaml'
"""
READ_IN_RUBY = """Puppet::Functions.create_function(:'m::read') do
  dispatch :read do
    param 'String', :path
  end
  def read(path)
    File.read(path)
  end
end
"""


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a directory with files of every kind, none of which belongs to the environment."""
    directory = tmp_path / "outside"
    for name in ("manifests", "files", "lib/puppet/functions/away", "functions", "types"):
        (directory / name).mkdir(parents=True)
    (directory / "manifests/init.pp").write_text(f"class away {{ notice('{SECRET}') }}")
    (directory / "secret.pp").write_text(f"class m::secret {{ notice('{SECRET}') }}")
    (directory / "secret.yaml").write_text(f"k: {SECRET}\n")
    (directory / "secret.json").write_text(json.dumps({"k": SECRET}))
    (directory / "secret.txt").write_text(SECRET)
    (directory / "secret.epp").write_text(SECRET)
    (directory / "secret.rb").write_text(
        f"# {SECRET}\nPuppet::Type.newtype(:hidden) do\nnewparam(:name)\nend\n"
    )
    return directory


@pytest.fixture
def environment(tmp_path: Path, outside: Path) -> Path:
    """Return an environment with links out of it."""
    directory = tmp_path / "environments" / "production"
    module = directory / "modules" / "m"
    for name in ("files", "templates", "manifests", "functions", "types"):
        (module / name).mkdir(parents=True)
    for name in ("functions/m", "type"):
        (module / "lib/puppet" / name).mkdir(parents=True)
    (directory / "data").mkdir()
    (directory / ".git").mkdir()
    (directory / ".git/config").write_text(SECRET)
    (directory / "hiera.yaml").write_text(HIERA)
    (directory / "data/common.yaml").write_text("k: inside\n")
    (module / "files/a").write_text("a")
    (module / "templates/a.epp").write_text("<%= 1 + 1 %>")
    (module / "manifests/init.pp").write_text("class m { notice('m') }")
    (module / "lib/puppet/functions/m/read.rb").write_text(READ_IN_RUBY)
    for link, target in (
        ("files/link", "secret.txt"),
        ("files/away", "files"),
        ("templates/link.epp", "secret.epp"),
        ("manifests/secret.pp", "secret.pp"),
        ("lib/puppet/type/hidden.rb", "secret.rb"),
        ("metadata.json", "secret.json"),
    ):
        (module / link).symlink_to(outside / target)
    (directory / "modules/away").symlink_to(outside)
    (directory / "data/link.yaml").symlink_to(outside / "secret.yaml")
    return directory


def session_of(environment: Path, **options: object) -> Session:
    given = {"environment": str(environment), "hermetic": True, "stdlib": "9", **options}
    return Session(Options(**given))  # type: ignore[arg-type]


READABLE = (
    ("file('m/a')", "a"),
    ("find_file('m/a') =~ String", True),
    ("file(\"${module_directory('m')}/files/a\")", "a"),
    ("epp('m/a')", "2"),
    ("lookup('k')", "inside"),
    ("include m", None),
    ("$facts['os']['name']", "Debian"),
    ("$facts['path']", None),
    ("glob(\"${module_directory('m')}/files/?\").length", 1),
)


@pytest.mark.parametrize(("code", "value"), READABLE)
def test_files_of_the_environment_are_read(environment: Path, code: str, value: object) -> None:
    outcome = session_of(environment).execute(code)
    assert outcome.error is None, outcome.error
    assert value is None or outcome.value == value


REFUSED = (
    "file('{path}')",
    "binary_file('{path}')",
    "find_file('{path}')",
    "find_template('{path}')",
    "epp('{path}')",
    "template('{path}')",
    "loadyaml('{path}')",
    "loadjson('{path}')",
    "glob('{path}')",
    "glob('{path}/*')",
    "glob('{path}/**/*.txt')",
    "file('m/../../../../..{path}')",
    "file('/no/such/file', '{path}')",
)


@pytest.mark.parametrize("code", REFUSED)
@pytest.mark.parametrize("is_there", [True, False])
def test_other_files_are_refused_whether_they_exist_or_not(
    environment: Path, outside: Path, code: str, is_there: bool
) -> None:
    path = outside / ("secret.epp" if is_there else "none.epp")
    outcome = session_of(environment).execute(code.replace("{path}", str(path)))
    assert outcome.error is not None
    assert REASON in str(outcome.error)
    assert SECRET not in str(outcome.error)


LINKED = (
    "file('m/link')",
    "binary_file('m/link')",
    "find_file('m/away')",
    "epp('m/link')",
    "template('m/link.epp')",
    "include m::secret",
    "file(\"${module_directory('m')}/../../.git/config\")",
    "load_module_metadata('m')",
    "glob(\"${module_directory('m')}/files/*/*\")",
)


@pytest.mark.parametrize("code", LINKED)
def test_links_count_where_they_lead_to(environment: Path, code: str) -> None:
    outcome = session_of(environment).execute(code)
    assert REASON in str(outcome.error)
    assert SECRET not in str(outcome.error) + str(outcome.logs)


def test_a_module_behind_a_link_is_none(environment: Path, outside: Path) -> None:
    session = session_of(environment)
    outcome = session.execute("include away")
    assert "Could not find class ::away" in str(outcome.error)
    assert ("warning", f"{environment}/modules/away is {REASON}: it is not loaded as a module") in (
        outcome.logs
    )
    # The same link is fine where whoever starts the session names its target.
    session = session_of(environment, modulepath=(str(outside),))
    assert session.execute("include away").error is None


def test_links_that_lead_out_are_named_once(environment: Path, outside: Path) -> None:
    module = environment / "modules/bent"
    (module / "lib").mkdir(parents=True)
    for link, target in (
        ("manifests", outside / "manifests"),
        ("functions", outside / "none"),
        ("lib/puppet", outside / "lib/puppet"),
        ("types", module / "lib"),
        ("README", outside / "secret.txt"),
    ):
        (module / link).symlink_to(target)
    (environment / "lib").symlink_to(outside / "lib")
    session = session_of(environment)
    logs = session.execute("notice(1)").logs
    logs += session.execute("include m").logs
    warned = [text.removesuffix(f" is {REASON}: it is left out") for _, text in logs]
    inner = [text.removeprefix(f"{environment}/") for text in warned]
    bent = [text for text in inner if text.startswith(("lib", "modules/bent"))]
    wanted = ("README", "functions", "manifests", "lib/puppet")
    assert bent == [*(f"modules/bent/{name}" for name in wanted), "lib"]
    assert REASON in str(session.execute("include bent").error)


def test_links_are_named_in_each_directory_that_is_searched(
    environment: Path, outside: Path
) -> None:
    deep = environment / "modules/deep/lib/puppet"
    links = [environment / name for name in ("functions", "lib", "types")]
    for name in ("", "functions", "parser", "type"):
        (deep / name).mkdir(parents=True, exist_ok=True)
        links.append(deep / name / "x.rb")
    links.append(deep.parent / "x.rb")
    for link in links:
        link.symlink_to(outside / "none")
    logs = session_of(environment).execute("include m").logs
    told = {f"{link} is {REASON}: it is left out" for link in links}
    assert told <= {text for _, text in logs}


def test_what_is_outside_gives_no_hints(environment: Path, outside: Path) -> None:
    """Whether the target of a link exists is not told."""
    for name in ("there", "none"):
        directory = environment / name
        directory.mkdir()
        target = outside / ("manifests" if name == "there" else "none")
        for part in ("manifests", "modules", "hiera.yaml"):
            (directory / part).symlink_to(target)
    reach = Reach([str(environment)])
    there, none = (str(environment / name) for name in ("there", "none"))
    assert parts_of(there) == ["hiera.yaml", "modules", "manifests"]
    assert parts_of(there, reach) == parts_of(none, reach) == []
    doubts = [doubt_of(path, reach) for path in (there, none)]
    told = [str(doubt).partition(" is ")[2] for doubt in doubts]
    assert (
        told
        == ["not an environment: it has no manifests, modules, hiera.yaml or environment.conf"] * 2
    )
    assert doubt_of(str(outside), reach) is None


@pytest.mark.parametrize("is_there", [True, False])
def test_metadata_behind_a_link_are_refused(
    environment: Path, outside: Path, is_there: bool
) -> None:
    metadata = environment / "modules/m/metadata.json"
    metadata.unlink()
    metadata.symlink_to(outside / ("secret.json" if is_there else "none.json"))
    session = session_of(environment)
    assert REASON in str(session.execute("load_module_metadata('m', true)").error)
    assert session.execute("get_module_path('m')").value == f"{environment}/modules/m"


NOT_RUN = "a hermetic session does not run 'system', only the sandbox"


def test_a_ruby_of_this_machine_is_refused(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match=NOT_RUN):
        Options(hermetic=True, ruby="system")
    session = session_of(environment)
    host = Host(session=session)
    shown = plain(render_report(run(session, ":set ruby system", host)))
    assert NOT_RUN in shown
    assert session.options.ruby == "auto"
    run(session, ":set ruby off", host)
    assert session.options.ruby == "off"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    configuration = tmp_path / "puppet-repl/config.toml"
    configuration.parent.mkdir()
    configuration.write_text('ruby = "system"\nstrict = "off"\n')
    host = Host(session=session_of(environment))
    host.read_user_files()
    assert host.problems == [f"{configuration}: {NOT_RUN}"]
    assert (host.session.options.ruby, host.session.options.strict) == ("auto", "off")
    host = Host(session=session_of(environment, hermetic=False))
    host.read_user_files()
    assert (host.problems, host.session.options.ruby) == ([], "system")


ABSOLUTE = "a hermetic session takes absolute paths only"


def test_settings_do_not_tell_the_home_and_the_directory(environment: Path) -> None:
    with pytest.raises(ValueError, match=ABSOLUTE):
        Options(hermetic=True, puppet_settings={"vardir": "~/x"})
    found = session_of(environment, puppet_settings={"vardir": "/x", "binder_config": "$vardir/b"})
    assert found.execute("$settings::binder_config").value == "/x/b"
    requests = (
        {"hermetic": True, "puppet_settings": {"vardir": "x"}, "code": "1"},
        {"session": "a", "puppet_settings": {"vardir": "x"}, "code": "1"},
        {"session": "a", "hermetic": True, "mode": "catalog", "node": "n", "code": "1"},
    )
    answers = [json.loads(line) for line in answer_lines(map(json.dumps, requests))]
    message = f"'puppet_settings': {ABSOLUTE}, not 'x' as 'vardir'"
    refused = [answer.get("error", {}).get("message") for answer in answers]
    assert refused == [message, None, message]
    for setting, path in (
        ("config_version = ~/script", "~/script"),
        ("manifest = $diff", "diff"),
        ("modulepath = $codedir/modules:$diff", "diff"),
    ):
        (environment / "environment.conf").write_text(f"{setting}\n")
        outcome = session_of(environment).compile_site()
        assert f"{path} is {REASON}" in str(outcome.error)


def test_so_it_is_in_requests() -> None:
    requests = (
        {"hermetic": True, "ruby": "system", "code": "1"},
        {"session": "a", "hermetic": True, "code": "1"},
        {"session": "a", "ruby": "system", "mode": "catalog", "node": "n", "code": "1"},
        {"session": "b", "ruby": "system", "code": "1"},
        {"session": "b", "hermetic": True, "mode": "catalog", "node": "n", "code": "1"},
    )
    answers = [json.loads(line) for line in answer_lines(map(json.dumps, requests))]
    refused = [answer.get("error", {}).get("message") for answer in answers]
    message = f"'ruby': {NOT_RUN}"
    assert refused == [message, None, message, None, message]
    (answer,) = answer_lines(['{"ruby": "system", "code": "1"}'], hermetic=True)
    assert json.loads(answer)["error"]["message"] == message


def test_a_resource_type_behind_a_link_is_unknown(environment: Path) -> None:
    session = session_of(environment)
    assert "Unknown resource type: 'hidden'" in str(session.execute("hidden { x: }").error)
    session = session_of(environment, hermetic=False)
    assert session.execute("hidden { x: }").error is None


@pytest.mark.parametrize(
    "facts",
    [
        {"level": "link"},
        {"level": "../../../outside/secret"},
        {"level": "/no/such"},
        {"pattern": "l"},
        {"pattern": "/etc/"},
        {"pattern": "/no/such/"},
    ],
)
def test_data_are_read_within_the_environment(environment: Path, facts: dict[str, str]) -> None:
    (environment / "hiera.yaml").write_text(CHOOSING)
    options = Options(environment=str(environment), hermetic=True)
    outcome = Session(options, facts={"level": "a", "pattern": "a", **facts}).execute("lookup(k)")
    assert REASON in str(outcome.error)
    assert SECRET not in str(outcome.error)


def test_the_data_configuration_may_be_no_link(environment: Path, outside: Path) -> None:
    (environment / "hiera.yaml").unlink()
    (environment / "hiera.yaml").symlink_to(outside / "secret.yaml")
    outcome = session_of(environment).execute("lookup(k)")
    assert REASON in str(outcome.error)


def test_paths_of_environment_conf_are_left_out(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "modules/base/manifests").mkdir(parents=True)
    (tmp_path / "modules/base/manifests/init.pp").write_text("class base { }")
    (environment / "environment.conf").write_text(
        f"modulepath = modules:{tmp_path}:$basemodulepath\nmanifest = {tmp_path}/outside/secret.pp"
    )
    session = session_of(environment)
    outcome = session.execute("include base")
    assert outcome.error is None, outcome.error
    assert any(
        text.startswith(f"{tmp_path} in the modulepath of {environment}/environment.conf is")
        for _, text in outcome.logs
    )
    site = session.run_site()
    assert site is not None
    assert REASON in str(site.error)


def test_patterns_of_environment_conf_list_nothing_outside(
    environment: Path, outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(outside))
    patterns = (
        f"{outside}/*",
        f"{tmp_path}/none/*",
        "modules/m/../../../../outside/*",
        "modules/[m]/../../../../outside/s*",
        "~/*",
        "~/files",
        "~root/x",
        "~nobody.here/x",
    )
    conf = environment / "environment.conf"
    conf.write_text(f"modulepath = {':'.join(patterns)}:module*")
    session = session_of(environment)
    outcome = session.execute("include m")
    assert outcome.error is None, outcome.error
    told = [text for _, text in outcome.logs if REASON in text and str(conf) in text]
    assert told == [
        f"{each} in the modulepath of {conf} is {REASON}: it is left out" for each in patterns
    ]
    assert "secret" not in " ".join(told)
    assert conf_of(environment).modulepath == (f"{environment}/modules",)
    assert len(read_environment_conf(str(environment)).modulepath) > len(patterns)
    conf.write_text("modulepath = {mode=1}m" + "{a,b}" * 14 + "*")
    with pytest.raises(PuppetError, match="stands for more than"):
        conf_of(environment)
    conf.write_text("manifest = ~/secret.pp")
    with pytest.raises(PuppetError, match=r"^~/secret\.pp is outside"):
        conf_of(environment)


def conf_of(environment: Path) -> EnvironmentConf:
    return read_environment_conf(str(environment), reach=Reach([str(environment)]))


def test_manifests_behind_links_are_refused(environment: Path, outside: Path) -> None:
    (environment / "manifests").mkdir()
    (environment / "manifests/site.pp").symlink_to(outside / "secret.txt")
    site = session_of(environment).run_site()
    assert site is not None
    assert REASON in str(site.error)
    assert SECRET not in str(site.error)


def test_modules_beside_the_environments_may_not_lead_away(
    environment: Path, outside: Path, tmp_path: Path
) -> None:
    (outside / "base/manifests").mkdir(parents=True)
    (outside / "base/manifests/init.pp").write_text("class base { }")
    base = tmp_path / "modules"
    base.symlink_to(outside)
    # Within the directory that contains the environments a link is fine, out of it is not.
    assert session_of(environment).execute("include base").error is None
    base.unlink()
    base.symlink_to("/etc")
    outcome = session_of(environment).execute("file('/etc/hostname')")
    assert REASON in str(outcome.error)


def test_nothing_of_this_process_is_seen(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STDLIB_LOG_DEPRECATIONS", "false")
    session = session_of(environment, strict="warning", allow_generate=True)
    outcome = session.execute("deprecation('a', 'b', false)")
    assert [text[:4] for _, text in outcome.logs][-1:] == ["b at"]
    outcome = session.execute("generate('/bin/echo', 'x')")
    assert "a hermetic one runs no programs" in str(outcome.error)
    outcome = session.execute("validate_cmd('a', '/bin/false')")
    assert outcome.error is None
    assert "texts are not validated" in outcome.logs[-1][1]
    outcome = session.execute("file('/proc/self/environ')")
    assert REASON in str(outcome.error)


def test_facts_are_those_of_a_set() -> None:
    session = Session(Options(hermetic=True))
    name = "$facts['networking']['fqdn']"
    assert session.execute(name).value == "debian12.example.com"
    assert Session(Options(hermetic=True), facts={"a": 1}).execute("$facts").value.get("a") == 1


@needs_ruby
def test_the_sandbox_sees_no_more(
    environment: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    session = session_of(environment, ruby="sandbox")
    try:
        inside = f"{environment}/modules/m/files/a"
        assert session.execute(f"m::read('{inside}')").value == "a"
        for path in (outside / "secret.txt", environment / "modules/m/files/link"):
            assert "Permission denied" in str(session.execute(f"m::read('{path}')").error)
        away = environment / "modules/away/files"
        assert "Permission denied" in str(session.execute(f"m::read('{away}')").error)
        variables = session.execute("inline_template('<%= ENV.keys.sort.join(\" \") %>')").value
        assert "TZ" not in str(variables).split()
    finally:
        session.close()


def test_the_ruby_of_the_system_is_refused(environment: Path) -> None:
    session = session_of(environment)
    session.options.ruby = "system"  # past all that checks it
    outcome = session.execute("inline_template('<%= 1 %>')")
    assert "a hermetic session does not run" in str(outcome.error)


COMMANDS = (
    ":load {path}/secret.pp",
    ":save {path}/new.pp",
    ":save! {path}/secret.pp",
    ":facts use {path}/secret.yaml",
    ":environment {path}",
    ":modulepath {path}",
    ":diff {path}/secret.json",
    ":on {path}/secret.yaml 1",
    ":on {path} 1",
    ":lookup k {path}/secret.yaml",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_reach_no_further_than_code(
    environment: Path, outside: Path, command: str
) -> None:
    session = session_of(environment)
    session.execute("1")
    before = sorted(outside.rglob("*"))
    report = run(session, command.replace("{path}", str(outside)), Host(session=session))
    shown = plain(render_report(report, 200))
    assert "hermetic" in shown
    assert SECRET not in shown
    assert sorted(outside.rglob("*")) == before


ALIKE = (
    ":modulepath {path}",
    ":modulepath {inside}:{path}",
    ":environment {path}",
    ":on {path} 1",
    ":on {path}/* 1",
    ":on {path}.yaml 1",
    ":on ~/{name} 1",
    ":on ~/{name}.yaml 1",
    ":on {name} 1",
    ":on {name}.yaml 1",
    ":on {inside}/*/../../{name}/* 1",
    ":on -- {inside}/*/../../../outside/{name}*/*.pp -- 1",
    ":diff {path}",
    ":diff {path}.json",
    ":diff {name}.json",
    ":diff ~/{name}.json",
    ":lookup k {path}",
    ":lookup k {path}.yaml",
    ":lookup k {path}/*",
    ":load {path}.pp",
    ":load ~/{name}.pp",
    ":save {path}.pp",
    ":facts use {path}.yaml",
)


@pytest.mark.parametrize("command", ALIKE)
def test_commands_do_not_tell_what_exists(
    environment: Path, outside: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (outside / "secret").mkdir()
    (outside / "secret/environment.conf").write_text("")
    (outside / "secret/init.pp").write_text("")
    monkeypatch.setenv("HOME", str(outside))
    monkeypatch.chdir(outside)
    session = session_of(environment)
    session.execute("1")
    said = []
    for name in ("secret", "absent"):
        given = command.replace("{path}", f"{outside}/{name}").replace("{name}", name)
        given = given.replace("{inside}", f"{environment}/modules")
        report = run(session, given, Host(session=session))
        said.append(plain(render_report(report, 400)).replace(name, "NAME"))
    assert said[0] == said[1]
    assert "init.pp" not in said[0]
    if "~" in command:
        assert str(outside) not in said[0]


@pytest.mark.parametrize("command", [":load {path}/x.pp", ":on {path}/x 1", ":diff {path}/x"])
def test_commands_do_not_tell_who_has_a_home(
    environment: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(environment)
    session = session_of(environment)
    session.execute("1")
    for name in ("~root", "~nobody.here"):
        report = run(session, command.replace("{path}", name), Host(session=session))
        shown = plain(render_report(report, 400))
        assert name in shown
        assert REASON in shown


def test_patterns_name_machines_within(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (environment / f"data/{name}.facts.yaml").write_text(f"name: {name}\n")
    session = session_of(environment)
    report = run(
        session, f":on {environment}/data/*.facts.yaml $facts['name']", Host(session=session)
    )
    shown = plain(render_report(report, 200))
    assert "'a'" in shown
    assert "'b'" in shown
    # Code that looks like a path to somewhere else is still code.
    monkeypatch.chdir("/")
    report = run(session, ":on debian-12 file('/etc/nope')", Host(session=session))
    assert "/etc/nope is outside" in plain(render_report(report, 400))


def test_libraries_of_ruby_are_files_of_modules(environment: Path, outside: Path) -> None:
    (environment / "modules/m/metadata.json").unlink()
    (environment / "modules/m/lib/inner.rb").write_text("")
    (environment / "modules/m/lib/outer.rb").symlink_to(outside / "secret.rb")
    names = ("inner.rb", "outer.rb", "x/../../../../../../outside/secret.rb")
    (environment / "modules/m/lib/x").mkdir()
    for is_hermetic in (True, False):
        host = RubyHost(session_of(environment, hermetic=is_hermetic)._context)
        assert [host.library_file(name) is not None for name in names] == [
            True,
            *[not is_hermetic] * 2,
        ]


def test_commands_work_within(environment: Path) -> None:
    session = session_of(environment)
    host = Host(session=session)
    session.execute("$a = 1")
    for command in (
        f":save {environment}/s.pp",
        f":load {environment}/s.pp",
        f":modulepath {environment}/modules",
        f":environment {environment}",
    ):
        shown = plain(render_report(run(session, command, host), 200))
        assert "hermetic" not in shown, shown
    assert session.execute("lookup(k)").value == "inside"


def test_settings_are_not_saved(environment: Path) -> None:
    session = session_of(environment)
    report = run(session, ":set theme monokai --save", Host(session=session))
    assert "saves no settings" in plain(render_report(report, 80))


def test_another_machine_reaches_no_further(environment: Path, tmp_path: Path) -> None:
    session = session_of(environment)
    inner = environment / "modules"
    made, _ = session_for(Machine("x", environment=str(inner)), session)
    assert made.reach is session.reach
    assert made.options.hermetic
    made, _ = session_for(Machine("x", node="web01"), session)
    assert made.reach is session.reach


def test_completion_lists_nothing_outside(environment: Path, outside: Path) -> None:
    session = session_of(environment)
    for text in (f":load {outside}/", f":facts use {outside}/", f":on {outside}/"):
        assert session.complete(text, len(text)).items == []
    text = f":load {environment}/"
    assert "hiera.yaml" in [item.text for item in session.complete(text, len(text)).items]


@pytest.mark.parametrize("is_hermetic", [True, False])
def test_names_in_files_outside_are_not_offered(
    environment: Path, outside: Path, *, is_hermetic: bool
) -> None:
    (outside / "data_type.rb").write_text("Puppet::DataTypes.create_type('M::Thing_OF_ruby')")
    (outside / "alias.pp").write_text("type M::Other_OF_puppet = String")
    module = environment / "modules/m"
    (module / "metadata.json").unlink()
    (module / "lib/puppet/datatypes/m").mkdir(parents=True)
    (module / "lib/puppet/datatypes/m/thing_of_ruby.rb").symlink_to(outside / "data_type.rb")
    (module / "types/other_of_puppet.pp").symlink_to(outside / "alias.pp")
    session = session_of(environment, hermetic=is_hermetic)
    session.execute("1")
    found = {item.text for item in session.complete("M::", 3).items}
    assert found >= (
        {"M::Thing_of_ruby", "M::Other_of_puppet"}
        if is_hermetic
        else {"M::Thing_OF_ruby", "M::Other_OF_puppet"}
    )


def test_batch_makes_every_session_hermetic(outside: Path) -> None:
    requests = [
        {"code": f"file('{outside}/secret.txt')"},
        {"code": f"file('{outside}/secret.txt')", "hermetic": True},
        {"code": f"file('{outside}/secret.txt')", "hermetic": False},
        {"code": "1", "hermetic": 1},
    ]
    lines = [json.dumps(request) for request in requests]
    own = [json.loads(line) for line in answer_lines(lines)]
    assert [answer.get("str") == SECRET for answer in own] == [True, False, True, False]
    assert REASON in own[1]["error"]["message"]
    assert own[3]["error"]["message"] == "'hermetic' has to be true or false"
    forced = [json.loads(line) for line in answer_lines(lines[:3], hermetic=True)]
    assert all(REASON in answer["error"]["message"] for answer in forced)


def test_who_writes_the_keys_of_a_request_decides_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "modules/strange/files/secret.txt"
    path.parent.mkdir(parents=True)
    path.write_text(SECRET)
    request = {"code": "file('strange/secret.txt')", "modulepath": [str(tmp_path / "modules")]}
    (line,) = answer_lines([json.dumps(request)], hermetic=True)
    assert json.loads(line)["str"] == SECRET


def test_reach_of_odd_paths(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "ab").mkdir()
    reach = Reach([str(tmp_path / "a")], [str(tmp_path / "ab/one")])
    assert reach.allows(f"{tmp_path}/a")
    assert reach.allows(f"{tmp_path}/a/b/../c")
    assert reach.allows(f"{tmp_path}/ab/one")
    assert not reach.allows(f"{tmp_path}/ab")
    assert not reach.allows(f"{tmp_path}/a/../ab/two")
    assert not reach.allows(f"{tmp_path}/a/.git/config")
    assert reach.allows(f"{tmp_path}/a/.gitignore")
    for name in (".GIT", ".Git", ".gIt"):  # what file systems that ignore case have
        assert not reach.allows(f"{tmp_path}/a/{name}/config")
        assert not reach.allows(f"{tmp_path}/a/b/{name}")
    for other in (".hidden", "GIT~1", ".g\u200cit"):  # other names that file systems have for it
        assert reach.allows(f"{tmp_path}/a/{other}/config")
        (tmp_path / "a" / other).mkdir(parents=True)
        (tmp_path / "a/.git").symlink_to(tmp_path / "a" / other)
        assert not reach.allows(f"{tmp_path}/a/{other}/config")
        assert not reach.allows(f"{tmp_path}/a/{other}")
        (tmp_path / "a/.git").unlink()
    assert not reach.allows("a\0b")
    # Whether such a path can be opened would tell whether the other places exist.
    assert reach.allows(f"{tmp_path}/../{tmp_path.name}/a/b")
    for way in ("/etc/..", "/no/such/../..", "/usr/bin/../.."):
        assert not reach.allows(f"{way}{tmp_path}/a/b")
    for name in ("other/..", "ab/one/../..", "ab/two/../..", "a/.git/x/../../.."):
        assert reach.allows(f"{tmp_path}/{name}/a/b") == (name == "ab/one/../..")
    (tmp_path / "ab/back").symlink_to(tmp_path / "a")
    (tmp_path / "a/out").symlink_to(tmp_path / "ab/back")
    assert not reach.allows(f"{tmp_path}/a/out/b")
    assert Reach([f"{tmp_path}/a", f"{tmp_path}/ab/back"]).allows(f"{tmp_path}/a/out/b")
    assert Reach(["/"]).allows("/etc/hostname")
    with pytest.raises(OutOfReach) as caught:
        reach.check("/etc/hostname")
    assert caught.value.strerror == REASON
    assert os.fspath(caught.value.filename) == "/etc/hostname"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--allow-generate",), "--allow-generate: a hermetic session runs no programs"),
        (("--ruby", "system"), "--ruby: a hermetic session does not run 'system'"),
        (("--ruby", "/usr/bin/ruby"), "--ruby: a hermetic session does not run '/usr/bin/ruby'"),
        (("--setting", "vardir=~/x"), f"--setting: {ABSOLUTE}, not '~/x' as 'vardir'"),
        (("--setting", "vardir="), f"--setting: {ABSOLUTE}, not '' as 'vardir'"),
        (
            ("--setting", "basemodulepath=/a:b"),
            f"--setting: {ABSOLUTE}, not 'b' as 'basemodulepath'",
        ),
        (
            ("--setting", "diff=~", "--setting", "logdir=$diff/x"),
            f"--setting: {ABSOLUTE}, not '~/x' as 'logdir'",
        ),
    ],
)
def test_options_that_it_cannot_obey(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--hermetic", *arguments, "-e", "1"]) == 2
    assert complaint in capsys.readouterr().err


def test_subcommands_have_the_option(
    environment: Path, outside: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = f"file('{outside}/secret.txt')"
    document = tmp_path / "examples.md"
    document.write_text(f"```puppet\n{secret}  # => '{SECRET}'\n```\n")
    site = tmp_path / "site.pp"
    site.write_text(f"notice({secret})")
    assert main(["doctest", str(document)]) == 0
    assert main(["compile", "--format", "tree", str(site)]) == 0
    capsys.readouterr()
    for arguments in (["doctest", str(document)], ["compile", str(site)]):
        name, *rest = arguments
        assert main([name, "--hermetic", *rest]) == 1
        shown = "".join(capsys.readouterr())
        assert REASON in shown
    assert main(["lookup", "--hermetic", "--environment", str(environment), "k"]) == 0
    shown = capsys.readouterr()
    assert "inside" in shown.out
    assert "the bundled set debian-12" in shown.err
