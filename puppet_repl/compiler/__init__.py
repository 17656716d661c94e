"""The compiler: Puppet's tree becomes Python's, then a code object."""

from __future__ import annotations

from puppet_repl.compiler.program import CompiledProgram, compile_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context
    from puppet_repl.syntax.ast import Program
    from puppet_repl.syntax.source import Source

__all__ = ["CompiledProgram", "compile_program", "python_text", "render_epp"]


def python_text(program: Program, context: Context) -> str:
    """Python source of what a program is lowered to."""
    from puppet_repl.compiler.show import show_python

    return show_python(program, context)


def render_epp(source: Source, context: Context, parameters: Any = None) -> Any:
    """Render a template with parameters (a PuppetHash or None); only global variables are seen."""
    from puppet_repl.compiler.rendering import render_text

    return render_text(source, context, parameters)
