"""Facts: bundled sets, files, changes, and the variables made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.environment.facts import facts
from puppet_repl.environment.facts.legacy_facts import legacy_facts
from puppet_repl.environment.facts.local_facts import collect
from puppet_repl.environment.facts.module_facts import with_module_facts
from puppet_repl.language.types.text.format import program_text
from puppet_repl.session import Options, Session
from puppet_repl.session.top_scope import LOCAL_FACTS


@pytest.mark.parametrize(
    ("name", "family", "major"),
    [
        ("debian-12", "Debian", "12"),
        ("ubuntu-24.04", "Debian", "24.04"),
        ("rocky-9", "RedHat", "9"),
        ("fedora", "RedHat", "40"),
        ("windows-2022", "windows", "2022"),
        ("macos", "Darwin", "23"),
    ],
)
def test_bundled_sets(name: str, family: str, major: str) -> None:
    found = facts.load_facts(name)
    assert found["os"]["family"] == family
    assert found["os"]["release"]["major"] == major
    assert found["networking"]["fqdn"] == Options().certname(found)
    assert {"kernel", "memory", "processors", "identity", "timezone", "is_virtual"} <= set(found)
    assert name in facts.factset_names()


def test_facts_of_this_machine() -> None:
    found = collect()
    assert found["processors"]["count"] >= 1
    assert found["memory"]["system"]["total_bytes"] > 0
    assert found["networking"]["hostname"]
    assert found["os"]["name"]
    json.dumps(found)
    assert set(found) <= LOCAL_FACTS


def test_other_names_do_not_collect_facts() -> None:
    session = Session()
    assert session.execute("$a = 1  notice($a, defined('$b'), $title, $environment)").error is None
    assert session._context.facts is None
    assert session.execute("notice($kernel)").error is None
    assert session._context.facts is not None


# What the providers of Puppet 8.11 say with `defaultfor` about these systems, and Ruby about root.
MODULE_FACTS = {
    "debian-12": ("systemd", "apt", "/root", True),
    "ubuntu-24.04": ("systemd", "apt", "/root", True),
    "rocky-9": ("systemd", "dnf", "/root", True),
    "fedora": ("systemd", "dnf", "/root", True),
    "macos": ("launchd", "pkgdmg", "/var/root", None),
    "windows-2022": ("windows", "windows", None, None),
}


@pytest.mark.parametrize("name", MODULE_FACTS)
def test_facts_of_stdlib_and_systemd_are_in_the_bundled_sets(name: str) -> None:
    found = facts.load_facts(name)
    names = ("service_provider", "package_provider", "root_home", "systemd")
    assert tuple(found.get(each) for each in names) == MODULE_FACTS[name]
    assert found["is_pe"] is False


def test_facts_of_modules_replace_none_and_guess_none() -> None:
    old = {"os": {"family": "RedHat", "release": {"major": "7"}}, "kernel": "Linux"}
    assert with_module_facts(old)["package_provider"] == "yum"
    assert with_module_facts({**old, "service_provider": "init"})["service_provider"] == "init"
    assert "service_provider" not in with_module_facts({"os": {"family": "Plan9"}})
    assert "systemd" not in with_module_facts({})


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("f.json", '{"os": {"family": "Suse"}}'),
        ("f.yaml", "os:\n  family: Suse\n"),
        ("f.txt", "os:\n  family: Suse\n"),
        ("flow.yaml", "{os: {family: Suse}}"),
    ],
)
def test_files_of_facts(tmp_path: Path, file: str, text: str) -> None:
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    assert facts.load_facts(str(path)) == {"os": {"family": "Suse"}}


@pytest.mark.parametrize(
    ("file", "text", "value"),
    [
        (
            "f.json",
            "[9223372036854775808, -18446744073709551617]",
            "[9223372036854775808, -18446744073709551617]",
        ),
        ("f.yaml", "[9223372036854775808, 0xffffffffffffffffff]", f"[{2**63}, {2**72 - 1}]"),
        ("f.json", "[1e999, -1e999]", "[Infinity, -Infinity]"),
        ("f.yaml", "[.inf, -.inf, .nan]", "[Infinity, -Infinity, NaN]"),
        ("f.yaml", "[NaN, Infinity]", "['NaN', 'Infinity']"),
        (
            "f.yaml",
            "{true: 1, 1: 2, 1.0: 3, false: 4, 0: 5, ~: 6}",
            "{'true' => 1, '1' => 2, '1.0' => 3, 'false' => 4, '0' => 5, '' => 6}",
        ),
    ],
    ids=["JSON integers", "YAML integers", "JSON floats", "YAML floats", "words", "keys"],
)
def test_numbers_and_keys_of_files(tmp_path: Path, file: str, text: str, value: str) -> None:
    path = tmp_path / file
    path.write_text(f'{{"a": {text}}}', encoding="utf-8")
    outcome = Session(facts=facts.load_facts(str(path))).execute("$facts['a']")
    assert (outcome.error, program_text(outcome.value)) == (None, value)


CACHED = """\
--- !ruby/object:Puppet::Node::Facts
name: db07.lan
values:
  os:
    family: Suse
  changed: 2024-01-02
timestamp: 2024-01-02 10:00:00.000 +00:00
expiration: 2024-01-03
"""


@pytest.mark.parametrize(
    "text", [CACHED, '{"name": "db07.lan", "values": {"os": {"family": "Suse"}}, "timestamp": ""}']
)
def test_facts_that_puppet_stores_name_their_node(tmp_path: Path, text: str) -> None:
    path = tmp_path / "stored"
    path.write_text(text, encoding="utf-8")
    found = facts.load_facts(str(path))
    assert (found["os"], found["clientcert"]) == ({"family": "Suse"}, "db07.lan")
    assert Session(facts=found).execute("$trusted['hostname']").value == "db07"


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        (
            "f.json",
            "{",
            "not JSON: Expecting property name enclosed in double quotes (line: 1, column: 2)",
        ),
        ("f.json", '{"a": NaN}', "not JSON: NaN is not JSON (line: 1, column: 7)"),
        ("f.json", '{"a":\n-Infinity}', "not JSON: -Infinity is not JSON (line: 2, column: 1)"),
        ("f.json", '{"a": 1,\n "b": }', "not JSON: Expecting value (line: 2, column: 7)"),
        (
            "f.yaml",
            "a: 1\nü: x\1y",
            "not YAML: control characters are not allowed at line 2 column 5",
        ),
        ("f", "abcd\0: 1", "not YAML: control characters are not allowed at line 1 column 5"),
        ("f", '{"a": 1\n "b": "c"', "not JSON: Expecting ',' delimiter (line: 2, column: 2)"),
        (
            "f.yaml",
            "a: 1\nb: [1",
            "not YAML: did not find expected ',' or ']' while parsing a flow sequence "
            "at line 2 column 4",
        ),
        (
            "f.yaml",
            "# facts\n\n- 1",
            "facts are a mapping from names to values, this is a list (line: 3)",
        ),
        ("f.txt", "hello", "facts are a mapping from names to values, this is a text (line: 1)"),
        (
            "f.json",
            "12",
            "facts are a mapping from names to values, this is a single value (line: 1)",
        ),
        ("f.yaml", "", "there are no facts in it"),
        ("f.yaml", "a: 1\nb: \udcff", "not UTF-8 text (line: 2)"),
    ],
)
def test_unusable_files(tmp_path: Path, file: str, text: str, reason: str) -> None:
    path = tmp_path / file
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(facts.FactsError) as raised:
        facts.load_facts(str(path))
    assert str(raised.value) == f"{path}: {reason}"


def test_layers_of_facts(tmp_path: Path) -> None:
    one, two = tmp_path / "one.yaml", tmp_path / "two.json"
    one.write_text("os: {family: Suse, name: SLES}\nrole: web")
    two.write_text('{"os": {"family": "Arch"}}')
    assert facts.layered_facts([]) is None
    found = facts.layered_facts([str(one), str(two)])
    assert found == {"os": {"family": "Arch"}, "role": "web"}
    assert facts.layered_facts(["rocky-9", str(two)]) == {
        **facts.bundled_facts("rocky-9"),
        "os": {"family": "Arch"},
    }
    assert facts.layered_facts([str(one), "rocky-9"]) == facts.bundled_facts("rocky-9")


def test_a_layer_above_a_sample_may_name_the_node(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("networking: {fqdn: db.lan}")
    found = facts.layered_facts(["debian-12", str(path)])
    assert Session(facts=found).execute("$trusted['certname']").value == "db.lan"
    found = facts.layered_facts(["debian-12"])
    assert Session(facts=found).execute("$trusted['certname']").value == "debian12.example.com"


def test_missing_file_names_the_bundled_sets() -> None:
    with pytest.raises(facts.FactsError, match="debian-12"):
        facts.load_facts("nosuch")


def test_override() -> None:
    found = {"os": {"family": "Debian", "name": "Debian"}}
    changed = facts.override(found, "os.family=RedHat")
    assert changed == {"os": {"family": "RedHat", "name": "Debian"}}
    assert found["os"]["family"] == "Debian"
    assert facts.override({}, 'a.b={"c": 1}') == {"a": {"b": {"c": 1}}}
    assert facts.override({"a": 1}, "a.b=true") == {"a": {"b": True}}
    with pytest.raises(facts.FactsError):
        facts.override({}, "nothing")


def test_variables_of_the_top_scope() -> None:
    session = Session(
        Options(node="web.example.com"), facts={"role": "web", "n": {"u": None}, "kernel": "Linux"}
    )
    outcome = session.execute(
        "notice($role, $facts['role'], $kernel, $n['u'], $trusted['certname'], $environment,"
        " $trusted['domain'], $server_facts['environment'], $title)"
    )
    assert outcome.error is None, outcome.error
    assert outcome.logs == [
        ("notice", "web web Linux  web.example.com production example.com production main")
    ]
    refused = session.execute("$facts = {}")
    assert refused.error is not None
    assert "reserved variable name: '$facts'" in refused.error.message


def test_what_the_user_gives_wins_over_the_name_of_the_node() -> None:
    found = facts.override(facts.bundled_facts("debian-12"), "networking.fqdn=proxy.lan")
    session = Session(Options(node="Web01.Example.com"), facts=found)
    code = "[$facts['networking']['fqdn'], $facts['networking']['hostname'], $clientcert]"
    assert session.execute(code).value == ("proxy.lan", "web01", "web01.example.com")


def test_facts_of_this_machine_take_on_the_name_of_the_node() -> None:
    session = Session(Options(node="web01.example.com"))
    code = "[$facts['networking']['domain'], $facts['clientcert'], $clientcert]"
    name = "web01.example.com"
    assert session.execute(code).value == ("example.com", name, name)


def test_facts_that_a_session_is_given_keep_their_names() -> None:
    session = Session(Options(node="web01"), facts={"networking": {"fqdn": "db.lan"}})
    outcome = session.execute("[$facts['networking'], $facts['clientcert']]")
    assert session.describe(outcome.value)["value"] == "[{'fqdn' => 'db.lan'}, 'web01']"


def test_extensions_of_the_certificate() -> None:
    session = Session(Options(node="web01", trusted={"pp_role": "web"}), facts={})
    assert session.execute("$trusted['extensions']['pp_role']").value == "web"


# Legacy facts


def test_legacy_facts_are_those_of_facter() -> None:
    """Facter 4.3 has printed both on Debian 12: facter --json, facter --show-legacy --json."""
    recorded = json.loads(Path(__file__).with_name("legacy_facts.json").read_text("utf-8"))
    assert legacy_facts(recorded["facts"]) == recorded["legacy"]


def test_legacy_facts_of_devices() -> None:
    interfaces = {"eth0.100": {"ip": "10.0.0.1"}, "Local Area": {"mtu": 1500}}
    found = {"networking": {"interfaces": interfaces}, "disks": {}, "memory": "odd"}
    found["ssh"] = {"rsa": {"key": "AAA", "fingerprints": {"sha1": "S 1", "sha256": "S 2"}}}
    assert legacy_facts(found) == {
        "interfaces": "Local_Area,eth0_100",
        "ipaddress_eth0_100": "10.0.0.1",
        "mtu_Local_Area": 1500,
        "sshrsakey": "AAA",
        "sshfp_rsa": "S 1\nS 2",
    }


def test_the_setting_of_puppet_adds_legacy_facts() -> None:
    asked = "[$osfamily, $facts['fqdn'], $facts['operatingsystem']]"
    given = {"os": {"family": "Odd", "name": "Odder"}, "operatingsystem": "mine"}
    options = Options(node="web.lan", puppet_settings={"include_legacy_facts": True})
    sample = Session(options, facts="debian-12").execute(asked)
    assert sample.value == ("Debian", "web.lan", "Debian")
    assert Session(options, facts=given).execute(asked).value == ("Odd", None, "mine")
    machine = Session(options).execute(asked).value
    assert isinstance(machine, tuple) and machine[1] == "web.lan"
    for settings in ({}, {"include_legacy_facts": False}):
        outcome = Session(Options(puppet_settings=settings), facts="debian-12").execute(asked)
        assert outcome.error is not None
        assert "Unknown variable: 'osfamily'" in outcome.error.message
