"""Completion, documentation and completeness of cells that begin with ``%%``.

In the body of a timed cell, and in the tags of a template, Puppet code is completed as anywhere.
"""

from __future__ import annotations

import re

from puppet_kernel.cell_magics import FORMS, split_magic
from puppet_repl.completion import Completion, Completions
from puppet_repl.inspection.documentation import Documentation
from puppet_repl.session import Session

_NAME = re.compile(r"\s*%%(?P<name>\w*)\Z")
# An open tag of a template, up to its code.
_TAG = re.compile(r"<%(?:=|-)?(?!#)(?P<code>(?:(?!%>).)*)\Z", re.DOTALL)


def complete_magic(session: Session, code: str, cursor: int) -> Completions:
    """What could stand at the cursor in a cell form."""
    before = code[:cursor]
    naming = _NAME.match(before)
    if naming is not None:
        names = [name for name in FORMS if name.startswith(naming["name"])]
        items = [Completion(name, "command", detail=FORMS[name].help) for name in names]
        return Completions(naming.start("name"), cursor, items)
    start = _code_start(before)
    if start is not None:
        found = session.complete(before[start:], cursor - start)
        return Completions(found.start + start, found.end + start, found.items)
    name, argument, _ = split_magic(before)
    if "\n" not in before and argument is not None:
        begin = cursor - len(argument)
        if name == "file":
            from puppet_repl.completion.arguments import complete_file

            return complete_file(before, begin)
        if name == "facts":
            from puppet_repl.environment.facts import factset_names

            names = [each for each in factset_names() if each.startswith(argument)]
            return Completions(begin, cursor, [Completion(each, "value") for each in names])
    return Completions(cursor, cursor, [])


def _code_start(before: str) -> int | None:
    """Where the Puppet code begins that the cursor is in, if it is in some."""
    name, _, body = split_magic(before)
    if "\n" not in before:
        return None
    if name == "time":
        return body
    tag = _TAG.search(before, body) if name == "epp" else None
    return None if tag is None else tag.start("code")


def inspect_form(session: Session, code: str, cursor: int) -> Documentation | None:
    """The help of a form in its first line, documentation of Puppet's names below it."""
    name, _, _ = split_magic(code)
    form = FORMS.get(name)
    if form is not None and "\n" not in code[:cursor].lstrip():
        return Documentation(f"%%{name}", "cell form", form.help, signatures=(form.usage,))
    start = _code_start(code[:cursor])
    return None if start is None else session.inspect(code[start:], cursor - start)


def is_cell_magic_complete(code: str) -> bool:
    """Whether Enter runs a cell form: behind an empty line, or where there is no body to write."""
    name, argument, body = split_magic(code)
    if name not in FORMS or argument == "?" or (name == "facts" and argument and body >= len(code)):
        return True
    return code[body:].strip() != "" and code.endswith("\n")
