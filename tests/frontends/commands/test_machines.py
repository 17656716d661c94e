"""``:on``: which words are machines, what is shown for each, and that the session stays."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from puppet_repl.environment.facts.facts import bundled_facts
from puppet_repl.frontends.commands import entries, run
from puppet_repl.host.host import Host
from puppet_repl.host.machine_words import split_machines
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.machines import machines_html
from puppet_repl.tools.reports.parts import OnMachines, Report
from puppet_repl.tools.reports.report import render_report


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.chdir(tmp_path)
    facts = tmp_path / "facts"
    facts.mkdir()
    for name, family in (("a", "Suse"), ("b", "Arch")):
        text = f"{{os: {{family: {family}}}, networking: {{fqdn: {name}.lan}}}}"
        (facts / f"{name}.yaml").write_text(text)
    (facts / "broken.json").write_text("[")
    site = tmp_path / "env"
    (site / "manifests").mkdir(parents=True)
    (site / "environment.conf").write_text("")
    (site / "manifests" / "site.pp").write_text("$colour = 'green'")
    yield Host(session=Session(Options(node="here.lan"), facts=bundled_facts("debian-12")))


def shown(host: Host, text: str, width: int = 80) -> str:
    return plain(render_report(run(host.session, text, host), width))


@pytest.mark.parametrize(
    ("text", "words", "code"),
    [
        ("debian-12 rocky-9 $x", ["debian-12", "rocky-9"], "$x"),
        ("debian-12, rocky-9, include ntp", ["debian-12", "rocky-9"], "include ntp"),
        ("debian-12\nnotice(1)\nnotice(2)", ["debian-12"], "notice(1)\nnotice(2)"),
        ("facts/a.yaml facts/*.yaml 1 + 1", ["facts/a.yaml", "facts/*.yaml"], "1 + 1"),
        ("no/such.json 1", ["no/such.json"], "1"),
        ("web01.example.com 1.5", ["web01.example.com"], "1.5"),
        ("web01 include ntp", [], "web01 include ntp"),
        ("web01 db01 -- include ntp", ["web01", "db01"], "include ntp"),
        ("debian-12 --", ["debian-12"], ""),
        ("./env env $colour", ["./env", "env"], "$colour"),
        ("$x", [], "$x"),
        ("'debian-12'", [], "'debian-12'"),
        ("named 1", ["named"], "1"),
        ("", [], ""),
    ],
)
def test_words_and_code(host: Host, text: str, words: list[str], code: str) -> None:
    host.session.execute("node 'named' {} node default {}")
    found, start = split_machines(text, host.session)
    assert (found, text[start:]) == (words, code)


def test_values(host: Host) -> None:
    assert shown(host, ":on debian-12 rocky-9 windows-2022 $facts['os']['family']") == (
        "debian-12     'Debian'\nrocky-9       'RedHat'\nwindows-2022  'windows'"
    )
    assert shown(host, ":on facts/?.yaml [$facts['os']['family'], $trusted['certname']]") == (
        "facts/a.yaml  ['Suse', 'a.lan']\nfacts/b.yaml  ['Arch', 'b.lan']"
    )
    assert shown(host, ":on db01.lan $trusted['certname']").startswith("db01.lan  'db01.lan'")
    assert shown(host, ":on env $colour") == "env  'green'"


def test_definitions_of_the_session_are_there(host: Host) -> None:
    host.session.execute("function f($x) { \"${x} on ${facts['os']['name']}\" }")
    host.session.execute("class c { notify { f('c'): } } $v = 1")
    text = shown(host, ":on rocky-9 ubuntu-24.04 include c")
    assert text == (
        "rocky-9       Class['c'], Notify['c on Rocky']\n"
        "ubuntu-24.04  Class['c'], Notify['c on Ubuntu']"
    )
    assert shown(host, ":on rocky-9 f($v)") == "rocky-9  '1 on Rocky'"


def test_resources_have_their_attributes(host: Host) -> None:
    host.session.execute("class a {} class b($list = [1, 2]) {}")
    code = (
        "include a, b user { 'me': } notify { 'n': require => User['me'] }\n"
        "file { '/x': mode => if $facts['os']['family'] == 'Debian' { '0644' } else { '0600' },"
        " content => Sensitive('secret'), source => ['puppet:///modules/a/one', 'puppet:///two'] }"
    )
    text = shown(host, f":on debian-12 rocky-9 {code}")
    for line in (
        "Class['a']\n",
        "Class['b'] {'list' => [1, 2]}\n",
        "User['me']\n",
        "Notify['n'] {'require' => User['me']}\n",
    ):
        assert text.count(line) == 2
    assert text.endswith(
        "\n           File['/x'] {'mode' => '0600',\n"
        "             'content' => Sensitive [value redacted],\n"
        "             'source' => ['puppet:///modules/a/one', 'puppet:///two']}"
    )
    assert text.count("'mode' => '0644'") == text.count("'mode' => '0600'") == 1
    assert max(map(len, text.split("\n"))) <= 80
    (part,) = run(host.session, f":on debian-12 rocky-9 {code}", host).parts
    assert isinstance(part, OnMachines)
    html = machines_html(part)
    assert "0644" in html and "0600" in html and "secret" not in html


@pytest.mark.parametrize(
    ("code", "debian", "rocky"),
    [
        ("$facts['os']['family']", "Value: 'Debian'", "Value: 'RedHat'"),
        ("if $facts['os']['family'] == 'Debian' { 1 }", "Value: 1", None),
        ("['File', '/x']", "Value: ['File', '/x']", "Value: ['File', '/x']"),
        # What resources, classes, definitions and calls for their effect return is no news.
        ("notify { 'n': }", None, None),
        ("include a", None, None),
        ("class c {}", None, None),
        ("function f() {}", None, None),
        ("['n'].each |$n| { notify { $n: } }", None, None),
        ("create_resources('notify', { 'n' => {} })", None, None),
        ("Notify <| |>", None, None),
        ("Notify <| |> -> User <| |>", None, None),
        ("undef", None, None),
    ],
)
def test_a_value_is_shown_beside_resources(
    host: Host, code: str, debian: str | None, rocky: str | None
) -> None:
    host.session.execute("class a {}")
    (part,) = run(host.session, f":on debian-12 rocky-9 file {{ '/x': }}\n{code}", host).parts
    assert isinstance(part, OnMachines)
    blocks = plain(render_report(Report(part), 80)).split("rocky-9")
    for block, value in zip(blocks, (debian, rocky), strict=True):
        assert "File['/x']" in block
        assert block.strip().endswith(value) if value else "Value" not in block
    html = machines_html(part)
    assert (">Value</th>" in html) == (debian is not None)
    assert html.count("<td") == (6 if debian else 4)


def test_a_machine_without_resources_has_its_value_in_the_column_of_values(host: Host) -> None:
    code = "if $facts['os']['family'] == 'Debian' { user { 'me': } }\n$facts['os']['name']"
    report = run(host.session, f":on debian-12 rocky-9 {code}", host)
    assert plain(render_report(report, 80)) == (
        "debian-12  User['me']\n           Value: 'Debian'\nrocky-9    'Rocky'"
    )
    (part,) = report.parts
    assert isinstance(part, OnMachines)
    last = machines_html(part).split("<tr>")[-1].split("<td")[1:]
    assert "Rocky" in last[2] and "code" not in last[1]


def test_long_attributes_are_cut(host: Host) -> None:
    text = shown(host, f":on debian-12 file {{ '/x': content => '{'some words ' * 999}' }}", 60)
    lines = text.split("\n")
    assert len(lines) <= 10 and max(map(len, lines)) <= 60
    assert "…" in text


def test_the_session_stays_as_it_is(host: Host) -> None:
    session = host.session
    session.execute("$a = 1")
    before = (session.count, list(session.inputs), session.names.variables(), session.facts)
    shown(host, ":on rocky-9 debian-12 $b = 2 notify { x: } function g() {}")
    assert (session.count, list(session.inputs), session.names.variables(), session.facts) == before
    assert session.execute("[defined(Notify[x]), $a]").value == (False, 1)
    assert "g" not in session.names.functions()


def test_failures_do_not_stop_the_others(host: Host) -> None:
    code = "if $facts['os']['family'] == 'RedHat' { fail('not here') }\n'fine'"
    lines = shown(host, f":on rocky-9 facts/broken.json debian-12 {code}").split("\n")
    assert lines[0].startswith("rocky-9            Error: Evaluation Error: ")
    assert any(line.startswith("facts/broken.json  Error: not JSON: ") for line in lines)
    assert lines[-1] == "debian-12          'fine'"
    report = run(host.session, f":on rocky-9 {code}", host)
    assert not report.failed
    assert report.is_partial
    assert not run(host.session, f":on debian-12 {code}", host).is_partial


def test_an_earlier_input_that_fails_there(host: Host) -> None:
    host.session.execute("unless $facts['os']['family'] == 'Debian' { fail('no') }")
    text = shown(host, ":on debian-12 rocky-9 1")
    assert text.startswith("debian-12  1\nrocky-9    Error: ")
    assert text.endswith("before the code, in the site or in an earlier input")


def test_logs_are_beside_their_machine(host: Host) -> None:
    logs: list[str] = []
    host.session.log = lambda level, text: logs.append(text)
    host.settings.set("log_level", "warning")
    text = shown(host, ":on rocky-9 debian-12 notice('n') warning($facts['os']['name']) 1")
    assert (text, logs) == (
        "rocky-9    Warning: Rocky\n           1\ndebian-12  Warning: Debian\n           1",
        [],
    )


def test_lines_of_errors_are_those_of_the_input(host: Host) -> None:
    text = shown(host, ":on rocky-9\n$x = 1\n$nope")
    assert "(line: 3, column: 1)" in text


def test_inputs_before_have_the_names_that_they_had(host: Host) -> None:
    host.session.execute("class c { fail('no') }", "In[1]")
    assert "from class c at In[1]:1:11" in shown(host, ":on rocky-9 include c")


@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit_the_screen(host: Host, width: int) -> None:
    code = 'Integer[1, 40].each |$n| { notify { "a long title of number ${n}": } }'
    text = shown(host, f":on debian-12 facts/broken.json rocky-9 {code}", width)
    assert max(len(line) for line in text.split("\n")) <= width
    assert "and 10 more" in text
    text = shown(host, f":on debian-12 '{'x' * 300}'", width)
    assert max(len(line) for line in text.split("\n")) <= width
    assert text.count("x") == 300


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (":on", ["which machines?", "the sets are debian-12, "]),
        (":on debain-12 1", ["no fact set 'debain-12'", "did you mean debian-12?", "windows-2022"]),
        (":on debian-12 rocki-9 1", ["no fact set 'rocki-9'", "did you mean rocky-9?"]),
        (":on debian-12, Rocky9, 1", ["no fact set 'Rocky9'", "did you mean rocky-9?"]),
        (":on ubuntu-22.04 1", ["no fact set 'ubuntu-22.04'", "did you mean ubuntu-24.04?"]),
        (":on rocky-9 debian-11 -- 1", ["no fact set 'debian-11'", "did you mean debian-12?"]),
        (":on rocky9", ["no fact set 'rocky9'", "did you mean rocky-9?"]),
        (":on web01 1", ["which machines?", "put -- between names of nodes"]),
        (":on debian-12", ["which code?"]),
    ],
)
def test_wrong_uses(host: Host, text: str, parts: list[str]) -> None:
    report = run(host.session, text, host)
    assert report.failed
    for part in parts:
        assert part in plain(render_report(report, 100))


def test_a_slip_runs_nothing(host: Host) -> None:
    logs: list[str] = []
    host.session.log = lambda level, text: logs.append(text)
    report = run(host.session, ":on debian-12 rokcy-9 -- warning('ran')", host)
    assert (report.failed, len(report.parts), logs) == (True, 1, [])


def test_a_name_that_looks_like_a_set_may_be_a_node(host: Host, tmp_path: Path) -> None:
    host.session.execute("node 'debian-11', /^rocky\\d$/ { } node default { }")
    code = "$trusted['certname']"
    assert shown(host, f":on debian-11 {code}") == "debian-11  'debian-11'"
    assert shown(host, f":on rocky8 -- {code}") == "rocky8  'rocky8'"
    assert shown(host, f":on rocky-8.lan {code}").startswith("rocky-8.lan  'rocky-8.lan'\n")
    (tmp_path / "debian-10").write_text("{role: old}")
    assert shown(host, ":on debian-10 -- $facts['role']") == "debian-10  'old'"
    host.session.execute("define debian($a = 1) { }")
    assert shown(host, ":on rocky-9 debian { 'x': }") == "rocky-9  Debian['x'] {'a' => 1}"


ADDED = "only what this code adds is listed, nothing of the site or earlier inputs"


def test_what_is_there_before_is_not_listed_and_that_is_told(host: Host) -> None:
    assert ADDED not in shown(host, ":on rocky-9 notify { 'new': }")
    host.session.execute("class c { notify { 'old': } } include c")
    assert shown(host, ":on rocky-9 debian-12 notify { 'new': }", 100) == (
        f"rocky-9    Notify['new']\ndebian-12  Notify['new']\n{ADDED}"
    )
    assert shown(host, ":on rocky-9 include c", 100) == f"rocky-9  [Class[c]]\n{ADDED}"
    assert ADDED not in shown(host, ":on rocky-9 $facts['os']['name']", 100)


def test_the_site_is_there_before(host: Host, tmp_path: Path) -> None:
    (tmp_path / "env" / "manifests" / "site.pp").write_text("notify { 'site': }")
    assert shown(host, ":on env debian-12 notify { 'new': }", 100).split("\n") == [
        "env        Notify['new']",
        "debian-12  Notify['new']",
        ADDED,
    ]


def test_commands_are_no_code(host: Host) -> None:
    text = shown(host, ":on rocky-9 :why $facts['os']['family'] == 'RedHat'")
    assert ":on runs code, and :why is a command" in text
    assert shown(host, ":on rocky-9 $facts['os']['family'] == 'RedHat'") == "rocky-9  true"


def test_nodes_that_nothing_knows_are_told(host: Host) -> None:
    host.session.execute("node 'web01' { } node /^db/ { } node default { }")
    assert shown(host, ":on web01 db7 -- 1") == "web01  1\ndb7    1"
    assert shown(host, ":on web01 web02.lan -- 1").split("\n")[1:] == [
        "web02.lan  1",
        "no node block or data names web02.lan; its facts are the current ones",
    ]
    assert shown(host, ":on a.lan b.lan 1").split("\n")[2] == (
        "no node block or data names a.lan and b.lan; their facts are the current ones"
    )
    report = run(host.session, ":on web02.lan -- 1", host)
    assert (report.failed, report.parts[1].style) == (False, "dim")


@pytest.mark.parametrize(
    ("word", "hint"), [("centos", "the sets are debian-12, "), ("webb01", "did you mean web01?")]
)
def test_a_word_that_is_no_machine_is_refused(host: Host, word: str, hint: str) -> None:
    host.session.execute("node 'web01' { } node default { }")
    report = run(host.session, f":on debian-12 {word} -- 1", host)
    assert (report.failed, len(report.parts)) == (True, 1)
    text = plain(render_report(report, 200))
    assert f"'{word}' is not a fact set, file or known node" in text
    assert hint in text


def test_the_node_of_the_session_is_a_machine(host: Host) -> None:
    run(host.session, ":node web07", host)
    assert shown(host, ":on web07 -- $trusted['certname']") == "web07  'web07'"


def test_nodes_with_data_are_known(host: Host, tmp_path: Path) -> None:
    hiera = """\
        version: 5
        hierarchy:
          - name: Node
            paths: ["nodes/%{trusted.certname}.yaml", "%{facts.networking.hostname}/a.yaml"]
          - {name: All, path: common.yaml}
    """
    (tmp_path / "env" / "hiera.yaml").write_text(textwrap.dedent(hiera))
    for name in ("common.yaml", "nodes/web01.yaml", "web02/a.yaml", "nodes/web03.yaml"):
        path = tmp_path / "env" / "data" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("a: 1")
    host.session.options.environment = str(tmp_path / "env")
    host.session.reset()
    assert shown(host, ":on web01 web02.lan WEB01 -- 1").count("\n") == 2
    text = shown(host, ":on web03.lan web04.lan -- 1")
    assert "names web03.lan and web04.lan; their" in text
    for word in ("common", "web04"):
        assert run(host.session, f":on {word} -- 1", host).failed


def test_an_interrupt_ends_it_whole(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.session.execute("$a = 1")
    closed: list[Session] = []
    execute, close = Session.execute, Session.close

    def interrupted(session: Session, text: str, *rest: object, **options: object) -> object:
        if session is not host.session and "stop" in text:
            raise KeyboardInterrupt
        return execute(session, text, *rest, **options)

    monkeypatch.setattr(Session, "execute", interrupted)
    monkeypatch.setattr(Session, "close", lambda session: (closed.append(session), close(session)))
    with pytest.raises(KeyboardInterrupt):
        run(host.session, ":on debian-12 rocky-9 'stop'", host)
    assert len(closed) == 1
    assert host.session.execute("$a").value == 1


def test_enter_opens_a_line_inside_brackets(host: Host) -> None:
    assert entries.wants_more(host.session, ":on debian-12 rocky-9 if true {")
    assert not entries.wants_more(host.session, ":on debian-12 rocky-9 if true { 1 }")


@pytest.mark.parametrize(
    ("before", "items"),
    [
        (":on debian", ["debian-12"]),
        (":on debian-12 rocky-", ["rocky-9"]),
        (":on debian-12 $facts['os']['fam", ["family"]),
        (":on debian-12 notic", ["notice"]),
        (":on facts/a", ["a.yaml"]),
        (":diff rock", ["rocket", "rocky-9"]),
        (":diff ", ["later", "rocket", "debian-12"]),
        (":diff rocky-9 la", ["later"]),
        (":diff --mark roc", ["rocket"]),
        (":diff rocky-9 named", ["named"]),
    ],
)
def test_completion(host: Host, before: str, items: list[str]) -> None:
    for mark in ("rocket", "later"):
        run(host.session, f":diff --mark {mark}", host)
    host.session.execute("node 'named', default {}")
    found = host.session.complete(before, len(before)).items
    assert [item.text for item in found][: len(items)] == items


@pytest.mark.parametrize("width", [40, 80, 100])
def test_names_that_differ_at_their_end_look_different(host: Host, width: int) -> None:
    names = [f"web-frontend-production-eu-central-{number}.example.com" for number in (1, 2)]
    title = "/etc/nginx/sites-enabled/a-very-long-name-of-a-site-of-this-company/part-"
    code = f"file {{ \"{title}${{trusted['certname'][35]}}\": mode => '0644' }}"
    lines = shown(host, f":on {' '.join(names)} -- {code}", width).split("\n")
    assert max(map(len, lines)) <= width
    note = next(number for number, line in enumerate(lines) if line.startswith("no node block"))
    lines = lines[:note]
    column = max(width // 3, 12)
    assert "".join(line[:column].strip() for line in lines) == "".join(names)
    results = "".join(line[column:].strip() for line in lines).replace(" ", "")
    assert f"{title}1" in results and f"{title}2" in results
