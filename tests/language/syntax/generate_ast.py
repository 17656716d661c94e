"""Write the classes of the syntax tree: python -m tests.language.syntax.generate_ast.

The description is nodes.txt beside this file; its head says how it is read. The classes stand in
puppet_repl/language/syntax/ast.py below a line that says so; what is above it is written by hand.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

DESCRIPTION = Path(__file__).with_name("nodes.txt")
TARGET = Path(__file__).parents[3] / "puppet_repl" / "language" / "syntax" / "ast.py"
MARK = (
    "# Written by `make ast` from tests/language/syntax/nodes.txt: "
    "change that file, not the code below.\n"
)
WIDTH = 100
DECLARATION = re.compile(
    r"(?P<name>\w+)(?:\((?P<fields>[^)]*)\))?(?:: (?P<base>\w+))?(?: = (?P<label>.+))?"
)


class Kind(NamedTuple):
    """One class of nodes: its fields with their types, None where it has those of its base."""

    name: str
    base: str
    fields: dict[str, str] | None
    has_position: bool
    label: str | None
    doc: str


def read_description(text: str) -> list[str | Kind]:
    """Return the headings and kinds of a description in order."""
    parts: list[str | Kind] = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("== "):
            parts.append(line.removeprefix("== "))
        elif line and not line.startswith("#"):
            match = DECLARATION.fullmatch(line)
            doc = next(lines, "")
            if match is None or not doc.startswith("    "):
                raise ValueError(f"neither a kind of nodes with its sentence nor a heading: {line}")
            fields, has_position = _fields(match["fields"])
            parts.append(
                Kind(
                    match["name"],
                    match["base"] or "Node",
                    fields,
                    has_position,
                    match["label"],
                    doc.strip(),
                )
            )
    return parts


def _fields(text: str | None) -> tuple[dict[str, str] | None, bool]:
    if text is None:
        return None, False
    function = ast.parse(f"def kind({text}): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    parameters = function.args.args
    has_position = bool(parameters) and parameters[-1].arg == "at"
    typed = parameters[:-1] if has_position else parameters
    fields = {}
    for parameter in typed:
        if parameter.annotation is None:
            raise ValueError(f"a field without a type: {parameter.arg} in ({text})")
        fields[parameter.arg] = ast.unparse(parameter.annotation)
    return fields, has_position


def generated(text: str) -> str:
    """Return the code of the classes that a description is about."""
    parts = read_description(text)
    kinds = {part.name: part for part in parts if isinstance(part, Kind)}
    code = []
    for part in parts:
        code.append(f"\n\n# {part}\n" if isinstance(part, str) else _class(part, kinds))
    return "".join(code)


def _class(kind: Kind, kinds: dict[str, Kind]) -> str:
    base = kinds.get(kind.base)
    inherited = set(base.fields or ()) if base is not None else set()
    fields = kind.fields or {}
    slots = sorted(set(fields) - inherited)
    lines = [
        f"class {kind.name}({kind.base}):",
        f'    """{kind.doc}"""',
        "",
        f"    __slots__ = {_tuple(slots)}",
    ]
    if fields:
        is_base = any(other.base == kind.name for other in kinds.values())
        lines.append(f"    fields{': tuple[str, ...]' if is_base else ''} = {_tuple(fields)}")
    is_constant = kind.label is not None and isinstance(
        ast.parse(kind.label, mode="eval").body, ast.Constant
    )
    if is_constant:
        lines.append(f"    name_of_kind = {kind.label}")
    if kind.fields is not None:
        lines += ["", *_constructor(kind, fields)]
    if kind.label is not None and not is_constant:
        lines += ["", *_label(kind.label)]
    return "\n\n" + "\n".join(lines) + "\n"


def _tuple(names: Iterable[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return f"({quoted[0]},)" if len(quoted) == 1 else f"({', '.join(quoted)})"


def _constructor(kind: Kind, fields: dict[str, str]) -> list[str]:
    parameters = ["self", *(f"{name}: {type_}" for name, type_ in fields.items())]
    parameters += ["start: int", "end: int"]
    if kind.has_position:
        parameters.append("at: int")
    head = f"    def __init__({', '.join(parameters)}) -> None:"
    lines = [head]
    if len(head) > WIDTH:
        lines = [
            "    def __init__(",
            *(f"        {each}," for each in parameters),
            "    ) -> None:",
        ]
    lines += [f"        self.{name} = {name}" for name in (*fields, "start", "end")]
    lines.append(f"        self.at = {'at' if kind.has_position else 'start'}")
    return lines


def _label(expression: str) -> list[str]:
    return [
        "    @property",
        "    def label(self) -> str:",
        '        """What Puppet calls this node in its messages."""',
        f"        return {expression}",
    ]


def written(text: str) -> str:
    """Return the module with its classes as the description has them now."""
    by_hand, mark, _ = text.partition(MARK)
    if not mark:
        raise ValueError(f"{TARGET} has no line that says where the generated part begins")
    return by_hand + MARK + generated(DESCRIPTION.read_text(encoding="utf-8"))


def main() -> None:
    """Bring the module up to date."""
    TARGET.write_text(written(TARGET.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
