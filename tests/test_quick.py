"""Which tests make quick runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import quick
from tests.quick import ROOT, changed, directory_of, importing, select


@pytest.mark.parametrize(
    ("name", "directory"),
    [
        ("puppet_repl/language/values/semver.py", "tests/language/values"),
        ("puppet_repl/language/types/algebra/common.py", "tests/language/types"),
        ("puppet_repl/session/debugging/debugger.py", "tests/session/debugging"),
        ("kernel/puppet_kernel/kernel.py", "tests/kernel"),
        ("lexer_pygments/puppet_pygments/lexer.py", "tests/pygments"),
        ("docs/speed.md", "tests/docs"),
        ("puppet_repl/language/__init__.py", None),
        ("Makefile", None),
    ],
)
def test_the_directory_with_the_tests_of_a_source(name: str, directory: str | None) -> None:
    assert directory_of(name) == directory


def test_a_changed_module() -> None:
    chosen = select(["puppet_repl/language/values/semver.py", "kernel/labextension/x.js"])
    assert chosen.whole == ["tests/language/values"]
    assert chosen.untested == ["kernel/labextension/x.js"]
    assert "tests/environment/modules/test_metadata.py" not in chosen.others
    assert not any(name.startswith("tests/language/values") for name in chosen.others)


def test_changed_tests() -> None:
    names = ["tests/catalog/tags.jsonl", "tests/host/test_host.py", "tests/readme.py"]
    chosen = select([*names, "tests/language/values/uris.jsonl", "tests/browser/test_lab.py"])
    assert chosen.whole == [
        "tests/catalog/tags.jsonl",
        "tests/host/test_host.py",
        *importing(["tests.readme"], quick.tests()),
        "tests/language/values/test_uri.py",
    ]
    assert "tests/conformance/test_conformance.py" in chosen.whole
    assert chosen.untested == ["tests/browser/test_lab.py"]


def test_what_lies_in_a_directory_is_run_once() -> None:
    chosen = select(["puppet_repl/catalog/tags.py", "tests/catalog/tags.jsonl"])
    assert chosen.whole == ["tests/catalog"]


def test_importers_are_those_at_distance_one() -> None:
    modules = [ROOT / "puppet_repl/language/values/semver_range.py"]
    name = "puppet_repl.language.values.semver"
    assert importing([name], modules) == ["puppet_repl/language/values/semver_range.py"]
    chosen = select(["puppet_repl/tools/hints/suggestions.py"])
    assert "tests/session/test_session.py" in chosen.others


def test_each_mirror_is_there() -> None:
    for sources, tests in quick.MIRRORED.items():
        assert (ROOT / sources).is_dir()
        assert (ROOT / tests).is_dir()


def test_the_base_on_main_and_on_a_branch(monkeypatch: pytest.MonkeyPatch) -> None:
    commits = {"HEAD": "b", "HEAD~1": "a", "main": "a"}

    def git(*arguments: str) -> list[str]:
        if arguments[0] == "merge-base":
            return [commits[arguments[2]]] if arguments[2] in commits else []
        return [commits[arguments[-1]]]

    monkeypatch.setattr(quick, "git", git)
    monkeypatch.delenv("SINCE", raising=False)
    assert quick.base() == ("a", "the common commit with main")
    commits["main"] = "b"
    assert quick.base() == ("a", "the commit before the last one")
    commits["origin/main"] = "0"
    assert quick.base() == ("0", "the common commit with origin/main")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with two commits, where quick looks for what has changed."""
    monkeypatch.setattr(quick, "ROOT", tmp_path)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "SINCE"):
        monkeypatch.delenv(name, raising=False)
    quick.git("init", "--initial-branch=main")
    quick.git("config", "user.name", "x")
    quick.git("config", "user.email", "x@example.org")
    for name in ("old.py", "second.py"):
        (tmp_path / name).write_text(f"text of {name}\n" * 20, "utf-8")
        quick.git("add", ".")
        quick.git("commit", "-m", name)
    return tmp_path


def test_changed_files_are_also_those_that_are_gone_or_have_odd_names(repository: Path) -> None:
    quick.git("mv", "old.py", "new.py")
    (repository / "größe.py").touch()
    (repository / "two words.py").touch()
    assert sorted(changed("HEAD")) == ["größe.py", "new.py", "old.py", "two words.py"]


def test_the_base_is_what_was_there_before_a_push(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = quick.git("rev-parse", "HEAD~1", "HEAD")
    (repository / "third.py").touch()
    quick.git("add", ".")
    quick.git("commit", "-m", "third")
    monkeypatch.setenv("SINCE", first)
    assert quick.base() == (first, "the commit that SINCE names")
    for none in ("", "0" * 40):
        monkeypatch.setenv("SINCE", none)
        assert quick.base() == (second, "the commit before the last one")


@pytest.mark.parametrize("has_git", [True, False])
def test_without_a_commit_there_is_a_sentence(
    has_git: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    if not has_git:
        monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="git has none here: use make test"):
        quick.base()


def test_a_module_that_has_gone() -> None:
    """Its mirrored directory and what still imports it are run."""
    name = "puppet_repl/tools/hints/suggestions.py"
    present = select([name])
    gone = select([name.replace("suggestions", "gone")])
    assert gone.whole == present.whole == ["tests/tools/hints"]
    assert gone.others == []
    assert gone.first == ["tests/tools/hints"]
    chosen = select(["tests/host/test_gone.py", "tests/host/gone.jsonl", "docs/gone.md"])
    assert chosen == (["tests/docs"], ["tests/docs"], [], [])


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("import puppet_repl.tools.advice\n", True),
        ("import puppet_repl.tools.advice, os\n", True),
        ("import puppet_repl.tools.advice as advice\n", True),
        ("from puppet_repl.tools.advice import f\n", True),
        ("from puppet_repl.tools import (\n    advice,\n)\n", True),
        ("import puppet_repl.tools.advices\n", False),
        ("import puppet_repl.tools.advice.more\n", False),
        ("import my.puppet_repl.tools.advice\n", False),
    ],
)
def test_how_a_module_is_imported(
    text: str, does: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick, "ROOT", tmp_path)
    path = tmp_path / "some.py"
    path.write_text(text, "utf-8")
    assert importing(["puppet_repl.tools.advice"], [path]) == ["some.py"] * does


def test_tests_that_matter_most() -> None:
    names = ["puppet_repl/language/values/semver.py", "tests/host/test_host.py", "tests/readme.py"]
    assert select(names).first == [
        "tests/language/values/test_semver.py",
        "tests/host/test_host.py",
    ]


def test_the_run_fails_if_tests_that_matter_most_never_began(tmp_path: Path) -> None:
    """Others that have not begun are only counted."""
    for name in ("one", "two"):
        (tmp_path / f"test_{name}.py").write_text("def test_it(): pass\n", "utf-8")
    late = f"no test of {tmp_path / 'test_one.py'} had begun when the time was over"
    for until, status, said in ((0, 1, True), (2**33, 0, False)):
        options = ("-c", "pyproject.toml", "-p", "tests.conftest", "-p", "no:cacheprovider")
        first = f"--first={tmp_path / 'test_one.py'}"
        command = [sys.executable, "-m", "pytest", *options, first, f"--until={until}"]
        done = subprocess.run([*command, tmp_path], cwd=ROOT, capture_output=True, text=True)
        assert (done.returncode, late in done.stdout) == (status, said), done.stdout
        assert "test_two" not in done.stdout.partition("had not begun")[2]
    command[-1] = "--until=0"
    done = subprocess.run([*command, tmp_path / "test_two.py"], cwd=ROOT, capture_output=True)
    assert done.returncode == 0
