"""Completion, documentation and completeness of cells with a cell magic.

In a cell for other nodes, and in the tags of a template, Puppet code is completed as elsewhere.
"""

from __future__ import annotations

import re

from puppet_kernel.cell_magics import body_of, split_magic
from puppet_repl.environment.facts.facts import factset_names
from puppet_repl.host.cell_magics import CELL_MAGICS
from puppet_repl.session import Session
from puppet_repl.tools.completion import Completion, Completions
from puppet_repl.tools.completion.files import complete_file
from puppet_repl.tools.completion.machines import complete_machine
from puppet_repl.tools.inspection.documentation import Documentation

_NAME = re.compile(r"\s*%%(?P<name>\w*)\Z")
# An open tag of a template, up to its code.
_TAG = re.compile(r"<%(?:=|-)?(?!#)(?P<code>(?:(?!%>).)*)\Z", re.DOTALL)


def complete_magic(session: Session, code: str, cursor: int) -> Completions:
    """Return the completions at the cursor in a cell with a magic."""
    before = code[:cursor]
    naming = _NAME.match(before)
    if naming is not None:
        names = [name for name in CELL_MAGICS if name.startswith(naming["name"])]
        items = [Completion(name, "command", detail=CELL_MAGICS[name].help) for name in names]
        return Completions(naming.start("name"), cursor, items)
    start = _code_start(before)
    if start is not None:
        found = session.complete(before[start:], cursor - start)
        return Completions(found.start + start, found.end + start, found.items)
    name, argument, _ = split_magic(before)
    if "\n" not in before and argument is not None:
        begin = cursor - len(argument)
        magic = CELL_MAGICS.get(name)
        completes = "" if magic is None else magic.completes
        if completes == "file":
            return complete_file(before, begin, session.reach)
        if completes == "fact set":
            names = [each for each in factset_names() if each.startswith(argument)]
            return Completions(begin, cursor, [Completion(each, "value") for each in names])
        if completes == "machine":
            return complete_machine(session, before, cursor - len(_last_word(argument, before)))
    return Completions(cursor, cursor, [])


def _last_word(argument: str, before: str) -> str:
    """Return the word that the cursor is at the end of, '' after a blank."""
    return "" if before[-1:].isspace() or not argument else argument.split()[-1]


def _code_start(before: str) -> int | None:
    """Return the offset of the Puppet code that the cursor is in, None outside of any."""
    name, _, body = split_magic(before)
    if "\n" not in before:
        return None
    kind = body_of(name)
    if kind == "code":
        return body
    tag = _TAG.search(before, body) if kind == "template" else None
    return None if tag is None else tag.start("code")


def inspect_magic(session: Session, code: str, cursor: int) -> Documentation | None:
    """Return the help of a magic for its line, and that of Puppet's names for the lines below."""
    name, _, _ = split_magic(code)
    magic = CELL_MAGICS.get(name)
    if magic is not None and "\n" not in code[:cursor].lstrip():
        return Documentation(f"%%{name}", "cell magic", magic.help, signatures=(magic.usage,))
    start = _code_start(code[:cursor])
    return None if start is None else session.inspect(code[start:], cursor - start)


def is_cell_magic_complete(code: str) -> bool:
    """Tell whether Enter runs the cell: after a line end, or where no body is to be written."""
    name, argument, body = split_magic(code)
    if name not in CELL_MAGICS or argument == "?":
        return True
    if body_of(name) == "text" and argument and body >= len(code):
        return True
    return code[body:].strip() != "" and code.endswith("\n")
