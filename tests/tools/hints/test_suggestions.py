"""Hints for names: of keys, modules, facts, resource types and statements."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files

SETUP = """
$h = { 'b' => 1, 'upper' => 2, 'deep' => { 'role' => 'db' } }
class ntp($servers = []) { }
define web::vhost($port = 80) { }
"""
FACTS = {"os": {"family": "Debian"}, "kernel": "Linux"}
HINTS = [
    ('"${h.b}"', "keys of a hash are read as ${h['b']}"),
    ('"${h.deep.rolle}"', "keys of a hash are read as ${h['deep']}"),
    ('"${facts.os.family}"', "keys of a hash are read as ${facts['os']['family']}"),
    ("'a b'.split", "the value in front of the dot is the first of the arguments"),
    ("'a b'.split()", "the value in front of the dot is the first of the arguments"),
    ("','.join(['a'])", "the array comes first: ['a', 'b'].join(',')"),
    ("class db($port) { } include db", "class { 'db': port => ... } gives it one"),
    ("$h.b", "keys of a hash are read as $h['b']"),
    ("$h.upper", "keys of a hash are read as $h['upper']"),
    ("$h.deep.role", "keys of a hash are read as $h['deep']['role']"),
    ("$h['deep'].role", "keys of a hash are read as $h['deep']['role']"),
    ("$h['deep'].rolle", "did you mean $h['deep']['role']?"),
    ("$h[deep].role", "keys of a hash are read as $h[deep]['role']"),
    ("$facts[os].family", "keys of a hash are read as $facts[os]['family']"),
    ("{ a => 1 }.a", "keys of a hash are read as { a => 1 }['a']"),
    ("{ 'alpha' => 1, 2 => 3 }.alpa", "read as { 'alpha' => 1, 2 => 3 }['alpha']"),
    ("{ 'a' => 1,\n  'b' => { 'c' => 1 } }.b.c", "keys of a hash are read as $hash['b']"),
    ("nod 'x' { }", "did you mean node?"),
    ("nod x { }", "did you mean node?"),
    ("1\nclas web::x($a = 1) { }", "did you mean class?"),
    ("if true { } defne d() { }", "did you mean define?"),
    ("functon f($x) { $x }", "did you mean function?"),
    ("typ Small = Integer", "did you mean type?"),
    ("case 'x' { RedHat: { 1 } default: { 2 } }", "the string is 'RedHat'"),
    ("$facts['os']['family'] == RedHat", "the string is 'RedHat'"),
    ("$h.nope", "keys of a hash are read as $h['nope']"),
    ("[$h].each |$x| { $x.b }", "keys of a hash are read as $x['b']"),
    ("function f(String $s) { $s.upcse } f('a')", "did you mean upcase?"),
    ("['a'].map |$x| { $x.upcse }", "did you mean upcase?"),
    ("class up(Enum['a'] $s = 'a') { notice($s.upcse) } include up", "did you mean upcase?"),
    ("$facts.os.family", "keys of a hash are read as $facts['os']['family']"),
    ("incldue ntp", "did you mean include?"),
    ("incldue ntp, web", "did you mean include?"),
    ("notify 'x'", "notify is a resource type: notify { 'x': }; notice('x') writes to the log"),
    ("notify('x')", "notify is a resource type: notify { 'x': }; notice('x') writes to the log"),
    ("package('vim')", "package is a resource type: package { 'title': ... }"),
    ("web::vhost('x')", "web::vhost is a resource type: web::vhost { 'title': ... }"),
    ("ntp()", "ntp is a class: include ntp"),
    ("user::add('x')", "user::add would be of a module user, which is not on the module path"),
    ("user::add { 'x': }", "user::add would be of a module user, which is not on the module path"),
    ("User::Add", "User::Add would be of a module user, which is not on the module path"),
    ("web::vhots { 'x': }", "did you mean web::vhost?"),
    ("concat { '/x': }", "concat belongs to the module puppetlabs-concat"),
    ("vcsrepo { '/x': }", "vcsrepo belongs to the module puppetlabs-vcsrepo"),
    ("docker::run { 'x': }", "docker::run belongs to the module puppetlabs-docker"),
    ("range(1, 3)", "Puppet itself has Array(Integer[1, 10])"),
    ("Stdlib::Absolutepath", "Stdlib::Absolutepath belongs to the module puppetlabs-stdlib"),
    ("include npt", "did you mean ntp?"),
    (
        "include ngnix",
        "did you mean nginx? It belongs to the module puppet-nginx, which is not on",
    ),
    ("include mine", "mine would be of a module mine, which is not on the module path"),
    ("$settings::ca_servr", "did you mean $settings::ca_server?"),
    ("$::settings::confg", "did you mean $settings::config?"),
    (
        "$serverversion",
        "$serverversion is there where a server compiles: choose a node (:node, --node NAME)",
    ),
    ("$osfamily", "the fact osfamily of earlier versions is $facts['os']['family'] now"),
    ("$::ipaddress", "the fact ipaddress of earlier versions is $facts['networking']['ip'] now"),
    ("class { 'ntp': servrs => [] }", "did you mean servers?"),
    ("web::vhost { 'x': prt => 1 }", "did you mean port?"),
    ("eaxh([1])", "did you mean each?"),
    ("'1' < 2", "compared as a number by Integer($x)"),
    ("$h['b'] >= '10'", "compared as a number by Integer($x)"),
    ("maap([1])", "did you mean map?"),
    ("inline_epp('<%- | $port = 1 | -%>', { 'prt' => 2 })", "did you mean port?"),
]
# Calls with arguments, values that are no hashes, names that are variables or a value.
OTHERS = ["$h.b(1)", "'x'.b", "$h['b'].b", "$h.b |$x| { }", "$id", "$uuid", '"${true.foo}"']
# A parameter whose type has no keys.
OTHERS += [
    "function g(String $s) { $s.zzz } g('a')",
    "[1].each |Integer[0, 9] $i| { $i.zzz }",
]


# Nothing that is meant to be a keyword, or a key of a hash.
NO_HINTS = [
    *("{ 'a' => 1 }.zzz", "[1].map |$x| { { 'a' => $x } }.a", "Notice 'x' { }", "mode 'x'"),
    *("Zzzq['a']", "Array[Zzzq]", "with(1) |Zzzq $x| { }", "Zzzq { 'a': b => 1 }"),
]


@pytest.mark.parametrize("text", NO_HINTS)
def test_nothing_is_made_up(text: str) -> None:
    error = Session(facts={}).execute(text).error
    assert error is not None
    assert error.notes == ()


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session(facts=FACTS)
    assert made.execute(SETUP).error is None
    return made


@pytest.mark.parametrize(("text", "part"), HINTS)
def test_a_hint(session: Session, text: str, part: str) -> None:
    error = session.execute(text, record=False).error
    assert error is not None
    assert part in " ".join(error.notes)


@pytest.mark.parametrize("text", OTHERS)
def test_no_hint_about_keys_or_facts(session: Session, text: str) -> None:
    error = session.execute(text, record=False).error
    assert error is not None
    assert "keys of a hash" not in " ".join(error.notes)
    assert "of earlier versions" not in " ".join(error.notes)


@pytest.mark.parametrize(
    "text", ["undef < 1", "[] < 1", "1 < 2 < 3", "true >= 1.0", "SemVer('1.0.0') < 1", "'a' < {}"]
)
def test_values_that_are_no_numbers_are_compared_by_nothing(text: str) -> None:
    error = Session(facts={}).execute(text).error
    assert error is not None
    assert error.notes == ()


@pytest.mark.parametrize("text", ["test(1)", "foo(1)", "nope(1)", "bar()", "$baz"])
def test_short_names_that_are_only_alike_are_not_suggested(text: str) -> None:
    made = Session(facts={})
    made.execute("$base = 1")
    error = made.execute(text).error
    assert error is not None
    assert error.notes == ()


def test_a_function_of_the_user_is_called() -> None:
    made = Session(facts={})
    outcome = made.execute("function b($x) { 'called' }\n$h = { 'b' => 1 }\n$h.b")
    assert outcome.value == "called"


def test_what_stands_for_a_function_of_a_module_works() -> None:
    assert Session(facts={}).execute("Array(Integer[1, 3])").value == (1, 2, 3)


def test_a_module_that_is_left_out_is_not_missing(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "ngnix/metadata.json": '{"name": "me-ngnix", "version": "1.0.0"}',
            "ngnix/manifests/init.pp": "class ngnix {}\n",
        },
    )
    session = Session(Options(modulepath=(str(tmp_path),)))
    error = session.execute("include ngnix").error
    assert error is not None
    hint = "ngnix would be of a module ngnix, which Puppet leaves out because of its metadata.json"
    assert error.notes == (hint,)


DATA = {
    "hiera.yaml": (
        "version: 5\nhierarchy:\n"
        "  - {name: os, path: 'os/%{facts.os.family}.yaml'}\n  - {name: all, path: all.yaml}\n"
    ),
    "data/all.yaml": (
        "---\nweb::port: high\nweb::hosts: {a: x}\nweb::good: 1\n"
        "lookup_options:\n  web::hosts: {merge: hash}\n"
    ),
    "data/os/Debian.yaml": "---\nweb::hosts:\n  b: 2\n",
    "modules/web/manifests/init.pp": (
        "class web(Integer $port = 1, Hash[String, Integer] $hosts = {}, Integer $good = 2) { }"
    ),
}


@pytest.mark.parametrize(
    ("code", "notes"),
    [
        (
            "include web",
            (
                "the value of port is from data/all.yaml, line 2",
                "the value of hosts is from data/os/Debian.yaml, line 2 and data/all.yaml, line 3",
            ),
        ),
        ("class { 'web': hosts => {} }", ("the value is from data/all.yaml, line 2",)),
        (
            "class { 'web': hosts => {}, good => 'x' }",
            ("the value of port is from data/all.yaml, line 2",),
        ),
        ("class { 'web': hosts => {}, port => 'x' }", ()),
        ("class { 'web': hosts => {}, port => 1, good => undef }", None),
    ],
)
def test_files_of_wrong_data_are_named(
    tmp_path: Path, code: str, notes: tuple[str, ...] | None
) -> None:
    write_files(tmp_path, DATA)
    session = Session(Options(environment=str(tmp_path)), facts={"os": {"family": "Debian"}})
    error = session.execute(code).error
    assert notes == (None if error is None else error.notes)
    assert session.execute("1").value == 1
