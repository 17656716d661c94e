"""Values of a catalog's document as Puppet code: the code has the value that the program gave."""

from __future__ import annotations

import pytest

from puppet_repl.catalog.content_text import is_text, text_lines, value_lines, value_text
from tests.catalog.conftest import Catalogs

VALUES = [
    "undef",
    "true",
    "false",
    "0",
    "-12",
    "1.5",
    "'it\\'s'",
    '"a\\n\\t\\$b"',
    "[]",
    "{}",
    "[1, [2, []], {}]",
    "{ 'a b' => { 'c' => [undef, 'x'] }, 'd' => 2 }",
    "{ 1 => 'one', [2] => 'two', 'three' => 3 }",
    "default",
    "/a\\/b.c/",
    "SemVer('1.2.3-rc1')",
    "SemVerRange('>=1.0.0 <2.0.0')",
    "Timestamp('2020-01-02T03:04:05.678 UTC')",
    "Timespan('1-02:03:04')",
    "Binary('aGVsbG8=')",
    "URI('https://example.com/x?y=1')",
    "Deferred('upcase', ['a'])",
]


@pytest.mark.parametrize("value", VALUES)
def test_the_code_of_a_value_makes_the_value(value: str, catalogs: Catalogs) -> None:
    catalogs.run(
        f"define holder($v, $list) {{ }} holder {{ 'h': v => {value}, list => [{value}] }}"
    )
    data = catalogs.shown()["Holder[h]"]
    expected = catalogs.run(f"[{value}]").value
    for kept in (data["list"], [data.get("v")]):
        assert catalogs.run(value_text(kept)).value == expected
        for width in (1, 20, 1000):
            lines = value_lines(kept, width)
            assert catalogs.run("\n".join(lines)).value == expected
        assert lines == [value_text(kept)]


def test_what_is_wider_has_a_line_for_each_item() -> None:
    value = {"one": [1, 2], "three": {"four": ["a" * 12, "b" * 12]}}
    [whole] = value_lines(value, 1000)
    assert value_lines(value, len(whole)) == [whole]
    assert value_lines(value, len(whole) - 1) == [
        "{",
        "  'one' => [1, 2],",
        "  'three' => {'four' => ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']},",
        "}",
    ]
    assert value_lines(value, 40) == [
        "{",
        "  'one' => [1, 2],",
        "  'three' => {",
        "    'four' => [",
        "      'aaaaaaaaaaaa',",
        "      'bbbbbbbbbbbb',",
        "    ],",
        "  },",
        "}",
    ]


def test_a_deferred_call_without_arguments() -> None:
    assert value_text({"__ptype": "Deferred", "name": "now"}) == "Deferred('now')"


def test_lines_of_texts() -> None:
    assert text_lines("a\nb\n") == ["a", "b"]
    assert text_lines("a\nb") == ["a", "b", "\\ no line end"]
    assert is_text("a\nb", "c") and is_text("c", "a\nb\n")
    assert not is_text("a\n", "b\n")
    assert not is_text("a\nb", 1)
