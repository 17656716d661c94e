"""Globs match what they match in Ruby, and no pattern takes long."""

from __future__ import annotations

import time
import warnings

import pytest

from puppet_repl.language.values.hash import PuppetHash, from_data
from puppet_repl.tools.validation.hiera_levels import levels_of
from puppet_repl.tools.validation.patterns import Pattern


@pytest.mark.parametrize(
    ("glob", "text", "expected"),
    [
        # Of File.fnmatch of Ruby 3.1 with FNM_PATHNAME and FNM_EXTGLOB.
        ("[z-a].yaml", "z.yaml", True),
        ("[z-a].yaml", "m.yaml", False),
        ("[[:alpha:]]*.yaml", "a]x.yaml", True),
        ("[[:alpha:]]*.yaml", "ax.yaml", False),
        ("[a-c]x", "bx", True),
        ("[^a-c]x", "bx", False),
        ("[!a]x", "bx", True),
        ("[!a]x", "/x", False),
        ("[]a]x", "ax", False),
        ("[]a]x", "]x", False),
        ("[a-]x", "-x", True),
        ("[\\]a]x", "]x", True),
        ("[^]x", "^x", True),
        ("[^]a]x", "bx", False),
        ("[a-c-e]x", "dx", False),
        ("[a-c-e]x", "-x", True),
        ("[a/b]x", "/x", False),
        ("[{a,b}]", "a", True),
        ("[\\a-c]x", "bx", True),
        ("a[]", "a[]", False),
        ("*.yaml", "a.yaml", True),
        ("*.yaml", "a/b.yaml", False),
        ("**/*.yaml", "a/b/c.yaml", True),
        ("**/*.yaml", "c.yaml", True),
        ("?.yaml", "ab.yaml", False),
        ("{a,b*}/c", "bcd/c", True),
        ("{a,b*}/c", "cd/c", False),
        ("a\\*", "a*", True),
        ("a\\*", "ab", False),
    ],
)
def test_globs(glob: str, text: str, expected: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Pattern.of_glob(glob).matches(text) is expected


@pytest.mark.parametrize(
    ("parts", "text", "expected"),
    [
        (["a"], "a", True),
        (["a"], "ab", False),
        (["", ""], "a/b", True),
        (["a", "b"], "ab", True),
        (["a", "b"], "axyb", True),
        (["ab", "ba"], "aba", False),
        (["a", "ab", "b"], "aabab", True),
        (["a", "", "c"], "abd", False),
    ],
)
def test_parts(parts: list[str], text: str, expected: bool) -> None:
    assert Pattern.of_parts(parts).matches(text) is expected


@pytest.mark.parametrize("key", ["path", "glob"])
@pytest.mark.parametrize("inner", ["%{{v{}}}a", "%{{v{}}}[a]", "*a*{{a,aa}}"])
def test_many_expressions_take_no_time(key: str, inner: str) -> None:
    path = "".join(inner.format(number) for number in range(14)) + "b.yaml"
    config = from_data({"version": 5, "hierarchy": [{"name": "a", key: path}]})
    assert type(config) is PuppetHash
    (level,) = levels_of(config)
    start = time.process_time()
    assert not level.reaches(f"data/{'a' * 60}/{'a' * 60}.yaml")
    assert time.process_time() - start < 1
