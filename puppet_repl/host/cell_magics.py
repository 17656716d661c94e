"""The table of cell magics: the names after ``%%`` in the first line of a notebook's cell.

This is the only list. The kernel runs them, a prompt says what does the same there, and
``make labextension`` writes the names for the Pygments lexer and for JupyterLab.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Body: TypeAlias = Literal["code", "template", "text", "file", "cell", "captured"]
    Completes: TypeAlias = Literal["", "fact set", "file", "machine"]


class CellMagic:
    """One cell magic.

    ``body`` is the kind of the lines below it: "code", a "template", plain "text", or a "file"
    whose name, the argument, ends in .pp for code and in .epp for a template. The others are ways
    of running another "cell", which begins on the same line or below; the output of that cell may
    be "captured" in the variable that the argument names. ``run`` names the function of the kernel
    that runs it, as ``module.function``; ways have none. ``at_prompt`` names the equivalent at a
    prompt, ``completes`` the source of completions for the argument.
    """

    __slots__ = ("at_prompt", "body", "completes", "help", "run", "usage")

    def __init__(
        self,
        usage: str,
        help: str,
        body: Body,
        *,
        run: str = "",
        at_prompt: str,
        completes: Completes = "",
    ) -> None:
        self.usage = usage
        self.help = help
        self.body: Body = body
        self.run = run
        self.at_prompt = at_prompt
        self.completes: Completes = completes

    @property
    def name(self) -> str:
        """The name without the percent signs."""
        return self.usage[2:].split()[0]


_MAGICS = (
    CellMagic(
        "%%check",
        "Test which conditions of the cell hold, and show the values of the others. "
        "Other statements, such as include and assignments, are run before them. The session "
        "stays as it is; the cell fails unless all conditions hold.",
        "code",
        run="magic_functions.check",
        at_prompt="the command is :why CONDITION; CONDITION",
    ),
    CellMagic(
        "%%epp [PARAMETERS]",
        "Render the cell as an EPP template. Parameters are a Puppet hash (name => 'x', ...) or "
        "YAML (name: x, ...).",
        "template",
        run="magic_functions.epp",
        at_prompt="inline_epp(TEMPLATE) renders a template",
    ),
    CellMagic(
        "%%facts [SET|FILE]...",
        "Reset the session and replace the facts of the node: by bundled sets and files, and by "
        "YAML or JSON in the cell, which overrides them.",
        "text",
        run="magic_functions.facts",
        at_prompt="the command is :facts SET",
        completes="fact set",
    ),
    CellMagic(
        "%%file NAME",
        "Write the cell to a file, for example of a module.",
        "file",
        run="magic_functions.file",
        at_prompt=":save FILE writes the inputs of the session",
        completes="file",
    ),
    CellMagic(
        "%%on MACHINE...",
        "Run the cell for several nodes: fact sets, files of facts and patterns of files, "
        "directories of environments, names of nodes. The session stays as it is.",
        "code",
        run="magic_functions.on",
        at_prompt="the command is :on MACHINE... CODE",
        completes="machine",
    ),
    CellMagic(
        "%%time",
        "Run the cell and print how long it took.",
        "cell",
        at_prompt="the command is :time CODE",
    ),
    CellMagic(
        "%%quiet",
        "Run the cell without showing values and definitions; messages are shown.",
        "cell",
        at_prompt="a semicolon at the end of an input hides its value",
    ),
    CellMagic(
        "%%capture $NAME",
        "Run the cell, and keep its output in a variable: a hash of its last value, the messages "
        "with their levels, and the output of commands.",
        "captured",
        at_prompt="$name = ... keeps a value",
    ),
)

CELL_MAGICS = {magic.name: magic for magic in _MAGICS}
