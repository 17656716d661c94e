"""Which tests make quick runs."""

from __future__ import annotations

import pytest

from tests import quick
from tests.quick import ROOT, directory_of, importing, select


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
    assert quick.base() == ("a", "the common commit with main")
    commits["main"] = "b"
    assert quick.base() == ("a", "the commit before the last one")
    commits["origin/main"] = "0"
    assert quick.base() == ("0", "the common commit with origin/main")
