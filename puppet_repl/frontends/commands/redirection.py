"""``> FILE``, ``>> FILE`` and ``| PROGRAM`` after a command that lists: its text goes there.

Only the full-screen prompt does that, for the person who types there: notebooks, documents and
pipes may hold somebody else's commands, and in the line mode lines that are pasted run at once.
A hermetic session writes nothing and starts no program.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from puppet_repl.base.file_replacement import PRIVATE, replace_file
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.frontends.commands.files import file_names, path_of
from puppet_repl.frontends.commands.nodes import assigns_fact, changes_facts
from puppet_repl.host.command_registry import find_command
from puppet_repl.host.command_syntax import parse_command
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import NO_WIDTH, whole_text
from puppet_repl.tools.reports.parts import (
    Action,
    Cell,
    CommandError,
    Message,
    Report,
    Shown,
    Table,
    ValueCell,
)
from puppet_repl.tools.reports.report import render_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call
    from puppet_repl.tools.reports.parts import Part

LISTINGS = frozenset(
    (
        *("catalog", "diff", "environment", "facts", "graph", "help", "lookup", "modulepath"),
        *("names", "resources", "vars"),
    )
)
"""Commands whose text may go elsewhere: their arguments are names, neither code nor free text."""
# Arguments with which one of them changes the session.
_CHANGES = {
    "diff": re.compile(r"(.*\s)?--mark\s+\S"),
    "environment": re.compile(r"\S"),
    "modulepath": re.compile(r"\S"),
    "resources": re.compile(r"--exported\s+clear\b"),
}
# A sign and the first letter of a file or a program; signs of operators (``>=``, ``|>``) differ.
_WITHOUT_BLANK = re.compile(r"(>>?|\|)([\w./~'\"].*)", re.DOTALL)
# After a command that sends nothing: numbers, variables and strings are operands of ``>``.
_MEANT = re.compile(r"(?:^|\s)(>>?\s*[a-zA-Z_./~][\w./~-]*|\|\s*[a-zA-Z_./~].*)$")


def is_listing(text: str) -> bool:
    """Tell whether an input is a command whose text may go elsewhere."""
    parsed = parse_command(text)
    command = None if parsed is None else find_command(parsed[0])
    return command is not None and command.name in LISTINGS


class Redirection:
    """Where the text of a command goes: ``sign`` is ``>``, ``>>`` or ``|``.

    ``target`` is the file or the program, ``argument`` that of the command without them.
    Without ``has_blank`` nothing is between sign and target, and a pattern may be meant.
    """

    __slots__ = ("argument", "has_blank", "sign", "target")

    def __init__(self, argument: str, sign: str, target: str, has_blank: bool) -> None:
        self.argument = argument
        self.sign = sign
        self.target = target
        self.has_blank = has_blank


def redirection_of(name: str, argument: str) -> Redirection | None:
    """Return where the text of a command is to go, None for the screen.

    The sign has a blank on both sides, and is neither in quotes nor in brackets:
    ``:resources Exec[a | b]`` names a resource. A value of a fact keeps its signs. Raises
    CommandError for lines below it: those below a command are code, and no shell may run them.
    """
    if name not in LISTINGS:
        return None
    line, line_end, _ = argument.partition("\n")
    found = _in_line(line)
    if found is None or (name == "facts" and assigns_fact(found.argument)):
        return None
    if line_end:
        raise CommandError(
            f"lines below {found.sign} {found.target} would be code, and are not run",
            "the file or the program is on the line of the command, and nothing below it",
        )
    return found


def _in_line(argument: str) -> Redirection | None:
    quote, depth = "", 0
    for at, character in enumerate(argument):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character in ">|" and depth == 0 and (at == 0 or argument[at - 1].isspace()):
            found = _redirection(argument, at)
            if found is not None:
                return found
    return None


def _redirection(argument: str, at: int) -> Redirection | None:
    before = argument[:at].rstrip()
    unclear = _WITHOUT_BLANK.match(argument, at)
    if unclear is not None:
        return Redirection(before, unclear[1], unclear[2], has_blank=False)
    sign = ">>" if argument.startswith(">>", at) else argument[at]
    target = argument[at + len(sign) :]
    if not target[:1].isspace() or not target.strip():
        return None
    return Redirection(before, sign, target.strip(), has_blank=True)


def _changes_session(name: str, argument: str) -> bool:
    """Tell whether a command of ``LISTINGS`` changes the session, instead of listing."""
    if name == "facts":
        return changes_facts(argument)
    return name in _CHANGES and _CHANGES[name].match(argument) is not None


def check_redirection(call: Call, to: Redirection) -> None:
    """Raise CommandError unless this command, in this session, may write files or start programs.

    The argument of the call is the one without the file or the program.
    """
    if call.session.reach is not None:
        raise CommandError("a hermetic session writes no files and starts no programs", "")
    if not call.host.may_redirect:
        raise CommandError(
            "only the full-screen prompt sends the text of a command to a file or a program", ""
        )
    if not to.has_blank:
        written = f":{call.command.name} {call.argument}".rstrip()
        place = "gives the text to the program" if to.sign == "|" else "writes the file"
        pattern = "; a pattern in quotes may begin so" if call.command.name == "resources" else ""
        raise CommandError(
            f"a blank is missing between {to.sign} and {to.target}",
            f"'{written} {to.sign} {to.target}' {place}{pattern}",
        )
    if call.host.stopped_stack is not None:
        raise CommandError("not while code is stopped", "")
    if _changes_session(call.command.name, call.argument):
        raise CommandError(
            "only a list is sent to a file or a program; this changes the session", ""
        )


def hint_on_signs(call: Call, report: Report) -> Report:
    """Add how lists are sent to files to a report without result, if ``> FILE`` is meant there.

    It is of a command that sends its text nowhere: the sign has been a part of its argument.
    """
    found = _MEANT.search(call.argument)
    tables = [part for part in report.parts if isinstance(part, Table)]
    is_empty = report.failed or bool(tables and not any(table.rows for table in tables))
    can_send = call.host.may_redirect and call.session.reach is None
    if found is None or not is_empty or not can_send or call.command.name in LISTINGS:
        return report
    part = "code" if call.command.takes_code else "a part of the argument"
    example = "| less" if found[1][0] == "|" else "> FILE"
    said = f"'{found[1]}' is {part} here; only lists are sent elsewhere: :resources {example}"
    return Report(*report.parts, Message(f"  hint: {said}", "dim"), action=report.action)


def redirected(report: Report, to: Redirection) -> Report:
    """Return the report of a command whose text has gone to a file, or that has it go to a program.

    A report of a failure is returned as it is. Raises CommandError.
    """
    if report.failed:
        return report
    whole = Report(*map(_whole, report.parts))
    text = plain(render_report(whole, NO_WIDTH))
    text = "".join(f"{line.rstrip()}\n" for line in text.split("\n")) if text else ""
    if to.sign == "|":
        return Report(action=Action("pipe", to.target, (text,)))
    names = file_names(to.target)
    if len(names) != 1:
        raise CommandError("one file is needed", "a name that has blanks is written in quotes")
    path = path_of(names[0])
    try:
        _write(path, text, appends=to.sign == ">>")
    except OSError as error:
        raise CommandError(f"cannot write {path}: {why_unusable(error)}", "") from error
    done = "added" if to.sign == ">>" else "wrote"
    return Report(Message(f"{done} {counted(text.count(chr(10)), 'line')} to {path}", "dim"))


def _whole(part: Part) -> Part:
    """Return a part of a report with values that are not shortened."""
    if isinstance(part, Shown):
        return Shown(part.value, full=True)
    if not isinstance(part, Table):
        return part
    rows = [
        [
            Cell(plain(whole_text(each.value))) if isinstance(each, ValueCell) else each
            for each in row
        ]
        for row in part.rows
    ]
    return Table(part.headings, rows, title=part.title, empty=part.empty)


def _write(path: Path, text: str, *, appends: bool) -> None:
    """Write or append a text, as UTF-8 and whole or not at all. Raises OSError.

    Devices and pipes get the text as it is.
    """
    is_file = not path.exists() or stat.S_ISREG(os.stat(path).st_mode)
    if is_file and not appends:
        replace_file(path, text, mode=PRIVATE)
        return
    data = text.encode("utf-8", "backslashreplace")
    with open(path, "ab" if appends else "wb", buffering=0, opener=_open_private) as file:
        size = os.fstat(file.fileno()).st_size
        try:
            written = 0
            while written < len(data):
                written += file.write(data[written:]) or 0
        except OSError:
            if is_file:
                file.truncate(size)
            raise


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE)
