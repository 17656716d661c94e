"""``puppet-repl diff``: its sides, its formats and its exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from puppet_repl.frontends.cli.command_line import main

Answer = tuple[int, str, str]
SITE = """
node 'web01.lan', 'web02.lan' {
  file { '/a': mode => '%s', content => "one\\ntwo\\n" }
  file { '/b': ensure => directory }
}
node 'db.lan' { notify { "database on ${facts['os']['family']}": } }
node 'broken.lan' { fail('not me') }
node default { notify { 'default': } }
"""


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, mode in (("old", "0644"), ("new", "0600")):
        manifests = tmp_path / name / "manifests"
        manifests.mkdir(parents=True)
        (manifests / "site.pp").write_text(SITE % mode)
    row = {"type": "File", "title": "/b", "parameters": {"ensure": "directory"}}
    edge = {"source": "Class[main]", "target": "File[/b]"}
    document = {"name": "web01.lan", "resources": [row], "edges": [edge]}
    (tmp_path / "catalog.json").write_text(json.dumps(document))
    (tmp_path / "facts.json").write_text('{"os": {"family": "Suse"}}')
    (tmp_path / "puppet.yaml").write_text("name: web01\nvalues: {role: web}\n")
    (tmp_path / "empty.json").write_text("{}")
    error = {"message": "Server Error", "issue_kind": "RUNTIME_ERROR"}
    (tmp_path / "server-error.json").write_text(json.dumps(error))
    (tmp_path / "nothing").mkdir()
    (tmp_path / "broken.json").write_text('{"resources": [1]}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(capsys: pytest.CaptureFixture[str], *arguments: str) -> Answer:
    status = main(["diff", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


CHANGED = """--- old
+++ new
~ File['/a']
-   mode => '0644'
+   mode => '0600'
resources: 1 changed
"""


def test_two_checkouts(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(capsys, "old", "new", "--node", "web01.lan") == (1, CHANGED, "")
    assert diff(capsys, "old", "old", "--node", "web01.lan") == (
        0,
        "--- old\n+++ old\nno difference\n",
        "",
    )


def test_as_a_process(directory: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "diff", "old", "new", "--node", "web01.lan"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, CHANGED, "")


def test_several_nodes(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nodes = [word for name in ("web01", "db", "web02") for word in ("--node", f"{name}.lan")]
    status, out, err = diff(capsys, "old", "new", *nodes)
    assert (status, err) == (1, "")
    assert out == (
        f"=== web01.lan\n{CHANGED}=== db.lan\n--- old\n+++ new\nno difference\n"
        f"=== web02.lan\n{CHANGED}\n3 nodes: 1 the same, 2 different\n"
    )


def test_a_node_that_fails_does_not_stop_the_others(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nodes = ("--node", "broken.lan", "--node", "web01.lan")
    status, out, err = diff(capsys, "old", "new", *nodes)
    assert (status, CHANGED in out) == (2, True)
    assert out.endswith("2 nodes: 0 the same, 1 different, 1 failed (broken.lan)\n")
    assert err.startswith("puppet-repl: broken.lan: no catalog for old: Evaluation Error: ")
    assert "not me (file: " in err and "old/manifests/site.pp, line: 7, column: 21)" in err


def test_what_sides_log_is_told_once(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (directory / "old" / "environment.conf").write_text("foo = bar\n")
    nodes = ("--node", "web01.lan", "--node", "web02.lan")
    status, _, err = diff(capsys, "old", "new", *nodes)
    assert (status, err.count("\n")) == (1, 1)
    assert err.startswith("old: Warning: Invalid settings in environment.conf at ")


def test_other_facts(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    node = ("--environment", "old", "--node", "db.lan")
    status, out, _err = diff(capsys, "debian-12", "facts.json", *node)
    assert (status, out.split("\n")[2:4]) == (
        1,
        ["- Notify['database on Debian']", "+ Notify['database on Suse']"],
    )


def test_other_nodes(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = diff(capsys, "web01.lan", "web02.lan", "--environment", "old")
    assert (status, out) == (0, "--- web01.lan\n+++ web02.lan\nno difference\n")
    status, out, _err = diff(capsys, "web01.lan", "db.lan", "--environment=old", "--facts=rocky-9")
    assert out.endswith("resources: 1 added, 2 removed\n")


def test_a_slip_is_no_name_of_a_node(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for sides in (("rocky9", "db.lan"), ("debian-12", "Rocky-9"), ("rocky-8", "rocky-9")):
        status, out, err = diff(capsys, *sides, "--environment", "old")
        assert (status, out) == (2, "")
        assert "did you mean rocky-9? (the sets are debian-12," in err
    site = directory / "old" / "manifests" / "site.pp"
    site.write_text("node 'rocky8', 'rocky9' { notify { 'x': } }")
    status, out, err = diff(capsys, "rocky8", "rocky9", "--environment", "old")
    assert (status, out, err) == (0, "--- rocky8\n+++ rocky9\nno difference\n", "")


def test_nodes_that_nothing_knows_are_told(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = diff(capsys, "web09.lan", "web08.lan", "--environment", "old")
    note = "no node block or data names web09.lan and web08.lan; their facts are the current ones"
    assert (answer[0], answer[2]) == (0, f"puppet-repl: {note}\n")
    assert diff(capsys, "old", "new", "--node", "web09.lan")[2] == ""


@pytest.mark.parametrize("arguments", [("one", "one"), ("debian-12", "one", "--environment=one")])
def test_a_node_without_a_block_fails_though_nobody_named_it(
    directory: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    (directory / "one" / "manifests").mkdir(parents=True)
    (directory / "one" / "manifests" / "site.pp").write_text("node 'db.lan' { }")
    status, _out, err = diff(capsys, *arguments, "--facts=debian-12")
    assert status == 2
    assert "Could not find node statement with name 'default' or 'debian12.example.com'" in err


def test_code(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "package { $facts['os']['name']: }"
    status, out, _err = diff(capsys, "debian-12", "rocky-9", "-e", code)
    assert (status, out.split("\n")[2:4]) == (1, ["- Package['Debian']", "+ Package['Rocky']"])


def test_a_file_with_a_catalog(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = diff(capsys, "catalog.json", "new", "--node", "web01.lan")
    assert (status, err) == (1, "")
    assert out.split("\n")[2:] == [
        "+ File['/a']",
        "+   mode => '0600'",
        '+   content => "one\\ntwo\\n"',
        "resources: 1 added",
        "",
    ]
    assert diff(capsys, "catalog.json", "catalog.json")[0] == 0


def test_directories_of_catalogs(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("before", "after"):
        (directory / name).mkdir()
    document = (directory / "catalog.json").read_text()
    (directory / "before" / "web01.lan.json").write_text(document)
    (directory / "before" / "gone.json").write_text(document)
    (directory / "after" / "web01.lan.json").write_text(document)
    status, out, err = diff(capsys, "before", "after")
    assert (status, err) == (1, "")
    assert out == (
        "=== gone\ngone: only in before\n=== web01.lan\n--- before\n+++ after\nno difference\n"
        "\n2 nodes: 1 the same, 1 different\n"
    )
    assert diff(capsys, "before", "after", "--node", "web01.lan")[0] == 0
    gone = diff(capsys, "after", "before", "--node", "gone")
    assert gone == (1, "gone: only in before\n", "")
    for options in ([], ["--summary"]):
        for form in ("text", "markdown"):
            out = diff(capsys, "before", "after", *options, "--format", form)[1]
            assert "gone: only in before" in out
    data = json.loads(diff(capsys, "before", "after", "--format", "json")[1])
    assert [node.get("only_in") for node in data["nodes"]] == ["before", None]
    data = json.loads(diff(capsys, "before", "after", "--summary", "--format", "json")[1])
    assert (data["same"], data["only_in"]) == (False, {"gone": "before"})
    # The nodes of the stored catalogs are those that an environment is compiled for.
    status, out, err = diff(capsys, "after", "new")
    assert (status, out.split("\n")[2], err) == (1, "+ File['/a']", "")
    assert diff(capsys, "after", "catalog.json")[0] == 2


@pytest.fixture
def stored(directory: Path) -> Path:
    """Two directories with the same catalog of one node."""
    for name in ("before", "after"):
        (directory / name / "notes.json").mkdir(parents=True)  # no file
        (directory / name / "web01.lan.json").write_text((directory / "catalog.json").read_text())
    return directory


@pytest.mark.parametrize("names", [["before"], ["after"], ["before", "after"]])
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"resources": [', "not JSON: Expecting value (line: 1, column: 16)"),
        ("{}", "not a catalog: a catalog has an array 'resources'"),
        ("[]", "not a catalog: a catalog is a JSON object"),
        ("\udcff", "not UTF-8 (byte 0)"),
        (None, "No such file or directory"),
    ],
)
def test_a_file_without_a_catalog_in_a_directory(
    stored: Path,
    capsys: pytest.CaptureFixture[str],
    names: list[str],
    text: str | None,
    problem: str,
) -> None:
    for name in names:
        path = stored / name / "db.lan.json"
        if text is None:
            path.symlink_to("nowhere")
        else:
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
    message = f"puppet-repl: {names[0]}/db.lan.json: {problem}\n"
    assert diff(capsys, "before", "after") == (2, "", message)
    assert diff(capsys, "before", "after", "--node", "web01.lan") == (2, "", message)


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_nodes_without_a_catalog_in_directories(
    stored: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    common = ("before", "after", "--format", form)
    problem = "puppet-repl: no catalog of 'nosuch' in before or after\n"
    assert diff(capsys, *common, "--node", "nosuch") == (2, "", problem)
    (stored / "nodes.txt").write_text("web01.lan\nnosuch\nother\n")
    problem = "puppet-repl: no catalog of 'nosuch' and 'other' in before or after\n"
    assert diff(capsys, *common, "--nodes", "nodes.txt") == (2, "", problem)
    assert diff(capsys, *common, "--node", "web01.lan")[0] == 0


@pytest.mark.parametrize(
    ("options", "change", "message"),
    [
        (("--puppetdb", "kept.json"), ["- Notify['from db.lan']", "resources: 1 removed"], ""),
        ((), ["no difference"], ""),
        (("--no-storeconfigs",), ["no difference"], "the collection will be ignored"),
    ],
)
def test_both_sides_collect_what_other_nodes_have_exported(
    directory: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    change: list[str],
    message: str,
) -> None:
    site = """
        node 'web01.lan' { Notify <<| |>> }
        node default { @@notify { "from ${trusted['certname']}": } }
    """
    (directory / "old" / "manifests" / "site.pp").write_text(site)
    (directory / "new" / "manifests" / "site.pp").write_text("node default { }")
    assert main(["compile", "--puppetdb=kept.json", "--environment=old", "--node=db.lan"]) == 0
    capsys.readouterr()
    status, out, err = diff(capsys, "old", "new", "--node", "web01.lan", *options)
    assert out.splitlines()[2:] == change
    assert status == (1 if len(change) > 1 else 0)
    assert message in err and bool(message) == bool(err)


def test_json(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = diff(capsys, "old", "new", "--node=web01.lan", "--format=json")
    data = json.loads(out)
    assert (status, data["node"], data["same"]) == (1, "web01.lan", False)
    assert data["changed"] == [
        {
            "type": "File",
            "title": "/a",
            "parameters": [{"name": "mode", "change": "changed", "from": "0644", "to": "0600"}],
        }
    ]
    nodes = ("--node=db.lan", "--node=broken.lan")
    status, out, _err = diff(capsys, "old", "new", *nodes, "--format=json")
    data = json.loads(out)
    assert (status, data["same"]) == (2, False)
    assert [node["node"] for node in data["nodes"]] == ["db.lan", "broken.lan"]
    assert data["nodes"][0]["same"] is True
    assert "not me" in data["nodes"][1]["error"]


def test_html(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = diff(
        capsys, "old", "new", "--node=web01.lan", "--node=db.lan", "--format=html"
    )
    assert status == 1
    assert "<h2>db.lan</h2>" in out
    assert ">File[&#x27;/a&#x27;]</code>" in out
    assert ">- mode =&gt; &#x27;0644&#x27;</span>" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("old", "new", "--environment", "nope"), "--environment: nope is not a directory"),
        (("old", "nope.json"), "nope.json: No such file or directory"),
        (("odl", "new"), "odl: no such file or directory (to compare nodes"),
        (("server-error.json", "server-error.json"), "server-error.json: neither a catalog nor f"),
        (("empty.json", "empty.json", "-e", "1"), "empty.json: neither a catalog nor facts (it l"),
        (("old", "empty.json"), "empty.json: neither a catalog nor facts (it l"),
        (("facts.json", "facts.json"), "facts.json has facts; add --environment DIR or -e"),
        (("puppet.yaml", "old"), "puppet.yaml has facts; add --environment DIR or -e"),
        (("debian-12", "rocky-9"), "debian-12 is a fact set; add --environment DIR or -e"),
        (("old", "nothing"), "nothing: neither an environment nor a directory of catalogs"),
        (("old", "./nothing/"), "./nothing/: neither an environment nor a directory of catalogs"),
        (("old", "broken.json"), "broken.json: a resource of a catalog has a 'type'"),
        (
            ("catalog.json", "new", "--node", "a", "--node", "b"),
            "catalog.json is the catalog of one node, and --node names several",
        ),
        (("catalog.json", "catalog.json", "--node", "a"), "--node is for catalogs that are"),
        (
            ("web01.lan", "db.lan", "--node", "a", "--environment", "old"),
            "web01.lan is the name of a node: give nodes to compare, or --node",
        ),
    ],
)
def test_trouble(
    directory: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    status, out, err = diff(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"puppet-repl: {message}")


def test_a_missing_side_is_a_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        diff(capsys, "old")
    assert ended.value.code == 2


def test_deeply_nested_values(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, depth, leaf in (("a", 900, 1), ("b", 900, 2), ("c", 20_000, 1)):
        value = "[" * depth + str(leaf) + "]" * depth
        row = f'{{"type": "Notify", "title": "n", "parameters": {{"message": {value}}}}}'
        (directory / f"{name}.json").write_text(f'{{"resources": [{row}]}}')
    assert diff(capsys, "a.json", "b.json")[0] == 1
    assert diff(capsys, "a.json", "a.json")[0] == 0
    assert diff(capsys, "a.json", "c.json") == (
        2,
        "",
        "puppet-repl: c.json: nested more than 1,000 deep\n",
    )


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="needs /dev/fd")
def test_pipes_of_the_shell_are_catalogs(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalog = (directory / "catalog.json").read_bytes()
    assert in_pipes(capsys, catalog, catalog)[::2] == (0, "")
    status, _, err = in_pipes(capsys, catalog, b'{"os": {}}')
    assert status == 2
    assert err.endswith(": a pipe must hold a catalog, and this is not one\n")


def in_pipes(capsys: pytest.CaptureFixture[str], *documents: bytes) -> Answer:
    """Compare two documents as ``diff <(command) <(command)`` does."""
    names = []
    for document in documents:
        reading, writing = os.pipe()
        os.write(writing, document)
        os.close(writing)
        names.append(reading)
    try:
        return diff(capsys, *[f"/dev/fd/{number}" for number in names])
    finally:
        for number in names:
            os.close(number)


# Many nodes


@pytest.fixture
def fleet(directory: Path) -> Path:
    """A directory with two environments, and facts of twelve nodes."""
    (directory / "facts").mkdir()
    for number in range(12):
        facts = {"os": {"family": "Debian"}, "role": "web" if number % 4 else "db"}
        (directory / "facts" / f"n{number:02}.json").write_text(json.dumps(facts))
    for name, mode, extra in (("old", "0644", ""), ("new", "0600", "group => 'adm'")):
        (directory / name / "manifests" / "site.pp").write_text(f"""
            file {{ '/a': mode => '{mode}', {extra} }}
            user {{ 'u': password => Sensitive('{name}') }}
            if $facts['role'] == 'db' {{ notify {{ 'db {name}': }} }}
            if $trusted['certname'] == 'n05' and '{name}' == 'new' {{ fail('not me') }}
        """)
    return directory


SUMMARY = """=== 11 nodes: n00, n01, n02, n03, n04, ...
~ File['/a']
+   group => 'adm'
-   mode => '0644'
+   mode => '0600'
~ User['u']
~   password: the Sensitive value is another one
=== 3 nodes: n00, n04, n08
- Notify['db old']
+ Notify['db new']

12 nodes: 0 the same, 11 different, 1 failed (n05)
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_summary_has_each_change_once(
    fleet: Path, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    common = ("old", "new", "--facts", "facts", "--summary", "--jobs", jobs)
    status, out, err = diff(capsys, *common)
    assert (status, out) == (2, SUMMARY)
    assert err.startswith("puppet-repl: n05: no catalog for new: Evaluation Error: ")
    assert err.count("\n") == 1
    status, out, _ = diff(capsys, *common, "--format", "json")
    data = json.loads(out)
    assert (status, data["same"], data["nodes"], list(data["failed"])) == (2, False, 12, ["n05"])
    assert [len(change["nodes"]) for change in data["changes"]] == [11, 11, 3, 3]
    assert data["changes"][2]["nodes"] == ["n00", "n04", "n08"]
    assert data["changes"][2]["removed"][0]["title"] == "db old"
    assert data["changes"][0]["changed"][0]["parameters"][0] == {
        "name": "group",
        "change": "added",
        "to": "adm",
    }
    _, out, _ = diff(capsys, *common, "--format", "html")
    assert out.count("<h2>3 nodes: n00, n04, n08</h2>") == 1 and out.count("<h2>") == 2
    assert "db old" in out and "db new" in out


@pytest.mark.parametrize("summary", [[], ["--summary"]])
def test_a_text_for_reviews(
    fleet: Path, capsys: pytest.CaptureFixture[str], summary: list[str]
) -> None:
    common = ("old", "new", "--facts", "facts", "--format", "markdown", *summary)
    status, out, err = diff(capsys, *common)
    lines = out.splitlines()
    assert (status, lines[0]) == (2, "### Catalogs: `old` → `new`")
    assert lines[2] == "12 nodes: **11 different**, **1 failed**"
    assert "**Failed:** `n05`" in lines and err.startswith("puppet-repl: n05: no catalog for new: ")
    summaries = [line for line in lines if line.startswith("<details")]
    assert summaries == [
        "<details open><summary><b>11 nodes</b>: n00, n01, n02, n03, n04, n06, n07, n08 and 3 more"
        " (resources: 2 changed)</summary>",
        "<details open><summary><b>3 nodes</b>: n00, n04 and n08"
        " (resources: 1 added, 1 removed)</summary>",
        "<details><summary>11 nodes in numbers</summary>",
    ]


def test_a_summary_needs_names_of_nodes(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = "puppet-repl: --summary names the nodes of each change: give them with --node\n"
    for sides in (("old", "new"), ("catalog.json", "catalog.json")):
        assert diff(capsys, *sides, "--facts", "debian-12", "--summary") == (2, "", message)
    status, out, _ = diff(capsys, "old", "new", "--node", "web01.lan", "--summary")
    assert status == 1 and out.startswith("=== 1 node: web01.lan\n")


def test_nodes_with_facts_of_their_own(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (fleet / "nodes.txt").write_text("n00\nn1?\n")
    status, out, err = diff(capsys, "old", "new", "--facts", "facts", "--nodes", "nodes.txt")
    assert (status, err) == (1, "")
    assert [line for line in out.splitlines() if line.startswith("===")] == [
        "=== n00",
        "=== n10",
        "=== n11",
    ]
    assert out.count("Notify['db new']") == 1
    assert out.endswith("\n3 nodes: 0 the same, 3 different\n")
    node = ("--facts", "facts", "--node", "n01")
    assert diff(capsys, "old", "old", *node)[:2] == (0, "--- old\n+++ old\nno difference\n")
    assert "Notify['db new']" in diff(capsys, "old", "new", *node, "--fact", "role=db")[1]


def test_facts_of_nodes_that_cannot_be_used(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ("old", "old", "--facts", "facts")
    status, out, err = diff(capsys, *common, "--node", "zz")
    assert (status, out) == (2, "")
    assert err == "puppet-repl: --facts: there are no facts of zz in facts\n"
    (fleet / "facts" / "n07.json").write_text("{")
    status, out, err = diff(capsys, *common)
    assert status == 2
    assert out.endswith("12 nodes: 11 the same, 0 different, 1 failed (n07)\n")
    assert err.startswith("puppet-repl: n07: facts/n07.json: ")


# Manifests, and what counts


@pytest.fixture
def manifests(directory: Path) -> Path:
    old = "file { '/tmp/a': mode => '0644', owner => 'root' }\nuser { 'u': groups => ['a', 'b'] }\n"
    new = "file { '/tmp/a': mode => '0600', owner => 'root' }\nuser { 'u': groups => ['b', 'a'] }\n"
    (directory / "a.pp").write_text(old)
    (directory / "b.pp").write_text(new + "notify { $facts['os']['family']: tag => 'loud' }\n")
    return directory


OF_MANIFESTS = """--- a.pp
+++ b.pp
+ Notify['Suse']
~ File['/tmp/a']
-   mode => '0644'
+   mode => '0600'
~ User['u']
-   groups => ['a', 'b']
+   groups => ['b', 'a']
resources: 1 added, 2 changed
"""


def test_two_manifests(manifests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = ("--facts", "facts.json")
    assert diff(capsys, "a.pp", "b.pp", *facts) == (1, OF_MANIFESTS, "")
    assert diff(capsys, "a.pp", "a.pp", *facts)[:2] == (0, "--- a.pp\n+++ a.pp\nno difference\n")
    # They count in place of the manifests of an environment, and code runs on top of them.
    common = (*facts, "--environment", "old", "--node", "db.lan", "-e", "notify { 'top': }")
    status, out, _ = diff(capsys, "a.pp", "old", *common)
    assert (status, out.splitlines()[2:]) == (
        1,
        [
            *("- File['/tmp/a']", "-   mode => '0644'", "-   owner => 'root'"),
            *("- User['u']", "-   groups => ['a', 'b']"),
            *("+ Notify['database on Suse']", "resources: 1 added, 2 removed"),
        ],
    )


def test_manifests_that_cannot_be_used(manifests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(capsys, "a.pp", "none.pp") == (
        2,
        "",
        "puppet-repl: none.pp: No such file or directory\n",
    )
    (manifests / "broken.pp").write_text("$a = )\n")
    status, out, err = diff(capsys, "a.pp", "broken.pp")
    assert (status, out) == (2, "")
    assert err.startswith("puppet-repl: no catalog for broken.pp: ")
    assert "(file: broken.pp, line: " in err
    (manifests / "latin.pp").write_bytes(b"notice('\xe4')")
    assert diff(capsys, "latin.pp", "a.pp")[0] == 2


CHOICES = [
    (["--ignore", "File[/tmp/*][mode]", "--ignore", "User"], "1 added (2 changes left out)"),
    (["--only", "file[*][m*]", "--only", "@loud"], "1 added, 1 changed (1 change left out)"),
    (["--only", "User", "--same", "order"], None),
    (["--ignore=+*", "--same", "single,order"], "1 changed (1 change left out)"),
]


@pytest.mark.parametrize(("options", "resources"), CHOICES)
def test_what_counts(
    manifests: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    resources: str | None,
) -> None:
    status, out, err = diff(capsys, "a.pp", "b.pp", "--facts", "facts.json", *options)
    last = out.splitlines()[-1]
    assert (status, err) == (resources is not None, "")
    if resources is None:
        assert last == "no difference (2 changes left out)"
    else:
        assert last == f"resources: {resources}"
    out = diff(capsys, "a.pp", "b.pp", "--facts=facts.json", *options, "--format=json")[1]
    assert json.loads(out)["same"] == (resources is None)


UNMATCHED = [
    (["--only", "Servce"], "--only Servce"),
    (["--ignore=-File[/tmp/b]", "--ignore", "User[u]"], "--ignore -File[/tmp/b]"),
    (["--ignore=*[*][mod]", "--only=@quiet"], "--ignore *[*][mod] and --only @quiet"),
    (["--only=file[/tmp/a][owner]", "--ignore=~@loud", "--ignore=*[*][before]"], None),
    (["--ignore", "Class[main]", "--only", "+User[u][group?]"], None),
]


@pytest.mark.parametrize(("options", "patterns"), UNMATCHED)
def test_patterns_that_match_nothing(
    manifests: Path, capsys: pytest.CaptureFixture[str], options: list[str], patterns: str | None
) -> None:
    _, out, err = diff(capsys, "a.pp", "b.pp", "--facts", "facts.json", *options)
    note = f"puppet-repl: nothing matched {patterns} (no resource of either side matches)\n"
    assert err == ("" if patterns is None else note)
    assert out.startswith("--- a.pp\n")


def test_a_pattern_that_matches_on_one_node(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ("old", "new", "--node", "web01.lan", "--node", "db.lan")
    assert diff(capsys, *common, "--ignore", "File", "--only", "Notify")[2] == ""
    assert "nothing matched --only Exec (" in diff(capsys, *common, "--only", "Exec")[2]


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("--ignore", "File[/tmp", "'File[/tmp' is not a pattern: a bracket is not closed"),
        ("--only", "Exec,File", "'Exec,File' is not the name of a type"),
        ("--same", "order,sets", "'sets' is not among order, single and text"),
    ],
)
def test_a_choice_that_cannot_be_used(
    manifests: Path, capsys: pytest.CaptureFixture[str], option: str, value: str, problem: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["diff", "a.pp", "b.pp", option, value])
    assert stopped.value.code == 2
    assert f"argument {option}: " in (err := capsys.readouterr().err) and problem in err


def test_lines_are_not_broken_where_nobody_watches(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    title, value = "/srv/" + "directory/" * 15, "word " * 40
    (directory / "a.pp").write_text(f"file {{ '{title}x': }}\nnotify {{ 'n': }}")
    (directory / "b.pp").write_text(f"notify {{ 'n': message => '{value}' }}")
    out = diff(capsys, "a.pp", "b.pp")[1]
    assert f"- File['{title}x']\n" in out and f"+   message => '{value}'\n" in out


HIERARCHY = """version: 5
hierarchy:
  - {name: node, path: "nodes/%{trusted.certname}.yaml"}
  - {name: host, path: "hosts/%{facts.os.family}/%{facts.networking.hostname}.x.yaml"}
  - {name: role, path: "roles/%{facts.role}.yaml"}
  - {name: common, path: common.yaml}
"""


def test_all_nodes_of_the_site(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (directory / "new/hiera.yaml").write_text(HIERARCHY)
    files = (
        "nodes/a.lan",
        "nodes/web01.lan",
        "hosts/Suse/h.x",
        "hosts/Other/i.x",
        "roles/r",
        "common",
    )
    for name in files:
        path = directory / "new/data" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
    common = ("old", "new", "--all-nodes", "--facts", "facts.json", "--summary", "--format", "json")
    status, out, _ = diff(capsys, *common)
    data = json.loads(out)
    assert (status, list(data["failed"]), data["nodes"]) == (2, ["broken.lan"], 7)
    assert [change["nodes"] for change in data["changes"]] == [["web01.lan", "web02.lan"]]
    lines = diff(capsys, "old", "new", "--all-nodes", "--facts", "facts.json")[1].splitlines()
    assert [line[4:] for line in lines if line.startswith("=== ")] == [
        *("a.lan", "broken.lan", "db.lan", "h", "i", "web01.lan", "web02.lan")
    ]


def test_all_nodes_with_facts(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(capsys, "old", "old", "--facts", "facts", "--all-nodes")[1].endswith(
        "\n12 nodes: 12 the same, 0 different\n"
    )
    problem = "puppet-repl: --all-nodes: --node and --nodes choose some of them\n"
    assert diff(capsys, "old", "old", "--node", "n01", "--all-nodes") == (2, "", problem)
    status, _, err = diff(capsys, "old", "old", "--all-nodes")
    assert status == 2
    assert err.startswith("puppet-repl: --all-nodes: no node block and no data file names a node ")


def test_two_profiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / ".git").mkdir()
    for name in ("old", "new"):
        (tmp_path / name / "manifests").mkdir(parents=True)
        (tmp_path / name / "manifests/site.pp").write_text(
            f"notify {{ \"{name} ${{trusted['certname']}} ${{facts['os']['family']}}\": }}\n"
        )
    (tmp_path / ".puppet-repl.toml").write_text(
        "[profiles.web]\nenvironment = 'old'\nnode = 'web01'\nfacts = 'debian-12'\nstrict = 'off'\n"
        "[profiles.db]\nenvironment = 'new'\nnode = 'db01'\nfacts = 'rocky-9'\nstrict = 'off'\n"
        "[profiles.other]\nnode = 'db01'\n"
    )
    changes = "- Notify['old web01 Debian']\n+ Notify['new db01 RedHat']\n"
    expected = f"--- @web\n+++ @db\n{changes}resources: 1 added, 1 removed\n"
    assert diff(capsys, "@web", "@db") == (1, expected, "")
    assert diff(capsys, "--format", "text", "@web", "@db") == (1, expected, "")
    assert diff(capsys, "@web", "@web") == (0, "--- @web\n+++ @web\nno difference\n", "")
    for arguments, problem in (
        (("@web", "@other"), "@web and @other differ in --strict: the sides of a comparison"),
        (("@web", "@none"), "there is no profile 'none'; there are web, db, other"),
        (("@web", "@db", "--node", "n"), "--node: a profile that is compared has a node already"),
        (("@web", "@db", "--rev", "HEAD"), "--rev: give one directory, or none"),
    ):
        status, out, err = diff(capsys, *arguments)
        assert (status, out) == (2, "")
        assert err.startswith(f"puppet-repl: {problem}")
