"""The commands about the node: its facts, name and certificate; each runs the site again."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.base.log_levels import NOTE
from puppet_repl.environment.facts.facts import bundled_facts
from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.nodes import split_facts
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.diagnostics import error_text
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

SITE = """\
node 'web01.lan' { notify { "web ${facts['os']['family']} ${trusted['extensions']['pp_role']}": } }
node /^db(\\d+)/ { notify { "db ${1}": } }
"""


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """Return the host of an environment with a site, with files of facts beside it."""
    monkeypatch.chdir(tmp_path)
    manifests = tmp_path / "env" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text(SITE)
    (tmp_path / "db07.yaml").write_text("os: {family: Suse}\nnetworking: {fqdn: db07.lan}\n")
    (tmp_path / "extra.json").write_text('{"role": "db", "os": {"family": "Arch"}}')
    (tmp_path / "two words.json").write_text('{"role": "two"}')
    (tmp_path / "broken.json").write_text('{\n"a": }')
    options = Options(environment=str(tmp_path / "env"), node="web01.lan")
    made = Host(session=Session(options, facts=bundled_facts("debian-12")))
    assert list(made.start()) == []
    return made


def answer(host: Host, text: str) -> str:
    return plain(render_report(run(host.session, text, host)))


def notifies(host: Host) -> list[str]:
    members = host.session.catalog.tables.members
    return [member.title for member in members if member.type == "Notify"]


def value(host: Host, code: str) -> object:
    outcome = host.session.execute(code)
    return outcome.error or outcome.value


def test_every_change_runs_the_site_again(host: Host) -> None:
    assert notifies(host) == ["web Debian "]
    for command, told, expected in (
        (":node pp_role=front", "pp_role=front", "web Debian front"),
        (":facts rocky-9", "facts of rocky-9", "web RedHat front"),
        (":facts os.family=Gentoo", "os.family=Gentoo", "web Gentoo front"),
        (":node db12", "node db12", "db 12"),
        (":reset", "session reset", "db 12"),
        (":node web01.lan", "node web01.lan", "web Gentoo front"),
        (":node pp_role=", "no pp_role", "web Gentoo "),
    ):
        host.session.execute("$left = 1")
        assert answer(host, command).startswith(told)
        assert notifies(host) == [expected]
        assert "left" not in host.session.names.variables()


def test_a_site_that_fails_is_told(host: Host) -> None:
    for command in (":node mail.lan", ":reset", ":facts rocky-9"):
        first, error, hint, advice = answer(host, command).split("\n")
        assert first.endswith("session reset")
        assert error == ("Error: Could not find node statement with name 'default' or 'mail.lan'")
        assert hint.strip() == "hint: there are node blocks for 'web01.lan', /^db(\\d+)/"
        assert "the site manifests have declared nothing; :reset runs them again" in advice
        assert run(host.session, command, host).failed
    assert value(host, "$trusted['certname']") == "mail.lan"


def test_several_files_and_single_facts_on_top(host: Host) -> None:
    text = "db07.yaml extra.json os.family=RedHat motd=hello  big world n=3"
    shown = answer(host, f":facts {text}").split("\n")
    assert shown[0] == (
        "facts of db07.yaml, extra.json, os.family=RedHat, motd=hello big world, n=3; session reset"
    )
    assert shown[1] == "the node is still web01.lan, the facts are those of db07.lan"
    assert value(host, "[$os['family'], $role, $motd, $n]") == (
        "RedHat",
        "db",
        "hello big world",
        3,
    )
    assert value(host, "$networking['fqdn']") == "db07.lan"
    answer(host, ":facts debian-12 'two words.json'")
    assert value(host, "[$role, $networking['fqdn']]") == ("two", "web01.lan")
    answer(host, ":facts set a.b=1 a.c=2")
    assert value(host, "[$role, $a['b'], $a['c']]") == ("two", 1, 2)


@pytest.mark.parametrize(
    ("text", "names", "assignments"),
    [
        ("a.json", ["a.json"], []),
        ("a.json b.yaml os.family=x y z=1", ["a.json", "b.yaml"], ["os.family=x y", "z=1"]),
        ("use=1", [], ["use=1"]),
        ('p={"a": 1, "b": [2, 3]} c=d', [], ['p={"a": 1, "b": [2, 3]}', "c=d"]),
        ("debian-12 set x=1", ["debian-12"], ["x=1"]),
        ("'my facts.json' x=1", ["my facts.json"], ["x=1"]),
        ('motd="ask @ops now" x=1', [], ['motd="ask @ops now"', "x=1"]),
        ("mail=me@web01", [], ["mail=me@web01"]),
    ],
)
def test_words_of_facts(text: str, names: list[str], assignments: list[str]) -> None:
    assert split_facts(text) == (names, assignments)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (":facts broken.json", "broken.json: not JSON: Expecting value (line: 2, column: 6)"),
        (":facts db07.yaml broken.json", "broken.json: not JSON"),
        (":facts none.json", "none.json: No such file or directory"),
        (":facts ./env", "./env: Is a directory"),
        (":facts a=1 extra.json", "extra.json has to come first"),
        (":facts web=1 @web01", "@web01 is not a fact"),
        (":facts a=1 @web01", ":node @web01 takes a profile"),
        (":facts 'open.json", "cannot read ''open.json': No closing quotation"),
        (":facts use", "which facts?"),
        (":facts set", "which fact?"),
        (":node two words", "'words' is not of the form NAME=VALUE"),
        (":node a pp_role", "'pp_role' is not of the form NAME=VALUE"),
        (":node certname=x", "certname follows from the name of the node"),
        (":node 'a", "cannot read ''a': No closing quotation"),
    ],
)
def test_a_wrong_use_changes_nothing(host: Host, command: str, message: str) -> None:
    host.session.execute("$left = 1")
    assert message in answer(host, command)
    assert host.session.names.variables()["left"] == 1
    assert notifies(host) == ["web Debian "]


def test_the_trusted_facts(host: Host) -> None:
    answer(host, ":node extensions.pp_role=web 'pp_zone=a b'")
    found = host.session.describe(value(host, "$trusted"))["value"]
    assert found == (
        "{'authenticated' => 'remote', 'certname' => 'web01.lan', 'extensions' => {'pp_role' => "
        "'web', 'pp_zone' => 'a b'}, 'hostname' => 'web01', 'domain' => 'lan', 'external' => {}}"
    )
    assert answer(host, ":node") == "web01.lan\npp_role=web, pp_zone=a b"
    told = answer(host, ":node db12 pp_zone= pp_role=db")
    assert told.startswith("node db12, no pp_zone, pp_role=db; session reset")
    assert value(host, "[$trusted['certname'], $trusted['extensions']['pp_role']]") == (
        "db12",
        "db",
    )
    assert answer(host, ":node") == "db12\npp_role=db"


def test_a_node_block_below_a_site_tells_whether_it_applies(host: Host) -> None:
    notes: list[tuple[str, str]] = []
    host.show_logs(lambda level, text: notes.append((level, text)))
    host.session.execute("node 'web01.lan' { notice('mine') }")
    host.session.execute("node default { notice('no') }")
    assert notes == [
        (NOTE, "node 'web01.lan' applies to web01.lan"),
        ("notice", "mine"),
        (NOTE, "node default does not apply to web01.lan: node 'web01.lan' does"),
    ]


def test_nodes_of_the_site_complete(host: Host) -> None:
    items = host.session.complete(":node we", 8).items
    assert [item.text for item in items] == ["web01.lan"]


def test_node_blocks_with_a_pattern_name_no_node(host: Host) -> None:
    run(host.session, ":node db01", host)
    texts = [item.text for item in host.session.complete(":node ", 6).items]
    assert texts == ["web01.lan"]
    assert answer(host, ":vars") == "no variables yet"
    assert "regexp" not in answer(host, ":vars db")


def test_files_of_facts_complete(host: Host) -> None:
    items = host.session.complete(":facts rocky-9 db", 17).items
    assert [item.text for item in items][:1] == ["db07.yaml"]
    items = host.session.complete(":facts rocky-9 ./ext", 20).items
    assert [item.text for item in items] == ["extra.json"]


def test_the_catalog_as_code_has_what_node_blocks_and_classes_declare(host: Host) -> None:
    run(host.session, ":node db01", host)
    host.session.execute("class db { notify { 'in db': } } include db")
    listed = answer(host, ":resources")
    assert "Node[" in listed and "Class['db']" in listed
    assert answer(host, ":catalog code") == "notify { 'db 01': }\n\nnotify { 'in db': }"


@pytest.mark.parametrize("matches", ["/^web\\d+/", "'web01.lan', default", "default"])
def test_traces_name_node_blocks_as_they_are_written(matches: str) -> None:
    session = Session(Options(node="web01.lan"), facts={})
    code = f"function deep() {{ fail('no') }}\nnode {matches} {{ deep() }}"
    error = session.execute(code).error
    assert error is not None
    assert f"  from node {matches} at " in error_text(error, text=code)


@pytest.mark.parametrize("word", ["rocky9", "Rocky-9", "rokcy-9", "rocky-8"])
def test_a_slip_in_the_name_of_a_set(host: Host, word: str) -> None:
    assert "did you mean the fact set rocky-9? (the sets are debian-12," in answer(
        host, f":facts {word}"
    )
    assert "did you mean rocky-9?" in answer(host, f":facts debian-12 {word}")
    assert "did you mean rocky-9?" in answer(host, f":facts use {word}")
    assert value(host, "$facts['os']['family']") == "Debian"


def test_a_node_may_have_any_name_but_keeps_the_facts(host: Host) -> None:
    host.session.options.environment = None
    for name, meant in (("rocky-9", "rocky-9"), ("debian-11", "debian-12")):
        assert answer(host, f":node {name}") == (
            f"node {name}; session reset\n"
            f"the facts stay as they were; :facts {meant} takes those of this set"
        )
        assert value(host, "$trusted['certname']") == name
    assert answer(host, ":node web01") == "node web01; session reset"
