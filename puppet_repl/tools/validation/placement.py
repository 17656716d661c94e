"""Files of modules and environments whose names say what they may define."""

from __future__ import annotations

import os
from pathlib import Path

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.catalog.issues import already_defined
from puppet_repl.environment.modules.issues import check_single_definition
from puppet_repl.language.runtime.declarations import Definition
from puppet_repl.language.runtime.node_names import node_name
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.outline import Outline, outline_of
from puppet_repl.tools.advice.nodes import string_of
from puppet_repl.tools.validation.definitions import plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.environment.modules.issues import SingleKind
    from puppet_repl.language.runtime.declarations import DefinitionKind as DeclaredKind
    from puppet_repl.language.syntax.outline import DefinedKind
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

# Directories of manifests in which no plans are, whatever is above them.
_OF_MANIFESTS = ("manifests", "functions", "types")
# The directories of a module whose files are named for the one definition that they have.
_SINGLE: dict[str, SingleKind] = {"functions": "function", "plans": "plan", "types": "type"}
MISPLACED = "autoloader_layout"
"""The code of the errors about a file that has not the one definition that it is named for."""


def module_file(file: File) -> str | None:
    """Return the path that Puppet compares names with, if it loads a file from a module."""
    if (
        file.root is None
        or not (file.root.name and file.root.is_sure)
        or not file.inside.endswith(".pp")
    ):
        return None
    is_loaded = file.inside.split("/")[0] in ("manifests", *_SINGLE)
    return f"{file.root.name}/{file.inside}" if is_loaded else None


def misplaced(file: File, program: ast.Program) -> Diagnostic | None:
    """Return the error about a file without the one definition that it is named for."""
    directory, *names = file.inside.removesuffix(".pp").split("/")
    kind = _SINGLE.get(directory)
    name = None
    if kind is not None and program.source.name is not None:
        name = _loaded_name(file, kind, names, program)
    if kind is None or name is None or not file.inside.endswith(".pp"):
        return None
    outline = _outline_of_plan(program) if kind == "plan" else outline_of(program)
    try:
        check_single_definition(kind, name, program.source.name or "", outline)
    except RuntimeFailure as error:
        defined = program.definitions[1:2] or program.definitions
        place = file.at(defined[0].start) if defined else (1, 1)
        return file.error(MISPLACED, error.message, *place)
    return None


def _loaded_name(
    file: File, kind: SingleKind, names: list[str], program: ast.Program
) -> str | None:
    """Return the name by which Puppet loads a file; None for a file that it never loads.

    Functions and types of an environment have no namespace, or that of the environment. A directory
    that may be a module of any name has the one that its code begins with.
    """
    root = file.root
    if root is None or not all(name.isidentifier() and name.islower() for name in names):
        return None
    if not root.is_sure:
        defined = (plain_name(getattr(node, "name", "")) for node in program.definitions[:1])
        module, inner, _ = next(defined, "").partition("::")
        return "::".join([module, *names]) if inner and module != "environment" else None
    if root.kind == "environment":
        is_loaded = kind != "plan" and (len(names) == 1 or names[0] == "environment")
        return "::".join(names) if is_loaded else None
    if not root.name:
        return None
    if names == ["init"] if kind == "plan" else names == ["init_typeset"]:
        return root.name
    return "::".join([root.name, *names])


def _outline_of_plan(program: ast.Program) -> Outline:
    """Return the definitions of a file of a plan, without the nodes that its code applies."""
    nodes = [node for node in program.definitions if not isinstance(node, ast.NodeDefinition)]
    defined: list[tuple[DefinedKind, str]] = [
        ("plan", node.name) if isinstance(node, ast.PlanDefinition) else ("other", "")
        for node in nodes
    ]
    return Outline(tuple(defined), (), is_single=program.body in nodes[:1])


def redefined(program: ast.Program) -> PuppetError | None:
    """Return Puppet's error about a class, defined type or node that a file defines twice."""
    known: dict[tuple[str, str], Definition] = {}
    for new in _declared(program):
        for kind in ("class", "node", "define") if new.kind == "class" else (new.kind, "class"):
            old = known.get((kind, new.name))
            if old is not None:
                return already_defined(new, old)
        known[new.kind, new.name] = new
    return None


def _declared(program: ast.Program) -> Iterator[Definition]:
    """Yield the classes, defined types and nodes of a file, without their content."""
    for node in program.definitions:
        named: list[tuple[DeclaredKind, str]] = []
        if isinstance(node, ast.HostClassDefinition):
            named = [("class", plain_name(node.name))]
        elif isinstance(node, ast.ResourceTypeDefinition):
            named = [("define", plain_name(node.name))]
        elif isinstance(node, ast.NodeDefinition):
            named = [("node", _name_of_match(match)) for match in node.matches]
        for kind, name in named:
            yield Definition(kind, name, source=program.source, start=node.start)


def _name_of_match(match: ast.Node) -> str:
    if isinstance(match, ast.LiteralRegularExpression):
        return node_name(match.pattern)
    return (string_of(match) or "default").lower()


def is_plan(name: str | None) -> bool:
    """Tell whether a file is below a directory ``plans``, as its path or its module says."""
    if name is None:
        return False
    path = Path(name)
    parts = path.parts[:-1]
    if "plans" in parts:
        below = parts[len(parts) - parts[::-1].index("plans") :]
        return not any(part in _OF_MANIFESTS for part in below)
    plans = next((each for each in path.absolute().parents if each.name == "plans"), None)
    return plans is not None and os.path.lexists(plans.parent / "metadata.json")
