from __future__ import annotations

import pytest

pytest.importorskip("sphinx")

from docutils import nodes

from puppet_repl.integrations.sphinx.signatures import (
    Declared,
    code_nodes,
    normalized,
    parse_parameter,
    parse_signature,
)


def parts(declared: Declared) -> tuple[str, str, str, str]:
    return declared.type, declared.mark, declared.name, declared.default


@pytest.mark.parametrize(
    ("text", "name", "parameters", "rest"),
    [
        ("a::b", "a::b", None, {}),
        ("::a()", "::a", [], {}),
        (
            "f(Hash[String, Integer] $a = {x => [1, 2]}, *$b) >> Array[String]",
            "f",
            [("Hash[String, Integer]", "", "a", "{x => [1, 2]}"), ("", "*", "b", "")],
            {"returns": "Array[String]"},
        ),
        (
            "c(Enum[',', \")\"] $x = '(', Pattern[/a/] $y) inherits d::e",
            "c",
            [("Enum[',', \")\"]", "", "x", "'('"), ("Pattern[/a/]", "", "y", "")],
            {"inherits": "d::e"},
        ),
        # A bracket in a regular expression closes nothing.
        (
            r"r(Pattern[/\A[a-z(]+\z/] $x, Callable[1, 1] &$block, String $s?) >> Integer",
            "r",
            [
                (r"Pattern[/\A[a-z(]+\z/]", "", "x", ""),
                ("Callable[1, 1]", "&", "block", ""),
                ("String", "", "s?", ""),
            ],
            {"returns": "Integer"},
        ),
        ("A::B = Struct[{a => C}]", "A::B", None, {"alias": "Struct[{a => C}]"}),
        ("e # no code", "e", None, {}),
        ("g(x, 'open", "g", None, {"rest": "(x, 'open"}),
        ("h + 1", "h", None, {"rest": "+ 1"}),
    ],
)
def test_parse_signature(
    text: str, name: str, parameters: list[tuple[str, ...]] | None, rest: dict[str, str]
) -> None:
    signature = parse_signature(text)
    assert signature.name == name
    found = signature.parameters
    assert (found if found is None else [parts(each) for each in found]) == parameters
    empty = {"inherits": "", "returns": "", "alias": "", "rest": ""}
    assert {key: getattr(signature, key) for key in empty} == {**empty, **rest}


def test_no_name() -> None:
    with pytest.raises(ValueError, match="1"):
        parse_signature("1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Integer $x = 1", ("Integer", "", "x", "1")),
        ("$x", ("", "", "x", "")),
        ("x", ("", "", "x", "")),
        ("'open", ("", "", "'open", "")),
    ],
)
def test_parse_parameter(text: str, expected: tuple[str, ...]) -> None:
    assert parts(parse_parameter(text)) == expected


def test_names() -> None:
    assert normalized(" ::A::B ") == "a::b"


def test_types_and_qualified_variables_are_links() -> None:
    found = code_nodes("Optional[Enum['Not::This', ::My::Type], $a::b, $c, 1, undef, /X/]")
    text = "Optional[Enum['Not::This', ::My::Type], $a::b, $c, 1, undef, /X/]"
    assert "".join(node.astext() for node in found) == text
    links = [
        (node["reftype"], node["reftarget"])
        for node in found
        if isinstance(node, nodes.Element) and "reftarget" in node
    ]
    assert links == [
        ("type", "Optional"),
        ("type", "Enum"),
        ("type", "My::Type"),
        ("param", "a::b"),
    ]


def test_code_that_is_none() -> None:
    assert [node.astext() for node in code_nodes("'open")] == ["'open"]
