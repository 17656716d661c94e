"""``:diff --mark`` and ``:diff``: what is compared, and how the difference is shown."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from puppet_repl.environment.facts.facts import bundled_facts
from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

WEB = """class web($port = 80) {
  file { '/etc/web.conf': ensure => file, content => "one\\ntwo\\nport ${port}\\n" }
  package { $facts['os']['family'] ? { 'RedHat' => 'httpd', default => 'apache2' }: }
}
include web"""


@pytest.fixture
def host() -> Host:
    session = Session(Options(node="web01.lan"), facts=bundled_facts("debian-12"))
    return Host(session=session)


def shown(host: Host, text: str, width: int = 80) -> str:
    return plain(render_report(run(host.session, text, host), width))


def execute(host: Host, *codes: str) -> None:
    for code in codes:
        outcome = host.session.execute(code)
        assert outcome.error is None, outcome.error


def test_marks_are_listed(host: Host) -> None:
    assert shown(host, ":diff --mark") == "no marks yet; :diff --mark NAME sets one"
    assert shown(host, ":diff --mark empty") == "mark empty: 0 resources of web01.lan"
    execute(host, WEB)
    assert shown(host, ":diff --mark web") == "mark web: 3 resources of web01.lan"
    assert shown(host, ":diff --mark").split() == [
        *("Mark", "Node", "Resources"),
        *("empty", "web01.lan", "0", "web", "web01.lan", "3"),
    ]


def test_the_last_mark_is_compared_with(host: Host) -> None:
    execute(host, WEB)
    run(host.session, ":diff --mark b", host)
    run(host.session, ":diff --mark a", host)
    execute(host, "notify { new: }")
    run(host.session, ":diff --mark b", host)
    assert shown(host, ":diff").split("\n")[::2] == ["--- b", "no difference"]
    assert shown(host, ":diff a") == (
        "--- a\n+++ this session\n+ Notify['new']\nresources: 1 added"
    )
    assert shown(host, ":diff b a").split("\n")[2:] == ["- Notify['new']", "resources: 1 removed"]


def test_what_counts_is_chosen(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    execute(host, "file { '/tmp/a': mode => '0644' } user { u: groups => ['a', 'b'] }")
    run(host.session, ":diff --mark a", host)
    monkeypatch.chdir(tmp_path)  # a long path would be shortened
    other = Path("other.pp")
    other.write_text("file { '/tmp/a': mode => '0600' } user { u: groups => ['b', 'a'] }")
    assert shown(host, f":diff a {other} --same order").split("\n")[1:] == [
        f"+++ {other}",
        *("~ File['/tmp/a']", "-   mode => '0644'", "+   mode => '0600'", "resources: 1 changed"),
    ]
    text = shown(host, f":diff a {other} --only User --ignore=File[/tmp/*][mode]")
    assert text.endswith("resources: 1 changed (1 change left out)")
    assert shown(host, f":diff {other} --ignore *").endswith("no difference (2 changes left out)")


@pytest.mark.parametrize("before", [":diff --mark ", ":diff ", ":diff first "])
def test_marks_complete_the_last_one_first(host: Host, before: str) -> None:
    for name in ("first", "second"):
        run(host.session, f":diff --mark {name}", host)
    items = host.session.complete(before, len(before)).items
    assert [item.text for item in items][:2] == ["second", "first"]
    assert items[0].detail == "a mark of web01.lan"


def test_without_a_mark_the_last_input_counts(host: Host) -> None:
    execute(host, "$x = 1", WEB, 'notify { x: message => "${x}" }')
    assert shown(host, ":diff") == (
        "--- before the last input\n+++ this session\n"
        "+ Notify['x']\n+   message => '1'\nresources: 1 added"
    )
    assert host.session.execute("$x").value == 1


@pytest.fixture
def author(tmp_path: Path) -> Host:
    """A session in which a class of a module that is being written was declared."""
    manifests = tmp_path / "modules/web/manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class web { file { '/etc/web': mode => '0755' } }\n")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("notify { 'site': }\n")
    host = Host(session=Session(Options(environment=str(tmp_path), node="web01.lan"), facts={}))
    assert host.session.run_site() is None
    execute(host, "$kept = 1", "include web")
    return host


def test_a_class_that_has_changed_is_compared_with_what_it_was(
    author: Host, tmp_path: Path
) -> None:
    init = tmp_path / "modules/web/manifests/init.pp"
    init.write_text("class web { file { '/etc/web': mode => '0733' } } # changed\n")
    execute(author, "include web")
    assert shown(author, ":diff").split("\n")[2:] == [
        "~ File['/etc/web']",
        "-   mode => '0755'",
        "+   mode => '0733'",
        "resources: 1 changed",
    ]
    value = author.session.execute("[File['/etc/web']['mode'], $kept]").value
    assert value == ("0733", 1)
    assert shown(author, ":diff").endswith("no difference")


def test_files_of_now_do_not_count_for_what_was_before(author: Host, tmp_path: Path) -> None:
    (tmp_path / "manifests/site.pp").write_text("notify { 'site': }\nnotify { 'x': }\n")
    (tmp_path / "modules/web/manifests/init.pp").unlink()
    execute(author, "notify { 'last': }")
    assert shown(author, ":diff").split("\n")[2:] == ["+ Notify['last']", "resources: 1 added"]
    assert author.session.undo() == ["notify { 'last': }"]


def test_what_was_forgotten_since_is_there_before_the_last_input(author: Host) -> None:
    execute(author, "$last = 2")
    assert author.session.forget("web")
    lines = shown(author, ":diff").split("\n")[2:]
    assert "- File['/etc/web']" in lines
    assert author.session.execute("defined(File['/etc/web'])").value is False


def test_marks_outlive_another_node(host: Host) -> None:
    execute(host, WEB)
    run(host.session, ":diff --mark web01", host)
    run(host.session, ":node web02.lan", host)
    execute(host, WEB.replace("80", "81"))
    assert shown(host, ":diff web01") == (
        "--- web01\n"
        "+++ this session\n"
        "~ Class['web']\n"
        "-   port => 80\n"
        "+   port => 81\n"
        "~ File['/etc/web.conf']\n"
        "~   content =>\n"
        "        one\n"
        "        two\n"
        "-       port 80\n"
        "+       port 81\n"
        "resources: 2 changed"
    )


def test_other_facts_and_another_node(host: Host) -> None:
    execute(host, WEB, "notify { $trusted['certname']: }")
    difference = "--- rocky-9\n+++ this session\n- Package['httpd']\n+ Package['apache2']\n"
    assert shown(host, ":diff rocky-9").startswith(difference)
    assert shown(host, ":diff debian-12 windows-2022").endswith("no difference")
    lines = shown(host, ":diff db.lan").split("\n")
    assert lines[2:4] == ["- Notify['db.lan']", "+ Notify['web01.lan']"]
    assert host.session.execute("$trusted['certname']").value == "web01.lan"


@pytest.mark.parametrize("word", ["rokcy-9", "Rocky-9", "rocky9", "rocky-8"])
@pytest.mark.parametrize("text", [":diff {}", ":diff debian-12 {}", ":diff {} debian-12 --json"])
def test_a_slip_is_no_name_of_a_node(host: Host, word: str, text: str) -> None:
    execute(host, WEB)
    report = run(host.session, text.format(word), host)
    assert report.failed
    shown_text = plain(render_report(report, 100))
    assert f"there is no fact set '{word}'" in shown_text
    assert "did you mean rocky-9? (the sets are debian-12, fedora, " in shown_text


def test_that_nothing_is_declared_is_told(host: Host) -> None:
    told = "no difference\nnothing is declared on either side"
    assert shown(host, ":diff debian-12 rocky-9").endswith(told)
    execute(host, "notify { 'one': }")
    assert shown(host, ":diff debian-12 rocky-9").endswith("no difference")


def test_an_undone_input_of_several_lines_is_marked_as_such(host: Host) -> None:
    execute(host, "$p = 1\n$q = 2")
    assert shown(host, ":undo") == "undid: $p = 1 …"


def test_nodes_that_nothing_knows_are_told(host: Host) -> None:
    execute(host, "node 'web02' { notify { 'two': } } node default { }")
    note = "no node block or data names {}; {} facts are the current ones"
    assert shown(host, ":diff a.lan b.lan").split("\n")[2:] == [
        "no difference",
        "nothing is declared on either side",
        note.format("a.lan and b.lan", "their"),
    ]
    assert shown(host, ":diff a.lan web02").split("\n")[-1] == note.format("a.lan", "its")
    assert shown(host, ":diff a.lan a.lan").split("\n")[-1] == note.format("a.lan", "its")
    for text in (":diff web02", ":diff rocky-9 web02", ":diff a.lan b.lan --json"):
        assert "node block" not in shown(host, text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (":diff befroe", ["there is no mark 'befroe'", "did you mean before?"]),
        (":diff before befroe --json", ["there is no mark 'befroe'", "did you mean before?"]),
        (":diff production staging", ["'production' is not a mark, fact set", "marks are before"]),
        (
            ":diff web02 staging",
            ["'staging' is not a mark", "sets are debian-12", "web01.example.com"],
        ),
        (":diff webb02", ["'webb02' is not a mark", "did you mean web02?"]),
    ],
)
def test_a_word_that_is_nothing_is_refused(host: Host, text: str, parts: list[str]) -> None:
    execute(host, "node 'web02' { notify { 'two': } } node default { }")
    run(host.session, ":diff --mark before", host)
    report = run(host.session, text, host)
    assert report.failed
    for part in parts:
        assert part in plain(render_report(report, 100)).replace("\n", " ")


def test_another_directory(host: Host, tmp_path: Path) -> None:
    for name, mode in (("old", "0644"), ("new", "0600")):
        manifests = tmp_path / name / "manifests"
        manifests.mkdir(parents=True)
        (manifests / "site.pp").write_text(f"file {{ '/a': mode => '{mode}' }}")
    text = shown(host, f":diff {tmp_path / 'old'} {tmp_path / 'new'}")
    assert text.split("\n")[2:] == [
        "~ File['/a']",
        "-   mode => '0644'",
        "+   mode => '0600'",
        "resources: 1 changed",
    ]


def test_a_file_with_a_catalog(host: Host, tmp_path: Path) -> None:
    execute(host, WEB)
    file = tmp_path / "catalog.json"
    file.write_text("Notice: Compiled catalog\n" + shown(host, ":catalog json"))
    assert shown(host, f":diff {file}").endswith("no difference")
    file.write_text('{"resources": [{"title": "a"}]}')
    assert f"{file}: a resource of a catalog has a 'type'" in shown(host, f":diff {file}")


def test_secrets_and_deferred_values(host: Host) -> None:
    execute(host, "define d($p, $q, $r) {}")
    execute(
        host, "d { x: p => Sensitive('one'), q => [Sensitive('two')], r => Deferred('md5', ['1']) }"
    )
    run(host.session, ":diff --mark a", host)
    execute(
        host, "d { x: p => Sensitive('uno'), q => [Sensitive('dos')], r => Deferred('md5', ['2']) }"
    )
    assert shown(host, ":diff").split("\n")[2:] == [
        "~ D['x']",
        "~   p: the Sensitive value is another one",
        "~   q: a Sensitive value in it is another one",
        "-   r => Deferred('md5', ['1'])",
        "+   r => Deferred('md5', ['2'])",
        "resources: 1 changed",
    ]


def test_relationships(host: Host) -> None:
    execute(host, "class c { notify { [a, b]: } } include c")
    run(host.session, ":diff --mark a", host)
    execute(host, "Notify[a] -> Notify[b]")
    assert shown(host, ":diff").split("\n")[2:] == [
        "+ Notify['a'] -> Notify['b']",
        "relationships: 1 added",
    ]


def test_tags(host: Host) -> None:
    execute(host, "notify { a: tag => ['x', 'y'] }")
    run(host.session, ":diff --mark a", host)
    execute(host, "notify { a: tag => ['y', 'z'] }")
    assert shown(host, ":diff").endswith("no difference")
    assert shown(host, ":diff --tags").split("\n")[2:] == [
        *("~ Notify['a']", "-   (tags) x", "+   (tags) z", "resources: 1 changed"),
    ]


def test_json(host: Host) -> None:
    execute(host, WEB)
    run(host.session, ":diff --mark a", host)
    execute(host, "file { '/x': mode => '0644' }")
    data = json.loads(shown(host, ":diff --json"))
    assert (data["from"], data["to"], data["same"]) == ("a", "this session", False)
    assert data["added"] == [
        {"type": "File", "title": "/x", "exported": False, "parameters": {"mode": "0644"}}
    ]
    assert data["relationships"]["added"] == [
        {"source": "Class[main]", "kind": "contains", "target": "File[/x]"}
    ]


@pytest.mark.parametrize("width", [40, 80, 100])
def test_lines_fit_the_screen(host: Host, width: int) -> None:
    long = " ".join(f"w{number}" for number in range(60))
    execute(host, f"notify {{ '{long}': message => '{long}' }} notify {{ a: message => '{long}' }}")
    run(host.session, ":diff --mark a", host)
    numbers = ", ".join(str(number) for number in range(90))
    code = f"d {{ 'ω 漢字': h => {{a => {{b => [1, 'two', 3]}}, c => [{numbers}]}} }}"
    execute(host, f"define d($h) {{}} {code}")
    execute(host, f"notify {{ a: message => '{long.replace('w30', 'other')}' }}")
    text = shown(host, ":diff a debian-12", width)
    assert max(len(line) for line in text.split("\n")) <= width
    joined = text.replace("\n+     ", "").replace("\n-     ", "")
    assert "w29 other w31" in joined
    assert "w5 " not in joined.split("~ Notify['a']")[1]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (":diff", ["there is nothing to compare with", ":diff --mark NAME keeps the catalog"]),
        (":diff a b c", ["two catalogs are compared, not more", "usage: :diff [A [B]]"]),
        (":diff --nope", ["there is no option --nope", "the options are --tags, --json,"]),
        (":diff what$", ["'what$' is not a fact set, file, directory or node name"]),
        (":diff no/such.json", ["no/such.json: No such file or directory"]),
        (":diff --tags=1", ["there is no option --tags=1"]),
        (":diff --ignore File[a", ["'File[a' is not a pattern: a bracket is not closed"]),
        (":diff --only", ["'' is not a pattern: the type is missing"]),
        (":diff --same sets", ["'sets' is not among order, single and text"]),
        (":diff --mark a b", ["a mark has a name of one word"]),
    ],
)
def test_wrong_uses(host: Host, text: str, parts: list[str]) -> None:
    report = run(host.session, text, host)
    assert report.failed
    for part in parts:
        assert part in plain(render_report(report, 80))


def test_a_machine_without_a_catalog(host: Host) -> None:
    execute(host, "if $facts['os']['family'] == 'RedHat' { fail('not here') }")
    report = run(host.session, ":diff rocky-9", host)
    assert report.failed
    assert "no catalog for rocky-9: " in plain(render_report(report, 200))
    assert "not here (line: 1, column: 41)" in plain(render_report(report, 200))


def test_files_that_source_names(host: Host, tmp_path: Path) -> None:
    manifest = (
        "file { '/t': source => 'puppet:///modules/m/text' }"
        "file { '/b': source => ['puppet:///modules/m/none', 'puppet:///modules/m/binary'] }"
        "file { '/d': source => 'puppet:///modules/m/tree', recurse => true }"
        "file { '/e': source => 'puppet:///modules/m/tree' }"
        "file { '/n': source => 'puppet:///modules/m/none' }"
    )
    for name, end in (("old", "x"), ("new", "y")):
        files = tmp_path / name / "modules" / "m" / "files"
        (files / "tree").mkdir(parents=True)
        (files / "text").write_text(f"one\n{end}\n")
        (files / "binary").write_bytes(b"\0\1" + end.encode())
        (files / "tree" / "same").write_text("same")
        (files / "tree" / "leaf").write_text(end)
        (tmp_path / name / "manifests").mkdir()
        (tmp_path / name / "manifests" / "site.pp").write_text(manifest)
    old, new = tmp_path / "old", tmp_path / "new"
    text = shown(host, f":diff {old} {new}", 100).split("\n")
    assert text[2] == "~ File['/b']"
    digests = {"-": sha256(b"x").hexdigest()[:16], "+": sha256(b"y").hexdigest()[:16]}
    for sign, digest in digests.items():
        assert any(line[0] == sign and f"'leaf' => '{digest}'" in line for line in text)
    assert text[-5:] == [
        *("~   (file of source) =>", "        one", "-       x", "+       y"),
        "resources: 3 changed",
    ]
    assert not any("File['/e']" in line or "File['/n']" in line for line in text)
    # Without the files there is nothing to compare.
    file = tmp_path / "catalog.json"
    host.session.execute(manifest)
    file.write_text(shown(host, ":catalog json"))
    assert shown(host, f":diff {file} {new}").endswith("no difference")


def test_a_mark_says_what_it_leaves_out_of_the_resources() -> None:
    host = Host(facts={})
    code = "@file { '/v': } @@file { '/e': } file { '/x': } class c { notify { 'n': } } include c"
    assert host.session.execute(code).error is None
    assert shown(host, ":diff --mark a").startswith("mark a: 3 resources of ")
    assert shown(host, ":diff --mark a").endswith(", without 2 virtual ones")
    assert host.session.execute("node default { file { '/y': } }").error is None
    assert shown(host, ":diff --mark a").endswith(", without 2 virtual ones and 1 node block")
    assert len(shown(host, ":resources").splitlines()) - 1 == 4 + 2 + 1


def test_patterns_that_match_nothing_are_told(host: Host) -> None:
    execute(host, "notify { 'a': }")
    note = "nothing matched --only Servce (no resource of either side matches)"
    assert note in shown(host, ":diff --only Servce --ignore Notify")
    assert "nothing matched" not in shown(host, ":diff --only Notify")
