"""The Python text of what a program became, for ``:show python``."""

from __future__ import annotations

from puppet_repl.language.compiler.program import SourceTree, lower_program
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.syntax.ast import Program


def show_python(program: Program, context: Context) -> str:
    """Python source of a parsed program; constants are listed by the names that stand for them."""
    import ast

    lowered = lower_program(SourceTree(program.source, program), context)
    lines: list[str] = []
    for name, value in lowered.lowering.constants.items():
        if name in lowered.lowering.descriptions:
            lines.append(f"# {name}: {lowered.lowering.descriptions[name]}")
        elif name.startswith(("regexp_", "type_")):
            lines.append(f"# {name} = {_one_line(to_text(value))}")
    return "\n".join([*lines, ast.unparse(lowered.module)])


def _one_line(text: str) -> str:
    return " ".join(text.split())
