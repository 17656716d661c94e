"""``puppet-repl reference``: what is written, what is reported, and with which exit status."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from puppet_repl.environment.reference.checks import RULES
from puppet_repl.environment.reference.markdown import as_markdown
from puppet_repl.environment.reference.module import read_module
from puppet_repl.frontends.cli.reference import FILE_RULES, main

MODULES = Path(__file__).parent / "modules"
RECORDED = Path(__file__).parent / "recorded"


@pytest.fixture
def motd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small module without faults, the working directory."""
    root = tmp_path / "motd"
    (root / "manifests").mkdir(parents=True)
    (root / "metadata.json").write_text('{"name": "acme-motd", "version": "1.0.0"}')
    (root / "manifests/init.pp").write_text(
        "# @summary Says hello.\n# @param text\n#   The text\nclass motd(String $text = 'hi') { }\n"
    )
    monkeypatch.chdir(root)
    return root


Captured = pytest.CaptureFixture[str]


def test_markdown_and_json(capsys: Captured) -> None:
    shop = str(MODULES / "shop")
    assert main([shop]) == 0
    out, err = capsys.readouterr()
    assert out == (RECORDED / "shop.md").read_text(encoding="utf-8")
    assert err == "puppet-repl reference: 75 warnings (puppet-repl reference --check shows them)\n"
    assert main([shop, "--format", "json"]) == 0
    assert capsys.readouterr().out == (RECORDED / "shop.json").read_text(encoding="utf-8")


def test_broken_files_are_told(capsys: Captured) -> None:
    assert main([str(MODULES / "corners")]) == 1
    out, err = capsys.readouterr()
    assert out == (RECORDED / "corners.md").read_text(encoding="utf-8")
    lines = err.splitlines()
    assert lines[0].startswith("puppet-repl reference: lib/puppet/functions/broken.rb:2: error: ")
    assert sum(": error: " in line for line in lines) == 7


def test_a_hyphen_is_standard_output(motd: Path, capsys: Captured) -> None:
    assert main([]) == main(["--output", "-"]) == 0
    first, second = capsys.readouterr().out.split("# Reference")[1:]
    assert first.rstrip() == second.rstrip()
    assert not (motd / "-").exists()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("manifests/init.pp", "class motd {"),
        ("manifests/issue.pp", "define motd::issue("),
        ("functions/f.pp", "function motd::f( { }"),
        ("types/name.pp", "type Motd::Name ="),
        ("plans/go.pp", "plan motd::go("),
        ("lib/puppet/functions/motd/g.rb", "Puppet::Functions.create_function(:'motd::g') do"),
        ("tasks/run.json", "{"),
    ],
)
def test_a_broken_module_leaves_the_file(
    motd: Path, capsys: Captured, file: str, text: str
) -> None:
    assert main(["--output", "REFERENCE.md"]) == 0
    before = (motd / "REFERENCE.md").read_bytes()
    (motd / file).parent.mkdir(parents=True, exist_ok=True)
    (motd / file).write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert main(["--output", "REFERENCE.md"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith(f"puppet-repl reference: {file}")
    assert told[-1] == "puppet-repl reference: REFERENCE.md: not written"
    assert (motd / "REFERENCE.md").read_bytes() == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"{", "not JSON: Expecting property name enclosed in double quotes (line: 1, column: 2)"),
        (b"[]", "not a JSON object"),
        (b"\xff", "not UTF-8 (byte 0)"),
    ],
)
def test_broken_metadata_are_told(motd: Path, capsys: Captured, text: bytes, told: str) -> None:
    (motd / "metadata.json").write_bytes(text)
    assert main(["--check"]) == 1
    assert f"metadata.json: error: {told} [" in capsys.readouterr().out
    (motd / "metadata.json").unlink()
    assert main(["--check"]) == 1
    assert "metadata.json" not in capsys.readouterr().out


def test_a_check_of_a_file(motd: Path, capsys: Captured) -> None:
    assert main(["--check"]) == 1
    assert capsys.readouterr().out == (
        "REFERENCE.md: error: there is no such file [missing-file]\n"
        "1 entry, no problems; REFERENCE.md is missing\n"
    )
    assert main(["--check", "--ignore", "missing-file"]) == 0
    capsys.readouterr()
    assert main(["--output", "REFERENCE.md"]) == 0
    assert main(["--check"]) == 0
    assert capsys.readouterr().out == "1 entry, no problems; REFERENCE.md is up to date\n"
    text = (motd / "REFERENCE.md").read_text(encoding="utf-8")
    (motd / "REFERENCE.md").write_text(text.replace("\n", "\r\n"), encoding="utf-8")
    assert main(["--check"]) == 0, "lines may end as git has them end"
    (motd / "REFERENCE.md").write_text(text.replace("The text", "The words"), encoding="utf-8")
    capsys.readouterr()
    assert main(["--check"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("REFERENCE.md:27: error: not what would be written now [outdated]\n")
    assert "    -The words\n    +The text\n" in out
    assert out.endswith("1 entry, no problems; REFERENCE.md is out of date\n")
    assert main(["--check", "--ignore", "outdated"]) == 0


def test_a_check_sees_the_generator_of_a_file(tmp_path: Path, capsys: Captured) -> None:
    """A file of any generator is up to date; one with changes is compared with its own kind."""
    module = shutil.copytree(MODULES / "layers", tmp_path / "layers")
    file = module / "REFERENCE.md"
    newer = (RECORDED / "layers.md").read_text(encoding="utf-8")
    without = as_markdown(read_module(module), with_data=False)
    trimmed = "\n".join(line.rstrip() for line in newer.split("\n")).rstrip() + "\n"
    assert len({newer, without, trimmed}) == 3
    assert "it's a" not in without
    check = ["--check", str(module)]
    check += ["--ignore", "unknown-param", "--ignore", "missing-documentation"]
    for text in (newer, without, trimmed):
        file.write_text(text, encoding="utf-8")
        assert main(check) == 0
        assert capsys.readouterr().out == "13 entries, no problems; REFERENCE.md is up to date\n"
        file.write_text(text.replace("No parameter any more", "No"), encoding="utf-8")
        assert main(check) == 1
        out = capsys.readouterr().out
        assert [line for line in out.splitlines() if line.startswith(("    +", "    -"))] == [
            f"    --- {file}",
            "    +++ as written now",
            "    -No.",
            "    +No parameter any more.",
        ]


def test_a_check_of_comments(motd: Path, capsys: Captured) -> None:
    (motd / "manifests/init.pp").write_text("# Text.\n# @param x\nclass motd($text) { }\n")
    assert main(["--check", "--ignore", "missing-file"]) == 1
    assert capsys.readouterr().out == (
        "manifests/init.pp:2: warning: The @param tag for 'x' has no matching parameter"
        " [unknown-param]\n"
        "manifests/init.pp:3: warning: Missing @param tag for parameter 'text' [missing-param]\n"
        "1 entry, 2 problems in 1 file; REFERENCE.md is missing\n"
    )
    given = ["--check", "--ignore", "missing-file", "--ignore", "unknown-param"]
    assert main([*given, "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {
            "level": "warning",
            "rule": "missing-param",
            "message": "Missing @param tag for parameter 'text'",
            "file": "manifests/init.pp",
            "line": 3,
        }
    ]
    os.chdir("..")
    assert main(["motd", *given, "--format", "github"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == (
        "::warning file=motd/manifests/init.pp,line=3,title=missing-param::"
        "Missing @param tag for parameter 'text'"
    )


def test_misspelt_tags_and_parameters(motd: Path, capsys: Captured) -> None:
    (motd / "manifests/init.pp").write_text(
        "# Text.\n# @summry a\n# @parma b\n# @retrun c\n# @zzzzz d\n# @param prt e\n"
        "class motd($port) { }\n"
    )
    assert main(["--check", "--ignore", "missing-file", "--ignore", "missing-param"]) == 1
    told = [line.split("warning: ")[1] for line in capsys.readouterr().out.splitlines()[:-1]]
    assert told == [
        "Unknown tag @summry; did you mean @summary? [unknown-tag]",
        "Unknown tag @parma; did you mean @param? [unknown-tag]",
        "Unknown tag @retrun; did you mean @return? [unknown-tag]",
        "Unknown tag @zzzzz [unknown-tag]",
        "The @param tag for 'prt' has no matching parameter; did you mean port? [unknown-param]",
    ]


def test_trouble(motd: Path, capsys: Captured, tmp_path: Path) -> None:
    for arguments, message in (
        (["nowhere"], "nowhere: No such file or directory"),
        (["metadata.json"], "metadata.json: Not a directory"),
        (["manifests"], "manifests: no module (it has nothing to document)"),
        (["--output", "no/where"], "no/where: No such file or directory"),
        (["--output", "."], ".: Is a directory"),
    ):
        assert main(arguments) == 2
        assert capsys.readouterr() == ("", f"puppet-repl reference: {message}\n")
    for options in (["--format", "github"], ["--ignore", "outdated"]):
        with pytest.raises(SystemExit) as caught:
            main(options)
        assert caught.value.code == 2


def test_a_file_that_cannot_be_compared(motd: Path, capsys: Captured) -> None:
    (motd / "REFERENCE.md").mkdir()
    for arguments, message in (
        ([], "REFERENCE.md: Is a directory"),
        (["--format", "json"], "REFERENCE.md: Is a directory"),
        (["--output", "metadata.json/x"], "metadata.json/x: Not a directory"),
    ):
        assert main(["--check", *arguments]) == 2
        assert capsys.readouterr() == ("", f"puppet-repl reference: {message}\n")
    (motd / "latin.md").write_bytes(b"\xe9")
    assert main(["--check", "--output", "latin.md"]) == 1, "whatever it is, it is not up to date"
    assert "latin.md: error: not UTF-8 (byte 0) [outdated]\n" in capsys.readouterr().out


def test_hostile_modules(motd: Path, capsys: Captured) -> None:
    """Links, files that are none, and names that a terminal would obey: told, and no traceback."""
    manifests = motd / "manifests"
    os.symlink(manifests, manifests / "again")
    os.symlink("nowhere.pp", manifests / "dangling.pp")
    os.symlink("loop.pp", manifests / "loop.pp")
    os.mkfifo(manifests / "pipe.pp")
    (manifests / "directory.pp").mkdir()
    (manifests / ".hidden.pp").write_text("class hidden { }")
    (manifests / "\x1b[31m.pp").write_text("# \x1b[32m\n# @\x1b x\nclass red($a) { }")
    (manifests / "zero.pp").write_bytes(b"class zero { \0 }")
    shutil.copy(manifests / "init.pp", manifests / "copy.pp")
    (motd / "lib").mkdir()
    (motd / "lib/deep.rb").write_text("newtype\n" + "[" * 100_000)
    (motd / "lib/deep_strings.rb").write_text("newtype\n" + '"#{' * 100_000)
    (motd / "tasks").mkdir()
    (motd / "tasks/deep.json").write_text("[" * 100_000)
    assert main(["--check"]) == 1
    out, err = capsys.readouterr()
    assert "\x1b" not in out
    assert err == ""
    assert "lib/deep.rb:2: error: the code is nested too deeply [syntax]\n" in out
    assert "manifests/copy.pp" in out, "it defines motd a second time"
    assert "hidden" not in out


def test_a_large_manifest(motd: Path, capsys: Captured) -> None:
    """Hundreds of parameters with comments, as modules with generated code have them."""
    names = [f"p{number}" for number in range(2000)]
    comment = "".join(f"# @param {name}\n#   Text of {name}\n" for name in names)
    parameters = ",\n".join(f"  String ${name} = 'x'" for name in names)
    (motd / "manifests/init.pp").write_text(f"# Text.\n{comment}class motd(\n{parameters}\n) {{ }}")
    assert main([]) == 0
    assert capsys.readouterr().out.count("Data type: `String`") == len(names)


def test_the_page_has_all_rules() -> None:
    page = Path(__file__).parents[3] / "docs" / "howto" / "reference.md"
    table = page.read_text(encoding="utf-8").partition("## All rules")[2].partition("## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {name.strip(" `") for row in rows for name in row.split(",")}
    assert named == RULES.keys() | FILE_RULES.keys()
