"""Repositories of modules: which commit is taken, and that nothing of them runs."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from puppet_repl.environment.installation.git import Repository, branch_of
from puppet_repl.environment.installation.wanted import ModuleError
from tests.environment.installation.server import ForgeServer, running

ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


def git(directory: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words],
        cwd=directory,
        env={**os.environ, **ENVIRONMENT},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def commit(directory: Path, files: dict[str, str]) -> str:
    """Commit files; return the hash."""
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "--allow-empty", "-m", "change")
    return git(directory, "rev-parse", "HEAD")


def repository(directory: Path) -> Path:
    """Make an empty repository whose branch is main."""
    directory.mkdir(parents=True)
    git(directory, "init", "--quiet", "-b", "main")
    return directory


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    return repository(tmp_path / "origin")


def fetched(origin: Path, tmp_path: Path, ref: str, fallback: str = "") -> tuple[str, Path]:
    """Return the commit, and the directory with its files."""
    scratch = tmp_path / f"scratch-{len(list(tmp_path.iterdir()))}"
    new = scratch / "new"
    new.mkdir(parents=True)
    found = Repository(str(origin), str(scratch), threading.Event(), str(tmp_path))
    taken = found.fetch(ref, fallback)
    found.write(taken, str(new))
    return taken, new


def test_refs(origin: Path, tmp_path: Path) -> None:
    first = commit(origin, {"a": "1"})
    git(origin, "tag", "v1")
    git(origin, "tag", "-a", "v1-annotated", "-m", "x")
    second = commit(origin, {"a": "2"})
    git(origin, "checkout", "--quiet", "-b", "feature/x", first)
    third = commit(origin, {"a": "3"})
    git(origin, "checkout", "--quiet", "main")
    for ref, expected in (
        *(("HEAD", second), ("main", second), ("feature/x", third), ("v1", first)),
        *(("v1-annotated", first), (first, first), (first[:8], first), (third, third)),
    ):
        taken, new = fetched(origin, tmp_path, ref)
        assert taken == expected, ref
        assert (new / "a").read_text() == git(origin, "show", f"{expected}:a")
    assert fetched(origin, tmp_path, "none", "feature/x")[0] == third


def test_what_is_not_there(origin: Path, tmp_path: Path) -> None:
    commit(origin, {"a": "1"})
    with pytest.raises(ModuleError, match="has no 'none' or 'nor-this'"):
        fetched(origin, tmp_path, "none", "nor-this")
    with pytest.raises(ModuleError, match="has no 'abcdef12'"):
        fetched(origin, tmp_path, "abcdef12")
    with pytest.raises(ModuleError, match="does not appear to be a git repository"):
        fetched(tmp_path / "nothing", tmp_path, "main")


def test_without_git(origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ModuleError, match="git is not installed"):
        fetched(origin, tmp_path, "main")
    assert branch_of(str(origin)) is None


def test_the_files_are_those_of_the_commit(origin: Path, tmp_path: Path) -> None:
    """Attributes of the repository leave nothing out and put nothing in."""
    files = {
        ".gitattributes": "spec export-ignore\nv.txt export-subst\n",
        "spec/a_spec.rb": "1",
        "v.txt": "$Format:%H$",
        "manifests/init.pp": "class a {}\n",
    }
    commit(origin, files)
    _, new = fetched(origin, tmp_path, "main")
    found = {
        path.relative_to(new).as_posix(): path.read_text()
        for path in new.rglob("*")
        if path.is_file()
    }
    assert found == files


def test_nothing_is_converted(origin: Path, tmp_path: Path) -> None:
    """Attributes ask for line ends of Windows, the name of the commit, and another encoding."""
    git(origin, "config", "core.safecrlf", "false")
    commit(origin, {"a": "1\n$Id$\n"})
    rules = "* text eol=crlf ident\na working-tree-encoding=UTF-16\n"
    (origin / ".git" / "info" / "attributes").write_text("* -text -working-tree-encoding\n")
    commit(origin, {".gitattributes": rules})
    _, new = fetched(origin, tmp_path, "main")
    assert (new / "a").read_bytes() == b"1\n$Id$\n"


def test_a_relative_address(origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It starts at the directory of the Puppetfile, wherever the user is."""
    commit(origin, {"a": "1"})
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert (fetched(Path("origin"), tmp_path, "main")[1] / "a").read_text() == "1"


def test_neither_filters_nor_hooks_run(
    origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user's own git has a filter that .gitattributes names, and templates with hooks."""
    mark = tmp_path / "ran"
    hooks = tmp_path / "templates" / "hooks"
    hooks.mkdir(parents=True)
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (hooks / name).chmod(0o755)
    configuration = tmp_path / "gitconfig"
    configuration.write_text(
        f'[filter "evil"]\n smudge = "touch {mark}; cat"\n clean = cat\n required = true\n'
        f"[init]\n templateDir = {tmp_path / 'templates'}\n[core]\n hooksPath = {hooks}\n"
    )
    taken = commit(origin, {".gitattributes": "* filter=evil\n", "a": "1"})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
    _, new = fetched(origin, tmp_path, taken[:8])  # which updates refs, of which a hook is told
    assert (new / "a").read_text() == "1"
    assert not mark.exists()


def test_no_program_is_a_protocol(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    with pytest.raises(ModuleError, match="transport 'ext' not allowed"):
        fetched(Path(f"ext::sh -c touch% {mark}"), tmp_path, "main")
    assert not mark.exists()


def test_submodules_are_not_followed(origin: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    commit(other, {"secret": "x"})
    git(
        origin, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub"
    )
    commit(origin, {"a": "1"})
    _, new = fetched(origin, tmp_path, "main")
    assert [path.name for path in sorted(new.iterdir())] == [".gitmodules", "a", "sub"]
    assert list((new / "sub").iterdir()) == []


def test_links_out_are_left_out(origin: Path, tmp_path: Path) -> None:
    (origin / "out").symlink_to("/etc/passwd")
    (origin / "in").symlink_to("a")
    commit(origin, {"a": "1"})
    _, new = fetched(origin, tmp_path, "main")
    assert sorted(path.name for path in new.iterdir()) == ["a", "in"]


def test_another_repository_in_the_environment(
    origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hooks of git start programs with variables about their own repository."""
    commit(origin, {"a": "1"})
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "elsewhere"))
    assert branch_of(str(origin)) == "main"
    _, new = fetched(origin, tmp_path, "main")
    assert (new / "a").read_text() == "1"
    assert not (tmp_path / "elsewhere").exists()


def test_an_interrupt_ends_git(origin: Path, tmp_path: Path) -> None:
    stop = threading.Event()
    found = Repository(str(origin), str(tmp_path), stop, str(tmp_path))
    stop.set()
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 60\n")
    slow.chmod(0o755)
    git(tmp_path / "repository.git", "config", "remote.x.uploadpack", str(slow))
    git(tmp_path / "repository.git", "config", "remote.x.url", str(origin))
    found._address = "x"
    with pytest.raises(ModuleError, match="stopped"):
        found.fetch("main", "")


def test_the_branch_of_a_control_repository(origin: Path, tmp_path: Path) -> None:
    assert branch_of(str(origin)) == "main"
    commit(origin, {"a": "1"})
    git(origin, "checkout", "--quiet", "--detach")
    assert branch_of(str(origin)) is None
    assert branch_of(str(tmp_path)) is None


@pytest.mark.parametrize("given", ["token", "me:token", "token:x-oauth-basic"])
def test_a_token_is_not_shown(given: str, tmp_path: Path) -> None:
    with running(ForgeServer()) as server:
        path = "/own.git/info/refs?service=git-upload-pack"
        server.failures[path] = [401] * 9
        address = server.address.replace("//", f"//{given}@")
        module = Repository(f"{address}/own.git", str(tmp_path), threading.Event(), ".")
        with pytest.raises(ModuleError) as error:
            module.fetch("v1", "")
        assert server.requests[path]
    assert server.address in str(error.value)
    assert "token" not in str(error.value)
