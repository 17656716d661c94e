"""Facts that a node does not have, and which were probably meant."""

from __future__ import annotations

from puppet_repl.base.matching import nearest
from puppet_repl.environment.facts.legacy_facts import LEGACY, structured
from puppet_repl.language.syntax import ast
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.session import Session

# A key that is only somewhat alike may well be one that other machines have.
_LIKENESS = 0.75
# Many of these names have others in them: lsbrelease has release.
_LIKENESS_OF_LEGACY = 0.85
# What stands in these is not run where it stands.
_DEFINITIONS = (
    ast.FunctionDefinition,
    ast.HostClassDefinition,
    ast.NodeDefinition,
    ast.ResourceTypeDefinition,
)


def missing_facts(session: Session, node: ast.Node) -> Iterator[tuple[ast.Node, str]]:
    """Yield the paths below ``$facts`` in an expression that lead to nothing, each with its hint.

    Only those are yielded that have one.
    """
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
    keys = _fact_path(node)
    if not keys or not session.names.has_variable("facts"):
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


def _fact_path(node: ast.Node) -> list[str]:
    """Return the keys of ``$facts['os']['family']``, none for what is no such path."""
    keys: list[str] = []
    while isinstance(node, ast.AccessExpression):
        key = node.keys[0]
        if len(node.keys) != 1 or not isinstance(key, ast.LiteralString | ast.QualifiedName):
            return []
        keys.insert(0, key.value)
        node = node.left
    is_facts = isinstance(node, ast.VariableExpression) and node.name.lstrip(":") == "facts"
    return keys if is_facts else []
