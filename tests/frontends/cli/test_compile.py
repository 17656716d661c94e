"""``puppet-repl compile`` as a process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frontends.cli.test_cli import run

SITE = """\
node /^web/ { @@notify { "from ${trusted['certname']}": } include role }
node 'db01' { Notify <<| |>> }
node 'bad' { notify { 'x': } notify { 'x': } }
class role { file { '/etc/role': content => "${facts['role']}" } }
"""


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A directory with an environment, and facts of three nodes."""
    manifests = tmp_path / "production" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text(SITE)
    facts = tmp_path / "facts"
    facts.mkdir()
    (facts / "web01.json").write_text('{"role": "web"}')
    (facts / "db01.yaml").write_text(
        "--- !ruby/object:Puppet::Node::Facts\nname: db01\nvalues:\n  role: db\n"
    )
    (facts / "web02.yml").write_text("role: second\n")
    return tmp_path


def test_one_node_is_one_document(environment: Path) -> None:
    status, out, err = run(
        "compile", "--environment", "production", "--node", "web01", "--fact", "role=x",
        directory=environment,
    )  # fmt: skip
    assert (status, err) == (0, "")
    document = json.loads(out)
    assert (document["name"], document["environment"]) == ("web01", "production")
    assert document["resources"][-1]["parameters"] == {"content": "x"}


@pytest.mark.parametrize("code", [(), ("-e", "notice(2)")], ids=["site", "code"])
def test_what_a_hermetic_session_leaves_out_is_a_warning(
    environment: Path, code: tuple[str, ...]
) -> None:
    production = environment / "production"
    (environment / "elsewhere").mkdir()
    (production / "modules").mkdir()
    (production / "modules" / "lnk").symlink_to("../../elsewhere")
    (production / "environment.conf").write_text("modulepath = /nowhere/*:modules\n")
    status, _, err = run(
        "compile", "--hermetic", "--environment", "production", "--node", "web01", *code,
        directory=environment,
    )  # fmt: skip
    assert status == 0
    first, second, *rest = err.splitlines()
    assert first.startswith("web01: Warning: ") and "modules/lnk is outside of" in first
    assert second.startswith("web01: Warning: /nowhere/* in the modulepath of ")
    assert rest == (["web01: Notice: 2"] if code else [])


def test_secrets_are_in_the_document_as_an_agent_gets_it() -> None:
    status, out, _ = run("compile", "notify { 'n': message => Sensitive('s3cret') }")
    made = json.loads(out)["resources"][-1]
    assert status == 0
    assert made["parameters"] == {"message": "s3cret"}
    assert made["sensitive_parameters"] == ["message"]


def test_all_nodes_of_a_directory(environment: Path) -> None:
    status, out, err = run(
        "compile", "--environment", "production", "--facts", "facts", "--jobs", "2",
        directory=environment,
    )  # fmt: skip
    assert status == 0
    documents = json.loads(out)
    assert list(documents) == ["db01", "web01", "web02"]
    shown = {
        name: [each["title"] for each in document["resources"] if each["type"] != "Class"]
        for name, document in documents.items()
    }
    assert shown["db01"] == ["main", "db01", "from web01", "from web02"]
    assert documents["web02"]["resources"][-1]["parameters"] == {"content": "second"}
    assert err.splitlines() == ["3 of 3 catalogs compiled"]


def test_where_several_files_have_facts_of_a_node_it_is_said_which_counts(
    environment: Path,
) -> None:
    shutil.copytree(environment / "facts", environment / "newer")
    arguments = ("compile", "-e", "notice(1)", "--facts", "facts", "--facts", "newer")
    _, _, err = run(*arguments, "--node", "db01", directory=environment)
    paths = [os.path.join(name, "db01.yaml") for name in ("newer", "facts")]
    assert err.splitlines() == [
        f"db01: facts of {paths[0]}, not of {paths[1]}",
        "db01: Notice: 1",
    ]


def test_quiet_prints_errors_and_which_nodes_failed(environment: Path) -> None:
    code = "if $trusted['certname'] =~ /^b/ { fail('no') } notice(1)"
    nodes = [f"--node={name}" for name in ("b1", "a", "b2")]
    status, _, err = run(
        "compile", "-e", code, "--format", "ndjson", "--quiet", *nodes, directory=environment
    )
    assert status == 1
    assert "Notice" not in err
    assert err.splitlines()[-2:] == ["failed: b1, b2", "1 of 3 catalogs compiled"]
    assert err.count(": Error: ") == 2
    one = run("compile", "-e", code, "--quiet", "--node", "b1", directory=environment)[2]
    assert one.splitlines()[-2:] == ["failed: b1", "0 of 1 catalogs compiled"]
    unnamed = run("compile", "-e", "notice(1)", "--quiet", directory=environment)[2]
    assert unnamed == "1 of 1 catalogs compiled\n"


def test_the_order_of_nodes_does_not_count(environment: Path) -> None:
    for names in (("db01", "web01"), ("web01", "db01")):
        status, out, _ = run(
            "compile", "--environment", "production", "--fact", "role=x", "--jobs", "1",
            *(f"--node={name}" for name in names), directory=environment,
        )  # fmt: skip
        assert status == 0
        documents = json.loads(out)
        assert list(documents) == list(names)
        assert documents["db01"]["resources"][-1]["title"] == "from web01"


def test_a_failure_does_not_stop_the_others(environment: Path) -> None:
    status, out, err = run(
        "compile", "--environment", "production", "--fact", "role=x",
        "--node", "bad", "--node", "web01", "--node", "none",
        directory=environment,
    )  # fmt: skip
    assert status == 1
    documents = json.loads(out)
    assert documents["bad"] is None and documents["none"] is None
    assert documents["web01"]["name"] == "web01"
    assert "bad: Error: Evaluation Error" in err
    assert "none: Error: Could not find node statement with name 'default' or 'none'" in err
    assert "1 of 3 catalogs compiled" in err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_facts_that_cannot_be_read_do_not_stop_the_other_nodes(
    environment: Path, jobs: str
) -> None:
    (environment / "facts" / "web03.json").write_text("{")
    status, out, err = run(
        "compile", "--environment", "production", "--facts", "facts", "--jobs", jobs,
        directory=environment,
    )  # fmt: skip
    assert status == 1
    documents = json.loads(out)
    assert [name for name in documents if documents[name] is None] == ["web03"]
    assert len(documents) == 4
    assert "web03: Error: facts/web03.json: " in err
    assert "3 of 4 catalogs compiled" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--environment", "production", "--facts", "debian-12"),
        ("--facts", "debian-12", "node 'web01' { }"),
    ],
)
def test_a_node_without_a_block_fails_though_nobody_named_it(
    environment: Path, arguments: tuple[str, ...]
) -> None:
    status, out, err = run("compile", *arguments, directory=environment)
    assert (status, out) == (1, "")
    name = "debian12.example.com"
    assert f"Could not find node statement with name 'default' or '{name}'" in err


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("code", "notify { 'b':\n  require => Notify['a'],\n}"),
        ("table", "Notify['a']  {'before' => Notify['b']}"),
        ("graph", "  r0[\"Notify['a']\"]"),
        ("dot", "\"Notify['a']\" -> \"Notify['b']\";"),
        ("svg", "<title>Graph of 2 resources and 1 relationship</title>"),
        ("tree", "   ├─ Notify['a']\n   └─ Notify['b']"),
    ],
)
def test_formats(format: str, expected: str) -> None:
    code = "notify { 'a': } -> notify { 'b': }"
    if format == "code":
        code = "notify { 'a': } notify { 'b': require => Notify['a'] }"
    status, out, err = run("compile", "-e", code, "--format", format)
    assert (status, err) == (0, "")
    assert " ".join(expected.split()) in " ".join(out.split())


def test_pictures_of_several_nodes_are_files(tmp_path: Path) -> None:
    arguments = ("compile", "-e", "notify { 'a': }", "--node", "one", "--node", "two")
    status, out, err = run(*arguments, "--format", "svg")
    assert (status, out) == (2, "")
    assert "--format svg of several nodes needs --output DIR" in err
    assert run(*arguments, "--format", "svg", "--output", str(tmp_path))[0] == 0
    for name in ("one", "two"):
        text = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
        assert text.startswith("<svg ")
        assert text.endswith("</svg>\n")


def test_code_is_code_again() -> None:
    code = (
        "class c { notify { 'n': message => \"a'b\" } } include c stage { 's': } @notify { 'v': }"
    )
    _, made, _ = run("compile", "-e", code, "--format", "code")
    assert made == "notify { 'n':\n  message => 'a\\'b',\n}\n\nstage { 's': }\n"
    _, again, _ = run("compile", "-", "--format", "code", given=made.encode())
    assert again.split() == made.split()


def test_code_takes_the_place_of_the_site(environment: Path) -> None:
    (environment / "other.pp").write_text("notify { 'other': }\n")
    for given in (("other.pp",), ("-e", "notify { 'other': }"), ("notify { 'other': }",)):
        status, out, err = run(
            "compile", "--environment", "production", "--node", "bad", "--format", "code", *given,
            directory=environment,
        )  # fmt: skip
        assert (status, out, err) == (0, "notify { 'other': }\n", ""), given


def test_all_nodes_are_those_with_a_block_or_data(environment: Path) -> None:
    (environment / "site.pp").write_text(
        "node 'A.example', 'b' { notify { 'x': } } node /./ { } node default { }\n"
    )
    arguments = ("compile", "site.pp", "--all-nodes", "--format", "table", "--facts", "rocky-9")
    status, out, err = run(*arguments, directory=environment)
    assert (status, err) == (0, "2 of 2 catalogs compiled\n")
    assert [line for line in out.splitlines() if line in ("a.example", "b")] == ["a.example", "b"]
    status, out, err = run(
        "compile", "--environment", "production", "--facts", "facts", "--all-nodes",
        "--format", "ndjson", directory=environment,
    )  # fmt: skip
    names = {json.loads(line)["name"] for line in out.splitlines()}
    assert names == {"db01", "web01", "web02"}
    for wrong in (("--node", "b"), ("--nodes", "-")):
        status, out, err = run(*arguments, *wrong, given=b"b\n", directory=environment)
        problem = "puppet-repl: --all-nodes: --node and --nodes choose some of them\n"
        assert (status, out, err) == (2, "", problem)


def test_output_into_a_directory(environment: Path) -> None:
    status, out, err = run(
        "compile", "--environment", "production", "--facts", "facts", "--node", "web*",
        "--node", "bad", "--facts", "rocky-9", "--output", "made/catalogs", "--format", "code",
        directory=environment,
    )  # fmt: skip
    assert (status, out) == (1, "")
    assert "2 of 3 catalogs compiled" in err
    made = environment / "made" / "catalogs"
    assert sorted(os.listdir(made)) == ["web01.pp", "web02.pp"]
    assert "content => 'second'" in (made / "web02.pp").read_text()
    for jobs in ("1", "2"):
        (made / "bad.pp").write_text("of another run")
        status, _, _ = run(
            "compile", "--environment", "production", "--facts", "facts", "--node", "web*",
            "--node", "bad", "--facts", "rocky-9", "--output", "made/catalogs",
            "--format", "code", "--jobs", jobs, directory=environment,
        )  # fmt: skip
        assert status == 1
        assert sorted(os.listdir(made)) == ["web01.pp", "web02.pp"]


@pytest.mark.parametrize(
    "name", ["../out", "{here}/out", "..", "a/../../out", "a\\b", "a\0b", " ", "a\nb"]
)
@pytest.mark.parametrize("hermetic", [(), ("--hermetic",)])
def test_no_file_is_written_outside_of_the_output(
    tmp_path: Path, name: str, hermetic: tuple[str, ...]
) -> None:
    name = name.format(here=tmp_path)
    (tmp_path / "f.json").write_text(json.dumps({"clientcert": name}))
    arguments = ("compile", *hermetic, "-e", "1", "--facts", "f.json", "--output", "made")
    status, out, err = run(*arguments, directory=tmp_path)
    assert (status, out) == (2, "")
    assert "puppet-repl: --output: '" in err
    assert "', which the facts say, is not a valid node name\n" in err
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["f.json", "made"]


def test_no_file_has_control_characters_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "a\x1b[2J\n.yaml").write_text("{}")
    arguments = ("compile", "-e", "1", "--facts", "facts", "--output", "made")
    status, out, err = run(*arguments, directory=tmp_path)
    assert (status, out) == (2, "")
    assert err.endswith("', which the facts say, is not a valid node name\n") and "\x1b" not in err
    assert not list((tmp_path / "made").iterdir())


def test_a_node_is_compiled_once_in_whatever_case_it_is_named(tmp_path: Path) -> None:
    arguments = ("compile", "-e", "1", "--node", "Web01", "--node", "db01", "--node", "web01")
    status, out, err = run(*arguments, directory=tmp_path)
    assert (status, err) == (0, "2 of 2 catalogs compiled\n")
    pairs = json.loads(out, object_pairs_hook=lambda pairs: [name for name, _ in pairs])
    assert pairs == ["web01", "db01"]
    status, out, _ = run("compile", "-e", "fail('x')", "--node", "Web01", "--node", "WEB01")
    assert (status, out) == (1, "")


def test_exports_are_kept_in_a_file(environment: Path) -> None:
    common = ("compile", "--environment", "production", "--fact", "role=x", "--format", "code")
    for node in ("web01", "web02"):
        status, _, _ = run(*common, "--node", node, "--puppetdb", "x.json", directory=environment)
        assert status == 0
    rows = json.loads((environment / "x.json").read_text())
    assert [(row["certname"], row["title"]) for row in rows] == [
        ("web01", "from web01"),
        ("web02", "from web02"),
    ]
    _, out, _ = run(*common, "--node", "db01", "--puppetdb", "x.json", directory=environment)
    assert out == "notify { 'from web01': }\n\nnotify { 'from web02': }\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give --environment DIR, a manifest, or code"),
        (("nope.pp",), "cannot read nope.pp: No such file or directory"),
        (("-e", "1", "x.pp"), "give either -e CODE or a file, not both"),
        (("-e", "1", "--node", "a/b"), "--node: 'a/b' is not a valid node name"),
        (("-e", "1", "--node", "w*"), "patterns need a directory given to --facts"),
        (("-e", "1", "--facts", "facts", "--node", "w*x"), "no node matches 'w*x'"),
        (("-e", "1", "--facts", "facts", "--node", "zz"), "there are no facts of zz in facts"),
        (("-e", "1", "--facts", "production"), "no facts of nodes (NODE.yaml, NODE.json)"),
        (("-e", "1", "--puppetdb", "facts/web02.yml"), "facts/web02.yml: not JSON"),
        (("-e", "1", "--output", "facts/web02.yml"), "--output: facts/web02.yml: File exists"),
        (("-e", "1", "--jobs", "0"), "not a number of processes: '0'"),
        (("-e", "1", "--format", "xml"), "invalid choice: 'xml'"),
    ],
)
def test_usage(environment: Path, arguments: tuple[str, ...], message: str) -> None:
    status, out, err = run("compile", *arguments, directory=environment)
    assert (status, out) == (2, "")
    assert message in err


CYCLE = "notify { 'a': require => Stage['main'] }"
FOUND = "Found 1 dependency cycle:\n(Notify[a] => Class[Main] => Stage[main] => Notify[a])\n"


@pytest.mark.parametrize("format", ["json", "dot", "graph"])
def test_a_dependency_cycle_is_a_warning(format: str) -> None:
    """It is not in what is printed of the catalog."""
    status, output, errors = run("compile", "-e", CYCLE, "--node", "n", "--format", format)
    assert (status, errors) == (0, f"n: Warning: {FOUND}")
    assert "Notify" in output
    assert "Found" not in output


def test_a_dependency_cycle_is_an_error_where_the_order_is_checked(tmp_path: Path) -> None:
    options = ("--node", "n", "--check-order", "--output", str(tmp_path / "out"))
    assert run("compile", "-e", CYCLE, *options) == (1, "", f"n: Error: {FOUND}")
    assert list((tmp_path / "out").iterdir()) == []
    assert run("compile", "-e", "notify { 'a': }", "--check-order")[0] == 0


@pytest.fixture(scope="module")
def unnamed() -> str:
    """The name of the node in a catalog where nothing names it."""
    status, out, _ = run("compile", "-e", "notify { 'a': }")
    assert status == 0
    name: str = json.loads(out)["name"]
    return name


# Programs that fail at each stage, with the options that make them.
FAILURES = [
    (("fail('x')",), "Evaluation Error"),
    (("notify {",), "Syntax error"),
    (("notify { 'n': message => Float('1e999') }",), "Infinity not allowed in JSON"),
    ((CYCLE, "--check-order"), "Found 1 dependency cycle"),
    (("Integer[1, 9999999].each |$i| { 1 + $i }", "--max-seconds", "0.5"), "--max-seconds"),
    (
        ("$x = Integer[1, 9999].map |$i| { Array(Integer[1, 9999]) }", "--max-memory", "300M"),
        "failed to allocate memory",
    ),
]


@pytest.mark.parametrize(("failing", "message"), FAILURES)
def test_an_unnamed_node_that_fails_is_the_same_node(
    tmp_path: Path, unnamed: str, failing: tuple[str, ...], message: str
) -> None:
    """Its outdated catalog is removed. Its messages have no name: there is no other node."""
    outdated = tmp_path / f"{unnamed}.json"
    other = tmp_path / "other.json"
    for path in (outdated, other):
        path.write_text("{}")
    code, *options = failing
    status, _, err = run(
        "compile", "-e", f"warning('w') {code}", "--output", str(tmp_path), *options
    )
    assert status == 1
    assert message in err
    assert err.startswith(("Warning: ", "Error: "))
    assert list(tmp_path.iterdir()) == [other]


def test_a_node_of_facts_in_a_file_is_named_when_it_fails(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text('{"networking": {"fqdn": "Web01.Example.com"}}')
    common = ("compile", "--facts", "f.json", "-e", "fail('x')")
    _, out, _ = run(*common, "--format", "ndjson", directory=tmp_path)
    assert json.loads(out)["name"] == "web01.example.com"


def test_logs_name_their_node(environment: Path) -> None:
    _, _, err = run("compile", "-e", "notice('hey')", "--node", "a", "--node", "b", "--jobs", "1")
    assert err.splitlines() == ["a: Notice: hey", "b: Notice: hey", "2 of 2 catalogs compiled"]


def run_on_terminal(
    *arguments: str, directory: Path, environ: dict[str, str] | None = None, columns: int = 80
) -> tuple[int | None, str, bytes]:
    """Run with a terminal for the error output; return status, output and error output."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "puppet_repl", *arguments],
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **(environ or {})},
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        assert process.stdout is not None
        out = process.stdout.read().decode()
    os.close(ours)
    return process.returncode, out, shown


def test_a_terminal_shows_progress(environment: Path) -> None:
    status, out, shown = run_on_terminal(
        "compile", "--environment", "production", "--facts", "facts", "--jobs", "2",
        "--format", "tree", directory=environment,
    )  # fmt: skip
    assert status == 0
    assert b"Compiling" in shown and b"3/  3" in shown
    assert b"3 of 3 catalogs compiled" in shown
    assert b"\x1b[6n" not in shown  # a question whose answer the shell would read
    assert out.startswith("db01\nStage['main']\n")


def test_a_narrow_terminal_shows_the_numbers(environment: Path) -> None:
    status, _, shown = run_on_terminal(
        "compile", "--environment", "production", "--facts", "facts", "--jobs", "2",
        directory=environment, columns=40,
    )  # fmt: skip
    assert status == 0
    assert b"3/  3" in shown and b"too small" not in shown


def test_a_program_keeps_exports_too(tmp_path: Path) -> None:
    common = ("--puppetdb", "x.json", "-e")
    done = run("--node", "a", *common, "@@notify { 'n': }", directory=tmp_path)
    assert done == (0, "[Notify['n']]\n", "")
    _, out, _ = run("--node", "b", *common, "Notify <<| |>> notify { 'm': }", directory=tmp_path)
    assert out == "[Notify['m']]\n"
    assert [row["certname"] for row in json.loads((tmp_path / "x.json").read_text())] == ["a"]
    (tmp_path / "x.json").write_text("1")
    status, _, err = run("--node", "b", *common, "1", directory=tmp_path)
    assert (status, err) == (
        2,
        "puppet-repl: --puppetdb: x.json: neither an array of exported resources nor an object with"
        " rows by entity\n",
    )


def test_facts_of_a_node_on_top_of_a_set(environment: Path) -> None:
    code = "notice($facts['role'], $facts['os']['name'], $facts['networking']['fqdn'])"
    _, _, err = run(
        "compile", "-e", code, "--facts", "rocky-9", "--facts", "facts", "--node", "web01",
        "--node", "new.example.com", "--jobs", "1", directory=environment,
    )  # fmt: skip
    assert "web01: Notice: web Rocky web01" in err
    assert "new.example.com: Notice:  Rocky new.example.com" in err
    _, _, err = run(
        "compile", "-e", code, "--facts", "rocky-9", "--facts", "facts", "--node", "web01",
        "--fact", "role=one", "--fact", "os.name=X", directory=environment,
    )  # fmt: skip
    assert "web01: Notice: one X web01" in err


def test_colours_are_those_of_the_error_output(tmp_path: Path) -> None:
    code = "warning('hey') fail('no')"
    status, out, shown = run_on_terminal("compile", "-e", code, directory=tmp_path)
    assert (status, out) == (1, "")
    lines = shown.splitlines()
    assert b"hey" in lines[0] and b"\x1b[" in lines[0]
    assert b"Error" in lines[1] and b"\x1b[" in lines[1]
    for plain in (
        run_on_terminal("compile", "-e", code, "--no-color", directory=tmp_path),
        run_on_terminal("compile", "-e", code, directory=tmp_path, environ={"NO_COLOR": "1"}),
    ):
        assert b"hey" in plain[2] and b"\x1b[" not in plain[2]


def test_a_number_that_json_has_no_word_for(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text('{"x": 1e999}')
    code = "@@notify { 'a': message => $facts['x'] }"
    common = ("compile", "-e", code, "--facts", "f.json", "--puppetdb", "x.json", "--node")
    assert run(*common, "a", directory=tmp_path)[0] == 0
    assert run(*common, "b", directory=tmp_path)[0] == 0  # which reads the file
    (first, second) = json.loads((tmp_path / "x.json").read_text())
    assert first["parameters"] == second["parameters"] == {"message": "Infinity"}
    code = "notify { 'a': message => $facts['x'] }"
    status, out, err = run("compile", "-e", code, "--facts", "f.json", directory=tmp_path)
    assert (status, out) == (1, "")
    message = "Could not render to rich_data_json: 920: Infinity not allowed in JSON (line: 1)"
    assert err.startswith(f"Error: {message}\n")


def test_origins_are_beside_the_parameters(tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text("Notify { message => 'm' }\nnotify { 'n': tag => 't' }\n")
    status, out, _ = run("compile", str(manifest), "--origins")
    assert status == 0
    rows = json.loads(out)["resources"]
    (row,) = [each for each in rows if each["type"] == "Notify"]
    assert row.pop("origins") == {
        "tag": [{"kind": "code", "file": str(manifest), "line": 2}],
        "message": [{"kind": "resource default", "file": str(manifest), "line": 1}],
    }
    plain = json.loads(run("compile", str(manifest))[1])["resources"]
    assert row in plain, "without the option documents are those of Puppet"
    assert not any("origins" in row for row in plain)
    for each in ("code", "tree", "dot"):
        status, _, err = run("compile", str(manifest), "--origins", "--format", each)
        assert status == 2
        assert f"--origins is for JSON, not for --format {each}" in err
