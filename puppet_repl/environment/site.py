"""Compiling a site as a server does: all of its manifests are one program.

First all files are read and their definitions made known, so that their order does not matter;
then the code outside of definitions runs, file by file, and the node block of the node.
"""

from __future__ import annotations

from puppet_repl.compiler import compile_program
from puppet_repl.errors import PuppetError
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.validate import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.compiler import CompiledProgram
    from puppet_repl.runtime.context import Context
    from puppet_repl.syntax.source import Source


def compile_site(sources: Iterable[Source], context: Context, *, has_node: bool) -> None:
    """Compile manifests into the catalog of a context. Raises PuppetError.

    Overrides and realizations have to find what they name. Where there are node blocks and the user
    ``has_node`` chosen, one of them has to apply to it.
    """
    context.begin_input()
    programs = []
    for source in sources:
        program = _read(source, context)
        program.define_all()
        programs.append(program)
    for program in programs:
        program.evaluate()
    context.catalog.end_site(has_node=has_node)


def _read(source: Source, context: Context) -> CompiledProgram:
    """Parse, validate and compile one manifest."""
    try:
        tree = parse(source)
        for warning in tree.warnings:
            context.log("warning", warning.message)
        for report in validate(
            tree, language=context.options.language, strict=context.options.strict
        ):
            context.log(report.level, report.message)
    except PuppetError as error:
        raise _of_environment(error, context.options.environment_name) from None
    return compile_program(tree, context)


def _of_environment(error: PuppetError, name: str) -> PuppetError:
    """Return the refusal of a text as that of a manifest of an environment."""
    error.message = f"Could not parse for environment {name}: {error.message}"
    error.args = (error.message,)
    return error
