"""A defect of each kind is put in, and the relation that is there for it has to notice.

A defect replaces a function or a table of the engine, as a mistake in its code would.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from puppet_kernel import outputs
from puppet_repl.catalog import puppet_code
from puppet_repl.catalog.catalog import Catalog
from puppet_repl.environment.modules.environment import Environment
from puppet_repl.frontends.cli import program as cli_program
from puppet_repl.frontends.commands import saving
from puppet_repl.frontends.shared import compiling
from puppet_repl.frontends.terminal import line_mode
from puppet_repl.language.compiler import (
    cache,
    constants,
    definitions,
    literals,
    static_kinds,
)
from puppet_repl.language.compiler.unit import Unit
from puppet_repl.language.runtime.context import Context
from puppet_repl.language.syntax import ast
from puppet_repl.session import descriptions, execution
from puppet_repl.session.debugging.stack import Stack
from tests.differential import workshop
from tests.differential.grammar import programs
from tests.differential.run import ALL, Run

Patch = pytest.MonkeyPatch
Break = Callable[[Patch], object]
SEED = 11
MAX_PROGRAMS = 200
TRIES = 20


def around(patch: Patch, owner: Any, name: str, change: Callable[..., Any]) -> None:
    """Replace a function by one that is given the original one first."""
    original = getattr(owner, name)
    patch.setattr(owner, name, lambda *values, **options: change(original, *values, **options))


# What the compiler knows before a program runs


def types_lose_a_key_when_folded(patch: Patch) -> None:
    def value_of(original: Any, recipe: Any, context: Context) -> Any:
        if recipe[0] == "access" and len(recipe[2]) > 1:
            recipe = (*recipe[:2], recipe[2][:-1])
        return original(recipe, context)

    patch.setattr(constants.interned_value.__self__, "_types", {})
    for module in (constants, definitions):
        around(patch, module, "value_of", value_of)


def floats_are_taken_for_integers(patch: Patch) -> None:
    patch.setitem(static_kinds._FIXED, ast.LiteralFloat, "int")


def variables_share_a_slot(patch: Patch) -> None:
    around(
        patch,
        Unit,
        "local",
        lambda original, unit, name: original(unit, "z98" if name > "z9" else name),
    )


# Going back


def undo_keeps_functions(patch: Patch) -> None:
    def return_to(original: Any, context: Context, mark: Any) -> None:
        functions = dict(context.functions)
        original(context, mark)
        context.functions.update(functions)

    around(patch, Context, "return_to", return_to)


def failures_keep_variables(patch: Patch) -> None:
    def return_to(original: Any, context: Context, mark: Any) -> None:
        variables = dict(context.top.variables)
        original(context, mark)
        context.top.variables.update(variables)

    around(patch, Context, "return_to", return_to)


def undo_keeps_resources(patch: Patch) -> None:
    patch.setattr(Catalog, "return_to", lambda *_: None)


# Sessions


def texts_are_those_of_the_value_before(patch: Patch) -> None:
    texts = [""]

    def code_text(original: Any, value: Any) -> Any:
        texts.append(original(value))
        return texts.pop(0)

    around(patch, descriptions, "code_text", code_text)


def a_session_logs_a_message_once(patch: Patch) -> None:
    told: set[tuple[int, str]] = set()
    contexts = []  # so that none has the number of another

    def log(original: Any, context: Context, level: str, message: str) -> None:
        if (id(context), message) not in told:
            told.add((id(context), message))
            contexts.append(context)
            original(context, level, message)

    around(patch, Context, "log", log)


# Inputs and files


def inputs_forget_floats(patch: Patch) -> None:
    def begin_input(original: Any, context: Context) -> None:
        for name, value in list(context.top.variables.items()):
            if type(value) is float:
                context.top.variables[name] = round(value)
        original(context)

    around(patch, Context, "begin_input", begin_input)


def saving_loses_blanks(patch: Patch) -> None:
    around(
        patch,
        saving,
        "manifest_text",
        lambda original, parts, head: original([part.replace("  ", " ") for part in parts], head),
    )


def the_cache_has_other_constants(patch: Patch) -> None:
    def load(original: Any, *values: Any, **options: Any) -> Any:
        found = original(*values, **options)
        if found is not None:
            code = found[0].code
            found[0].code = code.replace(co_consts=tuple(map(changed, code.co_consts)))
        return found

    def changed(value: object) -> object:
        if isinstance(value, type(load.__code__)):
            return value.replace(co_consts=tuple(map(changed, value.co_consts)))
        return "other" if value == "a" else value

    around(patch, cache, "load", load)


def data_have_nothing_for_classes(patch: Patch) -> None:
    patch.setattr(Environment, "data_lookup", lambda *_: (False, None))


# Front ends


def a_frame_is_changed_by_looking(patch: Patch) -> None:
    def evaluate(original: Any, stack: Stack, text: str) -> Any:
        stack.session.warn("looked")
        return original(stack, text)

    around(patch, Stack, "evaluate", evaluate)


def values_are_narrow(patch: Patch) -> None:
    around(patch, cli_program, "render_value", lambda original, value, width: original(value, 20))


def lines_run_at_once(patch: Patch) -> None:
    patch.setattr(line_mode, "wants_more", lambda session, text: text.count("(") > text.count(")"))


def cells_show_other_quotes(patch: Patch) -> None:
    def render_value(original: Any, *values: Any, **options: Any) -> Any:
        found = original(*values, **options)
        return [(style, text.replace("'", '"')) for style, text in found]

    around(patch, outputs, "render_value", render_value)


BROKEN_BATCH = (
    "import sys\n"
    "from puppet_repl.session import descriptions\n"
    "infer = descriptions.infer\n"
    "descriptions.infer = lambda value: str(infer(value)).replace('RichData', 'Data')\n"
    "from puppet_repl.frontends.cli import main\n"
    "sys.exit(main(['batch']))"
)


def compiled_catalogs_have_no_tags(patch: Patch) -> None:
    def document(original: Any, *values: Any, **options: Any) -> Any:
        found = original(*values, **options)
        for resource in found["resources"]:
            del resource["tags"]
        return found

    around(patch, compiling, "document", document)


def batch_has_other_types(patch: Patch) -> None:
    patch.setattr(workshop, "BATCH", (sys.executable, "-c", BROKEN_BATCH))


# Values


def a_float_loses_a_digit(patch: Patch) -> None:
    around(
        patch,
        descriptions,
        "code_text",
        lambda original, value: original(value).replace("1.5", "1.4"),
    )


def texts_of_pieces_are_those_of_python(patch: Patch) -> None:
    patch.setattr(literals, "text_of", lambda unit, node, _: unit.lower(node))


def code_has_other_strings(patch: Patch) -> None:
    around(
        patch,
        puppet_code,
        "code_text",
        lambda original, value: original(value).replace("'", "'x", 1),
    )


def types_are_too_narrow(patch: Patch) -> None:
    around(
        patch,
        descriptions,
        "infer",
        lambda original, value: str(original(value)).replace("RichData", "Data"),
    )


def programs_are_mixed_up(patch: Patch) -> None:
    """A cache of parsed texts has keys that are the same for several texts."""
    parsed: dict[int, Any] = {}

    def parse(original: Any, source: Any, *values: Any, **options: Any) -> Any:
        key = len(source.text)
        if key not in parsed:
            parsed[key] = original(source, *values, **options)
        return parsed[key]

    around(patch, execution, "parse", parse)


def locals_are_taken_for_integers(patch: Patch) -> None:
    def kind_of_variable(original: Any, unit: Unit, name: str) -> Any:
        return "int" if original(unit, name) is not None else None

    around(patch, static_kinds, "_kind_of_variable", kind_of_variable)


FAULTS: list[tuple[str, Break]] = [
    ("twice", texts_are_those_of_the_value_before),
    ("after itself", a_session_logs_a_message_once),
    ("hoisted literals", types_lose_a_key_when_folded),
    ("hoisted literals", floats_are_taken_for_integers),
    ("renamed variables", variables_share_a_slot),
    ("undone noise", undo_keeps_functions),
    ("undone noise", undo_keeps_resources),
    ("failed inputs", failures_keep_variables),
    ("undone and redone", inputs_forget_floats),
    ("in parts", inputs_forget_floats),
    ("saved and loaded", saving_loses_blanks),
    ("with data", data_have_nothing_for_classes),
    ("as module", the_cache_has_other_constants),
    ("stepped", a_frame_is_changed_by_looking),
    ("value is code", a_float_loses_a_digit),
    ("as text", texts_of_pieces_are_those_of_python),
    ("has its type", types_are_too_narrow),
    ("catalog is code", code_has_other_strings),
    ("renamed variables", programs_are_mixed_up),
    ("in contexts", locals_are_taken_for_integers),
    ("batch", batch_has_other_types),
    ("kernel", cells_show_other_quotes),
    ("line mode", lines_run_at_once),
    ("command line", values_are_narrow),
    ("compile", compiled_catalogs_have_no_tags),
]


def test_each_relation_has_a_defect_that_it_finds() -> None:
    assert {relation for relation, _ in FAULTS} == {relation.name for relation in ALL}


@pytest.mark.untraced
@pytest.mark.parametrize(("relation", "fault"), FAULTS)
def test_a_defect_is_found(relation: str, fault: Break, monkeypatch: Patch) -> None:
    rows = [row for row in ALL if row.name == relation]
    run = Run(SEED, rows, tries=TRIES)
    fault(monkeypatch)
    try:
        for program in islice(programs(SEED), MAX_PROGRAMS):
            run.add(program)
            if run.violations:
                break
    finally:
        run.close()
    assert run.violations, f"{run.programs} programs do not show it"
    found = run.violations[0]
    assert found.relation == relation
    assert len(found.program.text) <= len(program.text)
