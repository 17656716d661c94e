"""What is offered at the cursor, for each kind of place."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from puppet_repl.host.command_registry import COMMANDS
from puppet_repl.session import Options, Session
from puppet_repl.tools.completion.arguments import SOURCES
from puppet_repl.tools.editing import complete, signatures
from tests import recorded

FACTS = {"os": {"family": "Debian", "release": {"major": "12"}}, "kernel": "Linux"}
SETUP = """
$settings_of_mine = {'port' => 80, 'tls' => {'key' => '/k', "it's" => 1}}
$list = ['a', 'b']
class profile::web(Integer $port, String $docroot = '/srv') { $inner = 1 }
class { 'profile::web': port => 80 }
define vhost(String $owner) { }
function mine::double(Integer $x) >> Integer { $x * 2 }
type Mine::Port = Integer[1, 65535]
file { '/etc/motd': ensure => file }
file { '/etc/hosts': ensure => file }
"""


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session(facts=FACTS)
    outcome = made.execute(SETUP)
    assert outcome.error is None, str(outcome.error)
    return made


def offered(session: Session, text: str) -> list[str]:
    """Return the completions at ‸ (or at the end), as the texts that they make of the line."""
    before, _, after = text.partition("‸")
    found = complete(session, before + after, len(before))
    return [before[: found.start] + item.text for item in found.items]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("$sett", "$settings_of_mine"),
        ("$lis‸ + 1", "$list"),
        ("$settings::ca_s", "$settings::ca_server"),
        ('"${settings::confd', '"${settings::confdir'),
        ("$fac", "$facts"),
        ("notice($sett", "notice($settings_of_mine"),
        ('"a $sett', '"a $settings_of_mine'),
        ('"a ${sett', '"a ${settings_of_mine'),
        ("$settings_of_mine[", "$settings_of_mine['port'"),
        ("$settings_of_mine['t", "$settings_of_mine['tls"),
        ("$settings_of_mine['tls'][\"k", "$settings_of_mine['tls'][\"key"),
        ("$facts['os']['fam", "$facts['os']['family"),
        ("$facts['os']['release']['", "$facts['os']['release']['major"),
        ("\"${facts['o", "\"${facts['os"),
        ("upca", "upcase"),
        ("$list.joi", "$list.join"),
        ("mine::d", "mine::double"),
        ("Stri", "String"),
        ("Mine::P", "Mine::Port"),
        ("Integer[1].typ", "Integer[1].type"),
        ("packa", "package"),
        ("file { '/x': ens", "file { '/x': ensure"),
        ("file { '/x': ensure => dir", "file { '/x': ensure => directory"),
        ("file { '/x': ensure => 'dir", "file { '/x': ensure => 'directory"),
        ("service { 'a': enable => t", "service { 'a': enable => true"),
        ("File { mod", "File { mode"),
        ("File['/etc/motd'] { own", "File['/etc/motd'] { owner"),
        ("File['/etc/m", "File['/etc/motd"),
        ("File[", "File['/etc/motd'"),
        ("file { '/x': require => File['/etc/h", "file { '/x': require => File['/etc/hosts"),
        ("include prof", "include profile::web"),
        ("class a inherits pro", "class a inherits profile::web"),
        ("Class['prof", "Class['profile::web"),
        ("class { 'prof", "class { 'profile::web"),
        ("include('prof", "include('profile::web"),
        ("contain(['a', prof", "contain(['a', profile::web"),
        ("create_resources('vho", "create_resources('vhost"),
        ("create_resources('vhost', {'a' => {ow", "create_resources('vhost', {'a' => {'owner'"),
        ("ensure_resource('vhost', 'a', {'ow", "ensure_resource('vhost', 'a', {'owner"),
        ("defined('vho", "defined('vhost"),
        ("package { 'a': provider => pacm", "package { 'a': provider => pacman"),
        ("$vhost_a = 1\nvhost { '/t': }\nVhost['", "$vhost_a = 1\nvhost { '/t': }\nVhost['/t"),
        ("class { 'profile::web': po", "class { 'profile::web': port"),
        ("vhost { 'x': own", "vhost { 'x': owner"),
        ("$profile::web::in", "$profile::web::inner"),
        ("[1].map |$item| { $it", "[1].map |$item| { $item"),
        ("$local = 1\nnotice($loc", "$local = 1\nnotice($local"),
        (":he", ":help"),
        ("%va", "%vars"),
        (":set edit", ":set editing_mode"),
        (":set editing_mode v", ":set editing_mode vi"),
        (":help spl", ":help split"),
        ("$x = 1 / not", "$x = 1 / notice"),
        ("'@(' + not", "'@(' + notice"),
        ("$x =~ /a/ and not", "$x =~ /a/ and notice"),
        ("$x =~ /a\nnoti", "$x =~ /a\nnotice"),
        (":forget $lis", ":forget $list"),
        (":type $lis", ":type $list"),
        (":show $lis", ":show $list"),
        (":show ya", ":show yaml"),
        (":time --", ":time --repeat"),
        (":time --repeat $lis", ":time --repeat $list"),
        (":show json $lis", ":show json $list"),
        (":facts use deb", ":facts use debian-12"),
        (":facts use lo", ":facts use local"),
        (":facts debian-12 roc", ":facts debian-12 rocky-9"),
        (":facts os.fam", ":facts os.family"),
        (":facts debian-12 os.release.maj", ":facts debian-12 os.release.major"),
        (":node web01 pp_ro", ":node web01 pp_role="),
    ],
)
def test_first_completion(session: Session, text: str, first: str) -> None:
    assert first in offered(session, text)[:2]


@pytest.mark.parametrize(
    "text",
    [
        *("# $se", "'plain te", "/* no", "file { '/x': ensure => file, ensu", "$nothing_such"),
        *("$x = @(", "notice(@(Not", "$x = @(json/", '$x = @("no'),
        *("Class <| ", "Class <<| ti", "Class <| title == 'x' and "),
        *("$x =~ /", "$x =~ /ab no", "if $x =~ /a\\/(no", "case $x { /it's no"),
    ],
)
def test_nothing_is_offered(session: Session, text: str) -> None:
    assert offered(session, text) == []


def test_attributes_that_are_set_are_not_offered_again(session: Session) -> None:
    found = offered(session, "file { '/x': mode => '0644', ")
    assert "file { '/x': mode => '0644', owner" in found
    assert "file { '/x': mode => '0644', mode" not in found


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("File <| ow‸ |>", "File <| owner == "),
        ("File <<| ti‸", "File <<| title == "),
        ("File <| ow‸ == 'me' |>", "File <| owner"),
        ("File <| ow‸ner != 'me' |>", "File <| owner"),
        ("File <| (tag == a or ti‸) |>", "File <| (tag == a or title == "),
    ],
)
def test_queries_compare(session: Session, text: str, first: str) -> None:
    assert offered(session, text)[0] == first


@pytest.mark.parametrize("text", ["@", "@@", "class a {\n  @@", "File <| |> @@"])
def test_only_resources_can_be_virtual(session: Session, text: str) -> None:
    found = {each.removeprefix(text) for each in offered(session, text)}
    assert {"file", "vhost"} < found
    assert not found & {"class", "notice", "File", "mine::double", "Mine::Port", "profile::web"}


def test_fuzzy_matches_come_after_plain_ones(session: Session) -> None:
    found = offered(session, "cas")
    assert found.index("case") < found.index("camelcase")
    assert "reverse_each" in offered(session, "re_ea")


@pytest.mark.parametrize(
    ("text", "first", "others"),
    [
        ("Str", ["String", "Struct"], ["Ssh_authorized_key"]),
        ("str", ["strftime", "strip"], ["Struct"]),
        ("cas", ["case"], ["camelcase"]),
    ],
)
def test_only_what_begins_so_is_left_for_menus_that_sort(
    session: Session, text: str, first: list[str], others: list[str]
) -> None:
    found = session.complete(text, len(text))
    names = [item.text for item in found.beginning_with(text)]
    assert set(first) < {*names, ""}
    assert all(name.lower().startswith(text.lower()) for name in names)
    assert set(others) < {item.text for item in found.items} | {""}


def test_scattered_matches_are_left_where_nothing_begins_so(session: Session) -> None:
    found = session.complete("re_ea", 5)
    assert [item.text for item in found.beginning_with("re_ea")] == ["reverse_each"]
    assert found.beginning_with("re_ea") == found.items


def test_quotes_in_keys_are_escaped(session: Session) -> None:
    assert "$settings_of_mine['tls']['it\\'s" in offered(session, "$settings_of_mine['tls']['it")


def test_files(session: Session, tmp_path: object) -> None:
    from pathlib import Path

    directory = Path(str(tmp_path))
    (directory / "site.pp").write_text("1")
    (directory / "sub").mkdir()
    assert offered(session, f":load {directory}/si") == [f":load {directory}/site.pp"]
    assert offered(session, f":load {directory}/su") == [f":load {directory}/sub/"]
    assert offered(session, f":load {directory}/nowhere/") == []


def test_completion_evaluates_nothing() -> None:
    logs: list[str] = []
    session = Session(facts=FACTS, log=lambda level, text: logs.append(text))
    for text in ("notice('a').", "[notice('b')].ma", "$x = notice('c')\n$", "\"${notice('d')."):
        complete(session, text)
        session.inspect(text, len(text))
        signatures(session, text)
    assert logs == []
    assert session.inputs == []


@pytest.mark.parametrize(
    ("text", "name", "parameter", "current"),
    [
        ("split(", "split", 0, "String $str"),
        ("split('a', ", "split", 1, "String $pattern"),
        ("'a'.split(", "split", 1, "String $pattern"),
        ("notice(split('a,b', ','), upcase(", "upcase", 0, ""),
        ("mine::double(", "mine::double", 0, "Integer $x"),
    ],
)
def test_signatures(session: Session, text: str, name: str, parameter: int, current: str) -> None:
    found = signatures(session, text)
    assert found is not None
    assert (found.name, found.parameter) == (name, parameter)
    assert current in found.texts[0][parameter]


def test_commas_in_defaults_separate_no_parameters() -> None:
    session = Session(facts=FACTS)
    session.execute("function glue(Array $parts, String $by = ', ', String $last = ' (and) ') { }")
    found = signatures(session, "glue([1, 2], ")
    assert found is not None
    assert found.texts == [["Array $parts", "String $by = ', '", "String $last = ' (and) '"]]


@pytest.mark.parametrize("text", ["if (", "(1 + ", "class a(", "split('a', 'b')", "# split("])
def test_no_signatures(session: Session, text: str) -> None:
    assert signatures(session, text) is None


def test_every_prefix_of_every_case_is_survived(session: Session) -> None:
    for case in recorded.suite("parse")[::9]:
        code = case["code"]
        for cursor in range(0, min(len(code), 300), 3):
            complete(session, code, cursor)
            session.inspect(code, cursor)
            signatures(session, code[:cursor])


def test_long_texts_are_looked_at_from_near_the_cursor(session: Session) -> None:
    body = "file { '/a':\n  ensure => file,\n}\n\n\n" * 2000
    assert offered(session, body + "$lis")[0].endswith("$list")
    assert offered(session, body + "file { '/b': ens")[0].endswith("ensure")


@pytest.fixture
def with_modules(tmp_path: object) -> Session:
    from pathlib import Path

    from puppet_repl.language.runtime.options import Options

    module = Path(str(tmp_path)) / "ntp"
    for directory in ("manifests", "functions", "lib/puppet/type"):
        (module / directory).mkdir(parents=True)
    (module / "manifests" / "init.pp").write_text(
        "# Keeps the time.\n"
        "class ntp(Array[String] $servers, Boolean $panic = fail('evaluated')) { }\n"
    )
    (module / "manifests" / "server.pp").write_text("define ntp::server(String $address) { }\n")
    (module / "functions" / "pool.pp").write_text("function ntp::pool(Integer $size) { $size }\n")
    (module / "lib/puppet/type/ntp_key.rb").write_text(
        "Puppet::Type.newtype(:ntp_key) do\n  newparam(:name, :namevar => true)\n"
        "  newproperty(:secret)\nend\n"
    )
    return Session(Options(modulepath=(str(tmp_path),)), facts=FACTS)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("include nt", "include ntp"),
        ("class { 'ntp': ser", "class { 'ntp': servers"),
        ("ntp::server { 'x': addr", "ntp::server { 'x': address"),
        ("ntp::po", "ntp::pool"),
        ("ntp_k", "ntp_key"),
        ("ntp_key { 'x': sec", "ntp_key { 'x': secret"),
    ],
)
def test_modules_that_are_not_loaded(with_modules: Session, text: str, first: str) -> None:
    assert offered(with_modules, text)[0] == first
    assert with_modules.names.functions() == {}


def test_documentation_of_modules_that_are_not_loaded(with_modules: Session) -> None:
    found = with_modules.inspect("include ntp", 11)
    assert found is not None and found.text == "Keeps the time."
    assert found.signatures[0].startswith("class ntp(Array[String] $servers")


# Local variables: parameters of lambdas and definitions, found by the brackets around them


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[1].each |$item| { $it", "$item"),
        ("$h.each |$key, Array[Integer, 1, 2] $val| { $va", "$val"),
        ("function f(Hash[String, Integer] $options, $other) { $opt", "$options"),
        ("class c(Integer $port, $host) { $ho", "$host"),
        ("class c(Integer $port) { profile::web { 'x': port => ", "$port"),
        ("class c(Integer $port) { Vhost <| owner == ", "$port"),
    ],
)
def test_parameters_are_local_variables(session: Session, text: str, name: str) -> None:
    assert offered(session, text)[0].endswith(name)


# The words that the type of a compared variable names
TYPED = "class c(Optional[Enum['on', \"it's\"]] $mode, Boolean $tls = true, String $x) { "


QUOTED = r"'it\'s'"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("if $mode == '", ["on", "it\\'s"]),
        ("if $mode != ", ["'on'", QUOTED]),
        ("if $mode in ['on', ", [QUOTED]),
        ("case $mode { ", ["'on'", QUOTED, "default"]),
        ("case $mode { 'on': { notice(1) } \"", ["it's"]),
        ("case $mode { default: { } 'on', ", [QUOTED]),
        ("$y = $mode ? { ", ["'on'", QUOTED, "default"]),
        ("$y = $mode ? { 'on' => \"it's\", ", [QUOTED, "default"]),
        ("unless $tls == ", ["true", "false"]),
        ("unless $tls == t", ["true"]),
        ("$z.each |Enum['a', 'b'] $mode| { if $mode == '", ["a", "b"]),
        ("if $mode == '' and $tls == '", []),
        ("if $x == '", []),
        ("if $mode['a'] == '", []),
        ("$y = $mode ? { 'on' => '", []),
        ("case $mode { 'on': { '", []),
    ],
)
def test_words_that_a_variable_is_compared_with(
    session: Session, text: str, words: list[str]
) -> None:
    code = TYPED + text
    found = session.complete(code, len(code))
    given = code[found.start :]
    values = [each.text for each in found.items if each.kind == "value" or each.text == "default"]
    assert values[: len(words)] == words
    if not words:
        assert not values
    assert all(each.startswith(given) for each in values[: len(words)])


def test_arguments_of_calls_are_no_local_variables(session: Session) -> None:
    assert not any(text.endswith("$argument") for text in offered(session, "f($argument) $argu"))


def test_every_kind_of_argument_is_completed_by_something() -> None:
    elsewhere = {"directory", "expression", "fact", "file", "value"}
    elsewhere |= {"catalog", "machine"}
    kinds = {kind for command in COMMANDS for kind in command.completes if isinstance(kind, str)}
    assert kinds - elsewhere == set(SOURCES)


@pytest.mark.parametrize(
    ("text", "all_offered"),
    [
        (
            ":diff --",
            [f":diff --{each}" for each in ("ignore", "json", "mark", "only", "same", "tags")],
        ),
        (":diff a --t", [":diff a --tags"]),
        (":lookup key --m", [":lookup key --merge"]),
        (":set theme dark --", [":set theme dark --default", ":set theme dark --save"]),
    ],
)
def test_options_of_commands(session: Session, text: str, all_offered: list[str]) -> None:
    assert sorted(offered(session, text)) == all_offered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":node ", [":node db.lan"]),
        (":on d", [":on db.lan"]),
        (":resources Node", []),
        (":resources ", [":resources Notify['n']"]),
        ("notice(Node[", []),
        ("file { '/x': require => N", ["file { '/x': require => Notify['n']"]),
    ],
)
def test_node_blocks_of_patterns_have_no_name(text: str, expected: list[str]) -> None:
    session = Session(Options(node="web1"), facts={})
    code = "node /^web[0-9]/ { notify { 'n': } } node 'db.lan' { } node default { }"
    assert session.execute(code).error is None
    found = offered(session, text)
    assert set(expected) <= set(found)
    assert not any("__node" in item for item in found), found


def test_files_that_come_while_somebody_types(tmp_path: Path) -> None:
    manifests = tmp_path / "web" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class web($port = 80) { }\n")
    session = Session(Options(modulepath=(str(tmp_path),)), facts={})
    assert session.execute("include web").error is None
    assert offered(session, "include web::fr") == []
    (manifests / "fresh.pp").write_text("class web::fresh { }\n")
    end = time.monotonic() + 20
    while not offered(session, "include web::fr") and time.monotonic() < end:
        time.sleep(0.05)
    assert offered(session, "include web::fr") == ["include web::fresh"]


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("init", "class web", "class { 'web': ho"),
        ("vhost", "define web::vhost", "web::vhost { x: ho"),
    ],
)
def test_parameters_of_a_file_that_has_changed(
    tmp_path: Path, name: str, kind: str, text: str
) -> None:
    manifest = tmp_path / "web" / "manifests" / f"{name}.pp"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(f"{kind}($port = 80) {{ }}\n")
    session = Session(Options(modulepath=(str(tmp_path),)), facts={})
    used = "include web" if name == "init" else "web::vhost { a: }"
    assert session.execute(used).error is None
    assert offered(session, text) == []
    manifest.write_text(f"{kind}($port = 80, $host = 'a') {{ }}\n")
    assert offered(session, text) == [f"{text[:-2]}host"]
    manifest.write_text(f"{kind}($port = 80, $host = ) {{ }}\n")
    assert offered(session, text[:-2] + "po") == [f"{text[:-2]}port"]


def test_nodes_of_blocks_and_of_data(tmp_path: Path) -> None:
    for name, text in {
        "environment.conf": "",
        "manifests/site.pp": "node 'web01.example.com' { }\nnode default { }\n",
        "hiera.yaml": "version: 5\nhierarchy:\n  - name: node\n"
        "    path: nodes/%{trusted.certname}.yaml\n",
        "data/nodes/db01.example.com.yaml": "port: 1\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    session = Session(Options(environment=str(tmp_path)))
    session.run_site()
    names = [item.text for item in complete(session, ":node ", 6).items]
    assert names == ["db01.example.com", "web01.example.com"]
