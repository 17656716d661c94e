"""``puppet-repl lookup``: options, formats, exit status, and what it says in addition to Puppet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.frontends.cli.command_line import main
from tests.conformance.judge import write_files
from tests.frontends.cli.test_cli import run

HIERA = """\
version: 5
hierarchy:
  - {name: Machine, path: "nodes/%{trusted.certname}.yaml"}
  - {name: Role, path: "roles/%{facts.role}.yaml"}
  - {name: Common, path: common.yaml}
"""
COMMON = """\
lookup_options:
  secret: {convert_to: Sensitive}
groups: [one, two]
secret: hidden from all
number: 42
where: "%{deployed}"
"""


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    write_files(
        tmp_path,
        {
            "hiera.yaml": HIERA,
            "data/common.yaml": COMMON,
            "data/nodes/web01.yaml": "groups: [--two, three]\n",
            "manifests/site.pp": "$deployed = 'by the manifest'\n",
        },
    )
    return tmp_path


def lookup(environment: Path, *arguments: str) -> int:
    return main(
        ["lookup", f"--environment={environment}", "--facts=debian-12", "--node=web01", *arguments]
    )


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["number"], "--- 42\n"),
        (["groups", "--format", "json"], '["--two","three"]\n'),
        (["groups", "--render-as", "s"], '["--two", "three"]\n'),
        (["nothing", "number"], "--- 42\n"),
        (["nothing", "--default", "d"], "--- d\n"),
        (["groups", "--merge=deep", "--knock-out-prefix", "--"], "---\n- one\n- three\n"),
        (["groups", "--merge=deep", "--knock-out-prefix=--"], "---\n- one\n- three\n"),
        (["secret"], "--- Sensitive [value redacted]\n"),
        (["where", "--compile"], "--- by the manifest\n"),
    ],
)
def test_values_are_printed(
    environment: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], output: str
) -> None:
    status = lookup(environment, *arguments)
    assert (capsys.readouterr().out, status) == (output, 0)


def test_a_compiled_lookup_needs_a_node_block_for_the_node(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = environment / "manifests" / "site.pp"
    site.write_text("node 'db01' { }")
    arguments = ["lookup", f"--environment={environment}", "--facts=debian-12", "number"]
    assert main(arguments) == 0
    assert main([*arguments, "--compile"]) == 1
    wanted = "Could not find node statement with name 'default' or 'debian12.example.com'"
    assert wanted in capsys.readouterr().err


def test_an_empty_interpolation_in_a_path_is_a_warning(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lookup(environment, "number")
    assert capsys.readouterr().err == (
        "Warning: Nothing for %{facts.role} in 'roles/%{facts.role}.yaml', which became "
        f"'{environment}/data/roles/.yaml' (level 'Role')\n"
    )
    lookup(environment, "number", "--fact", "role=web")
    assert capsys.readouterr().err == ""


def test_each_path_has_one_warning_in_a_run(environment: Path) -> None:
    levels = """\
version: 5
hierarchy:
  - {name: Role, paths: ["%{facts.role}-%{facts.zone}.yaml", "%{facts.role}.yaml"]}
  - {name: Common, path: common.yaml}
"""
    (environment / "hiera.yaml").write_text(levels)
    (environment / "data/common.yaml").write_text("a: \"%{lookup('b')}\"\nb: 1\n")
    options = ("--environment", str(environment), "--facts", "debian-12", "--compile")
    status, out, err = run("lookup", "nothing", "a", *options)
    assert (status, out) == (0, "--- '1'\n")
    data = environment / "data"
    assert err == (
        "Warning: Nothing for %{facts.role} and %{facts.zone} in "
        f"'%{{facts.role}}-%{{facts.zone}}.yaml', which became '{data}/-.yaml' (level 'Role')\n"
        "Warning: Nothing for %{facts.role} in '%{facts.role}.yaml', which became "
        f"'{data}/.yaml' (level 'Role')\n"
    )


def test_without_an_environment_it_says_what_was_searched(tmp_path: Path) -> None:
    facts = ("--facts", "debian-12")
    missing = "Error: Function lookup() did not find a value for the name 'a'\n"
    hint = "Info: No --environment was given:"
    expected = (1, "", f"{hint} no data was searched\n{missing}")
    assert run("lookup", "a", *facts, directory=tmp_path) == expected
    (tmp_path / "modules").mkdir()
    (tmp_path / "hiera.yaml").write_text("{version: 5, hierarchy: [{name: a, path: a.yaml}]}\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.yaml").write_text("there: 1\n")
    more = (*facts, "--hiera-config", "hiera.yaml", "--modulepath", "modules")
    searched = "nothing but the global layer and the modules of --modulepath was searched"
    expected = (1, "", f"{hint} {searched}\n{missing}")
    assert run("lookup", "a", *more, directory=tmp_path) == expected
    assert run("lookup", "there", *more, directory=tmp_path) == (0, "--- 1\n", "")
    status, out, err = run("lookup", "a", "--explain", *more, directory=tmp_path)
    assert (status, err) == (0, f"{hint} {searched}\n")
    assert "did not find a value for the name 'a'" in out


def test_without_facts_it_says_which_count(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lookup", f"--environment={environment}", "number"]) == 0
    said = capsys.readouterr().err.split("\n")[0]
    assert (
        said == "Info: The facts are those of this machine; --facts takes a file or a bundled set"
    )


def test_explanations_are_printed_even_where_nothing_is_found(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lookup(environment, "nothing", "--explain") == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[0] == 'Searching for "lookup_options"'
    assert lines[-2] == "Function lookup() did not find a value for the name 'nothing'"
    assert lookup(environment, "number", "--explain", "--format=json") == 0
    explained = json.loads(capsys.readouterr().out)
    assert [branch["key"] for branch in explained["branches"]] == ["lookup_options", "number"]
    assert lookup(environment, "number", "--explain", "--format=yaml") == 0
    assert capsys.readouterr().out.startswith("---\n:branches:\n")
    assert lookup(environment, "--explain-options") == 0
    assert "Hierarchy entry" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected", "message"),
    [
        (["nothing"], 1, "Function lookup() did not find a value for the name 'nothing'"),
        (["number", "--type", "String"], 1, "expects a String value, got Integer"),
        (["number", "--type", "Array["], 1, "Syntax error at end of input"),
        (["where"], 1, "Undefined variable 'deployed'"),
        ([], 2, "No keys were given to lookup."),
        (["number", "--merge", "sideways"], 2, "The --merge option only accepts 'first', 'hash'"),
        (["number", "--sort-merged-arrays"], 2, "are only available with '--merge deep'"),
        (["number", "--format", "toml"], 2, "Unknown rendering format 'toml' (there are s, json"),
        (["number", "--facts", "missing.yaml"], 2, "missing.yaml: No such file or directory"),
        (["number", "--hiera-config", "missing.yaml"], 2, "there is no file missing.yaml"),
        (["number", "--environment", "missing"], 2, "missing is not a directory"),
        (["number", "--node", ""], 2, "--node: '' is not a valid node name"),
    ],
)
def test_errors_are_one_message(
    environment: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    expected: int,
    message: str,
) -> None:
    status = lookup(environment, *arguments)
    printed = capsys.readouterr()
    assert (printed.out, status) == ("", expected)
    errors = [line for line in printed.err.splitlines() if not line.startswith("Warning: ")]
    assert errors[0].startswith("Error: ")
    assert message in errors[0]
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hiera.yaml", "version: [5\n"),
        ("hiera.yaml", "version: 5\nhierarchy: no\n"),
        ("hiera.yaml", "version: 3\n"),
        ("data/common.yaml", "a: b\n c: [\n"),
        ("data/common.yaml", "- a list\n"),
        ("data/common.yaml", "number: \"%{lookup('number')}\"\n"),
    ],
)
def test_broken_files_are_named(
    environment: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    (environment / name).write_text(text)
    assert lookup(environment, "number") == 1
    printed = capsys.readouterr().err
    assert "Traceback" not in printed
    assert name in printed or "Recursive lookup detected in [number]" in printed


def test_unknown_options_are_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["lookup", "number", "--mirge", "deep"])
    assert exit_.value.code == 2
    assert "--mirge" in capsys.readouterr().err
