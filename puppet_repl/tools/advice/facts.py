"""Checks of facts: those that Puppet 8 leaves out, and keys that no fact has."""

from __future__ import annotations

from puppet_repl.environment.facts.legacy_facts import AMBIGUOUS, structured
from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import bare, string_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.advice.model import Context

# Facts with parts, whose names are joined by dots where a function looks for them.
_STRUCTURED = frozenset(
    ("dmi", "disks", "identity", "memory", "networking", "os", "processors", "ssh", "system_uptime")
)


def variable(context: Context, node: ast.Node) -> None:
    """Warn of legacy facts as variables: ``$::osfamily``, and ``$osfamily`` that nothing binds."""
    assert isinstance(node, ast.VariableExpression)
    name = node.name
    is_top = name.startswith("::")
    name = name.removeprefix("::")
    new = structured(name)
    if new is None:
        return
    if not is_top and (name in AMBIGUOUS or context.is_template or context.is_bound(name)):
        return
    if is_top and (name in context.variables or context.scope.at_top_has(name)):
        return
    _warn(context, node, name, new)


def access(context: Context, node: ast.Node) -> None:
    """Warn of ``$facts['osfamily']`` and of ``$facts['os.family']``."""
    assert isinstance(node, ast.AccessExpression)
    left = bare(node.left)
    if not isinstance(left, ast.VariableExpression) or left.name not in ("facts", "::facts"):
        return
    key = string_of(node.keys[0]) if len(node.keys) == 1 else None
    if key is None:
        return
    new = structured(key)
    if new is not None:
        _warn(context, node, key, new)
    elif "." in key and key.split(".")[0] in _STRUCTURED:
        wanted = "".join(f"['{part}']" for part in key.split("."))
        message = f"no fact is called '{key}': write $facts{wanted}, or fact('{key}')"
        context.warn("dotted_fact", node, message)


def call(context: Context, node: ast.Node) -> None:
    """Warn of ``fact('osfamily')``."""
    assert isinstance(node, ast.CallNamedFunctionExpression)
    if string_of(node.functor) not in ("fact", "stdlib::fact") or len(node.arguments) != 1:
        return
    name = string_of(node.arguments[0])
    new = None if name is None else structured(name)
    if name is not None and new is not None:
        _warn(context, node.arguments[0], name, new)


def _warn(context: Context, node: ast.Node, name: str, new: str) -> None:
    message = f"Puppet 8 leaves out the fact {name}: write {new}"
    context.warn("legacy_facts", node, message)
