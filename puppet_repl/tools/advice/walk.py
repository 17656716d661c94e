"""One walk over a tree, with the checks that look at each kind of node."""

from __future__ import annotations

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import OPENS_SCOPE
from puppet_repl.tools.advice import (
    attributes,
    comparisons,
    conditions,
    duplicates,
    facts,
    files,
    spelling,
    strings,
    style,
    unused,
    variables,
)
from puppet_repl.tools.advice.attributes import attributes_of
from puppet_repl.tools.advice.comments import silenced_in
from puppet_repl.tools.advice.model import ANY_ATTRIBUTE, Context
from puppet_repl.tools.advice.scopes import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from puppet_repl.tools.advice.model import Advice, Check, Nodes

_CHECKS: dict[type[ast.Node], tuple[Check, ...]] = {
    ast.AccessExpression: (facts.access, facts.key, strings.reference),
    ast.AndExpression: (conditions.condition, conditions.same_sides),
    ast.BlockExpression: (
        conditions.statements,
        duplicates.defaults,
        duplicates.resources,
        duplicates.assignments,
    ),
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
    ast.HostClassDefinition: (spelling.parent, duplicates.assignments),
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
    ast.ResourceExpression: (spelling.class_name, duplicates.resources),
    ast.ResourceTypeDefinition: (spelling.capitals, spelling.optional, duplicates.assignments),
    ast.SelectorExpression: (conditions.selector, conditions.families, comparisons.options),
    ast.UnlessExpression: (conditions.condition,),
    ast.FunctionDefinition: (duplicates.assignments,),
    ast.PlanDefinition: (duplicates.assignments,),
    ast.NodeDefinition: (duplicates.assignments,),
    ast.LambdaExpression: (duplicates.assignments,),
    ast.VariableExpression: (facts.variable, spelling.variable),
}
_STYLE: dict[type[ast.Node], tuple[Check, ...]] = {
    ast.CaseExpression: (style.options,),
    ast.ResourceBody: (style.ensure,),
    ast.ResourceExpression: (style.titles,),
    ast.SelectorExpression: (style.options,),
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
    with_style: bool = False,
) -> list[Advice]:
    """Return the warnings about a program in the order of the text; nothing is evaluated.

    ``known`` are the names, without ``$``, that the session binds. ``defaults`` are types, in
    small letters, and attributes that something else gives default values: ``("exec", "path")``.
    ``checks`` are further ones, by the kind of node. ``with_style`` adds the rules that never warn.
    Comments of the program switch rules off.
    """
    is_template = isinstance(program.body, ast.LambdaExpression)
    top = Scope(program.body, None)
    nodes = _by_kind(program.body, top)
    context = Context(program.source, top, known, is_template=is_template, nodes=nodes)
    of_style = _STYLE if with_style else NO_CHECKS
    resources = [pair for kind in _RESOURCES for pair in nodes.get(kind, ())]
    context.defaults.update(defaults)
    for node, _ in resources:
        context.defaults.update(_defaults(node))
    for kind, of_kind in nodes.items():
        for check in (
            *_CHECKS.get(kind, ()),
            *of_style.get(kind, ()),
            *checks.get(kind, ()),
        ):
            for node, context.scope in of_kind:
                check(context, node)
    for node, context.scope in resources:
        for given in attributes_of(node):
            for look in _OF_RESOURCES:
                look(context, given)
    names = variables.Names(top, nodes)
    variables.unknown(context, nodes, names)
    unused.unused(context, nodes, names)
    return _wanted(program, context.found)


def _defaults(node: ast.Node) -> Iterator[tuple[str, str]]:
    """Yield types and attributes that an expression gives values elsewhere: defaults, overrides."""
    for given in attributes_of(node):
        if given.title is None:
            yield from ((given.type_name, operation.name) for operation in given.operations)
            if given.is_open:
                yield given.type_name, ANY_ATTRIBUTE


def _by_kind(root: ast.Node, top: Scope) -> Nodes:
    """Return the nodes of each kind in the order of the text, each with the scope that it is in."""
    found: Nodes = {}
    pending = [(root, top)]
    while pending:
        node, scope = pending.pop()
        kind = type(node)
        if kind in OPENS_SCOPE and node is not root:
            scope = Scope(node, scope)
        found.setdefault(kind, []).append((node, scope))
        pending += [(child, scope) for child in node.children()[::-1]]
    # In a query the left side is the name of an attribute.
    queries = [
        *found.get(ast.VirtualQuery, ()),
        *found.get(ast.ExportedQuery, ()),
    ]
    in_queries = {id(each) for node, _ in queries for each in node.walk()}
    if in_queries and ast.ComparisonExpression in found:
        compared = found[ast.ComparisonExpression]
        found[ast.ComparisonExpression] = [
            each for each in compared if id(each[0]) not in in_queries
        ]
    return found


def _is_weak(advice: Advice) -> bool:
    """Tell whether another warning about the same range says more."""
    return advice.rule == "octal_number"


def _wanted(program: ast.Program, found: list[Advice]) -> list[Advice]:
    """Return the warnings that no comment switches off, one for each range and rule."""
    silenced = silenced_in(program)
    position = program.source.position
    taken: set[tuple[int, int]] = set()
    wanted = []
    for each in sorted(found, key=lambda each: (each.start, each.end, _is_weak(each), each.rule)):
        if _is_weak(each) and (each.start, each.end) in taken:
            continue
        taken.add((each.start, each.end))
        first, last = position(each.start)[0], position(max(each.end - 1, each.start))[0]
        if not silenced.covers(each.rule, first, last):
            wanted.append(each)
    return wanted
