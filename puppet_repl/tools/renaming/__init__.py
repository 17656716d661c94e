"""New names, in all files, for definitions, parameters and variables of classes.

``sources`` has the files, ``settings`` the code that sets attributes, ``values`` what an expression
may be, as far as code and data say. ``parameters`` and ``definitions`` make the edits of a renaming
or refuse it with a sentence (``work``): the catalog has to stay the same but for the name. Nothing
is evaluated, and no file is written.
"""

from __future__ import annotations

from typing import NamedTuple

from puppet_repl.tools.editing.scopes import plain
from puppet_repl.tools.editing.uses import use_at
from puppet_repl.tools.renaming.definitions import rename_definition
from puppet_repl.tools.renaming.parameters import rename_parameter
from puppet_repl.tools.renaming.template_parameters import rename_template_parameter
from puppet_repl.tools.renaming.work import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.editing.data_uses import DataUse
    from puppet_repl.tools.editing.symbols import TextSymbols
    from puppet_repl.tools.renaming.values import Values
    from puppet_repl.tools.renaming.work import Renaming

_TEMPLATE = "template"
_KINDS = {"class": ("class",), "function": ("function",), "type": ("define", "type")}


class Name(NamedTuple):
    """A name that files share: its range in the text, and its ``kind``: class, type or function.

    Of a parameter, kind and name are those of the class or defined type that has it, or "template"
    and the name of a template as ``epp`` takes it.
    """

    kind: str
    name: str
    start: int
    end: int
    parameter: str = ""


def shared_name_at(
    program: ast.Program, offset: int, known: TextSymbols | None = None
) -> Name | None:
    """Return the name at an offset that other files may use: of a parameter, or a definition."""
    use = use_at(program, offset, known)
    if use is None:
        return None
    target = use.target
    if target.kind == "variable":
        kind, _, owner = target.scope.partition(" ")
        if kind not in (*_KINDS, _TEMPLATE):
            return None
        return Name(kind, owner, use.end - len(target.name), use.end, target.name)
    if target.kind not in _KINDS:
        return None
    return Name(target.kind, target.name, use.start, use.end)


def shared_name_in_data(use: DataUse | None) -> Name | None:
    """Return the name that data has: of a class, of its variable, or of the key of a parameter.

    Keys inside of values are those of parameters of defined types.
    """
    if use is None or use.kind == "class":
        return None if use is None else Name("class", plain(use.name), use.start, use.end)
    owner, _, local = use.name.partition(".")[0].rpartition("::")
    # A variable may have colons in front of its name.
    start = use.end - len(use.name) + len(owner) + len("::")
    kind = "class"
    if use.kind == "attribute":  # its name is without the type in data
        kind, start = "type", use.start
    return Name(kind, owner, start, start + len(local), local) if owner else None


def rename(
    values: Values, name: Name, new: str, module_file: Callable[[str], str | None]
) -> Renaming:
    """Return the edits that rename what a name means. Raises Refused with the reason against it."""
    if name.kind == _TEMPLATE:
        new = new.removeprefix("$")
        return rename_template_parameter(values, name.name, name.parameter, new)
    if name.parameter:
        kind = "class" if name.kind == "class" else "define"
        new = new.removeprefix("$").removeprefix("::").removeprefix(f"{name.name}::")
        return rename_parameter(values, kind, name.name, name.parameter, new)
    for kind in _KINDS[name.kind]:
        if values.settings.definitions(kind, name.name):
            return rename_definition(values, kind, name.name, new, module_file)
    raise Refused(f"no open file defines {name.name}")
