from __future__ import annotations

import pytest

pytest.importorskip("sphinx")

from puppet_repl.sphinx_domain.signatures import (
    normalized,
    parse_signature,
    type_nodes,
)


@pytest.mark.parametrize(
    ("text", "name", "parameters", "rest"),
    [
        ("a::b", "a::b", None, []),
        ("::a()", "::a", [], []),
        (
            "f(Hash[String, Integer] $a = {x => [1, 2]}, *$b) >> Array[String]",
            "f",
            [("Hash[String, Integer]", "$a", "{x => [1, 2]}"), ("", "*$b", "")],
            [(">>", "Array[String]")],
        ),
        (
            "c(Enum[',', \")\"] $x = '(', Pattern[/a/] $y) inherits d::e",
            "c",
            [("Enum[',', \")\"]", "$x", "'('"), ("Pattern[/a/]", "$y", "")],
            [("inherits", "d::e")],
        ),
        ("A::B = Struct[{a => C}]", "A::B", None, [("=", "Struct[{a => C}]")]),
        ("g(x, 'open", "g", [("", "x", ""), ("", "'open", "")], []),
    ],
)
def test_parse_signature(text: str, name: str, parameters: object, rest: object) -> None:
    signature = parse_signature(text)
    assert (signature.name, signature.parameters, signature.rest) == (name, parameters, rest)


def test_no_name() -> None:
    with pytest.raises(ValueError, match="1"):
        parse_signature("1")


def test_names() -> None:
    assert normalized(" ::A::B ") == "a::b"


def test_types_are_links() -> None:
    found = type_nodes("Optional[Enum['Not::This', My::Type]]")
    assert "".join(node.astext() for node in found) == "Optional[Enum['Not::This', My::Type]]"
    links = [node["reftarget"] for node in found if "reftarget" in getattr(node, "attributes", {})]
    assert links == ["Optional", "Enum", "My::Type"]
