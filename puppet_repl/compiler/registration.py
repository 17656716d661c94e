"""Making functions, types, classes, defines and nodes known once their code exists."""

from __future__ import annotations

from puppet_repl.compiler.literals import literal_regexp
from puppet_repl.runtime.closure import UserFunction
from puppet_repl.runtime.declarations import Definition, DefinitionParameter
from puppet_repl.runtime.signals import NextSignal, ReturnSignal, Signal
from puppet_repl.runtime.user_types import TypeOrigin
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from puppet_repl.compiler.definitions import Plan
    from puppet_repl.compiler.program import CompiledProgram
    from puppet_repl.runtime.context import Context
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.values.protocols import Value


def register(
    program: CompiledProgram, plans: tuple[Plan, ...], *, declare: bool = False
) -> tuple[Definition, ...]:
    """Define functions and types of a program in order; return its other definitions.

    With ``declare`` the catalog gets each of those at its turn: types that are defined later are
    not known to its parameters.
    """
    names = program.names
    context = program.context
    definitions: list[Definition] = []
    for plan in plans:
        node = plan.node
        made: list[Definition] = []
        if isinstance(node, ast.FunctionDefinition):
            types = None if plan.types is None else names[plan.types]
            run = names[f"f_{node.name}"]
            context.define_function(UserFunction(run, names[plan.spec], types))
        elif isinstance(node, ast.TypeAlias):
            from puppet_repl.types.making.named import named_type

            type_ = named_type(node.name, node.type_expr, program.source, context)
            context.define_type(node.name, type_, TypeOrigin(program.source, node.at, node.end))
        elif isinstance(node, ast.NodeDefinition):
            made = _node_definitions(program, node, plan)
        else:
            made = [_definition(program, node, plan)]
        definitions.extend(made)
        if declare and made:
            context.catalog.definitions.register(tuple(made))
    return tuple(definitions)


def _definition(
    program: CompiledProgram,
    node: ast.HostClassDefinition | ast.ResourceTypeDefinition,
    plan: Plan,
) -> Definition:
    names = program.names
    body = None if plan.body is None else _body(program.context, names[plan.body])
    parameters = tuple(
        [
            DefinitionParameter(
                parameter.name,
                None if type_ is None else names[type_],
                None if default is None else names[default],
            )
            for parameter, type_, default in zip(
                node.parameters, plan.parameter_types, plan.defaults, strict=True
            )
        ]
    )
    parent: str | None = None
    if isinstance(node, ast.HostClassDefinition) and node.parent:
        parent = node.parent.removeprefix("::").lower()
    return Definition(
        "class" if isinstance(node, ast.HostClassDefinition) else "define",
        node.name.removeprefix("::").lower(),
        source=program.source,
        start=node.at,
        parameters=parameters,
        parent=parent,
        body=body,
        module_name=program.module_name,
    )


def _node_definitions(
    program: CompiledProgram, node: ast.NodeDefinition, plan: Plan
) -> list[Definition]:
    """Return one definition for each name, pattern or default of a node block."""
    body = (
        None
        if plan.body is None
        else _body(program.context, program.names[plan.body], may_return=False)
    )
    made: list[Definition] = []
    for match in node.matches:
        pattern: Callable[[str], re.Match[str] | None] | None = None
        if isinstance(match, ast.LiteralRegularExpression):
            pattern = literal_regexp(match).search
            name = _node_name(match.pattern)
        elif isinstance(match, ast.LiteralDefault):
            name = "default"
        else:
            name = match.value.lower() if isinstance(match, ast.LiteralString) else ""
        made.append(
            Definition(
                "node",
                name,
                source=program.source,
                start=node.at,
                body=body,
                module_name=program.module_name,
                pattern=pattern,
                label=program.source.text[match.at : match.end],
            )
        )
    return made


_SPELLED = {"(": "LP", "?": "QU", "<": "LT", ">": "GT", "!": "EX", "=": "EQ", ")": "RP"}


def _node_name(pattern: str) -> str:
    """Return the name of a node with a regular expression: what a name can hold of its text."""
    import re

    spelled = re.sub(
        r"\(\?[^)]*\)",
        lambda found: "".join([_SPELLED.get(letter, letter) for letter in found.group()]),
        pattern.lower(),
    )
    return "__node_regexp__" + re.sub(r"[^-\w:.]", "", spelled).lstrip(".")


def _body(
    context: Context, run: Callable[[Scope], Value], *, may_return: bool = True
) -> Callable[[Scope], Value]:
    """Return the body of a class, define or node: return() and next() end it, but for a node's."""
    ending: tuple[type[Signal], ...] = (NextSignal, ReturnSignal) if may_return else ()

    def run_body(scope: Scope) -> Value:
        try:
            return run(scope)
        except ending as ended:
            return ended.value
        except Exception as error:
            raise context.locate(error) from None

    return run_body
