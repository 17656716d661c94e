"""The Python text of what a program became, for ``:show python``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.runtime.context import Context
    from puppet_repl.syntax.ast import Program


def show_python(program: Program, context: Context) -> str:
    """Python source of a parsed program; constants are listed by the names that stand for them."""
    import ast

    from puppet_repl.compiler.program import lower_program
    from puppet_repl.values.text import to_text

    lowered = lower_program(program, context)
    lines = [
        f"# {name} = {_one_line(to_text(value))}"
        for name, value in lowered.constants.items()
        if not name.startswith(("call_", "lambda_", "is_instance_", "search_", "cell_", "types_"))
    ]
    text = ast.unparse(lowered.tree)
    return "\n".join([*lines, text])


def _one_line(text: str) -> str:
    return " ".join(text.split())
