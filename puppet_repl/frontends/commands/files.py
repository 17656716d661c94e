"""``:load``, and what files hold of sessions: manifests with marks, and notebooks."""

from __future__ import annotations

import os
import re
import shlex
from functools import partial
from pathlib import Path

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.frontends.commands.entries import without_semicolon
from puppet_repl.frontends.commands.program_inputs import split_commands
from puppet_repl.frontends.commands.reach import check_path
from puppet_repl.host.command_syntax import is_command
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.tools.reports.parts import (
    CommandError,
    Message,
    Ran,
    Report,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call
    from puppet_repl.session import Session

# The first line of a saved session, and the beginning of the line above each of its inputs.
SAVED = "# A session of puppet-repl; :load runs each part as an input of its own."
MARK = "# In["
_INPUT = re.compile(re.escape(MARK))
# The line above a cell, as jupytext and editors write it: # %%, # %% [markdown]
_CELL = re.compile(r"# %%(?:\s|\Z)")
# Below the first line of a file with results: the command that compares them, and a warning.
COMPARED = "# Compare its results: "
FACTS_ARE_OTHERS = (
    "# The session had no --facts; those of doctest are of debian-12 unless --facts names others."
)
_HEAD = (SAVED, COMPARED, FACTS_ARE_OTHERS)
# Lines of a file: 7, 3-20, 9- to its end
_LINES = re.compile(r"\d{1,9}(?:-\d{0,9})?")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def load(call: Call) -> Report:
    """``:load FILE [N-M]...``: each file is one input; the first that fails ends the command.

    All files are read before the first one runs, so that a wrong name changes nothing.

    A file that ``:save`` wrote is split into its inputs, so that names may be bound again. Ranges
    of lines are inputs of their own.
    """
    files = _files_with_ranges(call.argument)
    if not files:
        raise CommandError("which file?", "for example :load manifests/site.pp")
    report = Report()
    for path, text, ranges, parts in [_file_to_run(call, *each) for each in files]:
        for part in parts:
            with call.host.stopping():
                outcome = call.session.execute(part, str(path))
            if outcome.error is not None or part is text or ranges:
                report.parts.append(Ran(outcome))
            if outcome.error is not None:
                return report
        what = counted(_count_lines(text), "line")
        if ranges:
            what = _lines_shown(ranges, _count_lines(text))
        report.parts.append(Message(f"loaded {path} ({what})", "dim"))
    return report


def _file_to_run(
    call: Call, name: str, ranges: list[str]
) -> tuple[Path, str, list[str], list[str]]:
    """Return the path and the text of a file, its ranges, and its inputs. Raises CommandError."""
    check_path(call.session, name)
    path = path_of(name)
    text = _read(path)
    if ranges:
        return path, text, ranges, [_lines_of(text, path, each) for each in ranges]
    read = partial(notebook_inputs, path=path) if path.suffix == ".ipynb" else saved_inputs
    return path, text, ranges, read(call.session, text)


def _files_with_ranges(argument: str) -> list[tuple[str, list[str]]]:
    """Return the files of an argument, each with the ranges of lines that follow it."""
    files: list[tuple[str, list[str]]] = []
    for word in file_names(argument):
        if files and _LINES.fullmatch(word) and not os.path.exists(word):
            files[-1][1].append(word)
        else:
            files.append((word, []))
    return files


def _lines_of(text: str, path: Path, wanted: str) -> str:
    """Return some lines of a manifest, at their places. Raises CommandError."""
    if path.suffix == ".ipynb":
        raise CommandError(f"{path} has cells; only of a manifest lines can be loaded", "")
    count = _count_lines(text)
    start, end = _range_of(wanted, count)
    if not 1 <= start <= end:
        raise CommandError(f"{wanted} is not a range of lines", "for example 3-20")
    if start > count:
        raise CommandError(f"{path} has {counted(count, 'line')}", "")
    # Empty lines above keep the line numbers of errors right.
    return "\n" * (start - 1) + "\n".join(text.split("\n")[start - 1 : end])


def _range_of(wanted: str, count: int) -> tuple[int, int]:
    """Return the first and the last line that a range names, in a file of ``count`` lines."""
    first, dash, last = wanted.partition("-")
    start = int(first)
    if not dash:
        return start, start
    return start, int(last) if last else max(start, count)


def _lines_shown(ranges: list[str], count: int) -> str:
    """Return the ranges of a file of ``count`` lines as they were loaded: ``lines 3-20, 25``."""
    shown = []
    for each in ranges:
        start, end = _range_of(each, count)
        end = min(end, count)
        shown.append(f"{start}-{end}" if end > start else str(start))
    is_one = len(shown) == 1 and shown[0].isdigit()
    return f"{'line' if is_one else 'lines'} {', '.join(shown)}"


def _count_lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


def notebook_inputs(session: Session, text: str, path: Path) -> list[str]:
    """Return the code of the cells of a notebook, without commands and cell magics."""
    try:
        data = read_json(text)
    except JsonDataError as error:
        raise CommandError(f"{path} is not a notebook", f"not JSON: {error}") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        raise CommandError(f"{path} is not a notebook", "an object with an array 'cells' is one")
    inputs = [
        _source_of(cell, f"{path}: cell {number}")
        for number, cell in enumerate(cells, 1)
        if not isinstance(cell, dict) or cell.get("cell_type") == "code"
    ]
    return [part for cell in inputs for part in _code_of_cell(session, cell)]


def _code_of_cell(session: Session, cell: str) -> list[str]:
    """Return the inputs of a cell that are code, at their lines; a cell magic has none."""
    if cell.lstrip().startswith("%%"):
        return []
    parts = [part for part in split_commands(session, cell) if part.strip()]
    return [without_semicolon(session, part)[0] for part in parts if not is_command(part)]


def _source_of(cell: object, where: str) -> str:
    """Return the code of a cell: a string, or an array of its lines."""
    source = cell.get("source") if isinstance(cell, dict) else None
    lines = source if isinstance(source, list) else [source]
    texts = [line for line in lines if isinstance(line, str)]
    if len(texts) < len(lines):
        raise CommandError(f"{where} has no source", "a string, or an array of strings")
    return "".join(texts)


def is_saved_session(text: str) -> bool:
    """Tell whether a manifest is a session that was saved."""
    return text.startswith(SAVED)


def saved_inputs(session: Session, text: str) -> list[str]:
    """Return the inputs of a saved session, each at its lines; of any other file the whole text.

    What somebody has written above the first mark is an input, too. A file with marks of cells has
    its cells for inputs, without commands and cell magics.
    """
    if is_saved_session(text):
        return _marked_parts(text, _INPUT)
    if not any(_CELL.match(line) for line in text.split("\n")):
        return [text]
    cells = [part for cell in _marked_parts(text, _CELL) for part in _code_of_cell(session, cell)]
    # The text of a heredoc may look like a mark.
    is_one = not all(map(_stands_alone, cells)) and _stands_alone(text)
    return [text] if is_one else cells


def _marked_parts(text: str, mark: re.Pattern[str]) -> list[str]:
    """Return the parts of a text between marks, each with empty lines above for all before it."""
    parts: list[list[str]] = [[]]
    for number, line in enumerate(text.split("\n")):
        # Empty lines before an input, in place of marks too, keep the line numbers of errors right.
        is_mark = mark.match(line) is not None
        if is_mark:
            parts.append([""] * number)
        parts[-1].append("" if is_mark or line.startswith(_HEAD) else line)
    inputs = ["\n".join(part) for part in parts]
    return [part for part in inputs if part.strip()]


def file_names(argument: str) -> list[str]:
    """Return the names of an argument, which may be quoted as in a shell."""
    try:
        return shlex.split(argument)
    except ValueError:
        return [argument.strip()]


def path_of(name: str) -> Path:
    """Return the path of a name, which may begin with a home directory. Raises CommandError."""
    if _URL.match(name):
        raise CommandError(f"a URL is not a file: {name}", "download it first, then give its path")
    if "\0" in name:
        raise CommandError("the name of a file has no NUL character", "")
    try:
        path = Path(name).expanduser()
        os.fsencode(path)
    except RuntimeError:
        raise CommandError(f"there is no home directory for {name}", "") from None
    except UnicodeEncodeError:
        raise CommandError(f"{name} is not the name of a file", "") from None
    return path


def _read(path: Path) -> str:
    try:
        return read_text(str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"cannot read {path}: {why_unusable(error)}", "") from error


def manifest_parts(inputs: list[str]) -> list[str]:
    """Return the inputs of a session as they are written in a manifest.

    A mere value at the end of an input, which is not valid before other code, becomes a comment.
    """
    parts = []
    for text in inputs:
        code, value = without_value(text)
        parts.append("\n".join([*([code] if code else ()), *([commented(value)] if value else ())]))
    return parts


def without_value(text: str) -> tuple[str, str]:
    """Return an input without the mere value at its end, and that value; either may be empty.

    An input with a syntax error is returned as a value.
    """
    if stands_in_manifest(text):
        return text, ""
    try:
        body = parse(Source(text)).body
    except PuppetError:
        return "", text
    if isinstance(body, ast.BlockExpression):
        start = body.statements[-1].start
        for at in (text.rfind("\n", 0, start) + 1, start):
            code = text[:at].rstrip().removesuffix(";").rstrip()
            if code and stands_in_manifest(code) and _count(code) == len(body.statements) - 1:
                return code, text[at:]
    return "", text


def _count(code: str) -> int:
    body = parse(Source(code)).body
    return len(body.statements) if isinstance(body, ast.BlockExpression) else 1


def commented(text: str) -> str:
    """Return a text as a comment."""
    return "\n".join([f"# {line}".rstrip() for line in text.split("\n")])


def manifest_text(parts: list[str], head: list[str]) -> str:
    """Return a manifest of parts, which ``:load`` can split again; ``head`` are comments."""
    marked = [f"{MARK}{number}]\n{text}" for number, text in enumerate(parts, 1)]
    return "\n\n".join(["\n".join([SAVED, *head]), *marked]) + "\n"


def stands_in_manifest(text: str) -> bool:
    """Tell whether other statements may follow an input."""
    return _stands_alone(f"{text}\n\nundef\n")


def _stands_alone(text: str) -> bool:
    """Tell whether a text is a valid program."""
    try:
        validate(parse(Source(text)))
    except PuppetError:
        return False
    return True
