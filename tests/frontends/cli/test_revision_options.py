"""``puppet-repl diff --rev``: paths of options in the repository are those of the revision."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.frontends.cli.command_line import main
from tests.frontends.cli.test_diff_revisions import Answer, commit, write
from tests.frontends.cli.test_validation_formats import git

FILES = {
    "environment.conf": "",
    "manifests/site.pp": "notify { 'always': }\n",
    "enc/n1.yaml": "parameters: {v: OLD}\n",
    "global/hiera.yaml": "version: 5\nhierarchy: [{name: common, path: common.yaml}]\n",
    "global/data/common.yaml": "v: OLD\n",
    "more/own/manifests/init.pp": "class own { notify { 'OLD': } }\n",
    "stubs/own.pp": "function stubbed() { 'OLD' }\n",
    "facts/n1.yaml": "v: OLD\n",
}
# What the code asks for, and the file that changes.
CASES = {
    "enc": ("enc", "enc", "enc/n1.yaml", "notify { $v: }"),
    "enc_file": ("enc", "enc/n1.yaml", "enc/n1.yaml", "notify { $v: }"),
    "hiera_config": (
        *("hiera_config", "global/hiera.yaml", "global/data/common.yaml"),
        "notify { lookup('v'): }",
    ),
    "modulepath": ("modulepath", "more", "more/own/manifests/init.pp", "include own"),
    "stubs": ("stubs", "stubs/own.pp", "stubs/own.pp", "notify { stubbed(): }"),
    "facts": ("facts", "facts/n1.yaml", "facts/n1.yaml", "notify { $v: }"),
}
RESULT = """--- HEAD
+++ .
- Notify['OLD']
+ Notify['new']
resources: 1 added, 1 removed
"""


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    control = tmp_path / "control"
    for name, text in FILES.items():
        write(control / name, text)
    git(control, "init", "-q", "-b", "main")
    commit(control, "one")
    monkeypatch.chdir(control)
    return control


def diff(capsys: pytest.CaptureFixture[str], *arguments: str) -> Answer:
    status = main(["diff", "--rev", "HEAD", "--node", "n1", *arguments])
    return status, *capsys.readouterr()


@pytest.mark.parametrize("is_file", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_a_change_of_the_file_of_an_option(
    control: Path, capsys: pytest.CaptureFixture[str], case: str, is_file: bool
) -> None:
    option, path, changed, code = CASES[case]
    arguments = ["-e", code]
    if is_file:
        write(control / ".puppet-repl.toml", f"{option} = {json.dumps(path)}\n")
    else:
        arguments += [f"--{option.replace('_', '-')}", path]
    assert diff(capsys, *arguments) == (0, "--- HEAD\n+++ .\nno difference\n", "")
    write(control / changed, FILES[changed].replace("OLD", "new"))
    assert diff(capsys, *arguments) == (1, RESULT, "")
    commit(control, "two")
    assert diff(capsys, *arguments)[0] == 0
    status = main(["diff", "--rev", "HEAD~1..HEAD", "--node", "n1", *arguments])
    assert (status, capsys.readouterr().out) == (
        1,
        RESULT.replace("HEAD", "HEAD~1").replace("+++ .", "+++ HEAD"),
    )


def test_a_directory_of_facts(control: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(control / "facts/n1.yaml", "v: new\n")
    arguments = ["--facts", "facts", "-e", "notify { $v: }"]
    status, out, err = diff(capsys, *arguments)
    assert (status, err) == (1, "") and "+ Notify['new']" in out and "- Notify['OLD']" in out
    write(control / "facts/n2.yaml", "v: new\n")
    status, out, err = diff(capsys, *arguments, "--node", "n2")
    assert err == "puppet-repl: HEAD has no facts of 1 node: those of the checkout are used\n"
    assert status == 1 and "2 nodes: 1 the same, 1 different" in out


@pytest.mark.parametrize("case", [case for case in CASES if case != "modulepath"])
def test_a_file_that_the_revision_lacks(
    control: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    option, path, _, code = CASES[case]
    (control / path).rename(control / "other.yaml")
    flag = f"--{option.replace('_', '-')}"
    assert diff(capsys, flag, "other.yaml", "-e", code) == (
        *(2, ""),
        f"puppet-repl: {flag}: HEAD has no other.yaml\n",
    )


def test_a_directory_of_modules_that_the_revision_lacks(
    control: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(control / "new/own2/manifests/init.pp", "class own2 { }\n")
    write(control / "manifests/site.pp", "notify { 'always': }\ninclude own2\n")
    status, out, err = diff(capsys, "--modulepath", "more:new")
    assert (status, err) == (1, "") and "+ Class['own2']" in out


def test_files_elsewhere_count_for_both(
    control: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "n1.yaml", "parameters: {v: other}\n")
    code = ("-e", "notify { $v: }")
    assert diff(capsys, "--enc", "../n1.yaml", *code)[0] == 0


def test_no_classifier_of_a_revision_runs(
    control: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = "#!/bin/sh\necho $0 >> {}\necho 'parameters: {{v: x}}'\n"
    classifier = control / "classifier"
    write(classifier, program.format(tmp_path / "of_revision"))
    classifier.chmod(0o755)
    commit(control, "two")
    write(classifier, program.format(tmp_path / "of_checkout"))
    arguments = ("--enc", "classifier", "--allow-generate", "-e", "notify { $v: }")
    status, _, err = diff(capsys, *arguments)
    note = "puppet-repl: --enc is a program: for HEAD that of the checkout runs\n"
    assert (status, err) == (0, note)
    assert (tmp_path / "of_checkout").exists() and not (tmp_path / "of_revision").exists()
    classifier.unlink()
    write(classifier, "parameters: {v: 1}\n")
    assert diff(capsys, *arguments) == (
        *(2, ""),
        "puppet-repl: --enc: classifier is a program in HEAD, which does not run\n",
    )
    assert not (tmp_path / "of_revision").exists()


def test_options_of_a_file_count_for_the_revision(
    control: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(control / "env/manifests/site.pp", "notify { 'inner': }\n")
    write(control / ".puppet-repl.toml", "environment = 'env'\n")
    commit(control, "two")
    write(control / "env/manifests/site.pp", "notify { 'changed': }\n")
    status, out, err = diff(capsys)
    assert (status, err) == (1, "")
    assert out.splitlines()[1:4] == ["+++ env", "- Notify['inner']", "+ Notify['changed']"]
    profile = "[profiles.sealed]\nhermetic = true\n"
    for text, arguments in (("hermetic = true\n", ()), (profile, ("--profile", "sealed"))):
        write(control / ".puppet-repl.toml", text)
        status, out, err = diff(capsys, *arguments)
        assert (status, out) == (2, "") and "a hermetic session does not ask git" in err


def test_all_nodes_of_a_revision_are_those_of_its_own_data(
    control: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hierarchy = "version: 5\nhierarchy: [{name: n, path: 'of/%{trusted.certname}.yaml'}]\n"
    write(control / "global/hiera.yaml", hierarchy)
    write(control / "global/data/of/n2.example.com.yaml", "v: two\n")
    commit(control, "two")
    # The checkout has no data of nodes any more; the revision has.
    write(control / "global/hiera.yaml", FILES["global/hiera.yaml"])
    arguments = ["--rev", "HEAD~1..HEAD", "--all-nodes", "--hiera-config", "global/hiera.yaml"]
    code = "notify { lookup('v', {default_value => 'none'}): }"
    assert main(["diff", *arguments, "-e", code]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == (
        "--- HEAD~1\n+++ HEAD\n- Notify['OLD']\n+ Notify['two']\nresources: 1 added, 1 removed\n",
        "",
    )


@pytest.mark.parametrize("revision", ["HEAD", "HEAD~1..HEAD"])
def test_one_puppetdb_answers_both_sides(
    control: Path, capsys: pytest.CaptureFixture[str], revision: str
) -> None:
    rows = {
        "nodes": [{"certname": "db.example.com"}],
        "resources": [
            {
                "certname": "db.example.com",
                "type": "Notify",
                "title": "collected",
                "tags": [],
                "exported": True,
                "parameters": {},
            }
        ],
    }
    write(control / "puppetdb.json", json.dumps({**rows, "nodes": [{"certname": "older"}]}))
    site = "node 'n1.example.com' { notify { 'OLD': } }\n"
    write(control / "manifests/site.pp", site)
    commit(control, "two")
    write(control / "manifests/site.pp", site.replace("OLD", "new"))
    commit(control, "three")
    write(control / "puppetdb.json", json.dumps(rows))
    write(control / "manifests/site.pp", site.replace("OLD", "newest"))
    code = "puppetdb_query('nodes { }').each |$row| { notify { $row['certname']: } }\n"
    arguments = ["--all-nodes", "--puppetdb", "puppetdb.json", "--rev", revision]
    collected = f"{code} Notify <<| |>>"
    assert main(["diff", *arguments, "-e", collected]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert [line for line in out.splitlines() if line[:2] in ("- ", "+ ")] == (
        ["- Notify['new']", "+ Notify['newest']"]
        if revision == "HEAD"
        else ["- Notify['OLD']", "+ Notify['new']"]
    )
