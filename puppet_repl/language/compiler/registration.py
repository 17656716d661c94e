"""Making functions, types, classes, defines and nodes known once their code exists."""

from __future__ import annotations

from puppet_repl.language.compiler.constants import regexp
from puppet_repl.language.runtime.closure import UserFunction
from puppet_repl.language.runtime.declarations import Definition, DefinitionParameter
from puppet_repl.language.runtime.signals import NextSignal, ReturnSignal, Signal
from puppet_repl.language.runtime.user_types import TypeOrigin

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from puppet_repl.language.compiler.plans import Plan
    from puppet_repl.language.compiler.program import CompiledProgram
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value


def register(
    program: CompiledProgram, plans: tuple[Plan, ...], *, declare: bool = False
) -> tuple[Definition, ...]:
    """Define functions and types of a program in order; return its other definitions.

    With ``declare`` the catalog gets each of those at its turn: types that are defined later are
    not known to its parameters. A class of the name that Puppet gives to its settings runs then.
    """
    names = program.names
    context = program.context
    definitions: list[Definition] = []
    for plan in plans:
        made: list[Definition] = []
        if plan.kind == "function":
            assert plan.body is not None
            types = None if plan.types is None else names[plan.types]
            context.define_function(UserFunction(names[plan.body], names[plan.spec], types))
        elif plan.kind == "type":
            from puppet_repl.language.types.making.named import named_type

            assert plan.aliased is not None
            type_ = named_type(plan.name, plan.aliased, program.source, context)
            context.define_type(plan.name, type_, TypeOrigin(program.source, plan.at, plan.end))
        elif plan.kind == "node":
            made = _node_definitions(program, plan)
        else:
            made = [_definition(program, plan)]
        definitions.extend(made)
        if declare and made:
            context.catalog.definitions.register(tuple(made))
    if declare:
        for definition in definitions:
            if definition.name == "settings" and definition.kind == "class":
                context.catalog.classes.run_settings(definition)
    return tuple(definitions)


def _definition(program: CompiledProgram, plan: Plan) -> Definition:
    names = program.names
    body = None if plan.body is None else _body(program.context, names[plan.body])
    parameters = tuple(
        [
            DefinitionParameter(
                parameter,
                None if type_ is None else names[type_],
                None if default is None else names[default],
            )
            for parameter, type_, default in zip(
                plan.parameters, plan.parameter_types, plan.defaults, strict=True
            )
        ]
    )
    return Definition(
        "class" if plan.kind == "class" else "define",
        plan.name.removeprefix("::").lower(),
        source=program.source,
        start=plan.at,
        parameters=parameters,
        parent=plan.parent.removeprefix("::").lower() if plan.parent else None,
        body=body,
        module_name=program.module_name,
    )


def _node_definitions(program: CompiledProgram, plan: Plan) -> list[Definition]:
    """Return one definition for each name, pattern or default of a node block."""
    body = (
        None
        if plan.body is None
        else _body(program.context, program.names[plan.body], may_return=False)
    )
    made: list[Definition] = []
    for kind, name, written, at in plan.matches:
        pattern: Callable[[str], re.Match[str] | None] | None = None
        if kind == "regexp":
            from puppet_repl.language.runtime.node_names import node_name

            pattern = regexp(name).search
            name = node_name(name)
        made.append(
            Definition(
                "node",
                name,
                source=program.source,
                start=plan.at,
                body=body,
                module_name=program.module_name,
                pattern=pattern,
                label=written,
                label_at=at,
            )
        )
    return made


def _body(
    context: Context, run: Callable[[Scope], Value], *, may_return: bool = True
) -> Callable[[Scope], Value]:
    """Return the body of a class, define or node: return() and next() end it, but for a node's.

    The result is the value of the last statement; Puppet ignores what they return.
    """
    ending: tuple[type[Signal], ...] = (NextSignal, ReturnSignal) if may_return else ()

    def run_body(scope: Scope) -> Value:
        try:
            return run(scope)
        except ending:
            return None
        except Exception as error:
            raise context.locate(error) from None

    return run_body
