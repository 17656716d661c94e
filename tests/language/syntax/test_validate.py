"""Findings of the validator: their order, their number, and where definitions may stand."""

from __future__ import annotations

import pytest

from puppet_repl.base.errors import PuppetError, Report, ValidationErrors
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.placement import namespace_of
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate


def check(text: str, strict: str = "error", module_file: str | None = None) -> list[Report]:
    return validate(parse(Source(text)), strict=strict, module_file=module_file)


def test_one_error_is_raised_itself() -> None:
    with pytest.raises(PuppetError) as caught:
        check("notice(1)\n$a::b = 1")
    assert not isinstance(caught.value, ValidationErrors)
    assert (caught.value.line, caught.value.column) == (2, 1)
    assert caught.value.code == "CROSS_SCOPE_ASSIGNMENT"


def test_several_errors_are_counted_and_ten_are_kept() -> None:
    with pytest.raises(ValidationErrors) as caught:
        check("\n".join(f"${number} = 1" for number in range(12)))
    assert caught.value.message == "Language validation logged 12 errors. Giving up"
    assert len(caught.value.reports) == 10
    assert caught.value.reports[1].position == (2, 1)


def test_warnings_count_too() -> None:
    with pytest.raises(ValidationErrors) as caught:
        check("class plan($title, $title) { }")
    assert caught.value.message == "Language validation logged 3 errors, and 1 warnings. Giving up"
    assert [report.level for report in caught.value.reports] == ["warning", "err", "err", "err"]


@pytest.mark.parametrize(("strict", "levels"), [("warning", ["warning"]), ("off", [])])
def test_strict_decides_about_duplicate_keys(strict: str, levels: list[str]) -> None:
    assert [report.level for report in check("$h = { a => 1, 'a' => 2 }", strict)] == levels
    with pytest.raises(PuppetError, match="The key 'a' is declared more than once"):
        check("$h = { a => 1, 'a' => 2 }")


@pytest.mark.parametrize(
    "text",
    [
        "{ 1 => a, 1.0 => b, '1' => c }",
        "{ undef => 1, '' => 2 }",
        "{ default => 1, 'default' => 2 }",
    ],
)
def test_keys_that_differ(text: str) -> None:
    check(f"$h = {text}")


@pytest.mark.parametrize(
    ("file", "namespace"),
    [
        ("apache/manifests/init.pp", "apache"),
        ("apache/manifests/mod/ssl.pp", "apache::mod::ssl"),
        ("apache/types/Vhost.pp", "apache::vhost"),
        ("apache/spec/x.pp", None),
    ],
)
def test_namespace_of_a_module_file(file: str, namespace: str | None) -> None:
    assert namespace_of(file) == namespace


def test_a_module_file_holds_its_definitions_only() -> None:
    check("class a::b { }", module_file="a/manifests/b.pp")
    with pytest.raises(PuppetError, match=r"Unacceptable location\. The name 'c'"):
        check("class c { }", module_file="a/manifests/b.pp")
    with pytest.raises(PuppetError, match=r"This Function Call is unacceptable as a top level"):
        check("class a::b { }\nnotice(1)", module_file="a/manifests/b.pp")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$a = @(E:json)\n{\nE\n", "Invalid produced text having syntax: 'json'. JSON syntax"),
        ("$a = @(E:base64)\n!!\nE\n", "Base64 syntax checker: Cannot parse invalid Base64"),
        ("$a = @(E:pp)\n1 +\nE\n", 'PP syntax checker: "Syntax error at end of input"'),
    ],
)
def test_heredocs_are_checked(text: str, message: str) -> None:
    with pytest.raises(PuppetError) as caught:
        check(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (2, 1)


@pytest.mark.parametrize("syntax", ["json", "data+json", "base64", "pp", "epp", "unknown"])
def test_good_heredocs(syntax: str) -> None:
    text = {"json": "[1]", "data+json": "{}", "base64": "YQ==", "pp": "notice(1)"}.get(syntax, "x")
    assert check(f"$a = @(E:{syntax})\n{text}\nE\n") == []


def test_a_long_chain_is_walked() -> None:
    check("$x = " + "1 + " * 20000 + "1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("file { 'a': }", "A Resource Statement is only available when compiling a catalog"),
        ("class a { }", "A Host Class Definition is only available when compiling a catalog"),
        ("plan a() { plan b { } }", "A Plan Definition may only appear at toplevel"),
        (
            "apply('a') { apply('b') { } }",
            "An 'apply' expression is not available when compiling a catalog",
        ),
    ],
)
def test_tasks(text: str, message: str) -> None:
    with pytest.raises(PuppetError) as caught:
        validate(parse(Source(text), tasks=True), tasks=True)
    assert caught.value.message == message


def test_catalog_expressions_in_apply_blocks() -> None:
    text = "plan a($x) { apply($x) { file { 'a': } A['b'] -> C['d'] } }"
    assert validate(parse(Source(text), tasks=True), tasks=True) == []
