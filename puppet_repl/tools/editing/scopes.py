"""The variables that code sees at an offset: of lambdas, of the definition, of the top scope."""

from __future__ import annotations

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import OPENS_SCOPE, Binding, bound_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def scopes_at(program: ast.Program, offset: int) -> list[tuple[ast.Node, str]]:
    """Return the scopes that code at an offset sees, the innermost first.

    Lambdas come with the function that calls them. After them comes the definition around, and
    last the program itself: a class does not see the variables of a class around it.
    """
    around = list(_around(program.body, offset, ""))
    found = []
    for scope, caller in reversed(around):
        found.append((scope, caller))
        if not isinstance(scope, ast.LambdaExpression):
            break
    return [*found, (program, "")]


def _around(node: ast.Node, offset: int, caller: str) -> Iterator[tuple[ast.Node, str]]:
    """Yield the scopes around an offset, the outermost first."""
    while True:
        if type(node) in OPENS_SCOPE:
            yield node, caller
        inner = next((each for each in node.children() if each.start <= offset <= each.end), None)
        if inner is None:
            return
        for each in node.children():  # a word belongs to the node that begins with it
            if each.start == offset:
                inner = each
        caller = _called(node) if isinstance(inner, ast.LambdaExpression) else ""
        node = inner


def _called(call: ast.Node) -> str:
    """Return the name of the function that a call calls."""
    functor: ast.Node | None = None
    if isinstance(call, ast.CallNamedFunctionExpression):
        functor = call.functor
    elif isinstance(call, ast.CallMethodExpression):
        functor = call.functor.right
    return functor.value if isinstance(functor, ast.QualifiedName) else ""


def visible_at(program: ast.Program, offset: int) -> dict[str, Binding]:
    """Return the variables that the program binds for code at an offset, the nearest first.

    If a scope assigns a name several times, the last assignment before the offset counts.
    """
    found: dict[str, Binding] = {}
    for scope, caller in scopes_at(program, offset):
        for name, nodes in sorted(bound_in(scope).items(), key=lambda item: -item[1][0].start):
            if name in found:
                continue
            nodes = sorted(nodes, key=lambda each: each.start)
            before = [each for each in nodes if each.start <= offset]
            node = before[-1] if before else nodes[0]
            found[name] = Binding(program.source, name, node, scope, caller)
    return found


def inherited_at(program: ast.Program, offset: int) -> str | None:
    """Return the class that the class around an offset inherits from, None without one."""
    for scope, _ in scopes_at(program, offset):
        if isinstance(scope, ast.HostClassDefinition):
            return scope.parent
    return None
