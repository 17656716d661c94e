"""One walk over a tree, with the checks that look at each kind of node."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice import (
    attributes,
    comparisons,
    conditions,
    facts,
    files,
    strings,
)
from puppet_repl.tools.advice.attributes import attributes_of
from puppet_repl.tools.advice.model import ANY_ATTRIBUTE, Context
from puppet_repl.tools.advice.scopes import OPENS_SCOPE, Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from puppet_repl.tools.advice.model import Advice, Check

_CHECKS: dict[type[ast.Node], tuple[Check, ...]] = {
    ast.AccessExpression: (facts.access, strings.reference),
    ast.AndExpression: (conditions.condition, conditions.same_sides),
    ast.BlockExpression: (conditions.statements,),
    ast.CallNamedFunctionExpression: (facts.call, files.template_calls, strings.call),
    ast.CaseExpression: (conditions.case, conditions.families, comparisons.options),
    ast.ComparisonExpression: (
        conditions.negation,
        conditions.same_sides,
        conditions.families,
        comparisons.comparison,
        strings.comparison,
    ),
    ast.ConcatenatedString: (strings.interpolation,),
    ast.IfExpression: (conditions.condition,),
    ast.InExpression: (conditions.negation, conditions.families),
    ast.LiteralInteger: (strings.octal,),
    ast.LiteralString: (strings.single_quoted,),
    ast.MatchExpression: (conditions.negation,),
    ast.OrExpression: (conditions.condition, conditions.same_sides),
    ast.Parameter: (comparisons.parameter,),
    ast.SelectorExpression: (conditions.selector, conditions.families, comparisons.options),
    ast.UnlessExpression: (conditions.condition,),
    ast.VariableExpression: (facts.variable,),
}
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
)


def advise(
    program: ast.Program,
    variables: Container[str] = (),
    *,
    defaults: Iterable[tuple[str, str]] = (),
) -> list[Advice]:
    """Return the warnings about a program in the order of the text; nothing is evaluated.

    ``variables`` are the names, without ``$``, that the session binds. ``defaults`` are types, in
    small letters, and attributes that something else gives default values: ``("exec", "path")``.
    Comments of the program switch rules off.
    """
    is_template = isinstance(program.body, ast.LambdaExpression)
    top = Scope(program.body, None)
    context = Context(program.source, top, variables, is_template=is_template)
    nodes = list(_scoped(program.body, top))
    context.defaults.update(defaults)
    for node, _ in nodes:
        context.defaults.update(_defaults(node))
    for node, scope in nodes:
        context.scope = scope
        for check in _CHECKS.get(type(node), ()):
            check(context, node)
        if type(node) in _RESOURCES:
            for given in attributes_of(node):
                for look in _OF_RESOURCES:
                    look(context, given)
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
    silenced = Silenced(program)
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


_WORD = re.compile(r"lint:(?:ignore:(?P<rule>\w+)|(?P<end>endignore))")
_TEXTS = (
    ast.LiteralString,
    ast.ConcatenatedString,
    ast.LiteralRegularExpression,
    ast.RenderStringExpression,
    ast.HeredocExpression,
)


class Silenced:
    """The rules that comments switch off, by line: ``# lint:ignore:RULE``, as in puppet-lint.

    After code such a comment counts for its line; on a line of its own, for the lines down to
    ``# lint:endignore``, or to the end of the text.
    """

    __slots__ = ("_lines", "_ranges")

    def __init__(self, program: ast.Program) -> None:
        self._lines: set[tuple[str, int]] = set()
        self._ranges: list[tuple[str, int, int]] = []
        if "lint:ignore:" in program.source.text:
            self._read(program)

    def covers(self, rule: str, first: int, last: int) -> bool:
        """Tell whether a rule is off on one of these lines, which are counted from 1."""
        return any((rule, line) in self._lines for line in range(first, last + 1)) or any(
            rule == name and start <= first <= end for name, start, end in self._ranges
        )

    def _read(self, program: ast.Program) -> None:
        open_rules: list[tuple[list[str], int]] = []
        count = len(program.source.line_starts)
        for line, alone, text in _comments(program):
            rules = []
            for found in _WORD.finditer(text):
                if found["rule"]:
                    rules.append(found["rule"])
                elif open_rules:
                    names, start = open_rules.pop()
                    self._ranges += [(name, start, line) for name in names]
            if rules and alone:
                open_rules.append((rules, line))
            else:
                self._lines.update((rule, line) for rule in rules)
        for names, start in open_rules:
            self._ranges += [(name, start, count) for name in names]


def _comments(program: ast.Program) -> Iterator[tuple[int, bool, str]]:
    """Yield line, whether nothing is before it, and text of the comments with such words."""
    source = program.source
    taken = [
        range(node.start, node.end) for node in program.body.walk() if isinstance(node, _TEXTS)
    ]
    for number in range(1, len(source.line_starts) + 1):
        text = source.line(number)
        if "lint:" not in text:
            continue
        start = source.line_starts[number - 1]
        for found in re.finditer("#", text):
            at = start + found.start()
            if not any(at in each for each in taken):
                comment = text[found.start() :]
                yield number, not text[: found.start()].strip(), comment
                break
