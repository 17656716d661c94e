"""``puppet-repl format``: files in place, the input to the output, exit statuses."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from puppet_repl.frontends.cli.format import main

ROUGH = 'class  a($x){notice "a"}'
GOOD = "class a ($x) { notice 'a' }\n"
WRONG = "class a {"


def test_files_are_changed_in_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rough, good, wrong = (tmp_path / name for name in ("rough.pp", "good.pp", "wrong.pp"))
    rough.write_text(ROUGH)
    rough.chmod(0o640)
    good.write_text(GOOD)
    wrong.write_text(WRONG)
    link = tmp_path / "link.pp"
    link.symlink_to("rough.pp")
    before = good.stat().st_mtime_ns
    assert main([str(tmp_path)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Syntax error at end of input" in shown.err
    assert shown.err.endswith("1 file formatted, 2 unchanged\n")
    assert rough.read_text() == GOOD
    assert link.is_symlink()
    assert stat.S_IMODE(rough.stat().st_mode) == 0o640
    assert good.stat().st_mtime_ns == before
    assert wrong.read_text() == WRONG
    assert sorted(os.listdir(tmp_path)) == ["good.pp", "link.pp", "rough.pp", "wrong.pp"]


def test_check_and_diff_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rough = tmp_path / "rough.pp"
    rough.write_text(ROUGH)
    assert main(["--check", str(rough)]) == 1
    assert capsys.readouterr().err == f"{rough} has another form\n"
    assert main(["--diff", str(rough)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:] == [
        "@@ -1 +1 @@",
        f"-{ROUGH}",
        "\\ No newline at end of file",
        f"+{GOOD.rstrip()}",
    ]
    assert rough.read_text() == ROUGH
    rough.write_text(GOOD)
    assert main(["--check", "--diff", str(rough)]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "text", "status", "wanted"),
    [
        (None, ROUGH, 0, GOOD),
        ("x.pp", WRONG, 1, ""),
        ("x.epp", "<%=$a%>", 0, "<%= $a %>"),
        ("plans/x.pp", "plan a::x() {}", 0, "plan a::x () {}\n"),
        ("x.pp", "plan a::x() {}", 1, ""),
        (None, "", 0, ""),
        (None, "# only\n\n", 0, "# only\n"),
    ],
)
def test_input(
    name: str | None,
    text: str,
    status: int,
    wanted: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main([] if name is None else ["--stdin-filename", name]) == status
    shown = capsys.readouterr()
    assert shown.out == wanted
    assert bool(shown.err) == bool(status)


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nope.pp")]) == 2
    assert "cannot read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--stdin-filename", "a.erb"], "for manifests (.pp) and EPP templates (.epp)"),
        (["--stdin-filename", "a.pp", "b.pp"], "there is a FILE"),
        (["--width", "0"], "not a number of columns: '0'"),
        (["--width", "wide"], "not a number of columns: 'wide'"),
    ],
)
def test_arguments_that_make_no_sense(
    arguments: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert part in capsys.readouterr().err


def test_width(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"notice('a', 'b')")))
    assert main(["--width", "10"]) == 0
    assert capsys.readouterr().out == "notice(\n  'a',\n  'b',\n)\n"


def test_files_that_differ_from_a_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    Path("old.pp").write_text(ROUGH)
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    Path("new.pp").write_text(ROUGH)
    assert main(["--since", "HEAD"]) == 0
    assert (Path("old.pp").read_text(), Path("new.pp").read_text()) == (ROUGH, GOOD)
    with pytest.raises(SystemExit) as ended:
        main(["--since", "nothing"])
    assert ended.value.code == 2
    assert "git knows no revision 'nothing'" in capsys.readouterr().err


def test_what_a_hook_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "README.md"
    page.write_text("# ]")
    assert main([str(page)]) == 0
    assert capsys.readouterr().err == f"{page}: not read\n"
    assert page.read_text() == "# ]"
