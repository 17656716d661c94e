"""``puppet-repl diff --rev``: catalogs of a revision; no program of the repository runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from puppet_repl.frontends.cli.command_line import main
from puppet_repl.frontends.shared.revision_trees import RevisionTree
from puppet_repl.frontends.shared.revisions import GitError
from tests.frontends.cli.test_validation_formats import git

Answer = tuple[int, str, str]
SITE = "file { '/a': mode => '%s' }\nnotify { $environment: }\ninclude own\n"
OWN = "class own { file { '/b': source => 'puppet:///modules/own/b' } }\n"
PUPPETFILE = (
    "mod 'author/third', '%s'\nmod 'author/other', git: 'https://example.com/o', tag: '%s'\n"
)
PROFILE = '[profiles.web]\nnode = "web01.lan"\nfacts = "debian-12"\n'


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A control repository with two commits, modules that git ignores, and a change."""
    control = tmp_path / "control"
    write(control / "manifests/site.pp", SITE % "0644")
    write(control / "environment.conf", "modulepath = site-modules:modules\n")
    write(control / "site-modules/own/manifests/init.pp", OWN)
    write(control / "site-modules/own/files/b", "one\nx\n")
    write(control / "Puppetfile", PUPPETFILE % ("1.0.0", "v1"))
    write(control / ".gitignore", "/modules/\n/secret.txt\n")
    git(control, "init", "-q", "-b", "main")
    commit(control, "one")
    write(control / "site-modules/own/files/b", "two\nx\n")
    write(control / "Puppetfile", PUPPETFILE % ("2.0.0", "v1"))
    commit(control, "two")
    write(control / "modules/third/manifests/init.pp", "class third { notify { 'third': } }\n")
    write(control / "manifests/site.pp", SITE % "0600" + "include third\n")
    monkeypatch.chdir(control)
    return control


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def commit(control: Path, message: str) -> None:
    git(control, "add", "-A")
    git(control, "commit", "-qm", message)


def diff(capsys: pytest.CaptureFixture[str], *arguments: str) -> Answer:
    status = main(["diff", *arguments, "--node", "web01.lan", "--facts", "debian-12"])
    return status, *capsys.readouterr()


WITH_HEAD = """--- HEAD
+++ .
+ Class['third']
+ Notify['third']
~ File['/a']
-   mode => '0644'
+   mode => '0600'
resources: 2 added, 1 changed
"""


def test_the_files_as_they_are(control: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(control.rglob("*"))
    assert diff(capsys, "--rev", "HEAD") == (1, WITH_HEAD, "")
    # From elsewhere, for a directory, which may also be the environment of the session.
    os.chdir("..")
    for operand in (["control"], ["--environment", "control"]):
        status, out, err = diff(capsys, *operand, "--rev", "HEAD")
        assert (status, out, err) == (1, WITH_HEAD.replace("+++ .", "+++ control"), "")
    assert sorted(control.rglob("*")) == before


@pytest.mark.parametrize("where", ["manifests", "site-modules/own", "data/nodes", "modules"])
def test_below_the_environment(
    control: Path, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    (control / "data/nodes").mkdir(parents=True)
    os.chdir(control / where)
    shown = WITH_HEAD.replace("+++ .", f"+++ {os.path.relpath(control)}")
    assert diff(capsys, "--rev", "HEAD") == (1, shown, "")
    assert diff(capsys, "--rev", "HEAD..HEAD")[:2] == (0, "--- HEAD\n+++ HEAD\nno difference\n")
    write(control / ".puppet-repl.toml", PROFILE)
    status = main(["diff", "@web", "--rev", "HEAD"])
    assert (status, *capsys.readouterr()) == (1, shown, "")
    off = diff(capsys, "--rev", "HEAD", "--environment", "off")
    if where != "site-modules/own":  # has manifests
        assert off == (2, "", "puppet-repl: .: --rev needs the directory of an environment\n")


def test_two_revisions(control: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = (
        "puppet-repl: the Puppetfile of {} has other modules, and those installed here are used:"
        " author-third 2.0.0 (there 1.0.0)\n"
    )
    status, out, err = diff(capsys, "--rev", "HEAD~1..HEAD")
    assert (status, err) == (1, note.format("HEAD~1"))
    assert out.splitlines() == [
        *("--- HEAD~1", "+++ HEAD", "~ File['/b']", "~   (file of source) =>"),
        *("-       one", "+       two", "        x", "resources: 1 changed"),
    ]
    assert diff(capsys, "--rev", "HEAD..HEAD")[0] == 0


def test_the_revision_where_a_branch_began(
    control: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(control, "checkout", "-qb", "change", "HEAD~1")
    write(control / "manifests/site.pp", SITE % "0777")
    commit(control, "three")
    assert "two" in diff(capsys, "--rev", "main..HEAD")[1]
    status, out, _ = diff(capsys, "--rev", "main...HEAD")
    assert (status, out.splitlines()[1:]) == (
        1,
        [
            *("+++ HEAD", "~ File['/a']", "-   mode => '0644'", "+   mode => '0777'"),
            "resources: 1 changed",
        ],
    )


def test_modules_of_the_puppetfile(control: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(control / ".gitignore", "")
    write(control / "modules/third/manifests/init.pp", "class third { }\n")
    write(control / "modules/fourth/manifests/init.pp", "class fourth { }\n")
    write(control / "Puppetfile", "mod 'author/third', '2.0.0'\nmod 'author/new', '1.0.0'\n")
    status, out, err = diff(capsys, "--rev", "HEAD", "-e", "include third")
    # Installed modules are those of the checkout, a module that was not added to git is new.
    assert (status, "third" in out) == (1, False)
    assert err == (
        "puppet-repl: the Puppetfile of HEAD has other modules, and those installed here are used:"
        " author-new 1.0.0 (only here) and author-other (git, v1) (only there)\n"
    )
    status, out, err = diff(capsys, "--rev", "HEAD", "-e", "include fourth")
    assert status == 2
    assert "no catalog for HEAD: Evaluation Error: " in err


def test_errors_and_paths_are_those_of_the_revision(
    control: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(control / "manifests/site.pp", "notify { module_directory('own'): }\nfail('no')\n")
    commit(control, "three")
    write(control / "manifests/site.pp", "notify { module_directory('own'): }\n")
    status, out, err = diff(capsys, "--rev", "HEAD")
    assert (status, out) == (2, "")
    assert "no catalog for HEAD: " in err and "(file: HEAD:manifests/site.pp, line: 2," in err
    commit(control, "four")
    assert diff(capsys, "--rev", "HEAD")[:2] == (0, "--- HEAD\n+++ .\nno difference\n")


def test_nothing_of_the_repository_runs(
    control: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $0 >> '{ran}'\ncat\n")
    program.chmod(0o755)
    write(
        control / ".gitattributes", "* filter=x diff=x export-subst\nsite-modules export-ignore\n"
    )
    commit(control, "three")
    hooks = control / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        (hooks / name).unlink(missing_ok=True)
        (hooks / name).symlink_to(program)
    for name in ("filter.x.smudge", "filter.x.clean", "filter.x.process", "core.fsmonitor"):
        git(control, "config", name, str(program))
    git(control, "config", "diff.x.textconv", str(program))
    ran.unlink(missing_ok=True)
    index = (control / ".git/index").read_bytes()
    assert diff(capsys, "--rev", "HEAD")[0] == 0
    assert not ran.exists()
    assert (control / ".git/index").read_bytes() == index


def test_links_stay_links(control: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(control / "modules/third/manifests/init.pp", "class third { }\n")
    (control / "site-modules/alias").symlink_to("own")
    (control / "secret.txt").write_text("x")
    commit(control, "three")
    assert diff(capsys, "--rev", "HEAD")[0] == 0


def test_links_out_of_the_repository_lead_to_the_same_place(
    control: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "shared/manifests/init.pp", "class shared { notify { 'shared': } }\n")
    (control / "site-modules/shared").symlink_to("../../shared")
    (control / "site-modules/back").symlink_to("../../control/site-modules/own")
    write(control / "manifests/site.pp", "include shared\ninclude back\n")
    write(control / "site-modules/own/manifests/init.pp", "class back { notify { 'old': } }\n")
    commit(control, "three")
    assert diff(capsys, "--rev", "HEAD")[:2] == (0, "--- HEAD\n+++ .\nno difference\n")
    # One that comes back is one into the revision.
    write(control / "site-modules/own/manifests/init.pp", "class back { notify { 'new': } }\n")
    status, out, _ = diff(capsys, "--rev", "HEAD")
    assert status == 1 and "- Notify['old']" in out


@pytest.mark.parametrize(
    "links",
    [
        {"manifests": "../../evil"},
        {"manifests": "../evil", "a/b/c": "../x"},
        {"manifests": "a/../../../evil", "a": "deep/er"},
        {"manifests": "one", "one": "two", "two": "./../../evil"},
        {"manifests": "a/../er/../../../evil", "a": "one", "one": "deep/er"},
    ],
)
def test_a_link_does_not_lead_to_the_directory_of_temporary_files(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    links: dict[str, str],
) -> None:
    room, control = tmp_path / "room", tmp_path / "above/control"
    write(control / "deep/er/file", "")
    write(control / "environment.conf", "")
    for name, target in links.items():
        (control / name).parent.mkdir(parents=True, exist_ok=True)
        (control / name).symlink_to(target)
    git(control, "init", "-q", "-b", "main")
    commit(control, "one")
    for name in ("evil", "x/evil"):
        write(room / name / "site.pp", "notify { 'evil': }\n")
    monkeypatch.setattr("tempfile.tempdir", str(room))
    monkeypatch.chdir(control)
    # The revision lacks what the links of the checkout lack.
    status, out, err = diff(capsys, "--rev", "HEAD")
    assert "evil" not in out + err and (status, out) == (0, "--- HEAD\n+++ .\nno difference\n")
    write(tmp_path / "evil/site.pp", "notify { 'meant': }\n")
    write(tmp_path / "above/evil/site.pp", "notify { 'meant': }\n")
    assert diff(capsys, "--rev", "HEAD")[:2] == (0, "--- HEAD\n+++ .\nno difference\n")
    (control / "manifests").unlink()
    status, out, _ = diff(capsys, "--rev", "HEAD")
    assert status == 1 and "- Notify['meant']" in out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--rev", "nope"], "git knows no revision 'nope' in ."),
        (["--rev", "HEAD..nope"], "git knows no revision 'nope' in ."),
        (["--rev=--output=x"], "git knows no revision '--output=x' in ."),
        (["none", "--rev", "HEAD"], "none: --rev needs the directory of an environment"),
        (["a", "b", "--rev", "HEAD"], "--rev: give one directory, or none"),
        (["--rev", ""], "--rev: '' names no revision"),
        (["--rev", "..."], "--rev: '...' names no revision"),
        (["--rev", "HEAD", "--hermetic"], "--rev: a hermetic session does not ask git"),
        (["--rev", "HEAD", "--scheduler", "tcp://h:1"], "--rev: the files of a revision are on"),
        (["new", "--rev", "HEAD"], "HEAD has no directory new"),
        (["..", "--rev", "HEAD"], "not a git repository"),
    ],
)
def test_what_cannot_be_compared(
    control: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    (control / "new/manifests").mkdir(parents=True)
    (control.parent / "manifests").mkdir()
    status, out, err = diff(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("puppet-repl: ") and problem in err


def test_a_node_that_failed_before(control: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(control / "manifests/site.pp", "fail('no')\n")
    commit(control, "three")
    write(control / "manifests/site.pp", "fail('no')\n\n")
    said = "Evaluation Error: Error while evaluating a Function Call, no (file: {}, line: 1, "
    status, _, err = diff(capsys, "--rev", "HEAD")
    here = said.format(control / "manifests/site.pp")
    assert status == 2 and err.startswith(f"puppet-repl: no catalog for HEAD and .: {here}")
    write(control / "manifests/site.pp", "\nfail('more')\n")
    status, _, err = diff(capsys, "--rev", "HEAD")
    lines = err.splitlines()
    there = said.format("HEAD:manifests/site.pp")
    assert status == 2 and lines[0].startswith(f"puppet-repl: no catalog for HEAD: {there}")
    write(control / "modules/third/manifests/init.pp", "class third { fail('third') }\n")
    status, _, err = diff(capsys, "--rev", "HEAD~1..HEAD~1", "-e", "include third")
    assert status == 2 and f"(file: {control}/modules/third/manifests/init.pp, line: 1," in err
    assert lines[1].startswith("no catalog for .: Evaluation Error: ") and "more" in lines[1]


def commit_of_tree(control: Path, *entries: tuple[str, str, bytes]) -> tuple[str, str]:
    """Commit a tree that git itself would not write; return the commit and the tree."""
    names = {**os.environ, **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a")}
    names |= dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@example.com")

    def ask(data: bytes, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=control, env=names, input=data, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    tree = b""
    for mode, name, content in entries:
        if mode == "40000":
            found = content.decode()
        else:
            found = ask(content, "hash-object", "-w", "--stdin")
        tree += f"{mode} {name}\0".encode() + bytes.fromhex(found)
    made = ask(tree, "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
    return ask(b"hostile", "commit-tree", made), made


@pytest.mark.parametrize("name", ["..", ".", ".git", ".GIT"])
def test_a_tree_does_not_leave_its_directory(
    control: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    _, inner = commit_of_tree(control, ("100644", "evil.pp", b"evil"))
    revision, _ = commit_of_tree(control, ("40000", name, inner.encode()))
    status, out, err = diff(capsys, "--rev", revision)
    assert (status, out) == (2, "")
    assert err == f"puppet-repl: {revision} has a file with the name '{name}/evil.pp'\n"


def test_a_revision_can_be_too_big(control: Path, tmp_path: Path) -> None:
    big, _ = commit_of_tree(control, ("100644", "big.pp", b"#" * (3 << 20)))
    room = tmp_path / "room"
    room.mkdir()
    with pytest.raises(GitError) as caught:
        RevisionTree(os.fspath(control), big, os.fspath(room), max_size=2 << 20)
    assert str(caught.value) == f"the files of {big} need 3 MB, and at most 2 MB are written"
    assert not [path for path in room.rglob("*") if path.is_file()]
    tree = RevisionTree(os.fspath(control), big, os.fspath(tmp_path / "more"), max_size=4 << 20)
    assert os.path.getsize(os.path.join(tree.root, "big.pp")) == 3 << 20


def test_nothing_is_written_through_a_link(
    control: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    _, inner = commit_of_tree(control, ("100644", "evil.pp", b"evil"))
    link = ("120000", "a", os.fsencode(outside))
    for entries in ((link, ("40000", "a", inner.encode())), (("40000", "a", inner.encode()), link)):
        revision, _ = commit_of_tree(control, *entries)
        status, out, err = diff(capsys, "--rev", revision)
        assert (status, out) == (2, "") and "File exists" in err
        assert list(outside.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_files(control: Path, tmp_path: Path, number: int) -> None:
    room = tmp_path / "room"
    room.mkdir()
    code = ["-e", "$x = Array(Integer[1, 9999999]).map |$i| { $i }.sort |$a, $b| { 0 }"]
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "puppet_repl",
            "diff",
            "--rev",
            "HEAD",
            "--facts",
            "debian-12",
            *code,
        ],
        env={**os.environ, "TMPDIR": os.fspath(room)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while not list(room.glob("*/control/manifests/site.pp")):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(number)
        assert process.wait(60) != 0
    finally:
        process.kill()
    assert list(room.iterdir()) == []
