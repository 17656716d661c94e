"""One walk over a tree, with the checks that look at each kind of node."""

from __future__ import annotations

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice import (
    attributes,
    comparisons,
    conditions,
    duplicates,
    facts,
    files,
    spelling,
    strings,
    unused,
    variables,
)
from puppet_repl.tools.advice.attributes import attributes_of
from puppet_repl.tools.advice.comments import silenced_in
from puppet_repl.tools.advice.model import ANY_ATTRIBUTE, Context
from puppet_repl.tools.advice.scopes import OPENS_SCOPE, Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from puppet_repl.tools.advice.model import Advice, Check

_CHECKS: dict[type[ast.Node], tuple[Check, ...]] = {
    ast.AccessExpression: (facts.access, strings.reference),
    ast.AndExpression: (conditions.condition, conditions.same_sides),
    ast.BlockExpression: (conditions.statements, duplicates.defaults),
    ast.CallNamedFunctionExpression: (
        facts.call,
        files.template_calls,
        strings.call,
        spelling.class_name,
    ),
    ast.CaseExpression: (conditions.case, conditions.families, comparisons.options),
    ast.ComparisonExpression: (
        conditions.negation,
        conditions.same_sides,
        conditions.families,
        comparisons.comparison,
        strings.comparison,
    ),
    ast.ConcatenatedString: (strings.interpolation, spelling.string),
    ast.HostClassDefinition: (spelling.parent,),
    ast.IfExpression: (conditions.condition,),
    ast.InExpression: (conditions.negation, conditions.families),
    ast.LiteralInteger: (strings.octal,),
    ast.LiteralString: (strings.single_quoted,),
    ast.MatchExpression: (conditions.negation,),
    ast.OrExpression: (conditions.condition, conditions.same_sides),
    ast.Parameter: (comparisons.parameter,),
    ast.ResourceBody: (duplicates.attributes,),
    ast.ResourceDefaultsExpression: (duplicates.attributes,),
    ast.ResourceOverrideExpression: (duplicates.attributes,),
    ast.ResourceExpression: (spelling.class_name,),
    ast.ResourceTypeDefinition: (spelling.capitals, spelling.optional),
    ast.SelectorExpression: (conditions.selector, conditions.families, comparisons.options),
    ast.UnlessExpression: (conditions.condition,),
    ast.VariableExpression: (facts.variable, spelling.variable),
}
NO_CHECKS: Mapping[type[ast.Node], tuple[Check, ...]] = {}
_RESOURCES = frozenset(
    (
        ast.ResourceExpression,
        ast.ResourceDefaultsExpression,
        ast.ResourceOverrideExpression,
        ast.CollectExpression,
    )
)
_OF_RESOURCES = (
    attributes.mode,
    attributes.names,
    attributes.values,
    attributes.cron_times,
    files.paths,
    files.sources,
    files.creators,
    files.commands,
    spelling.link,
    spelling.booleans,
)


def advise(
    program: ast.Program,
    known: Container[str] = (),
    *,
    defaults: Iterable[tuple[str, str]] = (),
    checks: Mapping[type[ast.Node], tuple[Check, ...]] = NO_CHECKS,
) -> list[Advice]:
    """Return the warnings about a program in the order of the text; nothing is evaluated.

    ``known`` are the names, without ``$``, that the session binds. ``defaults`` are types, in
    small letters, and attributes that something else gives default values: ``("exec", "path")``.
    ``checks`` are further ones, by the kind of node. Comments of the program switch rules off.
    """
    is_template = isinstance(program.body, ast.LambdaExpression)
    top = Scope(program.body, None)
    context = Context(program.source, top, known, is_template=is_template)
    nodes = list(_scoped(program.body, top))
    context.defaults.update(defaults)
    for node, _ in nodes:
        context.defaults.update(_defaults(node))
    for node, scope in nodes:
        context.scope = scope
        for check in (*_CHECKS.get(type(node), ()), *checks.get(type(node), ())):
            check(context, node)
        if type(node) in _RESOURCES:
            for given in attributes_of(node):
                for look in _OF_RESOURCES:
                    look(context, given)
    names = variables.Names(nodes)
    variables.unknown(context, nodes, names)
    unused.unused(context, nodes, names)
    return _wanted(program, context.found)


def _defaults(node: ast.Node) -> Iterator[tuple[str, str]]:
    """Yield types and attributes that an expression gives values elsewhere: defaults, overrides."""
    for given in attributes_of(node) if type(node) in _RESOURCES else ():
        if given.title is None:
            yield from ((given.type_name, operation.name) for operation in given.operations)
            if given.is_open:
                yield given.type_name, ANY_ATTRIBUTE


def _scoped(root: ast.Node, top: Scope) -> list[tuple[ast.Node, Scope]]:
    """Return all nodes in the order of the text, each with the scope that it is in."""
    found = []
    pending = [(root, top)]
    while pending:
        node, scope = pending.pop()
        if type(node) in OPENS_SCOPE and node is not root:
            scope = Scope(node, scope)
        found.append((node, scope))
        pending += [(child, scope) for child in reversed(tuple(node.children()))]
    return found


def _wanted(program: ast.Program, found: list[Advice]) -> list[Advice]:
    """Return the warnings that no comment switches off, one for each range and rule."""
    silenced = silenced_in(program)
    position = program.source.position
    taken: set[tuple[int, int]] = set()
    wanted = []
    for each in sorted(found, key=lambda each: (each.start, each.end)):
        if each.rule == "octal_number" and (each.start, each.end) in taken:
            continue
        taken.add((each.start, each.end))
        first, last = position(each.start)[0], position(max(each.end - 1, each.start))[0]
        if not silenced.covers(each.rule, first, last):
            wanted.append(each)
    return wanted
