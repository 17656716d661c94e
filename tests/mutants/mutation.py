"""The mutants of a module: its source with one small change each, of the kinds that people make."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Mutant", "mutants"]

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
# What they hold has no effect: nobody calls it, or mypy alone reads it.
UNCHANGED_NAMES = ("__all__", "__slots__", "TYPE_CHECKING")
# The first argument of a call is a name that only mypy and people read.
NAMED_TYPES = ("TypeVar", "NewType", "ParamSpec", "namedtuple", "NamedTuple")
# A thread is found by its object; its name is for people who look at a process.
NAMES_OF_THREADS = {"Thread": "name", "ThreadPoolExecutor": "thread_name_prefix"}
OTHER_TEXT = "mutant"


class Mutant(NamedTuple):
    """A changed module; ``name`` says where and what, and is the same when lines move.

    ``statement`` is the line of the statement of a function, 0 for what runs at the import.
    """

    name: str
    line: int
    statement: int
    module: ast.Module
    node: ast.AST
    change: ast.AST

    def tree(self) -> ast.Module:
        """Return the module with the change, which the module itself does not have."""
        return _with_change(self.module, self.node, self.change)


def mutants(source: str) -> Iterator[Mutant]:
    """Yield the mutants of a source, in the order of their lines."""
    tree = ast.parse(source)
    seen: Counter[str] = Counter()
    for path, statement, node in _nodes(tree):
        for change in _changes(node):
            name = f"{path}: {_shown(node)} -> {_shown(change)}"
            seen[name] += 1
            if seen[name] > 1:
                name += f" ({seen[name]})"
            yield Mutant(name, getattr(node, "lineno", 0), statement, tree, node, change)


def _shown(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:120] if not isinstance(node, ast.Pass) else "pass"


def _nodes(tree: ast.Module) -> Iterator[tuple[str, int, ast.AST]]:
    """Yield the nodes that may be changed, with the function or class and the statement of each."""
    waiting: list[tuple[str, int, ast.AST]] = [("module", 0, tree)]
    while waiting:
        path, statement, node = waiting.pop()
        yield path, statement, node
        body: list[ast.stmt] = []
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            path = node.name if path == "module" else f"{path}.{node.name}"
        if isinstance(node, ast.FunctionDef):
            body = node.body
        for child in reversed(list(_children(node))):
            if isinstance(child, ast.stmt) and (statement or child in body):
                waiting.append((path, child.lineno, child))
            else:
                waiting.append((path, statement, child))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    unread = _unread(node)
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_params", "decorator_list"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST) and child is not unread and not _is_unchanged(child):
                yield child


def _unread(node: ast.AST) -> ast.AST | None:
    """Return the argument of a call that no code reads: the name of a type or of a thread."""
    match node:
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)):
            if called in NAMED_TYPES and node.args:
                return node.args[0]
            found = NAMES_OF_THREADS.get(called)
            return next((each for each in node.keywords if found and each.arg == found), None)
    return None


def _is_unchanged(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.Assert():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in UNCHANGED_NAMES
    return False


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in place of a node."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARED:
            yield _changed(node, ops=[COMPARED[type(operator)]()])
        case ast.BoolOp(op=operator):
            yield _changed(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in COMPUTED:
            yield _changed(node, op=COMPUTED[type(operator)]())
        case ast.Constant(value=value):
            yield from _constants(value)
        case ast.If(test=test) | ast.IfExp(test=test) if not _has_own_change(test):
            yield _changed(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Return(value=value) if value is not None and not _is_like_none(value):
            yield _changed(node, value=ast.Constant(None))
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _constants(value: object) -> Iterator[ast.Constant]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, str):
        yield ast.Constant(OTHER_TEXT)


def _has_own_change(test: ast.expr) -> bool:
    """Tell whether a change of the condition itself negates it already."""
    return isinstance(test, ast.UnaryOp) or (isinstance(test, ast.Compare) and len(test.ops) == 1)


def _is_like_none(node: ast.expr) -> bool:
    """Tell whether a value is None or False, between which no caller of a predicate tells."""
    return isinstance(node, ast.Constant) and (node.value is None or node.value is False)


def _changed(node: ast.AST, **fields: object) -> ast.AST:
    result = copy.copy(node)
    for name, value in fields.items():
        setattr(result, name, value)
    return result


def _with_change(tree: ast.Module, node: ast.AST, change: ast.AST) -> ast.Module:
    """Return the tree with one node changed, the tree itself as it was."""

    class Changer(ast.NodeTransformer):
        def visit(self, visited: ast.AST) -> ast.AST:
            if visited is node:
                return ast.copy_location(change, node)
            # NodeTransformer changes nodes in place.
            own = copy.copy(visited)
            for name, field in ast.iter_fields(visited):
                if isinstance(field, list):
                    setattr(own, name, list(field))
            return self.generic_visit(own)

    changed = Changer().visit(tree)
    assert isinstance(changed, ast.Module)
    return ast.fix_missing_locations(changed)
