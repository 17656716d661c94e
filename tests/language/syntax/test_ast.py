"""The classes of the syntax tree are what their description says."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax import ast
from tests.language.syntax.generate_ast import DESCRIPTION, TARGET, Kind, read_description, written

KINDS = [
    part
    for part in read_description(DESCRIPTION.read_text(encoding="utf-8"))
    if isinstance(part, Kind)
]


def test_the_module_is_up_to_date() -> None:
    """Where this fails: make ast."""
    text = TARGET.read_text(encoding="utf-8")
    assert written(text) == text


def test_all_classes_are_described() -> None:
    classes = {
        name
        for name, found in vars(ast).items()
        if isinstance(found, type) and issubclass(found, ast.Node) and found is not ast.Node
    }
    assert classes == {kind.name for kind in KINDS}


def test_a_node_keeps_what_it_is_given() -> None:
    node = ast.KeyedEntry(ast.Nop(0, 0), ast.LiteralUndef(5, 10), 0, 10, 2)
    assert (node.start, node.end, node.at) == (0, 10, 2)
    assert [type(child) for child in node.children()] == [ast.Nop, ast.LiteralUndef]
    assert ast.LiteralInteger(1, 10, 3, 4).at == 3


@pytest.mark.parametrize("line", ["Lonely", "Broken(field)\n    Doc.", "Broken(a: int\n    Doc."])
def test_a_description_that_cannot_be_read(line: str) -> None:
    with pytest.raises(ValueError, match=r"Lonely|without a type|neither"):
        read_description(line)
