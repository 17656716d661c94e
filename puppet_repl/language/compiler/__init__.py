"""The compiler: Puppet's tree becomes Python's, then a code object.

``lowerings`` says which module lowers which nodes; ``program`` makes the code object and runs it;
``locations`` finds from a traceback where an error happened; ``cache`` and ``stored`` keep code.
Blocks become tuples whose last item is the value, or functions; lambdas are Python functions.
"""

from __future__ import annotations

from puppet_repl.language.compiler.names import runtime_names
from puppet_repl.language.compiler.program import CompiledProgram, SourceTree, compile_tree, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.compiler.program import ProgramCode
    from puppet_repl.language.runtime.context import Context, RenderEpp
    from puppet_repl.language.syntax.ast import Program
    from puppet_repl.language.syntax.outline import Outline
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value

__all__ = ["CompiledProgram", "compile_program", "compiled", "render_epp"]


def render_epp(source: Source, context: Context, parameters: Value = None) -> Value:
    """Render a template with parameters (a PuppetHash or None); it sees global variables only."""
    from puppet_repl.language.compiler.rendering import render_text

    attach(context)
    return render_text(source, context, parameters)


def compile_program(
    program: Program, context: Context, module_name: str | None = None
) -> CompiledProgram:
    """Compile a parsed and validated program."""
    code = compile_tree(SourceTree(program.source, program), context)
    return compiled(code, context, module_name)


def compiled(
    code: ProgramCode, context: Context, module_name: str | None = None
) -> CompiledProgram:
    """Return a program of a session, whose code may come from another one."""
    attach(context)
    return CompiledProgram(code, context, module_name)


def attach(context: Context) -> None:
    """Give a context what it needs of the compiler, once."""
    if "C" in context.names:
        return
    runtime_names(context)
    context.locate = located
    context.compile_text = _compile_text
    context.render_epp = _render_epp(context)


def _compile_text(
    source: Source,
    context: Context,
    module_name: str | None,
    module_file: str | None,
    check: Callable[[Outline], None] | None,
) -> CompiledProgram:
    """Parse, validate and compile a file of a module, and define its functions and types."""
    from puppet_repl.language.compiler.cache import compile_file

    code = compile_file(source, context, module_file=module_file, check=check)
    program = CompiledProgram(code, context, module_name)
    program.define()
    return program


def _render_epp(context: Context) -> RenderEpp:
    def render(source: Source, parameters: Value, *, inline: bool) -> Value:
        from puppet_repl.language.compiler.rendering import render_source

        return render_source(source, context, parameters, inline=inline)

    return render
