"""Patterns that are compiled late, and without ``re``."""

from __future__ import annotations

import _sre
import re
import subprocess
import sys
import tomllib

import pytest

from puppet_repl.base import patterns
from puppet_repl.base.pattern_codes import CODES, MAGICS
from puppet_repl.base.patterns import LatePattern, compile_pattern
from tests.base.generate_patterns import compiled, texts
from tests.imports import ROOT

pytestmark = pytest.mark.untraced


# Pythons on which the start has to compile its patterns: nobody has made their code yet.
WITHOUT_CODE = {"3.14"}


def test_what_is_kept_is_what_re_makes() -> None:
    assert set(CODES) == set(texts()), "make patterns"
    if _sre.MAGIC in MAGICS:
        assert {text: compiled(text) for text in CODES} == CODES, "make patterns"
    else:
        assert not patterns._KEPT


def test_no_python_loses_its_code() -> None:
    """Each version has an engine of its own, so ``make patterns`` is run with each of them."""
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    versions = {line.rpartition(" ")[2] for line in classifiers if " :: Python :: 3." in line}
    assert versions > WITHOUT_CODE
    assert len(MAGICS) >= len(versions - WITHOUT_CODE), "make patterns with each Python"


@pytest.mark.parametrize("text", CODES)
def test_a_kept_pattern_is_that_of_re(text: str) -> None:
    kept, made = compile_pattern(text), re.compile(text)
    assert kept == made
    for sample in ("", "0x1F", "$facts['os']", "class a::B { }", '"a\\n${b}"', "@(END)", "1.5e3"):
        ours, theirs = ([m.span() for m in each.finditer(sample)] for each in (kept, made))
        assert ours == theirs
        ours, theirs = ([m.groups() for m in each.finditer(sample)] for each in (kept, made))
        assert ours == theirs


def test_another_engine_gets_its_patterns_from_re(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_KEPT", {})
    pattern = LatePattern(r"(?a)(\w)(\d)")
    assert pattern.sub(r"\2\1", "a1b2") == "1a2b"
    assert pattern.findall("a1 b2") == [("a", "1"), ("b", "2")]


def test_a_pattern_has_no_other_names() -> None:
    with pytest.raises(AttributeError):
        LatePattern("a").split  # noqa: B018


PROGRAM = """
import sys
from puppet_repl.frontends.cli import main
main(["-e", sys.argv[1]])
print(*sorted({"re", "enum", "functools", "collections", "contextlib"} & {*sys.modules}))
"""


@pytest.mark.skipif(_sre.MAGIC not in MAGICS, reason="this Python has another engine of re")
@pytest.mark.parametrize("code", ["1", "'a'", "[1, 2][0]", "{a => 1}", "$x = 1\n$x + 1"])
def test_short_programs_need_no_re(code: str) -> None:
    command = [sys.executable, "-I", "-c", PROGRAM, code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
