"""The tables by which the compiler finds modules: every entry resolves, and nothing is left out."""

from __future__ import annotations

import ast as python
from importlib import import_module
from pathlib import Path

import pytest

import puppet_repl.language.compiler
from puppet_repl.language.compiler import names
from puppet_repl.language.compiler.lowerings import EMITTED_BY, EMITTERS, LOWERED_BY, LOWERINGS
from puppet_repl.language.syntax import ast
from puppet_repl.session import Session

SOURCES = sorted(Path(puppet_repl.language.compiler.__path__[0]).glob("*.py"))
# Parts of other nodes, which lower them themselves; and what validation refuses outside of plans.
PARTS = {
    ast.ApplyExpression,
    ast.Program,
    ast.Parameter,
    ast.KeyedEntry,
    ast.CaseOption,
    ast.SelectorEntry,
    ast.ResourceBody,
    ast.AttributeOperation,
    ast.AttributesOperation,
    ast.ExportedQuery,
    ast.VirtualQuery,
    ast.NamedAccessExpression,
    ast.LambdaExpression,
}


def concrete_nodes() -> set[type[ast.Node]]:
    nodes = [found for found in vars(ast).values() if isinstance(found, type)]
    return {node for node in nodes if issubclass(node, ast.Node) and not node.__subclasses__()}


def modules_with(table: str) -> list[str]:
    return [path.stem for path in SOURCES if f"\n{table}: " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("node", sorted(concrete_nodes() - PARTS, key=lambda n: n.__name__))
def test_every_node_has_a_lowering(node: type[ast.Node]) -> None:
    assert callable(LOWERINGS[node])


@pytest.mark.parametrize("module", modules_with("LOWERINGS"))
def test_modules_lower_what_the_table_says(module: str) -> None:
    if module == "lowerings":
        return
    lowered = set(import_module(f"puppet_repl.language.compiler.{module}").LOWERINGS)
    listed = {node for node, home in LOWERED_BY.items() if home == module}
    if module == "literals":
        assert not lowered & set(LOWERED_BY)
    else:
        assert lowered == listed


def test_emitters_are_where_the_table_says() -> None:
    for node, module in EMITTED_BY.items():
        assert (
            import_module(f"puppet_repl.language.compiler.{module}").EMITTERS[node]
            is EMITTERS[node]
        )
    assert EMITTERS[ast.LiteralInteger] is None


@pytest.mark.parametrize("module", names.PROVIDED_BY)
def test_names_of_the_runtime_exist(module: str) -> None:
    for name in names.PROVIDED_BY[module]:
        assert hasattr(import_module(f"puppet_repl.language.{module}"), name), name


def test_names_of_a_context_exist() -> None:
    context = Session(facts={})._context
    for make in names.OF_CONTEXT.values():
        assert callable(make(context))


def test_all_names_that_are_called_are_provided() -> None:
    context = Session(facts={})._context
    provided = {*names.runtime_names(context), *names.OF_CONTEXT}
    provided.update(*names.PROVIDED_BY.values())
    local = {"out"}  # of a template
    called = {
        (path.name, call.args[0].value)
        for path in SOURCES
        for call in python.walk(python.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, python.Call)
        and isinstance(call.func, python.Name)
        and call.func.id == "call"
        and isinstance(call.args[0], python.Constant)
    }
    assert called
    assert {found for found in called if found[1] not in provided | local} == set()
