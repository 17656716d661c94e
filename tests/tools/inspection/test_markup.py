"""Markdown of documentation as plain text."""

from __future__ import annotations

import pytest

from puppet_repl.tools.inspection.markup import as_text, first_line


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("", ""),
        ("Plain text: 2 * 3 ** 4, $a[1](2), `", "Plain text: 2 * 3 ** 4, $a[1](2), `"),
        ("The class `a` and ``b ` c``.", "The class a and b ` c."),
        ("`**x**` and **very** important", "**x** and very important"),
        ("**a b** `[c](d)`", "a b [c](d)"),
        ("Use [`a::b`](#ab) or [the guide](https://a/b).", "Use a::b or the guide (https://a/b)."),
        ("See [https://a/b](https://a/b).", "See https://a/b."),
        ("## Notes ##\ntext", "Notes\ntext"),
        ("#hash", "#hash"),
        ("- `a`: one\n- b", "- a: one\n- b"),
        ("    `code`\n\n\t`more`", "    `code`\n\n\t`more`"),
        ("One:\n\n```puppet\n$a = `b`\n\n1\n```\n`c`", "One:\n\n\n    $a = `b`\n\n    1\n\nc"),
        ("~~~\n```\n~~~", "    ```"),
        ("```\nnever closed", "    never closed"),
    ],
)
def test_as_text(markdown: str, text: str) -> None:
    assert as_text(markdown) == text


@pytest.mark.parametrize(
    ("markdown", "line"),
    [
        ("", ""),
        ("\n  The `class`.\nMore.", "The class."),
        ("== Function: docker::sanitised_name\n\nMakes a name.\nMore.", "Makes a name."),
        ("= Class: web =\nServes.", "Serves."),
        ("== Class: web\n\n=== Parameters\n\n[*port*]", ""),
        ("\ndocker_run_flags.rb\n", ""),
        ("run_flags\n\nMakes flags.", "Makes flags."),
        ("docker::run_flags\nMakes flags.", "Makes flags."),
        ("Function of many names", "Function of many names"),
        ("Reads a.rb", "Reads a.rb"),
        ("== 1 means so", ""),
    ],
)
def test_first_line(markdown: str, line: str) -> None:
    assert first_line(markdown, "docker::run_flags") == line
