"""Checks of facts: those that Puppet 8 leaves out, and keys that no fact has."""

from __future__ import annotations

from puppet_repl.base.matching import nearest
from puppet_repl.environment.facts.core_facts import CORE_FACT_KEYS
from puppet_repl.environment.facts.legacy_facts import AMBIGUOUS, LEGACY, REPLACED, structured
from puppet_repl.language.syntax import ast
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.tools.advice.nodes import bare, fact_path, string_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.session import Session
    from puppet_repl.tools.advice.model import Context, Edit

# Facts with parts, whose names are joined by dots where a function looks for them.
_STRUCTURED = frozenset(
    ("dmi", "disks", "identity", "memory", "networking", "os", "processors", "ssh", "system_uptime")
)
# $facts['memoryfree'] is undef where the fact is missing, a key of undef is an error: these are on
# all nodes. A variable that is missing is an error anyway, and fact() looks for each key.
_ON_ALL_NODES = frozenset(
    (
        "identity",
        "memory.system",
        "networking",
        "os",
        "os.release",
        "processors",
        "ruby",
        "system_uptime",
    )
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
    edits = context.variable_edit(node, new) if name in REPLACED else []
    _warn(context, node, name, new, *edits)


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
        keys = new.removeprefix("$facts")
        is_safe = key in REPLACED and REPLACED[key].rpartition(".")[0] in _ON_ALL_NODES
        _warn(context, node, key, new, *([(node.left.end, node.end, keys)] if is_safe else ()))
    elif "." in key and key.split(".")[0] in _STRUCTURED:
        wanted = "".join(f"['{part}']" for part in key.split("."))
        message = f"no fact is called '{key}': write $facts{wanted}, or fact('{key}')"
        context.warn("dotted_fact", node, message)


def key(context: Context, node: ast.Node) -> None:
    """Warn of ``$facts['os']['famly']``: of keys that are like one of a fact of Facter."""
    assert isinstance(node, ast.AccessExpression)
    path = fact_path(node)
    if path is not None and path[:-1] in CORE_FACT_KEYS and not context.scope.has("facts"):
        _misspelt(context, node.keys[0], path, is_key=True)


def _misspelt(
    context: Context, node: ast.Node, path: tuple[str, ...], *, is_key: bool = False
) -> None:
    """Warn if the last part of a path to a fact is like one that there is.

    The node is that of the last part if it ``is_key``, else that of the whole path with dots.
    """
    known = CORE_FACT_KEYS.get(path[:-1], frozenset())
    near = None if path[-1] in known else nearest(path[-1], sorted(known), likeness=_LIKENESS)
    if near is not None:
        above = "".join(f"['{part}']" for part in path[:-1])
        message = f"there is no $facts{above}['{path[-1]}'], did you mean $facts{above}['{near}']?"
        parts = (len(path) - 1) if is_key else 0
        old, new = ".".join(path[parts:]), ".".join((*path[:-1], near)[parts:])
        meant = context.replacements(node, old, new)
        context.warn("unknown_fact", node, message, replacements=meant)


def call(context: Context, node: ast.Node) -> None:
    """Warn of ``fact('osfamily')`` and of ``fact('os.famly')``."""
    assert isinstance(node, ast.CallNamedFunctionExpression)
    if string_of(node.functor) not in ("fact", "stdlib::fact") or len(node.arguments) != 1:
        return
    name = string_of(node.arguments[0])
    parts = tuple((name or "").split("."))
    for length in range(2, len(parts) + 1):
        _misspelt(context, node.arguments[0], parts[:length])
    new = None if name is None else structured(name)
    if name is not None and new is not None:
        argument = node.arguments[0]
        path = REPLACED.get(name)
        edits = () if path is None else ((argument.start, argument.end, f"'{path}'"),)
        _warn(context, argument, name, new, *edits)


def _warn(context: Context, node: ast.Node, name: str, new: str, *edits: Edit) -> None:
    message = f"Puppet 8 leaves out the fact {name}: write {new}"
    context.warn("legacy_facts", node, message, *edits)


# A key that is only somewhat alike may well be one that other machines have.
_LIKENESS = 0.75
# Many of these names have others in them: lsbrelease has release.
_LIKENESS_OF_LEGACY = 0.85
# What is in these is not run where it is.
_DEFINITIONS = (
    ast.FunctionDefinition,
    ast.HostClassDefinition,
    ast.NodeDefinition,
    ast.ResourceTypeDefinition,
)


def missing_facts(session: Session, node: ast.Node) -> Iterator[tuple[ast.Node, str]]:
    """Yield the paths below ``$facts`` in an expression that have no value but a hint."""
    pending = [node]
    while pending:
        node = pending.pop()
        hint = _hint_on_fact(session, node)
        if hint is not None:
            yield node, hint
        elif not isinstance(node, _DEFINITIONS):
            pending += reversed(tuple(node.children()))


def _hint_on_fact(session: Session, node: ast.Node) -> str | None:
    """Return the fact that a path was probably meant for; None for other expressions, too."""
    keys = fact_path(node)
    if keys is None or not session.names.has_variable("facts"):
        return None
    value = session.names.variables().get("facts")
    path = "$facts"
    for number, key in enumerate(keys):
        if type(value) is not PuppetHash:
            return None
        if not value.has(key):
            legacy = structured(key) if number == 0 else None
            if value.has(key.rstrip("0123456789")):
                return None  # ip6 beside ip: not all machines have it
            near = nearest(key, [str(each) for each in value.keys()], likeness=_LIKENESS)
            if legacy is None and near is None:
                legacy = _near_legacy(key, path)
            meant = f"{path}['{near}']" if legacy is None and near is not None else legacy
            return None if meant is None else f"there is no {path}['{key}'], did you mean {meant}?"
        value = value[key]
        path += f"['{key}']"
    return None


def _near_legacy(key: str, path: str) -> str | None:
    """Return what takes the place of the fact of earlier versions that a key is like."""
    near = nearest(key, LEGACY, likeness=_LIKENESS_OF_LEGACY)
    wanted = None if near is None else structured(near)
    return wanted if wanted is not None and wanted.startswith(path) else None
