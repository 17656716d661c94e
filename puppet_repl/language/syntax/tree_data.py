"""Nodes of the tree as plain data that marshal can write, and back.

A node is a list of the name of its class and the values of its slots, which are nodes, tuples of
nodes, and what Python's literals are.
"""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    # Nodes are lists, so that they are told from the tuples of a slot.
    NodeData: TypeAlias = list[object]

_PLAIN = frozenset((str, int, float, bool, type(None)))


def node_data(node: ast.Node) -> NodeData:
    """Return the data of a node; TypeError for one that holds anything else."""
    name = type(node).__name__
    return [name, *[_data(getattr(node, slot)) for slot in _slots(name)]]


def node_of(data: NodeData) -> ast.Node:
    """Return the node of data."""
    name, *values = data
    assert isinstance(name, str)
    kind: type[ast.Node] = getattr(ast, name)
    node = kind.__new__(kind)
    for slot, value in zip(_slots(name), values, strict=True):
        setattr(node, slot, _value(value))
    return node


_known_slots: dict[str, tuple[str, ...]] = {}


def _slots(name: str) -> tuple[str, ...]:
    """Return what a node of a class holds; a subclass may name a slot again."""
    if name not in _known_slots:
        names: dict[str, None] = {}
        for each in getattr(ast, name).__mro__:
            names.update(dict.fromkeys(getattr(each, "__slots__", ())))
        _known_slots[name] = tuple(names)
    return _known_slots[name]


def _data(value: object) -> object:
    if isinstance(value, ast.Node):
        return node_data(value)
    if type(value) is tuple:
        return tuple([_data(item) for item in value])
    if type(value) in _PLAIN:
        return value
    raise TypeError(f"a {type(value).__name__} in the tree")


def _value(data: object) -> object:
    if type(data) is list:
        return node_of(data)
    if type(data) is tuple:
        return tuple([_value(item) for item in data])
    return data
